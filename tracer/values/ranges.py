"""Ranges among the arguments of a call: `x[range(n)]`, `np.array(range(5))`. An array of the same numbers
takes their place.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ...ir.values.tree import children, circular
from .sources import Sources, counts
from .streams import Stream

if TYPE_CHECKING:
    from ..tracer import Tracer

#: Of a range up to this length the numbers are written out.
FEW = 8


class Ranged(Exception):
    """A range was found where a call has an argument."""


def is_range(value: Any) -> bool:
    return type(value) in (range, Sources, Stream)


def holds(value: Any) -> bool:
    """Whether a value is a slice, or what a loop goes through, or a container with such in it."""
    if type(value) is slice or is_range(value):
        return True
    return not circular(value) and any(holds(item) for _, item in children(value) or ())


def recorded(tracer: Tracer, target: Any, args: Any, kwargs: Any, op: str) -> Any:
    """What recording a call gives that has ranges among its arguments."""
    args, kwargs = arrays(tracer, target, (args, kwargs))
    return tracer.record(target, args, kwargs, op)


def arrays(tracer: Tracer, target: Any, value: Any) -> Any:
    """The arguments of a call of `target`, with an array for each range in them.

    Raises:
        UnsupportedError: for a range as an index in JAX, which takes none; for an iterator.
    """
    if type(value) in (tuple, list):
        return type(value)(arrays(tracer, target, v) for v in value)
    if type(value) is dict:
        return {k: arrays(tracer, target, v) for k, v in value.items()}
    if not is_range(value):
        return value
    bounds = (value.start, value.stop, value.step) if type(value) is range else counts(value)
    if bounds is None:
        raise UnsupportedError(
            "an iterator as an argument",
            why="only a loop goes through what enumerate, zip and reversed give",
            span=tracer.span(),
            hint="make a list of it",
        )
    if target in (operator.getitem, operator.setitem) and not tracer.framework.aliasing:
        raise UnsupportedError(
            "a range as an index",
            why=f"{tracer.backend.words} itself takes none",
            span=tracer.span(),
            hint=f"{tracer.backend.functions[0]}.arange(n) is an array of the same numbers",
        )
    if type(value) is range and len(value) <= FEW:
        return list(value)
    return tracer.hooks.call(tracer.framework.counter, *bounds)
