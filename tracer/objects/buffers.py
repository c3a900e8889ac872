"""Buffers: the arrays that there really are, a program's constants: whose memory they lie in, what they hold,
and how they are put back. NumPy's, torch's, and what of Python's can be written into like one.
"""

from __future__ import annotations

import array
import contextlib
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from ..own import attributes
from ..proxy import Proxy

#: What of Python's and NumPy's can be written into, or goes through what can be.
BUFFERS = (np.ndarray, memoryview, bytearray, array.array)
ADDRESS: Any = type(np.zeros(0).ctypes)
WAYS_IN = (*BUFFERS, np.flatiter, ADDRESS)
#: In a container of so many items, among what a call is given, arrays are looked for.
SEVERAL = 64


def tensor_class() -> Any:
    """torch's class of arrays, once the user has imported it; else no class at all."""
    return getattr(sys.modules.get("torch"), "Tensor", ())


def is_tensor(value: Any) -> bool:
    kind = type(value)
    return issubclass(kind, tensor_class()) and not issubclass(kind, Proxy)


def is_way_in(value: Any) -> bool:
    """Whether a value is such that writing into it may change an array."""
    return issubclass(type(value), WAYS_IN) or is_tensor(value)


def aside() -> contextlib.AbstractContextManager[object]:
    """Within it calls of torch's are no part of a program."""
    torch: Any = sys.modules.get("torch")
    unseen: contextlib.AbstractContextManager[object] = torch._C.DisableTorchFunction()
    return unseen


def copied(value: Any) -> Any:
    """An array of its own that holds the same, and lies alike; anything else itself."""
    if isinstance(value, np.ndarray):
        return value.copy(order="K")
    if is_tensor(value):
        with aside():
            return value.clone()
    return value


def blank(value: Any) -> Any:
    """An array without numbers that lies like one."""
    if is_tensor(value):
        with aside():
            return sys.modules["torch"].zeros_like(value)
    return np.zeros_like(value)


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
            with aside():
                return int(value.untyped_storage().data_ptr()) or None
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


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """What an array holds, and its form.

    Attributes:
        values: a copy. form: shape, strides, dtype, and whether it may be written into.
        more: what torch has beside that, and attributes of its own.
    """

    values: Any
    form: tuple[Any, ...]
    more: dict[str, Any]


def held(value: Any) -> Held | None:
    """What an array of NumPy's or torch's holds; None where that cannot be asked."""
    if isinstance(value, np.ndarray):
        return Held(value.copy(order="K"), form(value), dict(attributes(value) or {}))
    try:
        with aside():
            more = {"requires_grad": value.requires_grad, "grad": value.grad if value.is_leaf else None}
            return Held(value.detach().clone(), form(value), {**more, **(attributes(value) or {})})
    except Exception:  # a tensor without memory of its own
        return None


def size(value: Any) -> int:
    """How many bytes an array holds."""
    if not is_tensor(value):
        return int(value.nbytes)
    with aside():
        return int(value.numel() * value.element_size())


def form(value: Any) -> tuple[Any, ...]:
    if isinstance(value, np.ndarray):
        flags = value.flags.writeable, value.flags.aligned
        return value.shape, value.strides, value.dtype, flags
    return tuple(value.shape), value.stride(), value.dtype, value.storage_offset()


def differs(now: Held, before: Held) -> bool:
    if now.form != before.form or now.more.keys() != before.more.keys():
        return True
    if any(now.more[key] is not value for key, value in before.more.items()):
        return True
    return not same_bytes(now.values, before.values)


def same_bytes(one: Any, other: Any) -> bool:
    """Whether two arrays of one form hold the same, byte by byte: -0.0 is another number than 0.0."""
    if is_tensor(one):
        torch: Any = sys.modules["torch"]
        with aside():
            a, b = (v.detach().resolve_conj().reshape(-1).view(torch.uint8) for v in (one, other))
            return bool(torch.equal(a, b))
    if one.dtype.hasobject:
        return all(a is b for a, b in zip(one.flat, other.flat, strict=True))
    a, b = (np.ascontiguousarray(v).reshape(-1).view(np.uint8) for v in (one, other))
    return bool(np.array_equal(a, b))


def restore(value: Any, before: Held) -> None:
    """Let an array hold what it held, in the form that it had."""
    if isinstance(value, np.ndarray):
        restore_array(value, before)
        return
    torch = sys.modules["torch"]
    with aside(), torch.no_grad():
        shape, strides, _, offset = before.form
        if form(value) != before.form:
            value.requires_grad_(False)
            value.data = before.values if value.dtype != before.form[2] else value.data
            value.as_strided_(shape, strides, offset) if fits(value, before) else value.set_(before.values)
        value.detach().copy_(before.values)
        attributes_of = attributes(value)
        if attributes_of is not None:
            attributes_of.clear()
            attributes_of.update({k: v for k, v in before.more.items() if k not in ("requires_grad", "grad")})
        if value.is_leaf:
            value.requires_grad_(before.more["requires_grad"])
            value.grad = before.more["grad"]


def fits(value: Any, before: Held) -> bool:
    """Whether the memory of a tensor is large enough for the form that it had."""
    shape, strides, _, offset = before.form
    last = offset + sum((n - 1) * s for n, s in zip(shape, strides)) + 1 if all(shape) else 0
    return bool(value.untyped_storage().nbytes() >= last * value.element_size())


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
