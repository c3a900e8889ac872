"""The meanings, a row or a stanza each. Importing one family imports all, which puts their ops into the
register.
"""

from __future__ import annotations

import importlib
import pkgutil

from ..meaning.layers import built_in

with built_in():
    for _module in pkgutil.iter_modules(__path__):
        importlib.import_module(f".{_module.name}", __package__)
