"""Python's own floats in what is compiled without 64 bits: they have 64, and the compiled program has 32.

Beside an array a number counts as one of the array's dtype, in every framework. But where numbers alone
decide how a loop goes on, or are carried from turn to turn, it turns more or less often, or drifts away. That
is refused. What was taken out of an array of 32 bits, and numbers that 32 bits hold, are the same in both
and compare in the same way; another number beside them is written as the float32 that divides them as it
does.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ....ir.errors import UnsupportedError
from ....ir.graphs.graph import Graph, Node
from ....ir.graphs.regions import UNDEFINED, Function, cond, graphs, is_loop, loop
from ....ir.graphs.static import Scalar, takes
from ....ir.worklist import nearest, reached
from ...backend import Backend
from .binding_time import Binding

#: Comparisons, by the side on which a float32 must lie that stands for a number: 1 above, -1 below it.
SIDES = {operator.gt: -1, operator.le: -1, operator.lt: 1, operator.ge: 1}
MIRRORED = {
    operator.gt: operator.lt, operator.lt: operator.gt, operator.ge: operator.le, operator.le: operator.ge
}  # fmt: skip
COMPARING = {*SIDES, operator.eq, operator.ne}
#: What makes whole numbers of floats, which an error in the last digit may make others.
WHOLE = {int, math.floor, math.ceil, operator.floordiv, operator.mod}
#: What gives one of its operands, but for the sign.
KEEPING = {operator.neg, abs, min, max, float}


def owned(program: Graph, found: Binding, target: Backend) -> None:
    """Let comparisons in compiled regions go as they do in 64 bits.

    Raises:
        UnsupportedError: where they cannot, or a compiled loop carries what is computed of Python's floats.
    """
    rounded = Rounded(found, target)
    while True:
        before = len(rounded.inexact)
        rounded.look(program)
        if len(rounded.inexact) == before:
            break
    rounded.check(program, 0)


class Rounded:
    """The numbers that 32 bits may not hold."""

    def __init__(self, found: Binding, target: Backend) -> None:
        self.found, self.target = found, target
        self.inexact: set[Node] = set()
        #: What was known of the operands of a function, by its graph, when that was looked at.
        self.looked: dict[Graph, list[bool]] = {}
        #: The graphs of functions that were checked, and whether as compiled ones.
        self.checked: set[tuple[Graph, bool]] = set()

    def look_once(self, graph: Graph) -> None:
        """The same for a function, unless nothing more is known of what it is given."""
        known = [placeholder in self.inexact for placeholder in graph.placeholders]
        if self.looked.get(graph) != known:
            self.looked[graph] = known
            self.look(graph)

    def is_exact(self, value: Any) -> bool:
        """Whether 32 bits hold a number; ints are taken to be small."""
        if isinstance(value, float):
            return not math.isfinite(value) or abs(value) < 3e38 and float(np.float32(value)) == value
        if not isinstance(value, Node):
            return True
        return value not in self.inexact and (not is_float(value) or value in self.found.open)

    def look(self, graph: Graph) -> None:
        """Find them in a graph and those in it; nothing is known of turns at first, so it is done again."""
        for node in graph.nodes:
            if isinstance(node.target, Function):
                self.enter(node.args, node.target.graph.placeholders)
                self.look_once(node.target.graph)
            elif is_loop(node):
                self.look_at_loop(node)
            elif inner := graphs(node):
                for way in inner:
                    self.enter(node.args[3], way.placeholders)
                    self.look(way)
                sides = [g.output_node.args[0] for g in inner if g.output_node.target == "yield"]
                self.give(node, [[side[i] for side in sides] for i in range(len(node.spec))])
            elif node.op == "call_function" and node in self.found.open and not self.holds(node):
                self.inexact.add(node)

    def holds(self, node: Node) -> bool:
        """Whether 32 bits hold what an operation on numbers gives, as far as is known."""
        if not isinstance(node.spec, Scalar) or takes(node) or node.target is operator.getitem:
            return True
        if not is_float(node) and not (node.target in WHOLE and any(map(is_float, node.args))):
            return True
        return node.target in KEEPING | WHOLE and all(map(self.is_exact, node.args))

    def look_at_loop(self, node: Node) -> None:
        parts = loop(node)
        columns = [list(column) for column in zip(*(v for v in (parts.state, parts.yields) if v))]
        for test_or_body in graphs(node):
            first = len(parts.items) if test_or_body is parts.body else 0
            carried = test_or_body.placeholders[first:]
            self.enter([next((v for v in c if not self.is_exact(v)), None) for c in columns], carried)
            self.enter(parts.operands, carried[len(parts.state) :])
            self.look(test_or_body)
        self.give(node, columns)

    def enter(self, given: Any, placeholders: Any) -> None:
        for outer, inner in zip(given, placeholders):
            if isinstance(inner.spec, Scalar) and outer is not UNDEFINED and not self.is_exact(outer):
                self.inexact.add(inner)

    def give(self, node: Node, columns: Sequence[Sequence[Any]]) -> None:
        for user in node.users:
            if user.target is operator.getitem and user.args[0] is node and user.args[1] < len(columns):
                if not all(self.is_exact(v) for v in columns[user.args[1]] if v is not UNDEFINED):
                    self.inexact.add(user)

    def check(self, graph: Graph, depth: int) -> None:
        """Hold what is compiled against what Python does."""
        for node in list(graph.nodes):
            for inner in graphs(node):
                if not isinstance(node.target, Function) or (inner, bool(depth)) not in self.checked:
                    self.checked.add((inner, bool(depth)))
                    self.check(inner, depth + bool(node.meta.get("compiled")))
            if is_loop(node) and node.meta.get("compiled"):
                self.check_carried(node)
            if depth and node in self.found.open and any(map(is_float, node.args)):
                self.compared(node)

    def check_carried(self, node: Node) -> None:
        """What is computed of what the turn before computed strays further with every turn."""
        parts = loop(node)
        known = {p for p in parts.carried if p in self.inexact}
        for now, then in zip(parts.carried, parts.yields or ()):
            if then is not now and is_float(then) and then in self.inexact and known & behind(then):
                raise refusal("a number that a loop computes from itself", then, self.target)

    def compared(self, node: Node) -> None:
        """A comparison, or what is rounded to a whole number."""
        inexact = [a for a in node.args if not self.is_exact(a)]
        if not inexact or node.target not in COMPARING | WHOLE or takes(node):
            return
        if len(inexact) == 1 and isinstance(inexact[0], float) and node.target in SIDES:
            left, right = node.args
            other = left if right is inexact[0] else right
            if isinstance(other, Node) and other in self.found.open:
                side = SIDES[node.target if right is inexact[0] else MIRRORED[node.target]]
                number = beside(inexact[0], side)
                node.args = (left, number) if right is inexact[0] else (number, right)
                return
        what = "a comparison of numbers" if node.target in COMPARING else "an int of a float"
        raise refusal(what, node, self.target)


def is_float(value: Any) -> bool:
    """Whether a value is a float of Python's."""
    if isinstance(value, Node):
        return isinstance(value.spec, Scalar) and value.spec.type is float
    return isinstance(value, float)


def behind(node: Node) -> set[Node]:
    """What a value is computed from."""
    return set(reached([node], lambda node: node.all_input_nodes))


def beside(value: float, side: int) -> float:
    """The number itself where it rounds to this side, else the next float32 on it, in few digits."""
    near = np.float32(value)
    if (float(near) - value) * side >= 0:
        return value
    return float(str(np.nextafter(near, np.float32(side * math.inf))))


def written(node: Node) -> Any:
    """Where the user wrote what a value is computed from: what a branch hands on stands nowhere."""

    def branch(part: Node) -> Any:
        region = part.args[0] if part.target is operator.getitem else None
        return region if isinstance(region, Node) and region.target is cond else None

    def before(part: Node) -> list[Any]:
        region = branch(part)
        if region is None:
            return part.all_input_nodes
        outer = {p: o for g in graphs(region) for o, p in zip(region.args[3], g.placeholders)}
        ends = [g.output_node.args[0] for g in graphs(region) if g.output_node.target == "yield"]
        given = [outer.get(v, v) for v in (end[part.args[1]] for end in ends) if isinstance(v, Node)]
        return [value for value in given if isinstance(value, Node)]

    found = (each for each in nearest([node], before) if each.op != "placeholder" and branch(each) is None)
    return next((each.span for each in found if each.span is not None), node.span)


def refusal(what: str, node: Node, target: Backend) -> UnsupportedError:
    return UnsupportedError(
        f"{what}, in a compiled loop or branch",
        backend=target.name,
        span=written(node),
        why=f"Python computes it in 64 bits, and {target.words} without x64 in 32",
        hint="transpile(..., x64=True); or leave it an array, which all compute in its own dtype",
    )
