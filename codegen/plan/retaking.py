"""Retaking: a way of a branch that writes into a view takes it for itself, of the array that it is given too.

So the write is one into the array, and a branch that is given nothing but the array may write into it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import graphs
from ...ir.meaning.op import REGISTER
from ...ir.ops.indexing import UPDATES


def retake_views(node: Node) -> None:
    """Let the ways of a cond take the views that one of them writes into."""
    counts = Counter(value for value in node.args[3] if isinstance(value, Node))
    known = {
        graph: {v: p for v, p in zip(node.args[3], graph.placeholders) if isinstance(v, Node)}
        for graph in graphs(node)
    }
    for view, count in counts.items():
        if count > 1 or not is_part(view) or view.args[0] not in known[node.args[1]]:
            continue
        if not any(is_written(inside[view]) for inside in known.values()):
            continue
        for index in view.all_input_nodes:
            give(node, index, known)
        for graph, inside in known.items():
            with graph.inserting_before(beginning(graph)):
                made = graph.node_copy(view, inside.__getitem__)
            inside[view].replace_all_uses_with(made)
            graph.erase_node(inside[view])
            inside[view] = made
        node.args = (*node.args[:3], tuple(v for v in node.args[3] if v is not view))


def is_part(view: Any) -> bool:
    """Whether a value is a part of an array, whatever there is in it."""
    return isinstance(view, Node) and view.target is REGISTER["getitem"] and len(view.args) == 1


def is_written(value: Node) -> bool:
    return any(user.target in UPDATES and user.args[0] is value for user in value.users)


def give(node: Node, value: Node, known: dict[Graph, dict[Node, Node]]) -> None:
    """Give the ways of a cond another operand, if they have it not yet."""
    if value in known[node.args[1]]:
        return
    for graph, inside in known.items():
        inside[value] = placeholder(graph, value)
    node.args = (*node.args[:3], (*node.args[3], value))


def placeholder(graph: Graph, outer: Node) -> Node:
    """A further placeholder of a graph, for a value of the graph around."""
    with graph.inserting_before(beginning(graph)):
        made = graph.create_node("placeholder", outer.name, name=outer.name)
    made.spec, made.form = outer.spec, outer.form
    return made


def beginning(graph: Graph) -> Node:
    """The first node of a graph that is no placeholder."""
    return next(node for node in graph.nodes if node.op != "placeholder")
