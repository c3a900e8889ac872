"""Python's own functions that would ask a proxy for its value: what they record instead."""

from __future__ import annotations

import builtins
import functools
import math
import operator
from collections.abc import Callable
from typing import Any

from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Node
from ...ir.graphs.static import is_asked, number_leaves, pin_rank, roots
from ...ir.sizes.dim import Sym, compare, hint_of
from ..memory import numpy_scalars
from ..proxy import is_array_proxy, is_proxy, isinstance_scalar
from ..tracer import Tracer
from ..values import gathering, list_rows, reckoning, sources, streaming
from ..values.gathering import is_pythons
from ..values.listed import Listed
from ..values.streams import Stream


def length(tracer: Tracer, value: Any) -> Any:
    if isinstance(value, sources.Sources):
        count = sources.counter(tracer, value)
        known = count.spec.value if is_proxy(count) else count
        counts = known is not None and compare(">=", known, 0)
        return count if counts else SPECIAL[builtins.max](tracer, count, 0)
    if isinstance(value, Stream):
        raise TypeError(f"object of type {value.kind!r} has no len()")
    if list_rows.holds(value):
        return list_rows.length(tracer, value)
    if (listed := Listed.of(tracer, value)) is not None:
        return listed.counted(tracer)
    if isinstance_scalar(value):
        raise TypeError(f"object of type {value.spec.type.__name__!r} has no len()")
    shape = tracer.shape(value, named=False)
    if not shape.dims:
        raise TypeError("len() of unsized object")
    return asked_by(shape[0], "len")


def asked_by(number: Any, word: str) -> Any:
    """A number of a shape, which the text asks by the word that the user has for it."""
    if is_proxy(number) and (make := number.make) is not None:

        def made() -> Node:
            node: Node = make()
            node.meta["word"] = word
            return node

        number.make = made
    return number


def convert(kind: type) -> Callable[..., Any]:
    def converted(tracer: Tracer, value: Any, *rest: Any) -> Any:
        if isinstance_scalar(value):
            certain = reckoning.kinds(value) == [kind] and all(map(is_asked, number_leaves(value.node)))
            certain &= kind is not bool or value.spec.local or all(map(is_pythons_own, roots(value.node)))
            return value if certain else tracer.scalar(kind, value)
        if is_array_proxy(value) and not rest:
            return reckoning.number(tracer, value, kind)
        return kind(value, *rest)

    return converted


def is_pythons_own(number: Node) -> bool:
    """Whether a number is one of Python's, whose tests add up as ints, and surely none of a framework's."""
    path = number.meta.get("number path")
    return path is None or is_asked((path, number))


def listed(tracer: Tracer, value: Any = ()) -> Any:
    """`list(array)`: where Python would not go through its rows one by one, neither does this."""
    shape = value.node.spec.shape if is_array_proxy(value) else None
    if shape and isinstance(shape[0], Sym) and (hint_of(shape[0]) or math.inf) > tracer.rolling.unroll:
        return [list_rows.Rows(tracer, [items_of(tracer, value)])]
    return [*value] if list_rows.holds(value) else list(value)


def items_of(tracer: Tracer, array: Any) -> Any:
    """An array whose items are those of a list of it. A framework's own numbers are no parts of an array."""
    if not tracer.backend.own_numbers or array.node.spec.rank != 1:
        return array
    pin_rank([array.node])
    return tracer.hooks.call(tracer.framework.copies, array)


def absolute(tracer: Tracer, value: Any) -> Any:
    return tracer.scalar(abs, value) if isinstance_scalar(value) else tracer.record(operator.abs, (value,))


def rounded(tracer: Tracer, value: Any, digits: Any = None, ndigits: Any = None) -> Any:
    """`round(value, digits)`. Of NumPy's only numbers can be rounded so. Without digits an int comes out."""
    digits = ndigits if digits is None else digits
    if not is_array_proxy(value):
        return tracer.scalar(round, *([value] if digits is None else [value, digits]))
    framework, numbers = tracer.framework, tracer.backend.own_numbers
    if numbers and not numpy_scalars.is_number(tracer, value.node):
        kind = framework.array_class
        raise TypeError(f"type {kind.__module__}.{kind.__name__} doesn't define __round__ method")
    if not hasattr(framework.array_class, "__round__") and not numbers:
        raise TypeError(f"type {framework.array_class.__name__} doesn't define __round__ method")
    if numbers and digits is None:
        return reckoning.number(tracer, tracer.record("round", (value,), op="call_method"), int)
    made = tracer.record("round", (value, digits or 0), op="call_method")
    return tracer.record("astype", (made, int), op="call_method") if digits is None else made


def divided(tracer: Tracer, a: Any, b: Any) -> Any:
    """`divmod(a, b)`"""
    array = tracer.framework.array_class
    if any(map(is_array_proxy, (a, b))) and not hasattr(array, "__divmod__"):
        raise TypeError(f"unsupported operand type(s) for divmod(): {array.__name__!r}")
    found = tracer.hooks.binary("floordiv", a, b), tracer.hooks.binary("mod", a, b)
    for part in filter(is_proxy, found):
        part.node.names = ()  # the names that the statement binds are those of both
    return found


def powered(tracer: Tracer, base: Any, exp: Any, mod: Any = None) -> Any:
    """`pow(base, exp, mod)`, of arrays as `**` has it."""
    if mod is not None and any(map(isinstance_scalar, (base, exp, mod))):
        return tracer.scalar(pow, base, exp, mod)
    if mod is not None or not any(map(is_array_proxy, (base, exp))):
        return pow(base, exp, mod)
    return tracer.hooks.binary("pow", base, exp)


def extreme(fn: Callable[..., Any]) -> Callable[..., Any]:
    def found(tracer: Tracer, *values: Any) -> Any:
        if not all(map(is_pythons, values)):
            return gathering.extreme(tracer.hooks, fn, list(values))
        if any(isinstance_scalar(v) and v.spec.local for v in values):  # of which two are compared
            return functools.reduce(functools.partial(tracer.scalar, fn), values)
        return tracer.scalar(fn, *values)

    return found


def of_math(fn: Callable[..., Any]) -> Callable[..., Any]:
    def computed(tracer: Tracer, *values: Any, **named: Any) -> Any:
        if named and any(map(is_proxy, (*values, *named.values()))):
            said = ", ".join(f"{name}=" for name in named)
            raise UnsupportedError(
                f"math.{fn.__name__} with {said}",
                why="functions of math are recorded with their arguments by position only",
                span=tracer.span(),
                hint="abs(a - b) <= abs_tol, or what else it says, in operators",
            )
        if named:
            return fn(*values, **named)
        given = [reckoning.number(tracer, v, float) if is_array_proxy(v) else v for v in values]
        return tracer.scalar(fn, *given) if any(map(is_proxy, given)) else fn(*given)

    return computed


def reads_floats(fn: Any) -> bool:
    """Whether a function of math is one of floats, and gives a number."""
    for given in ((0.5,), (0.5, 0.5)):
        try:
            return type(fn(*given)) in (bool, int, float)
        except ValueError:
            return True  # for other floats it gives one
        except TypeError:
            continue
    return False


MATH = [fn for name, fn in vars(math).items() if callable(fn) and name[0] != "_" and reads_floats(fn)]

SPECIAL: dict[Any, Callable[..., Any]] = {
    len: length,
    int: convert(int),
    float: convert(float),
    bool: convert(bool),
    abs: absolute,
    round: rounded,
    divmod: divided,
    pow: powered,
    list: listed,
    range: sources.counted,
    enumerate: streaming.enumerated,
    zip: streaming.zipped,
    reversed: streaming.reversed_,
    builtins.min: extreme(min),
    builtins.max: extreme(max),
    **{fn: of_math(fn) for fn in MATH},
}
