"""Opaque: objects of libraries and of Python's that outlive the call, and whose state is not a container's:
bytes and arrays that can be written, generators of random numbers, functions with attributes, iterators.

Their state is asked when code that is traced first touches them, and again in the end. An iterator is refused
at once: how far it has gone cannot be asked, and another call finds it there.
"""

from __future__ import annotations

import array
import pickle
import types
from collections.abc import Callable, MutableMapping
from typing import Any

import numpy as np

from .place import FRAMEWORKS
from .proxy import is_proxy
from .staging.containers import is_object

#: How the state of such objects is read and set, by the name of what reads it.
METHODS = {"getstate": "setstate", "get_state": "set_state"}


def is_iterator(value: Any) -> bool:
    """Whether to take an item from a value changes it, and nothing tells by how much."""
    return hasattr(type(value), "__next__") and not is_object(value) and not is_proxy(value)


def state(value: Any) -> Any:
    """What an object holds, fit to be compared; None where it holds nothing that changes."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, (bytearray, array.array)):
        return bytes(value)
    if hasattr(value, "bit_generator"):
        return value.bit_generator.state
    root = type(value).__module__.partition(".")[0]
    for read in METHODS if root in ("random", "numpy") else ():
        if callable(method := getattr(value, read, None)):
            return method()
    if isinstance(value, types.FunctionType):
        return dict(vars(value))
    if isinstance(value, MutableMapping):
        return dict(value)
    if root in (*FRAMEWORKS, "builtins"):
        return None
    if isinstance(getattr(value, "__dict__", None), dict):
        return dict(vars(value))
    try:
        return pickle.dumps(value)
    except Exception:
        return None


def differs(now: Any, before: Any) -> bool:
    if isinstance(before, np.ndarray):
        return not np.array_equal(now, before, equal_nan=before.dtype.kind in "fc")
    if isinstance(before, dict) and isinstance(now, dict):
        return now.keys() != before.keys() or any(differs(now[k], v) for k, v in before.items())
    if isinstance(before, tuple) and isinstance(now, tuple) and len(now) == len(before):
        return any(map(differs, now, before))
    try:
        return now is not before and bool(now != before)
    except Exception:
        return True


def restore(value: Any, before: Any) -> None:
    """Let an object hold what `state` gave, where that can be done."""
    if isinstance(value, np.ndarray):
        value[...] = before
    elif isinstance(value, bytearray):
        value[:] = before
    elif isinstance(value, array.array):
        value[:] = array.array(value.typecode, before)
    elif hasattr(value, "bit_generator"):
        value.bit_generator.state = before
    elif isinstance(value, MutableMapping):
        for key in value.keys() - before.keys():
            del value[key]
        value.update(before)
    elif isinstance(before, dict) and isinstance(getattr(value, "__dict__", None), dict):
        vars(value).clear()
        vars(value).update(before)
    else:
        for read, write in METHODS.items():
            if callable(getattr(value, read, None)):
                set_: Callable[[Any], Any] = getattr(value, write)
                set_(before)
