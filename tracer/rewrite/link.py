"""Link: from compiled code to a function like the user's.

The code is compiled and tidied once; the hooks are put into its constants, so that neither the user's globals
nor `locals()` show them, and its cells, globals and defaults are those of the function it stands for.
"""

from __future__ import annotations

import inspect
import weakref
from types import CodeType, FunctionType
from typing import Any, Generic, TypeVar

from . import runtime
from .hooks import Hooks
from .template import HOOKS, RUNTIME, is_ours

Known = TypeVar("Known")

MOVED = ("<then>", "<orelse>", "<test>", "<body>")


def tidied(code: CodeType) -> CodeType:
    """`code` with our functions under the name of the user's function that they were cut from."""
    return _renamed(code, code.co_name, code.co_qualname)


def _renamed(code: CodeType, name: str, qualname: str) -> CodeType:
    is_class_body = not code.co_flags & inspect.CO_OPTIMIZED
    consts = []
    for const in code.co_consts:
        if isinstance(const, CodeType) and _is_made(const):
            const = _renamed(const, name, qualname)
        elif isinstance(const, CodeType):
            path = const.co_qualname
            if path.startswith(f"{code.co_qualname}."):  # a function declared global has none before its name
                path = qualname + path.removeprefix(code.co_qualname)
            const = _renamed(const, const.co_name, path)
        elif is_class_body and const == code.co_qualname:
            const = qualname  # it stores its own
        consts.append(const)
    return code.replace(co_name=name, co_qualname=qualname, co_consts=tuple(consts))


def _is_made(code: CodeType) -> bool:
    """Whether a function is ours: one that code was moved into by its name, a thunk by its parameters."""
    stars = bool(code.co_flags & inspect.CO_VARARGS)
    parameters = code.co_varnames[: code.co_argcount + stars]
    return code.co_name in MOVED or any(is_ours(name) for name in parameters)


class Cache(Generic[Known]):
    """What is known of code, by its identity: equal code may stand in two files."""

    def __init__(self) -> None:
        self._entries: dict[int, tuple[weakref.ref[CodeType], Known]] = {}

    def get(self, code: CodeType) -> Known | None:
        entry = self._entries.get(id(code))
        return None if entry is None else entry[1]

    def put(self, code: CodeType, known: Known) -> None:
        key = id(code)
        self._entries[key] = weakref.ref(code, lambda _: self._entries.pop(key, None)), known


def linked(tidied: CodeType, hooks: Hooks, cache: Cache[CodeType]) -> CodeType:
    """`tidied` with the objects in place of their stand-ins.

    `cache` remembers where it comes from, nested functions too: one that outlives its hooks may get others.
    """
    objects: dict[str, Any] = {HOOKS: hooks, RUNTIME: runtime}
    consts: list[Any] = []
    for const in tidied.co_consts:
        if isinstance(const, CodeType):
            const = linked(const, hooks, cache)
        elif isinstance(const, str):
            const = objects.get(const, const)
        consts.append(const)
    made = tidied.replace(co_consts=tuple(consts))
    cache.put(made, tidied)
    return made


def is_linked(code: CodeType, hooks: Hooks) -> bool:
    return any(const is hooks for const in code.co_consts)


def like(fn: FunctionType, code: CodeType) -> FunctionType:
    """A function that differs from `fn` in its code alone: cells, globals, attributes are shared."""
    cells = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True))
    closure = tuple(cells[name] for name in code.co_freevars)
    made = FunctionType(code, fn.__globals__, fn.__name__, fn.__defaults__, closure)
    made.__kwdefaults__ = fn.__kwdefaults__
    made.__annotations__ = fn.__annotations__
    made.__qualname__ = fn.__qualname__
    made.__module__ = fn.__module__
    made.__doc__ = fn.__doc__
    made.__dict__ = fn.__dict__
    return made
