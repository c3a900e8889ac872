"""Stored: what a function has written into an argument, where it returns before its end.

The argument takes it there, `x[...] = x_2`, unless it was written into all along.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import Region, graphs, is_loop, loop, store
from .outsiders import memory


def arguments(graph: Graph) -> set[Node]:
    """The arguments of a function that it writes into, as its graph has them."""
    found = set[Node]()
    for node in graph.nodes:
        if node.target is store:
            found.add(node.args[0])
        elif isinstance(node.target, Region):
            for inner, given in zip(graphs(node), handed(node)):
                found |= {given[each] for each in arguments(inner) if isinstance(given.get(each), Node)}
    return found


def settle(graph: Graph, outer: Mapping[Node, Any] | None = None) -> None:
    """Leave out, in the regions of a graph whose writes are marked, what an argument holds by then.

    Args:
        outer: the values of the function that the placeholders of the graph stand for; None of a function's.
    """
    for node in [*graph.nodes]:
        if node.target is store and outer is not None and is_there(node, outer):
            graph.erase_node(node)
        elif isinstance(node.target, Region):
            for inner, given in zip(graphs(node), begun(node)):
                settle(inner, {p: lies_in(value, outer or {}) for p, value in given.items()})
            forget(node)


def is_there(node: Node, outer: Mapping[Node, Any]) -> bool:
    """Whether an argument holds already what is to be stored in it."""
    argument, value = (lies_in(each, outer) for each in node.args)
    return argument is not None and argument is value


def lies_in(value: Any, outer: Mapping[Node, Any]) -> Any:
    """The array of the function's in whose memory a value lies; None where that is not known."""
    found = memory(value)
    if not isinstance(found, Node):
        return None
    return outer.get(found) if found.op == "placeholder" and outer else found


def forget(node: Node) -> None:
    """Take no more into a region than its graphs read."""
    count = len(node.args[3])
    columns = [*zip(*(graph.placeholders[-count:] for graph in graphs(node)))] if count else []
    unread = [place for place, column in enumerate(columns) if not any(p.users for p in column)]
    for placeholder in (p for place in unread for p in columns[place]):
        placeholder.graph.erase_node(placeholder)
    node.args = (*node.args[:3], tuple(v for place, v in enumerate(node.args[3]) if place not in unread))


def handed(node: Node) -> list[dict[Node, Any]]:
    """What the placeholders of each graph of a region stand for that it only reads."""
    given = node.args[3]
    inside = (graph.placeholders for graph in graphs(node))
    return [dict(zip(placeholders[len(placeholders) - len(given) :], given)) for placeholders in inside]


def begun(node: Node) -> list[dict[Node, Any]]:
    """What each graph of a region is given. What a loop carries is what it began with if each turn hands on
    the same memory.
    """
    if not is_loop(node):
        return [dict(zip(graph.placeholders, node.args[3])) for graph in graphs(node)]
    parts, kept = loop(node), node.meta.get("memory", ())
    kept = [*kept, *[None] * len(parts.state)]
    state = [value if other is value else None for value, other in zip(parts.state, kept)]
    found = []
    for graph in graphs(node):
        items = [None] * len(parts.sources) if graph is parts.body else []
        found.append(dict(zip(graph.placeholders, [*items, *state, *parts.operands])))
    return found
