"""How each framework's functions are caught. One file a framework; it is imported only when that framework is
the source.
"""

from __future__ import annotations

import importlib
from typing import Any

from ...ir.collector import uncollected


def framework(name: str) -> Any:
    """The interception of "numpy", "jax" or "torch"."""
    with uncollected():  # torch's imports the half of torch that makes tensors without numbers
        return importlib.import_module(f".{name}", __package__).FRAMEWORK
