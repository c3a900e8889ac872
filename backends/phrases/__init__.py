"""How the frameworks say the ops, a family a file. Importing one imports all, which fills the dictionary."""

from __future__ import annotations

import importlib
import pkgutil

from ...ir.meaning.layers import built_in

with built_in():
    for _module in pkgutil.iter_modules(__path__):
        importlib.import_module(f".{_module.name}", __package__)
