"""Sizes for JAX, whose compiled regions give one shape on every way.

What joins arrays of different sizes has a size of its own, see ir/graphs/static.py. Where those were equal in
the example, it is theirs. No guard says so: JAX itself refuses ways that give different shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....ir.graphs.graph import Graph, Node
from ....ir.graphs.regions import Region, graphs, is_loop, loop
from ....ir.graphs.static import Scalar, decided
from ....ir.graphs.walk import functions, own_nodes
from ....ir.program import Program
from ....ir.sizes.dim import Dim, Sym, hint_of
from ....ir.sizes.local import is_local
from ....ir.values.spec import Spec


def equalized(program: Program) -> None:
    """Let sizes that a compiled region joins be one."""
    for function in functions(program, inner_first=True):
        found = Sizes(function)
        found.look(function)
        found.settle(function)


def same_size(one: Dim, other: Dim) -> bool:
    """Whether two sizes are equal, or were in the example."""
    if one == other or is_local(one) or is_local(other) or hint_of(one) is None:
        return one == other
    return hint_of(one) == hint_of(other)


class Sizes:
    """The sizes of one function's joins, as they are found: `known`, by the names of these."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.known: dict[str, Dim] = {}

    def look(self, graph: Graph) -> None:
        for node in graph.nodes:
            if is_loop(node):
                self.look_at_loop(node)
            elif isinstance(node.target, Region):
                self.look_at_cond(node)

    def look_at_cond(self, node: Node) -> None:
        for graph in graphs(node):
            self.look(graph)
        sides = [g.output_node.args[0] for g in graphs(node) if g.output_node.target == "yield"]
        if not decided(node.args[0]):
            for spec, *values in zip(node.spec, *sides):
                self.join(spec, values)

    def look_at_loop(self, node: Node) -> None:
        parts = loop(node)
        compiled = parts.test is None or not decided(parts.test.output_node.args[0][0])
        if compiled:
            for placeholder, value in zip(parts.carried, parts.state):
                self.join(placeholder.spec, [value])
        for graph in graphs(node):
            self.look(graph)
        if compiled:
            for spec, *values in zip(node.spec, parts.state, parts.yields or parts.state):
                self.join(spec, values)

    def join(self, spec: Any, values: Sequence[Any]) -> None:
        """Let the sizes of a result be those of the arrays that it may be."""
        shapes = [self.shape(v.spec) for v in values if isinstance(v, Node) and isinstance(v.spec, Spec)]
        if not isinstance(spec, Spec) or spec.shape is None or any(s is None for s in shapes):
            return
        for axis, dim in enumerate(spec.shape):
            sizes = sorted((s[axis] for s in shapes if s and len(s) > axis), key=is_local)
            if not isinstance(dim, Sym) or not is_local(dim) or len(sizes) != len(shapes) or not sizes:
                continue
            (name, *more) = dim.atoms
            if not more and all(same_size(sizes[0], size) for size in sizes[1:]):
                self.known[name] = sizes[0]

    def shape(self, spec: Spec) -> tuple[Dim, ...] | None:
        if spec.shape is None:
            return None
        return tuple(d.evaluate(self.known) if isinstance(d, Sym) else d for d in spec.shape)

    def settle(self, graph: Graph) -> None:
        """Say everywhere what was found."""
        for node in own_nodes(graph):
            node.spec = self.settled(node.spec)

    def settled(self, spec: Any) -> Any:
        if isinstance(spec, tuple):
            return tuple(map(self.settled, spec))
        if isinstance(spec, Scalar) and isinstance(spec.value, Sym):
            return Scalar(spec.type, spec.value.evaluate(self.known), spec.local)
        return Spec(self.shape(spec), spec.dtype) if isinstance(spec, Spec) else spec
