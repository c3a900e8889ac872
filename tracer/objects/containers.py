"""Containers: what a program can change without binding a name.

Lists, dicts, sets and deques, objects of the user's, and the cells in which functions share variables. Of
what outlives the call, classes and functions too; the attributes of functions are dicts. No method of the
user's is asked.
"""

from __future__ import annotations

import types
from argparse import Namespace
from collections import OrderedDict, deque
from collections.abc import Collection
from enum import Enum
from operator import is_
from typing import Any

from ...backends.backend import NAMES, backend
from ...ir.values.carried import in_slots, slots
from ...ir.values.tree import by_type, is_record, tuple_fields
from ..own import attributes
from ..place import is_own, module_of, users
from ..rewrite.runtime import UNDEFINED
from .standing import MADE_BY_CODE, members, original

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
    if kind.__module__ == "builtins" or isinstance(value, Enum):
        return False
    if is_module(kind):
        return True
    if callable(kind.__dict__.get("__get__")) and not is_own(module_of(kind)):
        return False
    if attributes(value) is None and not slots(kind):
        return False
    own = vars(kind).values()
    code = next((original(f).__code__ for f in own if isinstance(f, types.FunctionType)), None)
    return is_record(value) or (code is not None and users(code)) or is_own(module_of(kind))


@by_type
def is_module(kind: type) -> bool:
    """Whether objects of a type are modules, as torch has them: Python's objects, with Python's containers in
    them.
    """
    known = {module for name in NAMES if (module := backend(name).module_class) is not None}
    return any((base.__module__, base.__name__) in known for base in kind.__mro__)


def inside(container: Any) -> Any:
    """What a container holds now: a copy, or of a cell the value; UNDEFINED for a variable without one."""
    kind = type(container)
    if kind is list or kind is dict or kind is set:
        return container.copy()
    if kind is types.CellType:
        try:
            return container.cell_contents
        except ValueError:
            return UNDEFINED
    if kind is types.FunctionType:
        return {name: getattr(container, name) for name in OF_FUNCTIONS}
    if isinstance(container, type):
        return members(container)
    if isinstance(container, ORDERED):
        own: Any = list if isinstance(container, list) else deque
        return list(own.__iter__(container))
    if isinstance(container, OrderedDict):
        return dict(OrderedDict.items(container))
    if isinstance(container, dict):
        return dict.copy(container)  # which asks no key for its hash
    if isinstance(container, set):
        return set(container)
    held = Held(in_slots(container))
    held.update(attributes(container) or {})
    held.kind = kind
    if is_module(kind):
        held.empty = {id(v): v for v in held.values() if isinstance(v, dict) and not v}
    return held


class Held(dict[str, Any]):
    """The attributes of an object.

    Attributes:
        kind: the class that it is of, which a program may set as well.
        empty: the dicts among the attributes of a module of torch with nothing in them, by id: most of
            its many are so, and are looked at with it.
    """

    kind: Any = None
    empty: dict[int, dict[Any, Any]] = {}


def beyond_attributes(change: Any) -> bool:
    """Whether a change is of the class of an object, or puts something into what was empty."""
    if not isinstance(change.after, Held):
        return False
    filled = change.before.empty.keys() - change.after.empty.keys()
    return change.after.kind is not change.before.kind or bool(filled)


def is_empty(value: Any) -> bool:
    return isinstance(value, dict) and not value


#: What a function has, of which most may be set; what is in its dicts is looked at for itself.
OF_FUNCTIONS = tuple(
    name for name, each in vars(types.FunctionType).items()
    if isinstance(each, (types.GetSetDescriptorType, types.MemberDescriptorType))
)  # fmt: skip


def dicts(name: str, fn: types.FunctionType) -> list[tuple[str, dict[str, Any]]]:
    """The dicts of a function that is called `name`: its attributes, what its parameters are by default, and
    their annotations.
    """
    found = [(name, vars(fn)), (name, fn.__kwdefaults__), ("__annotations__", fn.__annotations__)]
    return [(called, each) for called, each in found if isinstance(each, dict)]


def ordinary(container: Any, held: dict[str, Any]) -> dict[str, Any]:
    """What an object has, without what Python puts into a class by itself, such as `__slotnames__`."""
    if not isinstance(container, type):
        return held
    return {n: v for n, v in held.items() if not n.startswith("__") or isinstance(v, types.FunctionType)}


def fill(container: Any, held: Any) -> None:
    """Let a container hold what `inside` gave."""
    if isinstance(container, types.CellType):
        if held is not UNDEFINED:
            container.cell_contents = held
        elif inside(container) is not UNDEFINED:
            del container.cell_contents
    elif isinstance(container, list):
        list.__setitem__(container, slice(None), held)
    elif isinstance(container, deque):
        deque.clear(container)
        deque.extend(container, held)
    elif isinstance(container, (dict, set)):
        kind: Any = next(k for k in (OrderedDict, dict, set) if isinstance(container, k))
        kind.clear(container)
        kind.update(container, held)
    else:
        own: Any = type if isinstance(container, type) else object
        if isinstance(held, Held) and held.kind is not type(container):
            own.__setattr__(container, "__class__", held.kind)
        for each in held.empty.values() if isinstance(held, Held) else ():
            fill(each, {})
        now, held = ordinary(container, inside(container)), ordinary(container, held)
        for name in now:
            if name not in held:
                own.__delattr__(container, name) if (at := lying(container, name)) is None else at.pop(name)
        for name, value in held.items():
            if now.get(name, UNDEFINED) is not value:
                put(container, name, value)


def put(container: Any, name: str, value: Any) -> None:
    """Let an object have an attribute as it was found: no descriptor of its class is to notice."""
    own: Any = type if isinstance(container, type) else object
    if (found := lying(container, name)) is None:
        own.__setattr__(container, name, value)
    else:
        found[name] = value


def lying(container: Any, name: str) -> dict[str, Any] | None:
    """The dict in which an object has an attribute; None of functions, classes and slots."""
    if isinstance(container, (type, types.FunctionType)):
        return None
    kinds = (vars(base).get(name) for base in type(container).__mro__)
    slot = any(isinstance(each, types.MemberDescriptorType) for each in kinds)
    return None if slot else attributes(container)


def like(kind: Any, held: dict[str, Any]) -> Any:
    """An object of a class with these attributes; its `__init__` is not asked."""
    base = next(base for base in kind.__mro__ if not base.__flags__ & MADE_BY_CODE)
    made = base.__new__(kind)
    fill(made, held)
    return made


def differs(container: Any, now: Any, before: Any) -> bool:
    """Whether two of its states are of different objects, or in another order."""
    if type(container) is types.CellType:
        return now is not before
    if isinstance(now, Held) and (now.kind is not before.kind or now.empty.keys() != before.empty.keys()):
        return True
    if isinstance(now, dict):
        if same_objects(now, before) and same_objects(now.values(), before.values()):
            return False
        now, before = ordinary(container, now), ordinary(container, before)
        return not (same_objects(now, before) and same_objects(now.values(), before.values()))
    return not same_members(now, before) if isinstance(now, set) else not same_objects(now, before)


def same_members(now: set[Any], before: set[Any]) -> bool:
    """Whether two sets hold the same objects; numbers and strings are the same by value and type."""
    if len(now) != len(before):
        return False
    return {*map(id, now)} == {*map(id, before)} or {*map(member, now)} == {*map(member, before)}


def member(value: Any) -> Any:
    return (type(value), repr(value)) if type(value) in ATOMS else id(value)


#: What is one thing wherever it is equal and of one type.
ATOMS = (bool, int, float, complex, str, bytes)


def is_other(now: Any, before: Any) -> bool:
    """Whether a value that an object holds is another one, equal or not. Numbers, strings and tuples of these
    are one thing wherever they are equal.
    """
    if now is before or type(now) is not type(before):
        return now is not before
    if type(before) is tuple:
        return len(now) != len(before) or any(map(is_other, now, before))
    return type(before) not in ATOMS or repr(now) != repr(before)


def same_objects(now: Collection[Any], before: Collection[Any]) -> bool:
    return len(now) == len(before) and all(map(is_, now, before))


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

    key: Any = ""


def named(name: str, key: Any, container: Any = None) -> str:
    """What an item of a container is called that is called `name`."""
    if key == "":
        return name
    if names := tuple_fields(type(container)):
        key = names[key]
    made = ItemName(key if name == "self" and str(key).isidentifier() else f"{name}_{key}")
    made.key = key
    return made
