"""Capturing: variables of its caller's that a function reads. What they hold is given to it as its arguments
are: they are parameters of its graph.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...ir.graphs.graph import Graph
from ...ir.graphs.static import Scalar
from ...ir.graphs.walk import own_nodes
from ...ir.sizes.dim import Sym
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves
from ...ir.worklist import Worklist
from ..objects import heap
from ..objects.containers import inside
from ..proxy import is_proxy
from ..regions import items
from ..state.scopes import Scope

if TYPE_CHECKING:
    from ..tracer import Tracer
    from .bodies import Parameters


class Variables:
    """The variables of others that one call of a function may read, or the functions that it is given.

    Attributes:
        values: what they hold, by name, where there is something in it that is recorded.
    """

    def __init__(self, fn: types.FunctionType, bound: inspect.BoundArguments) -> None:
        self.values: dict[str, Any] = {}
        self.cells: dict[str, list[types.CellType]] = {}
        self.held: list[tuple[types.CellType, Any]] = []
        known: dict[int, str] = {}
        given = [value for value in leaves(bound.arguments) if isinstance(value, types.FunctionType)]
        for variable, cell in cells([fn, *given]) if fn.__closure__ or given else ():
            value = inside(cell)
            if any(map(is_proxy, leaves(value))) and all(map(items.is_key, items.keys(value))):
                name = known.setdefault(id(value), unused(variable, {*bound.arguments, *self.values}))
                self.values[name] = value
                self.cells.setdefault(name, []).append(cell)

    def wake(self, tracer: Tracer) -> None:
        """Whoever wants to know later what they held looks now."""
        if self.cells:
            heap.wake(tracer)

    def stand_in(self, made: Mapping[str, Any]) -> None:
        """Let them hold what stands for it in the function."""
        self.held = [(cell, cell.cell_contents) for known in self.cells.values() for cell in known]
        for name, known in self.cells.items():
            for cell in known:
                cell.cell_contents = made[name]

    def restore(self) -> None:
        for cell, value in self.held:
            cell.cell_contents = value


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


def speaks_of_others(graph: Graph) -> bool:
    """Whether what is computed in the graph of a function has sizes of which only its caller could speak."""
    names = {node.target for node in graph.placeholders if "outer" not in node.meta}
    return any(atoms(node.spec) - names for node in own_nodes(graph) if node.op != "placeholder")


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
