"""Opaque: objects of libraries and of Python's whose state is not a container's: bytes that can be written,
generators of random numbers, functions with attributes, exceptions, locks, iterators.

Their state is asked when code that is traced first touches them, and again in the end. An iterator is refused
at once: how far it has gone cannot be put back, and another call finds it there.
"""

from __future__ import annotations

import array
import functools
import io
import random
import re
import sys
import types
import warnings
from collections.abc import Callable, Collection, Iterator, MutableMapping
from contextvars import ContextVar
from typing import Any

import numpy as np

from ..faults import is_fault
from ..own import attributes
from ..place import FRAMEWORKS, gate, module_of, users
from ..proxy import current, is_proxy
from ..rewrite.runtime import UNDEFINED
from ..settings.setting import settings_of
from . import buffers, cores
from .containers import PLAIN, dicts, fill, inside, is_module, is_object, is_other
from .containers import differs as changes
from .global_names import Globals, Names, changed, rebound
from .held import Held
from .reach import reachable
from .tensors import is_tensor

#: How the state of such objects is read and set, by the name of what reads it.
METHODS = {"getstate": "setstate", "get_state": "set_state"}


def is_iterator(value: Any) -> bool:
    """Whether to take an item from a value changes it, and nothing tells by how much."""
    return hasattr(type(value), "__next__") and not is_object(value) and not is_proxy(value)


def is_generator(value: Any) -> bool:
    """Whether a value draws random numbers."""
    return isinstance(value, random.Random) or cores.draws(type(value))


def progress(value: Any) -> Any:
    """How far an iterator has gone, as far as it says so."""
    if isinstance(value, types.GeneratorType):
        frame = value.gi_frame
        return frame and (frame.f_lasti, [id(held) for held in frame.f_locals.values()])
    try:
        told = asked(value)
    except Exception as error:
        if is_fault(error):
            raise
        return None  # a file is closed, or nothing can be made anew of what the iterator goes through
    return [v if type(v) in (int, float) else id(v) for v in flat(told)]


@gate
def asked(value: Any) -> Any:
    """What an iterator says of how far it has gone: its place in a file in memory, or how to make one like
    it.
    """
    if isinstance(value, io.IOBase):
        return value.tell() if isinstance(value, (io.StringIO, io.BytesIO)) else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # later Pythons ask for another way
        return value.__reduce__()[1:]


def flat(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for each in value:
            yield from flat(each)
    else:
        yield value


#: Stands for a state that cannot be asked for.
UNREADABLE: Any = object()
#: What a context for decimals has, all but the flags, which say what has happened.
DECIMALS = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")


class Attributes(dict[str, Any]):
    """Some of the attributes of an object of a framework's, which may gain others by itself."""


class Holds(dict[str, Any]):
    """What an object holds, by name. Another object is another state, also one that is equal."""


class Containers(list[tuple[Any, Any]]):
    """The containers that make an object, each with what is in it."""


class Reduced(tuple[Any, ...]):
    """What an object says of itself.

    Attributes:
        own: what there is not made to be said, but what the object holds, by id.
    """

    own: frozenset[int] = frozenset()


def state(value: Any) -> Any:
    """What an object holds, fit to be compared; None where it holds nothing that changes, UNREADABLE where
    nobody can tell.
    """
    if isinstance(value, np.ndarray) or is_tensor(value):
        return buffers.held(value)
    if isinstance(value, (bytearray, array.array, memoryview)):
        return value.tobytes() if isinstance(value, memoryview) else bytes(value)
    if isinstance(value, ContextVar):
        return Holds(value=held) if (held := value.get(UNREADABLE)) is not UNREADABLE else Holds()
    if isinstance(value, Globals):
        return value.now()
    if isinstance(value, type):
        return Containers([(value, inside(value))])
    if isinstance(value, property):
        return Holds(__doc__=value.__doc__)
    kind = type(value)
    if kind is types.FunctionType:  # the dicts of others are looked at for themselves
        further = [] if users(value.__code__) else dicts("", value)
        return Containers([(value, Holds(inside(value))), *((held, inside(held)) for _, held in further)])
    if is_module(kind):
        return Containers((held, inside(held)) for _, held in reachable([("", value)]))
    root = module_of(kind).partition(".")[0]
    if (pair := drawing(kind)) is not None:
        with current().framework.aside():
            return pair[0](value)
    for read in METHODS if root == "random" or isinstance(value, random.Random) else ():
        if callable(method := getattr(value, read, None)):
            return method()
    if isinstance(value, MutableMapping) and not isinstance(value, PLAIN):
        return dict(value)
    held = attributes(value)
    if root in FRAMEWORKS:
        return None if held is None else Attributes(held)
    if cores.is_fixed(kind):
        return None
    if root == "_thread":
        return locked(value)
    if root == "decimal":
        return {name: getattr(value, name) for name in DECIMALS}
    return general(value) if cores.core(kind) is not None or held is None else Holds(held)


def locked(lock: Any) -> int:
    """How often a lock is locked."""
    count = re.search(r"count=(\d+)", repr(lock))
    return int(count[1]) if count is not None else repr(lock).startswith("<locked")


def general(value: Any) -> Any:
    """What an object that is written in C says of itself to whoever wants to copy it."""
    found = [reduced(value), reduced(value)]
    if found[0] is UNREADABLE or differs(*found):
        return UNREADABLE
    if isinstance(found[0], str):  # it is a global, which is found by its name
        return None
    held = attributes(value)
    made = Reduced((found[0], described(value), None if held is None else Holds(held)))
    made.own = frozenset(common(found[0], found[1]))
    return made


def common(one: Any, other: Any) -> Iterator[int]:
    """The ids of what two answers have in common, and is no answer made anew."""
    if one is other:
        yield id(one)
    elif isinstance(one, dict):
        for key, each in one.items():
            yield from common(each, other[key])
    elif isinstance(one, (tuple, list)):
        for mine, theirs in zip(one, other):
            yield from common(mine, theirs)


def reduced(value: Any) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = value.__reduce_ex__(4)
    except Exception:
        return UNREADABLE
    return made if isinstance(made, str) else tuple([*p] if hasattr(type(p), "__next__") else p for p in made)


def described(value: Any) -> Holds:
    """What the class of an object written in C has descriptors for."""
    found = Holds()
    for base in type(value).__mro__:
        for name, each in vars(base).items():
            if isinstance(each, (types.GetSetDescriptorType, types.MemberDescriptorType)):
                if not name.startswith("__") or name in ("__cause__", "__suppress_context__"):
                    try:
                        found[name] = each.__get__(value)
                    except Exception:
                        pass  # it has none
    return found


#: So many bytes are looked at even of what nothing touches.
FEW = 4096


def is_small(value: Any) -> bool:
    """Whether it takes no time to ask for a state."""
    if isinstance(value, (random.Random, np.random.Generator, np.random.RandomState, ContextVar)):
        return True
    if isinstance(value, (np.ndarray, memoryview)) or is_tensor(value):
        return buffers.size(value) <= FEW
    return isinstance(value, (bytearray, array.array)) and len(value) <= FEW


def differs(now: Any, before: Any, own: Collection[int] = ()) -> bool:
    """Whether one state is another than the one before; `own`: what is itself there, and no other, by id."""
    if now is before:
        return False
    if id(before) in own:
        return is_other(now, before)
    if isinstance(before, Held) and isinstance(now, Held):
        return buffers.differs(now, before)
    if isinstance(before, np.ndarray):
        return not np.array_equal(now, before, equal_nan=before.dtype.kind in "fc")
    if isinstance(before, Attributes):
        gained = [v for k, v in now.items() if k not in before]
        return any(differs(now.get(k, UNDEFINED), v) for k, v in before.items()) or any(map(is_proxy, gained))
    if type(now) is not type(before):
        return True
    if isinstance(before, Containers):
        alike = len(now) == len(before) and all(a is b for (a, _), (b, _) in zip(now, before))
        return not alike or any(
            differs(mine, theirs) if isinstance(theirs, Holds) else changes(a, mine, theirs)
            for (a, mine), (_, theirs) in zip(now, before)
        )
    if isinstance(before, Names):
        return bool(rebound(now, before))
    if isinstance(before, dict):
        other = functools.partial(differs, own=own) if type(before) is not Holds else is_other
        return now.keys() != before.keys() or any(other(now[k], v) for k, v in before.items())
    if isinstance(before, (tuple, list)):
        own = before.own if isinstance(before, Reduced) else own
        return len(now) != len(before) or any(differs(a, b, own) for a, b in zip(now, before))
    if isinstance(before, (float, complex)):
        return repr(now) != repr(before)
    try:
        return bool(now != before)
    except Exception:
        return True


def restore(value: Any, before: Any) -> bool:
    """Let an object hold what `state` gave. Returns whether it does."""
    try:
        put(value, before)
        return not differs(state(value), before)
    except Exception:
        return False


def drawing(kind: type) -> tuple[Callable[[Any], Any], Callable[[Any, Any], Any]] | None:
    """What asks an object of a framework's for the state of the random numbers that it draws, and what sets
    it; None where it draws none.
    """
    own = settings_of(module_of(kind))
    return own.drawing if own is not None and cores.draws(kind) else None


def put(value: Any, before: Any) -> None:
    if isinstance(before, Held):
        buffers.restore(value, before)
    elif isinstance(value, Globals):
        changed(value.module, before)
    elif isinstance(value, bytearray):
        value[:] = before
    elif isinstance(value, memoryview):
        value.cast("B")[:] = before
    elif isinstance(value, ContextVar):
        value.set(before["value"])
    elif isinstance(value, array.array):
        value[:] = array.array(value.typecode, before)
    elif isinstance(before, Containers):
        for held, inner in before:
            fill(held, inner)
    elif (pair := drawing(type(value))) is not None:
        with current().framework.aside():
            pair[1](value, before)
    elif type(value).__module__ == "_thread":
        while locked(value) > before:
            value.release()
        while locked(value) < before and value.acquire(False):
            pass
    elif isinstance(value, MutableMapping) and not isinstance(value, PLAIN):
        for key in value.keys() - before.keys():
            del value[key]
        for key, each in before.items():
            if key not in value or differs(value[key], each):
                value[key] = each
    elif isinstance(before, tuple) and len(before) == 3 and isinstance(before[1], dict):
        put_general(value, *before)
    elif isinstance(before, dict):
        put_attributes(value, before)
    else:
        for read, write in METHODS.items():
            if callable(getattr(value, read, None)):
                set_: Callable[[Any], Any] = getattr(value, write)
                set_(before)


def put_attributes(value: Any, before: dict[str, Any]) -> None:
    held = attributes(value)
    if held is None:  # the settings of a context for decimals
        for name, each in before.items():
            setattr(value, name, each)
        return
    for name in [*held]:
        own = type(before) is Attributes and name not in before and not is_proxy(held[name])
        if before.get(name, UNDEFINED) is UNDEFINED and not own:
            del held[name]
    held.update((name, each) for name, each in before.items() if each is not UNDEFINED)


def put_general(value: Any, reduced: Any, described: dict[str, Any], held: dict[str, Any] | None) -> None:
    now = state(value)
    if held is not None:
        put_attributes(value, held)
    for name, each in described.items():
        if differs(now[1].get(name, UNDEFINED), each):
            try:
                setattr(value, name, each)
            except (AttributeError, TypeError):
                pass  # it can only be read
    if any(base.__module__ == "_ctypes" for base in type(value).__mro__):
        ctypes = sys.modules["ctypes"]
        ctypes.memmove(ctypes.addressof(value), reduced[1][1][1], ctypes.sizeof(value))
    elif len(reduced) > 2 and hasattr(value, "__setstate__") and differs(state(value)[0], reduced):
        value.__setstate__(reduced[2])
