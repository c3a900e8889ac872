"""Copies of arguments, in arrays of any framework: what is one object, or shares memory, does so there too.

JAX's arrays share nothing that anybody could see, so there each is a copy of its own.
"""

from __future__ import annotations

import array
import copy
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir.tree import children, rebuilt
from .arrays import convert, to_numpy
from .backend import framework_of

#: What is changed as lists are, and is no container of arrays.
COLLECTIONS = (set, deque, bytearray, array.array)


def copied(value: Any, framework: str | None = None) -> Any:
    """The same containers with arrays of `framework`, or each of its own, that the original does not see.

    Args:
        value: arrays, numbers, and containers of them; other objects stay what they are, since a program may
        ask which one it was given.
    """
    return Copies(value, framework)(value)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an array lies: the memory, by address, and the elements of it that it has."""

    memory: int
    length: int
    offset: int
    strides: tuple[int, ...]


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
        own = framework_of(value) or "numpy"
        goal = self.framework or own
        place = place_of(value)
        if place is None or place.memory not in self.shared or goal == "jax":
            return convert(value, goal)
        if goal == "torch" and min(place.strides, default=0) < 0:
            return convert(value, goal)  # torch has no such views
        key = (place.memory, str(value.dtype))
        if key not in self.memories:
            self.memories[key] = convert(whole(value, place), goal)
        memory = self.memories[key]
        if goal == "torch":
            return memory.as_strided(tuple(value.shape), place.strides, place.offset)
        strides = tuple(s * memory.itemsize for s in place.strides)
        return np.lib.stride_tricks.as_strided(memory[place.offset :], tuple(value.shape), strides)


def arrays_of(value: Any) -> Iterator[Any]:
    if framework_of(value) is not None:
        yield value
        return
    for _, item in children(value) or ():
        yield from arrays_of(item)


def place_of(value: Any) -> Place | None:
    """Where an array lies; None where nobody shares that, or nothing can be said of it."""
    own = framework_of(value)
    if own == "torch":
        if value.layout != value.new_empty(()).layout:
            return None  # a sparse tensor has no one memory
        storage = value.untyped_storage()
        length = storage.nbytes() // value.element_size()
        return Place(storage.data_ptr(), length, value.storage_offset(), tuple(value.stride()))
    if own != "numpy" or not isinstance(value, np.ndarray):
        return None
    root = root_of(value)
    start = root.__array_interface__["data"][0]
    offset, rest = divmod(value.__array_interface__["data"][0] - start, value.itemsize)
    solid = root.flags.c_contiguous or root.flags.f_contiguous
    if not solid or rest or root.dtype != value.dtype or any(s % value.itemsize for s in value.strides):
        return None
    return Place(start, root.size, offset, tuple(s // value.itemsize for s in value.strides))


def root_of(value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array that has the memory."""
    while isinstance(value.base, np.ndarray):
        value = value.base
    return value


def whole(value: Any, place: Place) -> Any:
    """The whole memory of an array, in a row, as NumPy's."""
    if framework_of(value) == "torch":
        return to_numpy(value.as_strided((place.length,), (1,), 0))
    return root_of(value).ravel(order="K")


def sharing(value: Any) -> bool:
    """Whether one of the arrays in a value may be seen through another, or is there twice."""
    arrays = list(arrays_of(value))
    places = [place.memory for a in arrays if (place := place_of(a)) is not None]
    return len({id(a) for a in arrays}) < len(arrays) or len(set(places)) < len(places)


def share_memory(one: Any, other: Any) -> bool:
    """Whether writing into one array may be seen in the other."""
    a, b = framework_of(one), framework_of(other)
    if a != b or a is None or a == "jax":
        return False
    if a == "torch":
        return bool(one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr())
    return bool(np.may_share_memory(one, other))
