"""Containers: what a program can change without binding a name.

Lists, dicts, sets and deques, objects of the user's, and the cells in which functions share variables.
"""

from __future__ import annotations

import types
from argparse import Namespace
from collections import deque
from enum import Enum
from typing import Any

from ...ir.tree import is_record
from ..place import is_own, users
from ..rewrite.runtime import UNDEFINED

ORDERED = (list, deque)
PLAIN = (*ORDERED, dict, set)
#: Objects of Python's whose attributes are all that they have.
HOLDERS = (types.SimpleNamespace, Namespace)


def is_container(value: Any) -> bool:
    return isinstance(value, (*PLAIN, types.CellType)) or is_object(value)


def is_object(value: Any) -> bool:
    """Whether a value is an object of a class of the user's, whose attributes are its state."""
    kind = type(value)
    if isinstance(value, HOLDERS):
        return True
    if kind.__module__ == "builtins" or callable(kind.__dict__.get("__get__")) or isinstance(value, Enum):
        return False
    if not isinstance(getattr(value, "__dict__", None), dict) and not slots(kind):
        return False
    code = next((f.__code__ for f in vars(kind).values() if isinstance(f, types.FunctionType)), None)
    return is_record(value) or (code is not None and users(code)) or is_own(kind.__module__)


def slots(kind: type) -> list[str]:
    """The names in `__slots__` of a class and its bases."""
    found: list[str] = []
    for base in kind.__mro__:
        names = vars(base).get("__slots__", ())
        found += [names] if isinstance(names, str) else list(names)
    return [name for name in found if name not in ("__dict__", "__weakref__")]


def inside(container: Any) -> Any:
    """What a container holds now: a copy, or of a cell the value; UNDEFINED for a variable without one."""
    if isinstance(container, types.CellType):
        try:
            return container.cell_contents
        except ValueError:
            return UNDEFINED
    if isinstance(container, ORDERED):
        return list(container)
    if isinstance(container, (dict, set)):
        return container.copy()
    named = {name: getattr(container, name) for name in slots(type(container)) if hasattr(container, name)}
    return {**named, **getattr(container, "__dict__", {})}


def fill(container: Any, held: Any) -> None:
    """Let a container hold what `inside` gave."""
    if isinstance(container, types.CellType):
        if held is not UNDEFINED:
            container.cell_contents = held
        elif inside(container) is not UNDEFINED:
            del container.cell_contents
    elif isinstance(container, list):
        container[:] = held
    elif isinstance(container, deque):
        container.clear()
        container.extend(held)
    elif isinstance(container, (dict, set)):
        container.clear()
        container.update(held)
    else:
        for name in inside(container):
            if name not in held:
                object.__delattr__(container, name)
        for name, value in held.items():
            object.__setattr__(container, name, value)


def like(kind: Any, held: dict[str, Any]) -> Any:
    """An object of a class with these attributes; its `__init__` is not asked."""
    made = object.__new__(kind)
    fill(made, held)
    return made


def differs(container: Any, now: Any, before: Any) -> bool:
    """Whether two of its states are of different objects, or in another order."""
    if isinstance(container, types.CellType):
        return now is not before
    if len(now) != len(before):
        return True
    if isinstance(now, dict):
        return any(a is not b or x is not y for (a, x), (b, y) in zip(now.items(), before.items()))
    if isinstance(now, set):
        return bool(now != before)
    return any(a is not b for a, b in zip(now, before))


def items(container: Any) -> list[tuple[Any, Any]]:
    """What a container holds, by key, index or attribute; of a set no keys."""
    held = inside(container)
    if isinstance(container, types.CellType):
        return [] if held is UNDEFINED else [("", held)]
    if isinstance(held, dict):
        return list(held.items())
    return [("", item) for item in held] if isinstance(held, set) else list(enumerate(held))


class ItemName(str):
    """What an item of a container is called, which the user has no variable for."""


def named(name: str, key: Any, container: Any = None) -> str:
    """What an item of a container is called that is called `name`."""
    if key == "":
        return name
    if hasattr(container, "_fields"):
        key = container._fields[key]
    return ItemName(key if name == "self" and str(key).isidentifier() else f"{name}_{key}")
