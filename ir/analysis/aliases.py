"""Aliases: which values of a graph may lie in the memory of another one, through regions and functions.

What a single op shares is asked of whoever wants to know: the program has other views than a text for another
framework, see outside.py and codegen/plan/aliases.py.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ..graphs.graph import Graph, Node
from ..graphs.regions import Function, Region, graphs, is_loop, loop, standing_for
from ..values.spec import Spec
from ..values.tree import leaves
from ..worklist import reached
from .outside import is_view

#: What a graph hands on: how it is left, and the number of the value.
Ends = set[tuple[str, int]]


@dataclass(frozen=True)
class Aliases:
    """
    Attributes:
        shares: whether what a node gives may lie in the memory of an operand.
        items: whether an item without axes of what a loop goes through may lie in its memory, too.
    """

    shares: Callable[[Node], bool]
    items: bool = True

    def of(
        self, values: Iterable[Node], writer: Node | None = None, ends: Ends | None = None
    ) -> Iterator[Node]:
        """These values of a graph and what may lie in their memory; what `writer` hands on is left out.
        `ends` takes up what leaves the graph from inside a region.
        """

        def more(alias: Node) -> Iterator[Node]:
            for user in alias.users:
                if user is not writer and isinstance(user.target, (Region, Function)):
                    yield from self.handed(user, alias, ends)
                elif self.shares(user):
                    yield user

        return reached(values, more)

    def handed(self, node: Node, value: Node, ends: Ends | None = None) -> Iterator[Node]:
        """The results of a region or function that may lie in the memory of a value that it takes. A compiled
        one has memory of its own, see codegen/plan/export_copies.py.
        """
        if node.meta.get("compiled"):
            return
        if isinstance(node.target, Function):
            graph = node.target.graph
            if self.left(graph, [p for p, v in zip(graph.placeholders, node.args) if v is value]):
                yield from results(node)
            return
        found = self.turned(node, value) if is_loop(node) else self.chosen(node, value)
        if ends is not None:
            ends |= {(k, i) for k, i in found if k == "return" or not is_loop(node) and k != "yield"}
        numbers = {i for k, i in found if k == "yield" or is_loop(node) and k != "return"}
        yield from (user for user in node.users if user.args[1] in numbers)

    def chosen(self, node: Node, value: Node) -> Ends:
        found: Ends = set()
        for graph in graphs(node):
            found |= self.left(graph, [p for p, v in zip(graph.placeholders, node.args[3]) if v is value])
        return found

    def turned(self, node: Node, value: Node) -> Ends:
        """Likewise of a loop; what one turn hands on, the next may too."""
        parts = loop(node)
        start = set(standing_for(node, value))
        if not self.items:
            items = zip(parts.body.placeholders, parts.sources)
            rows = {item for item, source in items if isinstance(source, Node)}
            start -= {item for item in rows if isinstance(item.spec, Spec) and item.spec.shape == ()}
        while True:
            found = self.left(parts.body, start)
            more = {parts.carried[i] for kind, i in found if kind != "return" and i < len(parts.carried)}
            if more <= start:
                return found | {("yield", i) for i, v in enumerate(parts.state) if v is value}
            start |= more

    def left(self, graph: Graph, start: Iterable[Node]) -> Ends:
        """What a graph hands on that may lie in the memory of values in it."""
        ends: Ends = set()
        found = set(self.of(start, ends=ends))
        output = graph.output_node
        kind = "yield" if output.target == "output" else str(output.target)
        values = leaves(output.args[0]) if kind in ("yield", "return") else output.args[0]
        return ends | {(kind, i) for i, v in enumerate(values) if v in found}


def results(node: Node) -> Iterator[Node]:
    """What a function gives, and all that is in it."""

    def parts(whole: Node) -> list[Node]:
        several = not isinstance(whole.spec, Spec)
        return [user for user in whole.users if several and user.target is operator.getitem]

    return reached([node], parts)


#: What the program itself has in one memory, or may have.
PROGRAM = Aliases(is_view)
