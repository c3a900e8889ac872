"""Cores: which objects hold something that is neither an attribute nor an item, as those do that are written
in C, and may change it. The type says so.
"""

from __future__ import annotations

import functools
import logging
import re
import struct
import threading
import types
import weakref
from collections import OrderedDict, deque
from typing import Any

from ...ir.values.tree import by_type
from ..place import FRAMEWORKS, is_own, module_of
from ..proxy import is_proxy
from .containers import HOLDERS, is_container, is_module, is_object
from .reach import Reach, is_own_class

#: What changes in no way that a program sees, though nothing about it says so; or is looked after elsewhere.
CONSTANT = (struct.Struct, re.Match, weakref.ref, logging.Logger, threading.local, type, types.ModuleType,
            types.CellType, functools._lru_cache_wrapper)  # fmt: skip
#: Of what is Python's own all that changes, but for containers.
CHANGING = (bytearray, memoryview, BaseException, types.FunctionType, property)
#: What heap.py puts back as a whole.
COVERED = (object, list, dict, set, deque, tuple, OrderedDict, *HOLDERS)
#: How large a reference is.
WORD = struct.calcsize("P")


@by_type
def is_fixed(kind: type) -> bool:
    """Whether objects of a type hold nothing that changes: what is compared and found by its value is so."""
    if issubclass(kind, CHANGING):
        return False
    if kind.__module__ == "builtins" or issubclass(kind, CONSTANT):
        return True
    hashed: Any = kind.__hash__
    return hashed is not None and hashed is not object.__hash__ and kind.__eq__ is not object.__eq__


@by_type
def core(kind: type) -> type | None:
    """The base of a type whose objects hold more than attributes and items, if it may change."""
    for base in kind.__mro__:
        own = vars(base)
        slots = own.get("__slots__", ())
        words = sum(name in own for name in ("__dict__", "__weakref__"))
        words += 1 if isinstance(slots, str) else len(slots)
        above: Any = base.__base__
        if above is not None and base.__basicsize__ - above.__basicsize__ > words * WORD:
            return None if base in COVERED or is_fixed(base) else base
    return None


@by_type
def in_framework(kind: type) -> bool:
    """Whether a type is a framework's or made of one of its arrays."""
    roots = (module_of(base).partition(".")[0] for base in (kind, core(kind) or kind))
    return any(root in FRAMEWORKS for root in roots)


@by_type
def draws(kind: type) -> bool:
    """Whether objects of a framework's type are generators of random numbers."""
    return hasattr(kind, "bit_generator") or hasattr(kind, "get_state") and hasattr(kind, "set_state")


def within(value: Any) -> list[Any]:
    """What may change in an object of a library's, whose methods nobody sees run: a HMAC holds a hash."""
    kind = type(value)
    if is_fixed(kind) or is_module(kind) or not is_object(value) or is_own(module_of(kind)):
        return []
    met: dict[int, tuple[Any, str]] = {}
    for _ in Reach(met).walk([("", value)]):
        pass
    return [held for held, _ in met.values() if may_change(held)]


def may_change(value: Any) -> bool:
    """Whether a value may change in ways that heap.py does not see. Arrays are looked after for
    themselves.
    """
    kind = type(value)
    if isinstance(value, type):  # by code that nobody sees: see `rebinding` in outside.py
        return is_own_class(value)
    if is_fixed(kind) or is_proxy(value):
        return False
    if in_framework(kind):
        return draws(kind) or is_module(kind)
    return core(kind) is not None or not is_container(value)
