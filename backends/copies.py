"""Copies of arguments, in arrays of any framework: what is one object, or shares memory, does so there too.

JAX's arrays share nothing that anybody could see, so there each is a copy of its own.
"""

from __future__ import annotations

import array
import copy
from collections import deque
from collections.abc import Iterator
from typing import Any

from ..ir.values.tree import children, rebuilt
from .arrays import convert, handling
from .backend import COMMON, backend, framework_of
from .handling import Place

#: What is changed as lists are, and is no container of arrays.
COLLECTIONS = (set, deque, bytearray, array.array)


def copied(value: Any, framework: str | None = None) -> Any:
    """The same containers with arrays of `framework`, or each of its own, that the original does not see.

    Args:
        value: arrays, numbers, and containers of them; other objects stay what they are, since a program may
            ask which one it was given.
    """
    return Copies(value, framework)(value)


class Copies:
    """Copies the objects of one value, each once."""

    def __init__(self, value: Any, framework: str | None) -> None:
        self.framework = framework
        self.made: dict[int, Any] = {}
        self.memories: dict[tuple[int, str], Any] = {}
        arrays = {id(a): a for a in arrays_of(value)}
        places = [place.memory for a in arrays.values() if (place := place_of(a)) is not None]
        self.shared = {memory for memory in places if places.count(memory) > 1}

    def __call__(self, value: Any) -> Any:
        if id(value) not in self.made:
            self.made[id(value)] = self.new(value)
        return self.made[id(value)]

    def new(self, value: Any) -> Any:
        if framework_of(value) is not None:
            return self.array(value)
        items = children(value)
        if items is not None:
            return rebuilt(value, {key: self(item) for key, item in items})
        if not isinstance(value, COLLECTIONS):
            return value
        made: Any = copy.copy(value)
        if isinstance(made, (set, deque)):
            made.clear()
            (made.update if isinstance(made, set) else made.extend)(map(self, value))
        return made

    def array(self, value: Any) -> Any:
        goal = backend(self.framework or framework_of(value) or COMMON)
        place = place_of(value)
        if place is None or place.memory not in self.shared or not goal.mutable:
            return convert(value, goal.name)
        if not goal.negative_strides and min(place.strides, default=0) < 0:
            return convert(value, goal.name)
        key = (place.memory, str(value.dtype))
        if key not in self.memories:
            self.memories[key] = convert(handling(value).whole(value, place), goal.name)
        return goal.handling.view(self.memories[key], tuple(value.shape), place)


def arrays_of(value: Any) -> Iterator[Any]:
    if framework_of(value) is not None:
        yield value
        return
    for _, item in children(value) or ():
        yield from arrays_of(item)


def place_of(value: Any) -> Place | None:
    """Where an array lies; None where nobody shares that, or nothing can be said of it."""
    return None if framework_of(value) is None else handling(value).place(value)


def sharing(value: Any) -> bool:
    """Whether one of the arrays in a value may be seen through another, or is there twice."""
    arrays = list(arrays_of(value))
    places = [place.memory for a in arrays if (place := place_of(a)) is not None]
    return len({id(a) for a in arrays}) < len(arrays) or len(set(places)) < len(places)


def share_memory(one: Any, other: Any) -> bool:
    """Whether writing into one array may be seen in the other."""
    own = framework_of(one)
    return own is not None and own == framework_of(other) and backend(own).handling.share(one, other)
