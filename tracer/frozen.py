"""Frozen: objects among the arguments that stay those of the example, and what the program reads of them.

The text is the program for these objects. Each attribute that was read is checked to be what it was, so that
another object is refused and not taken for the example's; arrays are no matter of checks, and refused.
"""

from __future__ import annotations

import copy
import enum
import functools
import math
import sys
import types
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from ..backends.backend import framework_of
from ..ir.errors import UnsupportedError
from ..ir.graph import Graph
from ..ir.tree import children, leaves
from .own import attributes
from .place import FRAMEWORKS, here, is_own, module_of

ATOMS = (bool, int, float, complex, str, bytes, type(None), type(...), range, slice)
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, np.ufunc)


class Frozen:
    """What the program reads of objects among the arguments.

    Attributes:
        facts: expressions of the arguments, with what each is in the example.
    """

    def __init__(self) -> None:
        self.facts: dict[str, Any] = {}
        self.paths: dict[int, tuple[Any, str, dict[str, Any]]] = {}

    def enter(self, graph: Graph, static: Mapping[str, Any]) -> None:
        """These arguments of the whole program stay what they are, by path."""
        graph.meta["held"] = self.facts
        for path, value in static.items():
            plain = isinstance(value, enum.Enum) or is_function(value) or is_constant(value)
            if not plain and (not isinstance(value, type) or is_own(module_of(value))):
                self.hold(path, value)

    def path(self, obj: Any) -> str | None:
        """How the text says an object; None for one that is not among the arguments."""
        found = self.paths.get(id(obj)) if self.paths else None
        return found[1] if found is not None and found[0] is obj else None

    def add(self, path: str, value: Any) -> None:
        """An object stays what it is."""
        kind = type(value)
        root = module_of(kind).partition(".")[0]
        if id(value) in self.paths or root in FRAMEWORKS:
            return
        held = attributes(value)
        self.paths[id(value)] = value, path, dict(held or {})
        if is_own(module_of(kind)):
            self.kind(value)
        elif held is None and root in sys.stdlib_module_names and not isinstance(value, type):
            if isinstance(value, Collection) and any(map(framework_of, leaves(list(value)))):
                raise holding_arrays(path)
            if " at 0x" not in (text := repr(value)):
                self.facts[f"repr({path})"] = text

    def kind(self, obj: Any) -> None:
        """The program has asked of which class an object is."""
        if (path := self.path(obj)) is not None and not isinstance(obj, type):
            self.facts[f"type({path}).__name__"] = type(obj).__name__

    def read(self, obj: Any, name: str, value: Any) -> None:
        """The program has read an attribute of an object.

        Raises:
            UnsupportedError: where that is an array, or holds one.
        """
        if (path := self.path(obj)) is None:
            return
        if name == "__dict__":
            self.all(obj)
        elif not name.startswith("__") and self.paths[id(obj)][2].get(name, value) is value:
            self.hold(f"{path}.{name}", value)

    def all(self, obj: Any) -> None:
        """The program has asked for all attributes of an object, or code that nobody sees may."""
        if (path := self.path(obj)) is None or f"list(vars({path}))" in self.facts:
            return
        before = self.paths[id(obj)][2]
        if attributes(obj) is not None:
            self.facts[f"list(vars({path}))"] = list(before)
        for name, value in before.items():
            self.hold(f"{path}.{name}", value)
            self.all(value)

    def every(self, objects: Collection[Any] | None = None) -> None:
        """Code that nobody sees gets these objects, or any."""
        if self.paths:
            for obj in [obj for obj, *_ in self.paths.values()] if objects is None else objects:
                self.all(obj)

    def presence(self, obj: Any, name: str) -> None:
        """The program has asked whether an object has an attribute."""
        if (path := self.path(obj)) is not None:
            self.facts.setdefault(f"hasattr({path}, {name!r})", hasattr(obj, name))

    def hold(self, path: str, value: Any) -> None:
        """A value stays what it is."""
        if path in self.facts:
            return
        if isinstance(value, np.generic):
            value = value.item()
        if any(map(framework_of, leaves(value))):
            raise holding_arrays(path)
        if isinstance(value, float) and math.isnan(value):
            self.facts[f"{path} != {path}"] = True
        elif is_constant(value):
            self.facts[path] = copy.deepcopy(value)
        elif is_function(value):
            self.facts[path] = value
        elif isinstance(value, enum.Enum):
            self.facts[f"{path}.name"] = value.name
        elif type(value) in (list, tuple, dict):
            self.items(path, value)
        elif not isinstance(value, types.ModuleType):
            self.parts(path, value)

    def items(self, path: str, value: Any) -> None:
        """What a container holds stays what it is."""
        if type(value) is dict and not is_constant(list(value)):  # such as functions
            self.items(f"list({path})", list(value))
            self.items(f"list({path}.values())", list(value.values()))
            return
        asked, told = ("list", list(value)) if type(value) is dict else ("len", len(value))
        self.facts[f"{asked}({path})"] = told
        for key, item in children(value) or ():
            self.hold(f"{path}[{key!r}]", item)

    def parts(self, path: str, value: Any) -> None:
        """An object, class, method or partial stays what it is."""
        if isinstance(value, (type, types.MethodType)):
            self.facts[f"{path}.__name__"] = value.__name__
        if isinstance(value, types.MethodType):
            self.add(f"{path}.__self__", value.__self__)
        elif isinstance(value, functools.partial):
            for name in ("func", "args", "keywords"):
                self.hold(f"{path}.{name}", getattr(value, name))
        else:
            self.add(path, value)


def is_function(value: Any) -> bool:
    """Whether a value is a function that its name tells from others, of a framework or not."""
    own = module_of(type(value)).partition(".")[0] in FRAMEWORKS
    return isinstance(value, FUNCTIONS) or own and isinstance(getattr(value, "__name__", None), str)


def is_constant(value: Any) -> bool:
    """Whether a value can be compared with what is written of it: nan is not itself."""
    if type(value) in (list, tuple, set, frozenset):
        return all(map(is_constant, value))
    if type(value) is dict:
        return all(map(is_constant, value)) and all(map(is_constant, value.values()))
    return type(value) in ATOMS and value == value


def holding_arrays(path: str) -> UnsupportedError:
    place, owner = here(), path.partition(".")[0]
    return UnsupportedError(
        f"{path}, an array in an object that is an argument",
        why="it would be a constant of the translation, whatever object is given",
        span=None if place is None else place.span,
        hint=f"make {owner} a dataclass, a dict or a tuple; or bind it before, where it is to be a constant: "
        f"functools.partial(fn, {owner}=...)",
    )
