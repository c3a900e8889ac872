"""The meanings, a row or a stanza each. `load` imports every family, which puts its ops into the register."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache


@cache
def load() -> None:
    """Import every family once."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f".{module.name}", __package__)
