"""Reach: what a value refers to, as Python's own garbage collector says, each with a name for the user.

Of functions these are defaults, closure and attributes, of classes their functions and bases; of modules and
the objects of frameworks nothing, save the functions of the user's that such an object wraps.
"""

from __future__ import annotations

import functools
import gc
import logging
import sys
import threading
import types
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from contextvars import ContextVar
from typing import Any

from ...ir.errors import UnsupportedError
from ...ir.values.tree import by_type
from ..own import attributes
from ..place import FRAMEWORKS, is_own, module_of, users, users_own
from ..proxy import Proxy, current
from .containers import dicts, is_container, is_empty, is_module, items, named
from .standing import members

#: How many objects are looked at.
LIMIT = 100_000
#: What refers to nothing that a program can change.
ATOMS = (str, bytes, int, float, complex, bool, type(None), types.CodeType, type(Ellipsis), range)
ATTRIBUTES = (
    types.GetSetDescriptorType, types.MemberDescriptorType, types.WrapperDescriptorType,
    types.MethodDescriptorType, types.ClassMethodDescriptorType,
)  # fmt: skip
SKIPPED = (Proxy, *ATOMS, *ATTRIBUTES, type, types.ModuleType)
EXACTLY = frozenset((*ATOMS, *ATTRIBUTES))
#: What runs, and can be asked for nothing that it holds; and what only tells others: see python/hooks.py.
CLOSED = (types.FrameType, types.TracebackType, types.GeneratorType, types.CoroutineType,
          types.AsyncGeneratorType, logging.Logger, logging.LoggerAdapter)  # fmt: skip
#: The functions in a class that are no plain ones.
WRAPPERS = (types.FunctionType, staticmethod, classmethod, property)
PACKAGE = __name__.partition(".")[0]
#: Where the classes of what stands for values are.
OURS = tuple(f"{PACKAGE}.{room}." for room in ("ir", "backends", "tracer", "codegen"))


class Reach:
    """Goes through nested values, each once, however often it is asked.

    Args:
        met: gets whatever else is in reach, by id, with a name; an attribute by default.
    """

    def __init__(self, met: dict[int, tuple[Any, str]] | None = None) -> None:
        self.others = met
        self.seen: set[int] = set()
        self.count = 0

    def walk(self, roots: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
        """The containers among nested values, with a name.

        Raises:
            UnsupportedError: where they are too many to be looked at again and again.
        """
        seen = self.seen
        waiting = deque((name, value, name) for name, value in roots)
        while waiting:
            name, value, root = waiting.popleft()
            kind = type(value)
            if kind in EXACTLY or id(value) in seen:
                continue
            if issubclass(kind, SKIPPED) and not is_own_class(value) and not is_loose(value):
                continue
            seen.add(id(value))
            self.count += kind is not types.FunctionType and kind is not types.CellType
            if self.count >= LIMIT:
                raise too_many(root)
            if self.is_held(value):
                yield name, value
            if self.others is not None and not is_container(value):
                self.others.setdefault(id(value), (value, name))
            through = kind is types.FunctionType
            for inner, held in self.held_by(name, value):
                if type(held) not in EXACTLY and id(held) not in seen:
                    waiting.append((inner, held, inner if through else root))

    def is_held(self, value: Any) -> bool:
        """Whether what a value holds is compared afterwards."""
        return is_container(value)

    def held_by(self, name: str, value: Any) -> Iterable[tuple[str, Any]]:
        """What a value that is called `name` holds, by name."""
        return held_by(name, value)


def reachable(
    roots: Iterable[tuple[str, Any]],
    met: dict[int, tuple[Any, str]] | None = None,
    seen: Collection[int] = (),
) -> Iterator[tuple[str, Any]]:
    """See `Reach.walk`. `seen`: what need not be looked at, by id."""
    reach = Reach(met)
    reach.seen.update(seen)
    return reach.walk(roots)


def too_many(root: str) -> UnsupportedError:
    return UnsupportedError(
        f"a function from which more than {LIMIT:,} objects can be reached",
        why="each is looked at, lest a change go unseen",
        span=current().span(),
        hint=f"hold what is in `{root}` in an array, or out of reach of the function",
    )


def is_own_class(value: Any) -> bool:
    return isinstance(value, type) and is_own(value.__module__)


def is_loose(value: Any) -> bool:
    """Whether a value is a module that the program has made, and nobody can import."""
    if not isinstance(value, types.ModuleType):
        return False
    return sys.modules.get(str(vars(value).get("__name__"))) is not value


def held_by(name: str, value: Any) -> Iterable[tuple[str, Any]]:
    kind = type(value)
    if kind in (list, deque):
        return ((named(name, i), item) for i, item in enumerate(value) if type(item) not in EXACTLY)
    if kind in (dict, set, types.CellType):
        return ((named(name, key), item) for key, item in items(value) if type(item) not in EXACTLY)
    if isinstance(value, tuple):
        held = [(named(name, i, value), v) for i, v in enumerate(tuple.__iter__(value))]
        return held if kind is tuple else [*held, (name, attributes(value))]
    if isinstance(value, types.FunctionType):
        return of_function(name, value)
    if isinstance(value, type):
        return of_class(value)
    if isinstance(value, types.MethodType):
        return [("self", value.__self__), (name, value.__func__)]
    if isinstance(value, functools._lru_cache_wrapper):  # what it remembers is not the program's
        return [(name, value.__wrapped__), (name, attributes(value))]
    if isinstance(value, types.ModuleType):
        return [(name, vars(value))]
    if kind is types.GeneratorType:  # its own variables are nobody else's
        return [(name, f) for f in gc.get_referents(value) if isinstance(f, types.FunctionType)]
    if isinstance(value, CLOSED):
        return ()
    if isinstance(value, ContextVar):
        return [(name, held) for held in set_in(value)]
    if isinstance(value, threading.local):
        return [(name, vars(value))]
    if module_of(kind).partition(".")[0] in FRAMEWORKS and not is_module(kind):
        return ((name, held) for held in (attributes(value) or {}).values() if is_users_function(held))
    if is_container(value):
        held = [(named(name, key), item) for key, item in items(value)]
        if is_module(kind):  # which looks at these itself
            held = [(key, item) for key, item in held if not is_empty(item)]
        held += [(kind.__name__, kind)] if is_own_class(kind) else []
        return [*held, *further(name, value)] if has_more(kind) else held
    return () if module_of(kind).startswith(OURS) else further(name, value)


def set_in(variable: ContextVar[Any]) -> list[Any]:
    """What a variable of the context holds, if anything."""
    try:
        return [variable.get()]
    except LookupError:
        return []


@by_type
def has_more(kind: type) -> bool:
    """Whether objects of the user's may hold more than attributes: a class of Python's is among its bases."""
    return any(base is not object and not is_own(module_of(base)) for base in kind.__mro__)


def further(name: str, value: Any) -> list[tuple[str, Any]]:
    """What an object refers to that is written in C, or whose class is made of one that is."""
    attributes(value)  # which makes the dict that they are in
    return [(v.__name__ if isinstance(v, type) else name, v) for v in gc.get_referents(value)]


def is_users_function(value: Any) -> bool:
    return isinstance(value, types.FunctionType) and users_own(value)


def of_function(name: str, fn: types.FunctionType) -> list[tuple[str, Any]]:
    """The closure, defaults and attributes of a function, by the names that it has for them."""
    if not users(fn.__code__):
        return []
    code, defaults = fn.__code__, fn.__defaults__ or ()
    given = code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount]
    closed = zip(code.co_freevars, fn.__closure__ or ())
    return [*closed, *zip(given, defaults), *dicts(name, fn)]


def of_class(kind: type) -> list[tuple[str, Any]]:
    """What a class of the user's holds, its bases, and the class that made it."""
    held = [(n, v) for n, v in members(kind).items() if not n.startswith("__") or isinstance(v, WRAPPERS)]
    held = [(n, v) for n, v in held if n != "_abc_impl"]  # what Python remembers of `isinstance`
    return [*held, *((base.__name__, base) for base in (*kind.__bases__, type(kind)) if is_own_class(base))]
