"""Objects of the user's: the methods of theirs that Python calls by itself, found so that they are rewritten.

Properties, operators, item access, calls and `__init__` run as any other function of the user's does.
"""

from __future__ import annotations

import functools
import types
from typing import Any

from ..own import inherited
from ..place import is_own, module_of, users_own
from ..proxy import is_proxy
from . import wrapped
from .standing import member, original


def own(obj: Any, name: str) -> types.FunctionType | None:
    """The user's function of this name in the class of an object; None where there is none, or another's."""
    kind = type(obj)
    if kind.__module__ == "builtins" or is_proxy(obj):
        return None
    found = member(kind, name)
    return found if isinstance(found, types.FunctionType) and users_own(found) else None


def getter(obj: Any, name: str) -> Any:
    """The function behind a property, under a cache or not, or behind a cached property that has not been
    asked for yet.
    """
    found, kept = declared(obj, name), kept_as(obj, name)
    if kept is not None:
        found = found.func if not {name, kept} & vars(obj).keys() else None
    elif answers_as(found, property):
        found = functions_of(found)[0]
    else:
        return None
    own = isinstance(found, types.FunctionType) and users_own(found) or wrapped.is_cached(found)
    return found if own else None


def setter(obj: Any, name: str) -> types.FunctionType | None:
    found = declared(obj, name)
    fset = functions_of(found)[1] if answers_as(found, property, "__set__") else None
    return fset if isinstance(fset, types.FunctionType) and users_own(fset) else None


def of_class(obj: Any, name: str) -> bool:
    """Whether it is the user's class of an object that says what it has under a name, for all its objects."""
    kind = type(obj)
    found = member(kind, name) if is_own(module_of(kind)) else None
    if found is None or name in getattr(kind, "_fields", ()) or type(found) is types.MemberDescriptorType:
        return False
    asked = isinstance(found, functools.cached_property) or any(
        inherited(type(found), method) is not None for method in ("__set__", "__delete__")
    )
    return asked or name not in getattr(obj, "__dict__", ())


def answers_as(found: Any, kind: type, method: str = "__get__") -> bool:
    """Whether what a class has is of a class of Python's, or of one made of it that answers as that does."""
    return isinstance(found, kind) and inherited(type(found), method) is vars(kind)[method]


def functions_of(found: Any) -> tuple[Any, Any, Any]:
    """The functions with which a property was made, whatever attributes a class made of it has."""
    fget, fset, fdel = (vars(property)[name].__get__(found) for name in ("fget", "fset", "fdel"))
    return fget, fset, fdel


def kept_as(obj: Any, name: str) -> str | None:
    """The name under which an object remembers a property; None for what is no cached property."""
    found = declared(obj, name)
    return found.attrname if answers_as(found, functools.cached_property) else None


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
