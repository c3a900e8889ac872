"""Tracelate: trace a NumPy, JAX or PyTorch function, translate it into readable source for any of the three.

import tracelate as tl
traced = tl.symbolic_trace(fn, args=(x, y))
print(traced.source(to="jax"))
out = traced.to("jax")
"""

from .api import Traced, check, spec, symbolic_trace, transpile
from .backends.phrase import reads, say
from .ir.errors import GraphError, MismatchError, ShapeError, TraceError, UnsupportedError
from .ir.op import op
from .tracer.interpreter import Interpreter

__all__ = [
    "GraphError",
    "Interpreter",
    "MismatchError",
    "ShapeError",
    "TraceError",
    "Traced",
    "UnsupportedError",
    "check",
    "op",
    "reads",
    "say",
    "spec",
    "symbolic_trace",
    "transpile",
]
