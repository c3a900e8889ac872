"""Tracelate: trace a NumPy, JAX or PyTorch function, translate it into readable source for any of the three.

    import tracelate as tl
    traced = tl.symbolic_trace(fn, args=(x, y))
    print(traced.source(to="jax"))
    out = traced.to("jax")

Names are handed on when they are first asked for: importing tracelate costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import check, spec, symbolic_trace, transpile
    from .backends.backend import column
    from .backends.rows import alike, reads, say
    from .ir.errors import (
        GraphError,
        InternalError,
        MismatchError,
        PrecisionWarning,
        ShapeError,
        TraceError,
        UnsupportedError,
    )
    from .ir.meaning.layers import dictionary
    from .ir.meaning.op import op
    from .traced import Traced
    from .tracer.interpreter import Interpreter

__all__ = [
    "GraphError",
    "InternalError",
    "Interpreter",
    "MismatchError",
    "PrecisionWarning",
    "ShapeError",
    "TraceError",
    "Traced",
    "UnsupportedError",
    "alike",
    "check",
    "column",
    "dictionary",
    "op",
    "reads",
    "say",
    "spec",
    "symbolic_trace",
    "transpile",
]

_HOMES = {
    "api": ("check", "spec", "symbolic_trace", "transpile"),
    "backends.backend": ("column",),
    "backends.rows": ("alike", "reads", "say"),
    "ir.errors": (
        "GraphError", "InternalError", "MismatchError", "PrecisionWarning", "ShapeError", "TraceError",
        "UnsupportedError",
    ),
    "ir.meaning.layers": ("dictionary",),
    "ir.meaning.op": ("op",),
    "traced": ("Traced",),
    "tracer.interpreter": ("Interpreter",),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            from .ir.collector import uncollected

            with uncollected():
                return getattr(importlib.import_module(f".{home}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
