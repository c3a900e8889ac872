"""Python's own functions that would ask a proxy for its value: what they record instead."""

from __future__ import annotations

import builtins
import functools
import math
import operator
from collections.abc import Callable
from typing import Any

from ..ir.dim import Sym, hint_of
from . import reckoning
from .proxy import is_array_proxy, is_proxy, isinstance_scalar
from .staging import rows, sources
from .tracer import Tracer


def length(tracer: Tracer, value: Any) -> Any:
    if isinstance(value, sources.Sources):
        return sources.counter(tracer, value)
    if rows.holds(value):
        return rows.length(tracer, value)
    if isinstance_scalar(value):
        raise TypeError(f"object of type {value.spec.type.__name__!r} has no len()")
    shape = tracer.shape(value, named=False)
    if not shape.dims:
        raise TypeError("len() of unsized object")
    return shape[0]


def convert(kind: type) -> Callable[..., Any]:
    def converted(tracer: Tracer, value: Any, *rest: Any) -> Any:
        if isinstance_scalar(value):
            return value if value.spec.type is kind else tracer.scalar(kind, value)
        if is_array_proxy(value) and not rest:
            return reckoning.number(tracer, value, kind)
        return kind(value, *rest)

    return converted


def listed(tracer: Tracer, value: Any = ()) -> Any:
    """`list(array)`: where Python would not go through its rows one by one, neither does this."""
    shape = value.node.spec.shape if is_array_proxy(value) else None
    if shape and isinstance(shape[0], Sym) and (hint_of(shape[0]) or math.inf) > tracer.unroll:
        return [rows.Rows(tracer, [value])]
    return [*value] if rows.holds(value) else list(value)


def absolute(tracer: Tracer, value: Any) -> Any:
    return tracer.scalar(abs, value) if isinstance_scalar(value) else tracer.record(operator.abs, (value,))


def rounded(tracer: Tracer, value: Any, digits: int | None = None) -> Any:
    given = [value] if digits is None else [value, digits]
    return tracer.scalar(round, *given) if isinstance_scalar(value) else round(*given)


def extreme(fn: Callable[..., Any]) -> Callable[..., Any]:
    def found(tracer: Tracer, *values: Any, **kwargs: Any) -> Any:
        if (
            len(values) > 1
            and not kwargs
            and all(isinstance_scalar(v) or isinstance(v, (int, float)) for v in values)
        ):
            return tracer.scalar(fn, *values)
        values = rows.spread(tracer, values)
        if len(values) == 1 and not kwargs and isinstance(values[0], (list, tuple)):
            values = tuple(values[0])
            if values and all(isinstance_scalar(v) or isinstance(v, (int, float)) for v in values):
                return tracer.scalar(fn, *values) if any(map(is_proxy, values)) else fn(values)
        if len(values) == 1 and not kwargs and is_proxy(values[0]):
            values = tuple(tracer.rows(values[0]))
        if kwargs or not any(map(is_proxy, values)):
            return fn(*values, **kwargs)
        return functools.reduce(functools.partial(further, tracer.hooks, fn is max), values)

    return found


def further(hooks: Any, greater: bool, best: Any, value: Any) -> Any:
    """`value` where it is greater, or less, than what was best so far, as Python's max and min go on."""
    beats = hooks.compare("gt" if greater else "lt", value, best)
    if is_proxy(beats):
        beats.node.meta["names"] = ()  # the statement's name is that of the result
    return hooks.ifexp(beats, lambda: value, lambda: best)


def of_math(fn: Callable[..., Any]) -> Callable[..., Any]:
    def computed(tracer: Tracer, *values: Any) -> Any:
        numbers = [reckoning.number(tracer, v, float) if is_array_proxy(v) else v for v in values]
        return tracer.scalar(fn, *numbers) if any(map(is_proxy, numbers)) else fn(*numbers)

    return computed


MATH = ("sqrt", "exp", "log", "log2", "log10", "ceil", "floor", "sin", "cos", "tan", "tanh", "pow")

SPECIAL: dict[Any, Callable[..., Any]] = {
    len: length,
    int: convert(int),
    float: convert(float),
    bool: convert(bool),
    abs: absolute,
    round: rounded,
    list: listed,
    range: sources.counted,
    enumerate: sources.enumerated,
    zip: sources.zipped,
    reversed: sources.reversed_,
    builtins.min: extreme(min),
    builtins.max: extreme(max),
    **{getattr(math, name): of_math(getattr(math, name)) for name in MATH},
}
