"""Carried: attributes that a number, a text or a container of a class of the user's has beside what it is.

What is made of its parts anew would not have them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from enum import Enum
from typing import Any

from ..errors import UnsupportedError
from ..source.span import Span
from .tree import PACKAGE, by_type, children

#: What such classes are made of.
BASES = (bool, int, float, complex, str, bytes, tuple, list, dict, set, frozenset)


@by_type
def base_of(kind: type) -> type | None:
    """The class of Python's that one of another's is made of, if its objects may have attributes. Members of
    an Enum are what their class says.
    """
    ours = kind.__module__.partition(".")[0] == PACKAGE
    if kind in BASES or ours or issubclass(kind, Enum) or not (kind.__dictoffset__ or slots(kind)):
        return None
    return next((base for base in BASES if issubclass(kind, base)), None)


def in_slots(value: Any) -> dict[str, Any]:
    """What an object holds in the slots of its class."""
    found = {}
    for name in slots(type(value)):
        try:
            found[name] = object.__getattribute__(value, name)
        except AttributeError:
            pass  # nothing is in it
    return found


@by_type
def slots(kind: type) -> list[str]:
    """The names in `__slots__` of a class and its bases."""
    found: list[str] = []
    for base in kind.__mro__:
        names = vars(base).get("__slots__", ())
        found += map(private(base), [names] if isinstance(names, str) else names)
    return [name for name in found if name not in ("__dict__", "__weakref__")]


def private(kind: type) -> Callable[[str], str]:
    """What Python calls an attribute within a class."""
    prefix = f"_{kind.__name__.lstrip('_')}"
    return lambda name: prefix + name if name.startswith("__") and not name.endswith("__") else name


def carries(value: Any) -> bool:
    """Whether a value has attributes of its own, other than properties that it remembers."""
    kind = type(value)
    if base_of(kind) is None:
        return False
    held = object.__getattribute__(value, "__dict__") if kind.__dictoffset__ else {}
    if any(not is_remembered(kind, name) for name in held):
        return True
    return bool(in_slots(value))


def is_remembered(kind: type, name: str) -> bool:
    found = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
    return isinstance(found, functools.cached_property)


def carriers(value: Any) -> Any:
    """One that has attributes of its own, of a value and of what it holds; None where none has."""
    if carries(value):
        return value
    found = (carriers(item) for _, item in children(value) or ())
    return next((item for item in found if item is not None), None)


def refusal(value: Any, span: Span | None) -> UnsupportedError:
    kind = type(value)
    base = (base_of(kind) or object).__name__
    article = "an" if base == "int" else "a"
    return UnsupportedError(
        f"an object of class {kind.__name__}, {article} {base} with attributes of its own",
        why="what is made of its parts would lack them",
        span=span,
        hint="make it a dataclass that holds both",
    )
