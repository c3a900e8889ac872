"""Leaves: the arrays among a function's arguments, and what is computed from which of them.

What depends on the dtype of a value depends on the dtypes of the leaves behind it. They are then pinned: the
emitted function checks them.
"""

from __future__ import annotations

from collections.abc import Iterable

from .graph import Graph, Node


def note(node: Node, path: str) -> None:
    """`node` is an array among the arguments of its graph's function, which says `path` for it."""
    node.meta["path"] = path
    node.graph.meta.setdefault("leaves", {})[path] = node
    node.graph.meta.setdefault("pinned", set())


def leaves(graph: Graph) -> dict[str, Node]:
    """All arrays among the arguments of the function that a graph belongs to, by path."""
    found: dict[str, Node] = graph.meta.get("home", graph).meta.get("leaves", {})
    return found


def behind(nodes: Iterable[Node]) -> set[Node]:
    """The leaves that these values are computed from: all of them, where a loop hands values on."""
    found: set[Node] = set()
    met: set[Node] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node in met:
            continue
        met.add(node)
        if "outer" in node.meta:
            waiting.append(node.meta["outer"])
        elif "path" in node.meta:
            found.add(node)
        elif node.op == "placeholder":
            found |= set(leaves(node.graph).values())
        else:
            waiting.extend(node.all_input_nodes)
    return found


def pin(nodes: Iterable[Node]) -> None:
    """The program depends on the dtypes of these values."""
    for leaf in behind(nodes):
        leaf.graph.meta["pinned"].add(leaf.meta["path"])
