"""Outside: the arrays of a Program that come from outside it, any two of which may be one, and the writes
into them.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator

from .graph import Graph, Node
from .ops.indexing import UPDATES
from .regions import Region, graphs, store
from .spec import Spec


def outside(graph: Graph) -> list[Node]:
    """The arrays of a graph that come from outside it: its arguments, items of these, and what it closes
    over.
    """
    found = [n for n in graph.nodes if n.op in ("placeholder", "get_attr")]
    for node in found:
        if not isinstance(node.spec, Spec):
            items = (u for u in node.users if u.target in (operator.getitem, getattr) and u.args[0] is node)
            found += [item for item in items if item not in found]
    return [node for node in found if isinstance(node.spec, Spec)]


def writes(node: Node, array: Node) -> bool:
    """Whether a node gives a new value to an array, or may do so inside a region."""
    if node.target in UPDATES:
        return node.args[0] is array
    if not isinstance(node.target, Region):
        return False
    return any(n.target in UPDATES for graph in graphs(node) for n in everything(graph))


def everything(graph: Graph) -> Iterator[Node]:
    """The nodes of a graph, and of the graphs in it."""
    for node in graph.nodes:
        yield node
        for inner in graphs(node):
            yield from everything(inner)


def epochs(program: Graph) -> dict[Node, int]:
    """For the nodes that depend on arrays from outside, how many writes into any of these come before: what
    is computed of one array before and after a write into another is two values, as they may be one.
    """
    arrays = outside(program)
    if len(arrays) < 2 or not any(node.target is store for node in program.nodes):
        return {}
    epoch, found = 0, dict.fromkeys(arrays, 0)
    versions = set(arrays)
    for node in program.nodes:
        written = [n for n in node.all_input_nodes if n in versions and writes(node, n)]
        epoch += bool(written)
        versions |= {node} if written else set()
        if node not in found and any(n in found for n in node.all_input_nodes):
            found[node] = epoch
    return found
