"""Plain calls: what records nothing, and runs as Python runs it.

A C function may not take what stands in for a number: `deque(maxlen=n)`, `divmod(n, 2)`, `n.hex`. It is
given the number then, and that it stays so is guarded.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ..ir.errors import UnsupportedError
from ..ir.values.tree import leaves
from .faults import STAND_INS, WRONG_KIND, is_programs, lacks, passed
from .objects.heap import wake
from .objects.unseen import runs_unseen
from .own import attribute
from .place import gate, here, is_ours, loose_gate, package_of
from .proxy import Shape, current, is_proxy, isinstance_scalar


@loose_gate
def plainly(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)`

    Raises:
        Exception: what Python raises for it. UnsupportedError: where it is what stands for an array that it
            cannot take.
    """
    if runs_unseen(args):
        wake(current())
    try:
        return f(*args, **kwargs)
    except Exception as error:
        given = (*args, *kwargs.values())
        if not any(map(is_proxy, leaves(given))) or not refuses_stand_ins(error):
            raise
        if not any(map(isinstance_scalar, given)):
            raise foreign(f, error) from error
    return exactly(f, *map(looked, args), **{name: looked(value) for name, value in kwargs.items()})


def refuses_stand_ins(error: Exception) -> bool:
    """Whether code that knows nothing of stand-ins may have raised an exception for one."""
    if lacks(error):
        return False
    codes = [trace.tb_frame.f_code for trace in passed(error)][1:]
    if any(is_programs(code) or is_ours(code.co_filename) for code in codes):
        return False
    return isinstance(error, WRONG_KIND) or STAND_INS.search(str(error)) is not None


def foreign(f: Any, error: Exception) -> UnsupportedError:
    place = here()
    *_, last = passed(error)  # JAX leaves its own frames out
    files = last.tb_frame.f_code.co_filename, getattr(attribute(f, "__code__"), "co_filename", "")
    runs = next(filter(None, map(package_of, files)), "Python")
    text = str(error).splitlines()[0]
    said = "" if STAND_INS.search(text) else f": {text}"  # of our own classes nobody has heard
    return UnsupportedError(
        f"{attribute(f, '__name__') or type(f).__name__} of an array",
        why=f"{runs} runs it, and cannot take what stands for the array{said}",
        span=place.span if place is not None else None,
        hint="use a function of the framework's, or write out what it does on whole arrays",
    )


@gate
def exactly(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)`, of values that Python knows."""
    return f(*args, **kwargs)


def looked(value: Any) -> Any:
    """A recorded number as Python's own, of its type."""
    return value.typed("Python itself is given it") if isinstance_scalar(value) else value


def looked_within(value: Any, met: frozenset[int] = frozenset()) -> Any:
    """Likewise each number in shapes, tuples, lists and dicts, of which the last two stay who they are."""
    kind = type(value)
    if kind is Shape:
        return value.tracer.framework.shape_class(map(looked, value))
    if kind not in (tuple, list, dict) or id(value) in met:
        return looked(value)
    met |= {id(value)}
    if kind is tuple:
        items = tuple(looked_within(item, met) for item in value)
        return items if any(map(operator.is_not, items, value)) else value
    for key, item in [*(value.items() if kind is dict else enumerate(value))]:
        if (found := looked_within(item, met)) is not item:
            value[key] = found
    return value


def settled(index: Any) -> Any:
    """What stands between brackets, with Python's own numbers in it."""
    if isinstance(index, tuple):
        return tuple(map(settled, index))
    if isinstance(index, slice):
        return slice(looked(index.start), looked(index.stop), looked(index.step))
    return looked(index)
