"""Making: the arrays that Python makes of constants while tracing, `a = W.copy()` or `a = W * 2`.

They are constants of the text, with what they hold when they are used. Where only the running program knows
what is written into one, `a += x`, or whether, the program is traced anew, and the array recorded where
Python makes it: each call of the text has one of its own, and its views are known.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ...ir.errors import UnsupportedError
from ..place import Place, here
from ..settling import Test, test_at

if TYPE_CHECKING:
    from ..tracer import Tracer


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """An array that Python has made while tracing, and where; `number` counts them."""

    array: Any
    place: Place | None
    number: int


@dataclass(slots=True)
class Making:
    """What a trace knows of these arrays.

    Attributes:
        known: those that Python has made, by id; count: how many there were.
        written: those that it has written into, in order.
        owned: where they are recorded. wanted: where they would have to be.
    """

    known: dict[int, Made] = field(default_factory=dict)
    count: int = 0
    written: list[Any] = field(default_factory=list)
    owned: frozenset[Test] = frozenset()
    wanted: set[Test] = field(default_factory=set)


class Own(BaseException):
    """What Python makes at these places has to be recorded.

    Attributes:
        places: all of them, those of this trace included.
    """

    def __init__(self, places: Collection[Test]) -> None:
        self.places = places


#: A container of more items is not looked through.
SEVERAL = 64
#: How often an array is held that its view knows, and one name: `sys.getrefcount` itself is the third.
BASE = 3


def made(tracer: Tracer, result: Any, more: int = 0) -> Any:
    """What Python has computed, to be handed on to nobody else before: new arrays in it, which nobody holds,
    are the program's own. Where they have to be, they are recorded. `more`: who else may hold the result.
    """
    kind = type(result)
    if kind is np.ndarray:
        return noted(tracer, result) if is_new(result, more) else result
    if kind in (list, tuple, dict) and len(result) <= SEVERAL:
        is_alone = sys.getrefcount(result) <= count(object()) + more
        return within(tracer, result) if is_alone else result
    return result


def within(tracer: Tracer, container: Any) -> Any:
    """A new container, with what is recorded in the place of new arrays in it: `copy.deepcopy(PARAMS)`."""
    keys = list(container) if type(container) is dict else range(len(container))
    found = {}
    for key in keys:
        item = made(tracer, container[key], 1)
        if item is not container[key]:
            found[key] = item
    if type(container) is tuple:
        return tuple(found.get(key, container[key]) for key in keys)
    for key, item in found.items():
        container[key] = item
    return container


def noted(tracer: Tracer, array: Any) -> Any:
    """A new array, recorded where it has to be."""
    making, place = tracer.memory.making, here()
    base = root(array)
    making.known[id(base)] = Made(base, place, making.count)
    making.count += 1
    if test_at(place) not in making.owned or array.dtype.kind not in "biufc":
        return array
    names = place.names if place is not None else ()
    tracer.constant(array, names[0] if len(names) == 1 else None)
    return tracer.record(np.array, (array,))


def is_new(array: Any, more: int = 0) -> bool:
    """Whether nobody holds an array, or the memory it lies in, but the caller, and so many `more`."""
    base, alone = array.base, count_within(object()) + more
    if base is None:
        return bool(array.flags.owndata) and sys.getrefcount(array) <= alone
    whole = type(base) is np.ndarray and base.base is None and bool(base.flags.owndata)
    return whole and sys.getrefcount(array) <= alone and sys.getrefcount(base) <= BASE


def count(value: Any) -> int:
    """How often an object is held that nobody knows but the function that it is given to. Asked anew each
    time: where somebody else runs Python's frames, as torch.compile does, and after an error to the process's
    end, each call holds its arguments once more.
    """
    return sys.getrefcount(value)


def count_within(value: Any) -> int:
    """The same of a function that this one calls in turn."""
    return count(value)


def want(tracer: Tracer, array: Any) -> bool:
    """An array would have to be recorded where Python has made it, to be written into. Whether it has."""
    found = tracer.memory.making.known.get(id(root(array)))
    if found is None:
        return False
    if tracer.backend.is_common and (place := test_at(found.place)) is not None:
        tracer.memory.making.wanted.add(place)
    return True


def want_all(tracer: Tracer) -> None:
    """Likewise of all constants on the tape: nobody knows in which of them a value lies."""
    for array in tracer.names.constants.values():
        want(tracer, array)


def taken_back(tracer: Tracer, written: int, count: int) -> None:
    """The trace goes back to where this many had been written into, and there were so many: what Python has
    written into these since is there already, and would be written once more.

    Raises:
        Own: where they can be recorded.
    """
    making = tracer.memory.making
    since = [making.known.get(id(array)) for array in making.written[written:]]
    old = [found for found in since if found is not None and found.number < count]
    del making.written[written:]
    if not old:
        return
    for found in old:
        want(tracer, found.array)
    again(tracer)
    tracer.tries.spoiled = tracer.tries.spoiled or UnsupportedError(
        "writing into an array of NumPy's in a loop",
        why="Python makes it beside the program, and how often it is written into is known only as it runs",
        span=found.place.span if (found := old[0]).place is not None else None,
        hint="make it an array of the framework's, or write into it before the loop",
    )


def again(tracer: Tracer) -> None:
    """A program was refused.

    Raises:
        Own: where it need not be, if it is traced anew.
    """
    making = tracer.memory.making
    if making.wanted - making.owned:
        raise Own(making.wanted | making.owned)


def root(array: Any) -> Any:
    """The array that a view of NumPy's is a part of, or what goes through its elements."""
    if isinstance(array, (np.flatiter, memoryview)):
        array = array.obj if isinstance(array, memoryview) else array.base
    while isinstance(getattr(array, "base", None), np.ndarray):
        array = array.base
    return array
