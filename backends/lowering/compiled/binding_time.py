"""Binding time: which regions a compiler must take, and which numbers only the compiled program knows.

What decides a region may be known to Python when the function is compiled: an argument that was left out, a
size, a static number. Such a region stays Python's own. The numbers that a compiled region computes are open.
For JAX all of them are arrays from then on; torch goes on with ints, so that they can count and index.

Where a shape depends on an open number, Python must know it: the loops that compute it stay Python's, if
it can tell how often they turn.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Sequence
from typing import Any

from ....ir.graphs.graph import Graph, Node
from ....ir.graphs.regions import UNDEFINED, Function, cond, for_loop, is_loop, loop, through_list, while_loop
from ....ir.graphs.static import Scalar, takes
from ....ir.source.printing import print_
from ....ir.values.spec import Spec
from ....ir.values.tree import children
from ...backend import Backend
from .defined import uneven
from .loops import bounds
from .needs import asking, is_short

#: What torch computes of ints that only the compiled program knows, without making arrays of them.
COUNTING = frozenset({
    operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.neg,
    operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne,
})  # fmt: skip


#: Where open numbers lie in a container, and whether they become arrays.
Paths = dict[tuple[Any, ...], bool]


class Binding:
    """One pass over a program.

    Attributes:
        open: numbers that only the compiled program knows. `arrays`: those of them that become arrays.
        held: of containers that graphs are given, or functions give, the paths of open numbers in them, and
            whether these become arrays.
        ints: of a compiled region, which of its values stay ints.
        python: loops that stay Python's if it can tell how often they turn.
    """

    def __init__(self, target: Backend, python: Collection[Node] = ()) -> None:
        self.target = target
        self.python = python
        self.open: set[Node] = set()
        self.arrays: set[Node] = set()
        self.held: dict[Node, Paths] = {}
        self.ints: dict[Node, list[bool]] = {}
        #: What was known of the operands of a function, by its graph, when that was looked at.
        self.looked: dict[Graph, list[Paths]] = {}

    def look_once(self, graph: Graph) -> None:
        """The same for a function, unless nothing more is known of what it is given."""
        known = [self.opened(each) for each in graph.placeholders]
        if self.looked.get(graph) != known:
            self.looked[graph] = known
            self.look(graph)

    def look(self, graph: Graph) -> None:
        """Find what only the compiled program knows; note on each region whether it is to be compiled."""
        for node in graph.nodes:
            if node.target is cond:
                self.look_at_cond(node)
            elif is_loop(node):
                self.look_at_loop(node)
            elif isinstance(node.target, Function):
                self.enter(node.args, node.target.graph.placeholders)
                self.look_once(node.target.graph)
                self.note(node, self.opened(node.target.graph.output_node.args[0]))
            elif (found := self.taken(node)) is not None:
                self.note(node, found)
            elif isinstance(node.spec, Scalar) and node.target not in (getattr, print_):
                if takes(node) or any(n in self.open for n in node.all_input_nodes):
                    self.add(node, whole=node.target in COUNTING and all(map(self.is_whole, node.args)))

    def opened(self, value: Any) -> Paths:
        """The open numbers in a value, by path, that of a number itself ()."""
        if isinstance(value, Node):
            own = {(): value in self.arrays} if value in self.open else {}
            return own if isinstance(value.spec, (Scalar, Spec)) else dict(self.held.get(value, own))
        inner = ((key, self.opened(item)) for key, item in children(value) or ())
        return {(key, *path): array for key, found in inner for path, array in found.items()}

    def taken(self, node: Node) -> Paths | None:
        """The open numbers in what a node takes out of a container; None where there are none."""
        if node.target not in (operator.getitem, getattr) or node.args[0] not in self.held:
            return None
        holder, key = node.args
        return {path[1:]: array for path, array in self.held[holder].items() if path[:1] == (key,)} or None

    def note(self, node: Node, found: Paths) -> None:
        """Let a value hold open numbers, or be one."""
        if isinstance(node.spec, Spec):
            return
        if isinstance(node.spec, Scalar):
            if () in found:
                self.add(node, whole=not found[()])
            return
        before = self.held.setdefault(node, {})
        before |= {path: array or before.get(path, False) for path, array in found.items()}

    def add(self, node: Node, *, whole: bool) -> None:
        """Note an open number; a `whole` one is computed from ints alone."""
        self.open.add(node)
        if not whole or not self.target.carries_ints or node.spec.type not in (int, bool):
            self.arrays.add(node)

    def is_whole(self, value: Any) -> bool:
        """Whether a value is an int, and stays one."""
        if isinstance(value, Node):
            return isinstance(value.spec, Scalar) and value.spec.type is int and value not in self.arrays
        return type(value) is int

    def is_open(self, value: Any) -> bool:
        return isinstance(value, Node) and (isinstance(value.spec, Spec) or value in self.open)

    def enter(self, given: Sequence[Any], placeholders: Sequence[Node]) -> None:
        """Let placeholders be open as what stands for them outside is."""
        for outer, inner in zip(given, placeholders):
            if isinstance(outer, Node) and outer in self.open and isinstance(inner.spec, Scalar):
                self.add(inner, whole=outer not in self.arrays)
            elif isinstance(outer, Node) and outer in self.open:
                self.open.add(inner)
            elif not isinstance(inner.spec, (Scalar, Spec)):
                self.note(inner, self.opened(outer))

    def give(self, node: Node, numbers: Sequence[bool]) -> None:
        """Let the results of a region be open."""
        for user in node.users:
            if user.target is operator.getitem and user.args[0] is node and numbers[user.args[1]]:
                if isinstance(user.spec, Scalar):
                    self.add(user, whole=self.ints[node][user.args[1]])

    def columns(self, node: Node, given: Sequence[Sequence[Any]]) -> None:
        """Which values of a region stay ints: those that are ints wherever they come from."""
        values = [[v for v in column if v is not UNDEFINED] for column in zip(*given)]
        known = [bool(column) and all(map(self.is_whole, column)) for column in values]
        whole = self.target.carries_ints and node.target is while_loop
        self.ints[node] = [whole and k for k in known] + [False] * (len(node.spec) - len(known))

    def look_at_cond(self, node: Node) -> None:
        predicate, then, orelse, operands = node.args
        compiled = node.meta["compiled"] = self.is_open(predicate)
        for graph in (then, orelse):
            self.enter(operands, graph.placeholders)
            self.look(graph)
        sides = [g.output_node.args[0] for g in (then, orelse) if g.output_node.target == "yield"]
        self.columns(node, sides)
        self.give(node, [compiled or any(self.is_open(s[i]) for s in sides) for i in range(len(node.spec))])

    def stays(self, node: Node) -> bool:
        """Whether a `for` is Python's own: its turns are few, or not alike, and it knows how many."""
        own = node in self.python or is_short(node) or through_list(node) or uneven(node)
        return own and not any(map(self.is_open, bounds(node.args[0])))

    def look_at_loop(self, node: Node) -> None:
        parts = loop(node)
        compiled = bool(node.meta.get("counted")) or node.target is for_loop and not self.stays(node)
        while True:
            before = len(self.open), len(self.arrays), compiled
            self.columns(node, [parts.state, parts.yields] if parts.yields else [parts.state])
            graphs = [parts.body] if parts.test is None else [parts.test, parts.body]
            for graph in graphs:
                first = len(parts.items) if graph is parts.body else 0
                carried = graph.placeholders[first:][: len(parts.state)]
                if compiled:
                    for placeholder, whole in zip(
                        graph.placeholders, [False] * first + self.ints[node][: len(carried)]
                    ):
                        if isinstance(placeholder.spec, Scalar):
                            self.add(placeholder, whole=whole)
                self.enter(parts.state, carried)
                self.enter(parts.yields[: len(carried)], carried)
                self.enter(parts.operands, graph.placeholders[first + len(carried) :])
                self.look(graph)
            if parts.test is not None and self.is_open(parts.test.output_node.args[0][0]):
                compiled = True
            if (len(self.open), len(self.arrays), compiled) == before:
                break
        node.meta["compiled"] = compiled
        self.give(node, [compiled or self.is_open(y) for y in parts.yields] or [compiled] * len(node.spec))


def bound(program: Graph, target: Backend) -> Binding:
    """What is compiled, of a whole program. A loop that computes a number that Python must know is not."""
    python: list[Node] = []
    while True:
        found = Binding(target, python)
        found.look(program)
        unmet = [(n, around) for n, around in asking(program) if n in found.open]
        more = next(filter(None, (released(program, found, *each) for each in unmet)), None)
        if more is None:
            return found
        python += more


def released(program: Graph, found: Binding, number: Node, around: Sequence[Node]) -> list[Node]:
    """The loops, as few as will do, that let Python know a number if they stay its own."""
    loops = [n for n in reversed(around) if n.target is for_loop and n not in found.python]
    for count in range(1, len(loops) + 1):
        if not is_open(program, found, loops[:count], number):
            kept = loops[:count]
            for each in loops[: count - 1]:
                fewer = [n for n in kept if n is not each]
                kept = kept if is_open(program, found, fewer, number) else fewer
            return kept
    return []


def is_open(program: Graph, found: Binding, python: Sequence[Node], number: Node) -> bool:
    """Whether a number is open still where these loops, too, stay Python's."""
    tried = Binding(found.target, [*found.python, *python])
    tried.look(program)
    return number in tried.open
