"""Objects of the user's: the methods of theirs that Python calls by itself, found so that they are rewritten.

Properties, operators, item access, calls and `__init__` run as any other function of the user's does.
"""

from __future__ import annotations

import functools
import types
from typing import Any

from ..place import is_own, module_of, users_own
from . import wrapped
from .standing import member, original

#: What a class has under a name and is asked, or was, though the object holds something there.
ASKED = (property, functools.cached_property)


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


def of_class(obj: Any, name: str) -> bool:
    """Whether it is the user's class of an object that says what it has under a name, for all its objects."""
    kind = type(obj)
    found = member(kind, name) if is_own(module_of(kind)) else None
    if found is None or name in getattr(kind, "_fields", ()) or type(found) is types.MemberDescriptorType:
        return False
    return name not in getattr(obj, "__dict__", ()) or isinstance(found, ASKED)


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
