"""Begun: numbers of Python's with which a loop of JAX's begins.

Such a number is weak in the first turn that JAX traces, and as long as it meets no array. That makes no
difference where the first array that it meets is of its dtype; else the text says the dtype.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..ir.graphs.graph import Graph, Node
from ..ir.graphs.regions import Function, Region, cond, graphs, is_loop, loop
from ..ir.meaning.op import REGISTER, Op
from ..ir.passes.fold import implicit
from ..ir.values import dtypes
from ..ir.values.spec import Spec
from ..ir.values.tree import leaves
from .backend import Backend
from .typing import traits


class Begun:
    """What is known of a program.

    Attributes:
        strong: the arrays that JAX takes for arrays of their dtype, whatever they are made of.
        around: the region that a graph belongs to.
    """

    def __init__(self, graph: Graph, is_number: Any, target: Backend) -> None:
        self.strong: set[Node] = {p for p in graph.placeholders if isinstance(p.spec, Spec)}
        self.around: dict[Graph, Node] = {}
        self.is_number = is_number
        self.target = target
        self.look(graph)

    def look(self, graph: Graph) -> None:
        for node in graph.nodes:
            for outer, inner in borders(node):
                if inner not in self.strong and self.enters(node, outer, inner):
                    self.strong.add(inner)
            for inner_graph in graphs(node):
                if not isinstance(node.target, Function) or inner_graph not in self.around:
                    self.around[inner_graph] = node
                    self.look(inner_graph)
            if node.op == "get_attr" or node.op == "call_function" and self.is_strong(node):
                self.strong.add(node)

    def enters(self, node: Node, outer: Any, inner: Node) -> bool:
        """Whether what stands for a value in a graph is strong. The text makes so what a loop carries, but
        for numbers, see codegen/statements/control/strong.py.
        """
        if "carried" in inner.meta or not isinstance(inner.spec, Spec):
            return False
        if is_loop(node) and any(inner in several for several in carried(node)):
            return not (isinstance(outer, Node) and self.is_number(outer))
        return outer is None or isinstance(node.target, Function) or outer in self.strong

    def is_strong(self, node: Node) -> bool:
        if not isinstance(node.target, Op):  # a result of a region or function
            return isinstance(node.spec, Spec) and "carried" not in node.meta
        given = [a for a in node.args if isinstance(a, Node) and isinstance(a.spec, Spec)]
        if node.target is REGISTER["cast"] and not implicit(node):
            return True
        if not given:
            weak = "weak" in traits(self.target.name, node.target)
            return not weak and node.target.rules[0].cls == "free"
        return any(a in self.strong and not implicit(a) for a in given)

    def settles(self, value: Node) -> bool:
        """Whether it makes no difference that a value is weak. That numbers of the program may be, which are
        arrays since it is compiled, is known.
        """
        known = "carried" in value.meta or value.spec.dtype == dtypes.bool_  # of which none are weak
        return known or all(self.takes(user, value) for user in value.users)

    def takes(self, user: Node, value: Node) -> bool:
        """Whether it makes none to this user."""
        if isinstance(user.target, (Region, Function)):
            begins = leaves((loop(user).state, loop(user).sources)) if is_loop(user) else ()
            whole = all(value is not each for each in begins)
            return whole and all(self.settles(inner) for outer, inner in borders(user) if outer is value)
        if user.op == "output":
            return self.joins(user, value)
        if not isinstance(user.target, Op) or user.target.static:
            return False
        if user.target is REGISTER["getitem"] and value is not user.args[0]:
            return True
        others = [a for a in user.args if isinstance(a, Node) and isinstance(a.spec, Spec) and a is not value]
        if implicit(user) or any(map(implicit, others)):
            return False
        settled = user.target is REGISTER["cast"] or user.target.rules[0].cls == "compare"
        return settled or any(a in self.strong for a in others) or self.settles(user)

    def joins(self, output: Node, value: Node) -> bool:
        """Whether a branch gives a value where the other gives a strong one."""
        node = self.around.get(output.graph)
        if node is None or node.target is not cond:
            return False
        (other,) = (g.output_node for g in graphs(node) if g is not output.graph)
        if {output.target, other.target} != {"yield"}:
            return False
        pairs = zip(output.args[0], other.args[0])
        return all(theirs in self.strong for mine, theirs in pairs if mine is value)


def carried(node: Node) -> list[Sequence[Node]]:
    """What the graphs of a loop call what it carries."""
    parts, count = loop(node), len(loop(node).state)
    found: list[Sequence[Node]] = [parts.body.placeholders[len(parts.sources) :][:count]]
    return found if parts.test is None else [*found, parts.test.placeholders[:count]]


def borders(node: Node) -> Iterator[tuple[Any, Node]]:
    """What a region or function takes, with what stands for it inside; None for a row, or a count."""
    if isinstance(node.target, Function):
        yield from zip(node.args, node.target.graph.placeholders)
    elif node.target is cond:
        for side in graphs(node):
            yield from zip(node.args[3], side.placeholders)
    elif is_loop(node):
        parts = loop(node)
        given: list[Any] = [*parts.state, *parts.operands]
        items = [source[0] if isinstance(source, list) else None for source in parts.sources]  # one is as all
        yield from zip([*items, *given], parts.body.placeholders)
        if parts.test is not None:
            yield from zip(given, parts.test.placeholders)
