"""Capturing: variables of its caller's that a function reads. What they hold is given to it as its arguments
are: they are parameters of its graph.
"""

from __future__ import annotations

import inspect
import keyword
import re
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...ir.graphs.static import Scalar
from ...ir.graphs.walk import own_nodes
from ...ir.sizes.dim import Sym
from ...ir.values.spec import Spec
from ...ir.values.tree import children, leaves
from ...ir.worklist import Worklist, reached
from ..objects import containers, heap
from ..objects.containers import inside
from ..own import attributes
from ..proxy import is_proxy
from ..regions import items
from ..state.scopes import Scope

if TYPE_CHECKING:
    from ..tracer import Tracer
    from .bodies import Parameters


#: What has attributes, and is no object of a class of the user's.
HOLDERS = (types.FunctionType, types.ModuleType, type)


class Variables:
    """The variables of others that one call of a function may read, or the functions that it is given; and
    the attributes of the objects that it is given, where it must have a graph.

    Attributes:
        values: what they hold, by name, where there is something in it that is recorded.
    """

    def __init__(self, fn: types.FunctionType, bound: inspect.BoundArguments, objects: bool) -> None:
        self.values: dict[str, Any] = {}
        #: Where they hold it: cells, and the attributes of objects.
        self.places: dict[str, list[tuple[Any, str]]] = {}
        self.held: list[tuple[Any, str, Any]] = []
        self.taken, self.known = {*bound.arguments}, dict[int, str]()
        given = [value for value in leaves(bound.arguments) if isinstance(value, types.FunctionType)]
        found = [*cells([fn, *given])] if fn.__closure__ or given else []
        for variable, cell in found:
            self.note(variable, inside(cell), (cell, "cell_contents"))
        start = [*bound.arguments.values(), *(inside(cell) for _, cell in found)] if objects else []
        for holder in reached(start, own_values, key=id):
            for name, value in list(own_attributes(holder)):
                self.note(name, value, (holder, name))

    def note(self, name: str, value: Any, place: tuple[Any, str]) -> None:
        says = name.isidentifier() and not keyword.iskeyword(name)
        if says and any(map(is_proxy, leaves(value))) and all(map(items.is_key, items.keys(value))):
            name = self.known.setdefault(id(value), unused(name, {*self.taken, *self.values}))
            self.values[name] = value
            self.places.setdefault(name, []).append(place)

    def wake(self, tracer: Tracer) -> None:
        """Whoever wants to know later what they held looks now."""
        if self.places:
            heap.wake(tracer)

    def stand_in(self, made: Mapping[str, Any]) -> None:
        """Let them hold what stands for it in the function."""
        for name, places in self.places.items():
            for holder, name_of in places:
                self.held.append((holder, name_of, held_by(holder, name_of)))
                containers.put(holder, name_of, made[name])

    def restore(self) -> None:
        for holder, name, value in self.held:
            containers.put(holder, name, value)
        self.held.clear()


def held_by(holder: Any, name: str) -> Any:
    return inside(holder) if isinstance(holder, types.CellType) else (attributes(holder) or {})[name]


def own_attributes(value: Any) -> Iterator[tuple[str, Any]]:
    """The attributes of an object of a class of the user's, which is no container."""
    if is_proxy(value) or children(value) is not None or isinstance(value, HOLDERS):
        return
    yield from (attributes(value) or {}).items()


def own_values(value: Any) -> Iterator[Any]:
    """What a container, or an object of a class of the user's, holds."""
    return (held for _, held in (None if is_proxy(value) else children(value)) or own_attributes(value))


def cells(functions: Iterable[Any]) -> Iterator[tuple[str, types.CellType]]:
    """The cells of functions, and of those that these hold, by the names of their variables."""
    ahead = Worklist((f for f in functions if isinstance(f, types.FunctionType)), key=id)
    met: set[int] = set()
    for function in ahead:
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            if id(cell) not in met:
                met.add(id(cell))
                ahead.add(leaf for leaf in leaves(inside(cell)) if isinstance(leaf, types.FunctionType))
                yield name, cell


def unused(name: str, taken: Iterable[str]) -> str:
    """A name that is not taken."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    return found


def take(tracer: Tracer, scope: Scope, given: Parameters) -> bool:
    """Let what else a function has read of its caller's, an attribute of an object, be parameters of it.
    Whether there are arrays among it.
    """
    arrays = False
    for outer, inner in scope.captures.items():
        if outer.graph is tracer.scopes[-2].graph and "captured" in inner.meta:
            inner.meta = {k: v for k, v in inner.meta.items() if k != "captured"}
            inner.target = unused(inner.target, {p.name for p in given.parameters})
            given.parameters.append(inspect.Parameter(inner.target, inspect.Parameter.POSITIONAL_OR_KEYWORD))
            given.operands.append(outer)
            arrays |= isinstance(outer.spec, Spec)
    return arrays


def speaks_of_others(scope: Scope) -> bool:
    """Whether what is computed in the graph of a function has sizes of which only its caller could speak, or
    which are called there like one of its own.
    """
    own = {node.target for node in scope.graph.placeholders if "outer" not in node.meta}
    theirs = {name for outer in scope.captures for name in atoms(outer.spec)}
    found = (atoms(node.spec) for node in own_nodes(scope.graph) if node.op != "placeholder")
    return not own.isdisjoint(theirs) or any(names - own for names in found)


def root(path: str) -> str:
    """The parameter that an expression is about."""
    return re.split(r"[.\[)]", path, maxsplit=1)[0]


def atoms(spec: Any) -> set[str]:
    if isinstance(spec, Spec):
        sizes = spec.shape or ()
    else:
        sizes = (spec.value,) if isinstance(spec, Scalar) else ()
    found = (atom for size in sizes if isinstance(size, Sym) for atom in size.atoms)
    return {root(atom.removeprefix("len(")) for atom in found}
