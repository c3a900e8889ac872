"""Untraceable: functions of which no trace can come, whatever they are given."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..ir.errors import TraceError, UnsupportedError
from . import modules
from .objects import wrapped
from .own import attribute

if TYPE_CHECKING:
    from .tracer import Tracer


def refuse(fn: Callable[..., Any], tracer: Tracer) -> None:
    """What no trace can come of.

    Raises:
        TraceError: for a function of a framework itself. UnsupportedError: for a generator or coroutine, or a
            module.
    """
    modules.refuse(tracer, fn)
    fn = wrapped.unbound(fn)
    name = attribute(fn, "__name__", type(fn).__name__)
    if isinstance(fn, types.BuiltinFunctionType) and not tracer.framework.recorded(fn):
        raise TraceError(
            f"{name} is written in C, so that there is nothing to see of what it does",
            hint=f"trace a function of yours that calls it, such as lambda x: {name}(x)",
        )
    if not isinstance(fn, types.FunctionType) and tracer.framework.recorded(fn):
        raise TraceError(
            f"{name} is a function of {tracer.framework.name} itself",
            hint=f"trace a function of yours that calls it, such as lambda x: {name}(x)",
        )
    for kind, found in (
        ("a generator", inspect.isgeneratorfunction(fn) or inspect.isasyncgenfunction(fn)),
        ("a coroutine", inspect.iscoroutinefunction(fn)),
    ):
        if found:
            raise UnsupportedError(
                name, why=f"it is {kind}, which runs piece by piece", hint="return a list of the values"
            )
