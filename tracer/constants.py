"""Arrays that no argument is behind, with which Python computes while tracing. Those from outside outlive
the trace and are not written into; those that it has made may be, where every run would do so.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ..ir.errors import UnsupportedError
from . import writes
from .own import attribute
from .plain import plainly


def check(tracer: Any, array: Any, what: str) -> None:
    """Let Python write into a value, where it is such an array.

    Raises:
        UnsupportedError: where it is from outside, or only some runs of the program would write.
    """
    framework = tracer.framework
    if not framework.aliasing or not framework.is_array(array) or not hasattr(array, "__setitem__"):
        return
    if id(root(array)) not in tracer.made:
        writes.check(tracer, array, what)
    if tracer.graph.meta.get("branch"):
        raise UnsupportedError(
            what,
            why="the array is a constant, and is written into on one way, or turn by turn",
            span=tracer.span(),
            hint="make it of an argument, or write into it before",
        )


def call(tracer: Any, f: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Call what is not recorded. An array that it gives and nobody else holds is new; a method of an array of
    NumPy's may write into it.

    Raises:
        UnsupportedError: where it does, and may not, see `check`.
    """
    array = attribute(f, "__self__")
    before = array.copy() if type(array) is np.ndarray else None
    result = plainly(f, *args, **kwargs)
    if type(result) is np.ndarray and result.base is None and sys.getrefcount(result) <= 2:
        tracer.made[id(result)] = result
    if isinstance(array, np.ndarray) and before is not None and array.tobytes() != before.tobytes():
        after = array.copy()
        array[...] = before
        check(tracer, array, f"{attribute(f, '__name__', f)} of an array")
        array[...] = after
    return result


def root(array: Any) -> Any:
    """The array that a view of NumPy's is a part of."""
    while isinstance(getattr(array, "base", None), np.ndarray):
        array = array.base
    return array
