"""Buffers: the arrays that there really are, a program's constants: whose memory they lie in, what they hold,
and how they are put back. NumPy's, torch's, and what of Python's can be written into like one.
"""

from __future__ import annotations

import array
import contextlib
import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from ..own import attributes
from . import tensors
from .held import Held
from .tensors import is_tensor

#: What of Python's and NumPy's can be written into, or goes through what can be.
BUFFERS = (np.ndarray, memoryview, bytearray, array.array)
ADDRESS: Any = type(np.zeros(0).ctypes)
WAYS_IN = (*BUFFERS, np.flatiter, ADDRESS)
#: In a container of so many items, among what a call is given, arrays are looked for.
SEVERAL = 64


def is_way_in(value: Any) -> bool:
    """Whether a value is such that writing into it may change an array."""
    return issubclass(type(value), WAYS_IN) or is_tensor(value)


def copied(value: Any) -> Any:
    """An array of its own that holds the same, and lies alike; anything else itself."""
    if isinstance(value, np.ndarray):
        return value.copy(order="K")
    return tensors.copied(value) if is_tensor(value) else value


def blank(value: Any) -> Any:
    """An array without numbers that lies like one."""
    return tensors.blank(value) if is_tensor(value) else np.zeros_like(value)


# Whose memory it is.


def owner(value: Any) -> Any:
    """The object that has the memory which an array, or something that writes into one, lies in."""
    while True:
        base = value.obj if isinstance(value, memoryview) else None
        if isinstance(value, ADDRESS):
            base = value._arr
        elif base is None and not isinstance(value, (bytearray, array.array)) and not is_tensor(value):
            base = getattr(value, "base", None)
        if base is None:
            return value
        value = base


def address(value: Any) -> int | None:
    """Where the memory begins that a value lies in; None where nobody can tell."""
    value = owner(value)
    try:
        if is_tensor(value):
            return tensors.address(value)
        whole = value if isinstance(value, np.ndarray) else np.frombuffer(value, np.uint8)
        return int(whole.__array_interface__["data"][0])
    except Exception:  # it is of another kind, or without memory
        return None


class Memories:
    """Finds the arrays that outlive a call by the memory that they lie in.

    Args:
        met: what outlives the call, by id, each with a name; it may grow.
    """

    def __init__(self, met: dict[int, tuple[Any, str]]) -> None:
        self.met = met
        self.known = 0
        self.lying: dict[int, list[Any]] = {}

    def behind(self, value: Any) -> Iterator[Any]:
        """The arrays that a write through a value changes, or through an item of it."""
        kind = type(value)
        items = [value]
        if kind in (list, tuple, dict, set) and len(value) <= SEVERAL:
            items = list(value.values() if kind is dict else value)
        for item in items:
            if is_way_in(item):
                yield from self.at(item)

    def at(self, value: Any) -> list[Any]:
        for held, _ in islice(self.met.values(), self.known, None):
            if is_way_in(held):
                if (place := address(held)) is not None:
                    self.lying.setdefault(place, []).append(held)
        self.known = len(self.met)
        place = address(value)
        return self.lying.get(place, []) if place is not None else []


# What it holds.


def held(value: Any) -> Held | None:
    """What an array of NumPy's or torch's holds; None where that cannot be asked."""
    if isinstance(value, np.ndarray):
        return Held(value.copy(order="K"), form(value), dict(attributes(value) or {}))
    return tensors.held(value)


def size(value: Any) -> int:
    """How many bytes an array holds."""
    return tensors.size(value) if is_tensor(value) else int(value.nbytes)


def form(value: Any) -> tuple[Any, ...]:
    if isinstance(value, np.ndarray):
        flags = value.flags.writeable, value.flags.aligned
        return value.shape, value.strides, value.dtype, flags
    return tensors.form(value)


def differs(now: Held, before: Held) -> bool:
    if now.form != before.form or now.more.keys() != before.more.keys():
        return True
    if any(now.more[key] is not value for key, value in before.more.items()):
        return True
    return not same_bytes(now.values, before.values)


def same_bytes(one: Any, other: Any) -> bool:
    """Whether two arrays of one form hold the same, byte by byte: -0.0 is another number than 0.0."""
    if is_tensor(one):
        return tensors.same_bytes(one, other)
    if one.dtype.hasobject:
        return all(a is b for a, b in zip(one.flat, other.flat, strict=True))
    a, b = (np.ascontiguousarray(v).reshape(-1).view(np.uint8) for v in (one, other))
    return bool(np.array_equal(a, b))


def restore(value: Any, before: Held) -> None:
    """Let an array hold what it held, in the form that it had."""
    if isinstance(value, np.ndarray):
        restore_array(value, before)
    else:
        tensors.restore(value, before)


def restore_array(value: Any, before: Held) -> None:
    shape, strides, dtype, (writeable, aligned) = before.form
    with warnings.catch_warnings(), contextlib.suppress(ValueError):  # strides may not be put back
        warnings.simplefilter("ignore")  # later NumPys want a view to be made instead
        if value.dtype != dtype:
            value.dtype = dtype
        if value.size != before.values.size:
            value.resize(shape, refcheck=False)
        if value.shape != shape:
            value.shape = shape
        if value.strides != strides:
            value.strides = strides
        if writeable and not value.flags.writeable:
            value.setflags(write=True)
        if value.flags.writeable:
            value[...] = before.values
        if value.flags.writeable != writeable or value.flags.aligned != aligned:
            value.setflags(write=writeable, align=aligned)
    if (own := attributes(value)) is not None:
        own.clear()
        own.update(before.more)
