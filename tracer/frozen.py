"""Frozen: objects among the arguments that stay those of the example, and what the program reads of them.

The text is the program for these objects. Each attribute that was read is checked to be what it was, so that
another object is refused and not taken for the example's; arrays are no matter of checks, and refused.
"""

from __future__ import annotations

import builtins
import copy
import enum
import functools
import keyword
import types
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from ..backends.backend import framework_of
from ..ir.errors import UnsupportedError
from ..ir.graphs.graph import Graph
from ..ir.values.carried import in_slots
from ..ir.values.dtypes import dtype
from ..ir.values.tree import leaves, plain_constant
from .own import attributes, partial
from .place import FRAMEWORKS, here, is_own, module_of

#: What is compared by itself, and what by its text, which tells 1 from 1.0 and True, and nan from nothing.
PLAIN = (bool, str, bytes, type(None), type(...), range, slice)
NUMBERS = (int, float, complex)
CONTAINERS = (list, tuple, dict)
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, np.ufunc)
#: Of the standard library, what holds nothing but the attributes that a program gives it.
BAGS = frozenset({"argparse.Namespace", "types.SimpleNamespace"})


class Frozen:
    """What the program reads of objects among the arguments.

    Attributes:
        facts: expressions of the arguments, with what each is in the example.
        paths: the objects by id, each with how the text says it and the attributes that it had.
    """

    def __init__(self) -> None:
        self.facts: dict[str, Any] = {}
        self.paths: dict[int, tuple[Any, str, dict[str, Any]]] = {}
        #: Those of which everything counts.
        self.whole: set[int] = set()

    def enter(self, graph: Graph, static: Mapping[str, Any]) -> None:
        """These arguments of the whole program stay what they are, by path."""
        graph.meta["held"] = self.facts
        for path, value in static.items():
            if is_named(value):  # which is checked by its name
                self.paths[id(value)] = value, path, dict(attributes(value) or {})
            elif not is_checked(value):
                self.hold(path, value)

    def path(self, obj: Any) -> str | None:
        """How the text says an object; None for one that is not among the arguments."""
        found = self.paths.get(id(obj)) if self.paths else None
        return found[1] if found is not None and found[0] is obj else None

    # What the program asks.

    def read(self, obj: Any, name: str, value: Any) -> None:
        """It has read an attribute of an object.

        Raises:
            UnsupportedError: where that is an array, or holds one.
        """
        if (path := self.path(obj)) is None:
            return
        before = self.paths[id(obj)][2]
        made = before[name] is not value if name in before else name in (attributes(obj) or {})
        if name == "__dict__":
            self.all(obj)
        elif isinstance(obj, type) and any(map(framework_of, leaves(value))):
            return  # a constant of its class
        elif (not name.startswith("__") or name in before) and not made:  # by the program
            self.hold(attribute(path, name), value)
            self.facts.pop(f"{path} is not None", None)  # it would have no such attribute
            self.stays(obj, path)

    def kind(self, obj: Any) -> None:
        """It has asked of which class an object is."""
        other = isinstance(obj, type) or module_of(type(obj)).partition(".")[0] in FRAMEWORKS
        if (path := self.path(obj)) is not None and not other:
            self.facts[f"type({path}).__name__"] = type(obj).__name__
            self.paths.setdefault(id(type(obj)), (type(obj), f"type({path})", {}))
            self.stays(obj, path)

    def stays(self, obj: Any, path: str) -> None:
        """What is checked by its name is so whatever else is asked of it."""
        if is_named(obj):
            self.facts.setdefault(path, obj)

    def presence(self, obj: Any, name: str) -> None:
        """It has asked whether an object has an attribute."""
        if (path := self.path(obj)) is not None:
            self.facts.setdefault(f"hasattr({path}, {name!r})", hasattr(obj, name))
            self.stays(obj, path)

    def same(self, one: Any, other: Any) -> None:
        """It has asked whether two objects are one."""
        mine, theirs = self.path(one), self.path(other)
        if mine is not None and theirs is not None and one is not other:
            self.facts[f"{mine} is {theirs}"] = False

    def among(self, obj: Any, others: Iterable[Any]) -> None:
        """It has asked whether an object is one of these."""
        for other in others if self.paths else ():
            self.same(obj, other)

    def all(self, obj: Any) -> None:
        """It has asked for all attributes of an object, or code that nobody sees may."""
        if (path := self.path(obj)) is None or id(obj) in self.whole:
            return
        self.whole.add(id(obj))
        before = self.paths[id(obj)][2]
        if is_named(obj):
            for name in before:
                self.read(obj, name, before[name])
            return
        self.kind(obj)
        for other, *_ in [*self.paths.values()]:  # of which it may ask which is which
            if type(other) is type(obj):
                self.same(obj, other)
        if attributes(obj) is not None:
            slots = in_slots(obj)
            self.facts[f"list(vars({path}))"] = [name for name in before if name not in slots]
        for name, value in before.items():
            self.hold(attribute(path, name), value)
            self.all(value)

    def every(self, objects: Iterable[Any] | None = None) -> None:
        """Code that nobody sees gets these objects, or any."""
        if self.paths:
            for obj in [obj for obj, *_ in self.paths.values()] if objects is None else objects:
                self.all(obj)

    # What is checked of a value.

    def hold(self, path: str, value: Any) -> None:
        """A value stays what it is."""
        if path in self.facts or f"repr({path})" in self.facts:
            return
        if any(map(framework_of, leaves(value))) and not isinstance(value, np.generic):
            raise holding_arrays(path)
        if isinstance(value, (*CONTAINERS, set)):  # of which the program may ask whether two are one
            if (known := self.path(value)) is not None:
                self.facts[f"{path} is {known}"] = True
                return
            self.paths[id(value)] = value, path, {}
        if type(value) in PLAIN:
            self.facts[path] = value
        elif isinstance(value, (set, frozenset)) and is_constant(value):  # whose order no text says
            self.facts[path] = copy.copy(value)
        elif isinstance(value, np.generic) or is_constant(value):
            self.facts[f"repr({path})"] = repr(value)
        elif isinstance(value, enum.Enum):
            self.facts[f"{path}.name"] = value.name
            self.facts[f"type({path}).__name__"] = type(value).__name__
        elif (plain := plain_constant(value)) is not value:  # of a class made of one of Python's
            self.facts[path] = plain
            self.facts[f"type({path}).__name__"] = type(value).__name__
        elif is_named(value):
            self.facts[path] = value
            self.paths.setdefault(id(value), (value, path, dict(attributes(value) or {})))
        elif isinstance(value, CONTAINERS):
            self.items(path, value)
        else:
            self.parts(path, value)

    def items(self, path: str, value: Any) -> None:
        """What a container holds stays what it is, and its class."""
        if type(value) not in CONTAINERS:
            self.facts[f"type({path}).__name__"] = type(value).__name__
        if not isinstance(value, dict):
            self.facts[f"len({path})"] = len(value)
            for i, item in enumerate(value):
                self.hold(f"{path}[{i}]", item)
        elif is_constant(list(value)):
            self.facts[f"repr(list({path}))"] = repr(list(value))
            for key, item in dict.items(value):
                self.hold(f"{path}[{plain_constant(key)!r}]", item)
        else:  # keys such as functions, whose order is that of the values
            self.items(f"list({path})", list(value))
            self.items(f"list({path}.values())", list(value.values()))

    def parts(self, path: str, value: Any) -> None:
        """An object, class, method or partial stays what it is."""
        if (known := self.path(value)) is not None:
            if known != path:
                self.facts[f"{path} is {known}"] = True
        elif isinstance(value, types.MethodType):
            self.facts[f"{path}.__name__"] = value.__name__
            self.parts(f"{path}.__self__", value.__self__)
        elif isinstance(value, types.BuiltinFunctionType):
            self.facts[f"{path}.__name__"] = value.__name__
            self.hold(f"{path}.__self__", value.__self__)
        elif (made := partial(value)) is not None:
            for name in ("func", "args", "keywords"):
                self.hold(f"{path}.{name}", getattr(made, name))
            if type(value) is not functools.partial:
                self.facts[f"type({path}).__name__"] = type(value).__name__
        else:
            self.add(path, value)

    def add(self, path: str, value: Any) -> None:
        """An object stays what it is."""
        kind, held = type(value), attributes(value)
        root = module_of(kind).partition(".")[0]
        self.paths[id(value)] = value, path, {**in_slots(value), **(held or {})}
        if isinstance(value, (type, types.ModuleType)):
            self.facts[f"{path}.__name__"] = value.__name__
        elif is_own(module_of(kind)):
            self.facts[f"type({path}).__name__"] = kind.__name__
        elif f"{module_of(kind)}.{kind.__name__}" in BAGS:
            self.facts[f"{path} is not None"] = True
        elif root in FRAMEWORKS and not hasattr(value, "bit_generator"):
            self.facts[path] = value
        elif held is not None:  # whose methods nobody sees read it
            self.all(value)
        else:
            self.by_text(path, value)

    def by_text(self, path: str, value: Any) -> None:
        """An object of the standard library's stays what its text says, where that says it."""
        if isinstance(value, Collection) and any(map(framework_of, leaves(list(value)))):
            raise holding_arrays(path)
        if " at 0x" in (text := repr(value)):
            self.facts[f"type({path}).__name__"] = type(value).__name__
        else:
            self.facts[f"repr({path})"] = text


def attribute(path: str, name: str) -> str:
    """An attribute as the text says it."""
    plain = name.isidentifier() and not keyword.iskeyword(name)
    return f"{path}.{name}" if plain else f"getattr({path}, {name!r})"


def is_checked(value: Any) -> bool:
    """Whether an argument is compared as it is, see codegen/checks/statics.py."""
    if isinstance(value, type):
        return getattr(builtins, value.__name__, None) is value or is_dtype(value)
    if isinstance(value, CONTAINERS):
        return is_constant(value)
    return isinstance(value, (enum.Enum, *PLAIN, *NUMBERS)) or is_named(value) or is_constant(value)


def is_dtype(value: type) -> bool:
    """Whether a class stands for a dtype."""
    try:
        dtype(value)
    except TypeError:
        return False
    return True


def is_named(value: Any) -> bool:
    """Whether a value is a function that its name tells from others, of a framework or not."""
    if isinstance(value, types.BuiltinFunctionType):  # `{}.get` is one of its dict
        return value.__self__ is None or isinstance(value.__self__, types.ModuleType)
    own = module_of(type(value)).partition(".")[0] in FRAMEWORKS
    return isinstance(value, FUNCTIONS) or own and isinstance(getattr(value, "__name__", None), str)


def is_constant(value: Any) -> bool:
    """Whether a value is made of what is compared by itself or by its text."""
    if type(value) in (list, tuple, set, frozenset):
        return all(map(is_constant, value))
    if type(value) is dict:
        return all(map(is_constant, value)) and all(map(is_constant, value.values()))
    return type(value) in (*PLAIN, *NUMBERS)


def holding_arrays(path: str) -> UnsupportedError:
    place, owner = here(), path.partition(".")[0]
    return UnsupportedError(
        f"{path}, an array in an object that is an argument",
        why="it would be a constant of the translation, whatever object is given",
        span=None if place is None else place.span,
        hint=f"make {owner} a dataclass, a dict or a tuple; or bind it before, where it is to be a constant: "
        f"functools.partial(fn, {owner}=...)",
    )
