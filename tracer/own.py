"""Own: what is asked of objects of the user's, none of whose methods may notice: their class is asked, and
what they have of their own.
"""

from __future__ import annotations

import functools
import types
from typing import Any

from ..ir.source.remarks import FUNCTIONS
from .place import FRAMEWORKS, is_own, module_of
from .proxy import is_proxy


def attributes(value: Any) -> dict[str, Any] | None:
    """The attributes that an object has of its own."""
    try:
        found = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return None
    return found if isinstance(found, dict) else None


def attribute(value: Any, name: str, default: Any = None) -> Any:
    """An attribute such as functions have, `__name__` or `__self__`, of whatever is called or entered."""
    kind: Any = type(value)
    if issubclass(kind, type):
        try:
            return type.__getattribute__(value, name)
        except AttributeError:
            return default
    if is_own(module_of(kind)) or answers(kind):
        return (attributes(value) or {}).get(name, default)
    return getattr(value, name, default)


#: How Python calls a partial.
PARTIAL_CALL = vars(functools.partial)["__call__"]


def inherited(kind: type, name: str) -> Any:
    """What the first class that has this name has under it, of those that a class is made of."""
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)


def partial(f: Any) -> functools.partial[Any] | None:
    """A callable as Python calls a partial: with the function and the arguments that it was made with,
    whatever attributes a class made of it has. None: it is called in another way, such as by the `__call__`
    of such a class.
    """
    kind = type(f)
    if kind is functools.partial:
        return f  # type: ignore[no-any-return]
    if kind is types.MethodWrapperType and f.__objclass__ is functools.partial and f.__name__ == "__call__":
        f = f.__self__  # super().__call__
    elif not issubclass(kind, functools.partial) or inherited(kind, "__call__") is not PARTIAL_CALL:
        return None
    func, args, keywords = (vars(functools.partial)[name].__get__(f) for name in ("func", "args", "keywords"))
    return functools.partial(func, *args, **keywords)


def definition(fn: Any) -> tuple[str, int] | None:
    """The file and the line where what is called begins, in Python, without its decorators; of which file it
    is, is noted.
    """
    parts = (fn, attribute(fn, "__func__"), attribute(fn, "__wrapped__"), attribute(fn, "func"))
    found = next((part for part in parts if isinstance(part, types.FunctionType)), None)
    if found is None:
        return None
    while isinstance(inner := attribute(found, "__wrapped__"), types.FunctionType) and inner is not found:
        found = inner
    FUNCTIONS[found.__code__.co_filename] = found
    return found.__code__.co_filename, found.__code__.co_firstlineno


@functools.lru_cache(maxsize=1024)
def answers(kind: type) -> bool:
    """Whether a class says in Python what attributes its objects have."""
    named = (vars(base).get(name) for base in kind.__mro__ for name in ("__getattr__", "__getattribute__"))
    return any(isinstance(found, types.FunctionType) for found in named)


#: Functions, which have a hash of their own, and never that of what they hold.
BOUND = (types.BuiltinFunctionType, types.MethodWrapperType)


def tabled(function: Any) -> bool:
    """Whether a callable may stand in a table: Python tells it from others by what it is, not by what it
    holds, or a framework tells it.
    """
    kind = type(function)
    if kind is types.MethodType:
        return tabled(function.__func__)
    hashes: Any = kind.__hash__
    if hashes is object.__hash__ or kind in BOUND:
        return not is_proxy(function)
    return hashes is not None and module_of(kind).partition(".")[0] in FRAMEWORKS


def hashable(value: Any) -> bool:
    return getattr(type(value), "__hash__", None) is not None and not is_proxy(value)
