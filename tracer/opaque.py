"""Opaque: objects of libraries and of Python's that outlive the call, and whose state is not a container's:
bytes and arrays that can be written, generators of random numbers, functions with attributes, iterators.

Their state is asked when code that is traced first touches them, and again in the end. An iterator is refused
at once: how far it has gone cannot be put back, and another call finds it there.
"""

from __future__ import annotations

import array
import io
import pickle
import random
import re
import struct
import types
import warnings
import weakref
from collections.abc import Callable, Iterator, MutableMapping
from contextvars import ContextVar
from typing import Any

import numpy as np

from . import buffers
from .own import attributes
from .place import FRAMEWORKS
from .proxy import is_proxy
from .staging.containers import is_object

#: How the state of such objects is read and set, by the name of what reads it.
METHODS = {"getstate": "setstate", "get_state": "set_state"}


def is_iterator(value: Any) -> bool:
    """Whether to take an item from a value changes it, and nothing tells by how much."""
    return hasattr(type(value), "__next__") and not is_object(value) and not is_proxy(value)


def progress(value: Any) -> Any:
    """How far an iterator has gone, as far as it says so."""
    if isinstance(value, types.GeneratorType):
        frame = value.gi_frame
        return frame and (frame.f_lasti, [id(held) for held in frame.f_locals.values()])
    try:
        if isinstance(value, io.IOBase):
            return value.tell() if isinstance(value, (io.StringIO, io.BytesIO)) else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # later Pythons ask for another way
            return [v if type(v) in (int, float) else id(v) for v in flat(value.__reduce__()[1:])]
    except Exception:
        return None


def flat(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for each in value:
            yield from flat(each)
    else:
        yield value


#: Stands for a state that cannot be asked for.
UNREADABLE: Any = object()
#: What has none, though nothing about it says so.
CONSTANT = (struct.Struct, re.Match, weakref.ref)


def state(value: Any) -> Any:
    """What an object holds, fit to be compared; None where it holds nothing that changes, UNREADABLE where
    nobody can tell.
    """
    if isinstance(value, np.ndarray) or buffers.is_tensor(value):
        return buffers.held(value)
    if isinstance(value, (bytearray, array.array, memoryview)):
        return value.tobytes() if isinstance(value, memoryview) else bytes(value)
    if isinstance(value, ContextVar):
        return tuple(held for held in (value.get(UNREADABLE),) if held is not UNREADABLE)
    root = type(value).__module__.partition(".")[0]
    if root == "numpy" and hasattr(value, "bit_generator"):
        return value.bit_generator.state
    for read in METHODS if root in ("random", "numpy") else ():
        if callable(method := getattr(value, read, None)):
            return method()
    if isinstance(value, MutableMapping):
        return dict(value)
    if root in (*FRAMEWORKS, "builtins") or isinstance(value, CONSTANT):
        return None
    if (held := attributes(value)) is not None:
        return dict(held)
    if root == "_thread":
        return repr(value)  # whether it is locked
    try:
        return pickle.dumps(value)
    except Exception:
        return UNREADABLE


#: So many bytes are looked at even of what nothing touches.
FEW = 4096


def is_small(value: Any) -> bool:
    """Whether it takes no time to ask for a state."""
    if isinstance(value, (random.Random, np.random.Generator, np.random.RandomState, ContextVar)):
        return True
    if isinstance(value, (np.ndarray, memoryview)) or buffers.is_tensor(value):
        return buffers.size(value) <= FEW
    return isinstance(value, (bytearray, array.array)) and len(value) <= FEW


def differs(now: Any, before: Any) -> bool:
    if isinstance(before, buffers.Held) and isinstance(now, buffers.Held):
        return buffers.differs(now, before)
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
    if isinstance(before, buffers.Held):
        buffers.restore(value, before)
    elif isinstance(value, bytearray):
        value[:] = before
    elif isinstance(value, memoryview):
        value.cast("B")[:] = before
    elif isinstance(value, ContextVar):
        pass  # a trace has a context of its own
    elif isinstance(value, array.array):
        value[:] = array.array(value.typecode, before)
    elif type(value).__module__.startswith("numpy") and hasattr(value, "bit_generator"):
        value.bit_generator.state = before
    elif isinstance(value, MutableMapping):
        for key in value.keys() - before.keys():
            del value[key]
        value.update(before)
    elif isinstance(before, dict) and (held := attributes(value)) is not None:
        held.clear()
        held.update(before)
    else:
        for read, write in METHODS.items():
            if callable(getattr(value, read, None)):
                set_: Callable[[Any], Any] = getattr(value, write)
                set_(before)
