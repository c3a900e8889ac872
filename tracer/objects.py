"""Objects of the user's: the methods of theirs that Python calls by itself, found so that they are rewritten.

Properties, operators, item access, calls and `__init__` run as any other function of the user's does.
"""

from __future__ import annotations

import functools
import types
from typing import Any

from . import wrapped
from .place import users_own
from .standing import member, original


def own(obj: Any, name: str) -> types.FunctionType | None:
    """The user's function of this name in the class of an object; None where there is none, or another's."""
    kind = type(obj)
    if kind.__module__ == "builtins":
        return None
    found = member(kind, name)
    return found if isinstance(found, types.FunctionType) and users_own(found) else None


def getter(obj: Any, name: str) -> Any:
    """The function behind a property, under a cache or not, or behind a cached property that has not been
    asked for yet.
    """
    found = declared(obj, name)
    if isinstance(found, functools.cached_property):
        found = found.func if name not in vars(obj) else None
    elif isinstance(found, property):
        found = found.fget
    else:
        return None
    own = isinstance(found, types.FunctionType) and users_own(found) or wrapped.is_cached(found)
    return found if own else None


def setter(obj: Any, name: str) -> types.FunctionType | None:
    found = declared(obj, name)
    fset = found.fset if isinstance(found, property) else None
    return fset if isinstance(fset, types.FunctionType) and users_own(fset) else None


def is_cached(obj: Any, name: str) -> bool:
    return isinstance(declared(obj, name), functools.cached_property)


def declared(obj: Any, name: str) -> Any:
    """What the class of an object has under a name."""
    return member(type(obj), name)


def initializer(kind: type) -> types.FunctionType | None:
    """The user's `__init__` of a class that is made as most are."""
    made: Any = getattr(kind, "__new__", None)
    if type(kind) is not type or made is not object.__new__:
        return None
    found = original(getattr(kind, "__init__", None))
    return found if isinstance(found, types.FunctionType) and users_own(found) else None
