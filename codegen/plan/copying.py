"""Copying: what the text copies where the program does not, since something in its memory is written into."""

from __future__ import annotations

from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Graph, Node
from ...ir.meaning.op import REGISTER


def copied(graph: Graph, value: Node) -> Node:
    """A copy of an array, made where the graph inserts.

    Raises:
        UnsupportedError: where it may be a number of Python's, which has no copy.
    """
    if value.meta.get("union"):
        name = (value.names or (value.name,))[0]
        raise UnsupportedError(
            f"`{name}` before a write",
            why="it is a number on one way, on another part of an array, which is written into afterwards",
            span=value.span,
            hint="make it an array of its own on every way",
        )
    made: Node = graph.call(REGISTER["copy"], value)  # type: ignore[attr-defined]
    return made
