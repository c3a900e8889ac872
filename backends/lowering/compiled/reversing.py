"""Reversing: a scan of the user's that goes from the last row to the first.

The tape has one through reversed rows, of which the results are reversed again; JAX has `reverse=True`.
"""

from __future__ import annotations

import operator
from typing import Any

from ....ir.graphs.graph import Node
from ....ir.graphs.regions import for_loop, loop
from ....ir.graphs.walk import every_graph
from ....ir.meaning.op import REGISTER
from ....ir.program import Program

BACKWARD = (slice(None, None, -1),)


def reversed_scans(program: Program) -> None:
    for graph in every_graph(program):
        for node in list(graph.nodes):
            if node.target is for_loop and node.meta.get("compiled") and is_backward(node):
                turn(node)


def is_backward(node: Node) -> bool:
    """Whether a loop goes through reversed rows, and all that it collects is reversed."""
    said, parts = (node.stands_for or node).meta.get("scan"), loop(node)
    return said == "backward" and all(map(is_flip, (*parts.sources, *flips(node))))


def is_flip(value: Any) -> bool:
    if not isinstance(value, Node) or value.target is not REGISTER["getitem"]:
        return False
    return len(value.args) == 1 and bool(value.kwargs["key"] == BACKWARD)


def flips(node: Node) -> list[Node]:
    """What becomes of what a loop collects."""
    first = len(loop(node).state)
    collected = [user for user in node.users if user.target is operator.getitem and user.args[1] >= first]
    return [user for each in collected for user in each.users]


def turn(node: Node) -> None:
    sources, *rest = node.args
    for flip in flips(node):
        flip.replace_all_uses_with(flip.args[0])
        flip.graph.erase_node(flip)
    node.args = (tuple(source.args[0] for source in sources), *rest)
    for source in dict.fromkeys(sources):
        if not source.users:
            source.graph.erase_node(source)
    node.meta["reversed"] = True
