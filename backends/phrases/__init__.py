"""The phrasings: same files as in ir/ops, same order of rows. `load` imports every family."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache


@cache
def load() -> None:
    """Import every family once."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f".{module.name}", __package__)
