"""Frozen: objects among the arguments that stay those of the example, and what the program reads of them.

The text is the program for these objects. Each attribute that was read is checked to be what it was, so that
another object is refused and not taken for the example's; arrays are no matter of checks, and refused.
"""

from __future__ import annotations

import copy
import enum
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
#: What nothing is asked of.
LEFT = (types.ModuleType, types.MethodType)


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
            if not isinstance(value, (enum.Enum, type, *FUNCTIONS)) and not is_constant(value):
                self.hold(path, value)

    def add(self, path: str, value: Any) -> None:
        """An object stays what it is."""
        kind = type(value)
        if id(value) in self.paths or module_of(kind).partition(".")[0] in FRAMEWORKS:
            return
        held = attributes(value)
        self.paths[id(value)] = value, path, dict(held or {})
        if is_own(module_of(kind)):
            self.facts[f"type({path}).__name__"] = kind.__name__
        elif held is None and module_of(kind).partition(".")[0] in sys.stdlib_module_names:
            if isinstance(value, Collection) and any(map(framework_of, leaves(list(value)))):
                raise holding_arrays(path)
            if " at 0x" not in (text := repr(value)):
                self.facts[f"repr({path})"] = text

    def read(self, obj: Any, name: str, value: Any) -> None:
        """The program has read an attribute of an object.

        Raises:
            UnsupportedError: where that is an array, or holds one.
        """
        found = self.paths.get(id(obj)) if self.paths else None
        if found is None or found[0] is not obj:
            return
        _, path, before = found
        if name == "__dict__":
            self.all(obj)
        elif not name.startswith("__") and before.get(name, value) is value:
            self.hold(f"{path}.{name}", value)

    def all(self, obj: Any) -> None:
        """The program has asked for all attributes of an object."""
        found = self.paths.get(id(obj)) if self.paths else None
        if found is not None and found[0] is obj:
            _, path, before = found
            self.facts[f"list(vars({path}))"] = list(before)
            for name, value in before.items():
                self.hold(f"{path}.{name}", value)

    def presence(self, obj: Any, name: str) -> None:
        """The program has asked whether an object has an attribute."""
        found = self.paths.get(id(obj)) if self.paths else None
        if found is not None and found[0] is obj:
            self.facts.setdefault(f"hasattr({found[1]}, {name!r})", hasattr(obj, name))

    def hold(self, path: str, value: Any) -> None:
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
        elif isinstance(value, FUNCTIONS):
            self.facts[path] = value
        elif isinstance(value, type):
            self.facts[f"{path}.__name__"] = value.__name__
        elif isinstance(value, enum.Enum):
            self.facts[f"{path}.name"] = value.name
        elif type(value) in (list, tuple, dict):
            asked, told = ("list", list(value)) if type(value) is dict else ("len", len(value))
            self.facts[f"{asked}({path})"] = told
            for key, item in children(value) or ():
                self.hold(f"{path}[{key!r}]", item)
        elif not isinstance(value, LEFT):
            self.add(path, value)


def is_constant(value: Any) -> bool:
    if type(value) in (list, tuple, set, frozenset):
        return all(map(is_constant, value))
    if type(value) is dict:
        return all(map(is_constant, value)) and all(map(is_constant, value.values()))
    return type(value) in ATOMS


def holding_arrays(path: str) -> UnsupportedError:
    place, owner = here(), path.partition(".")[0]
    return UnsupportedError(
        f"{path}, an array in an object that is an argument",
        why="it would be a constant of the translation, whatever object is given",
        span=None if place is None else place.span,
        hint=f"make {owner} a dataclass, a dict or a tuple; or bind it before, where it is to be a constant: "
        f"functools.partial(fn, {owner}=...)",
    )
