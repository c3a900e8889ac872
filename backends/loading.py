"""Loading: what is built into the dictionary, once somebody asks for it."""

from __future__ import annotations

import importlib
from functools import cache


@cache
def load() -> None:
    """Import every family of phrases/ once: their rows are said there."""
    importlib.import_module(".phrases", __package__)
