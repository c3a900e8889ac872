"""Gradients: JAX's reverse mode goes through no while_loop, so loops that are left early may stay a `for`."""

from __future__ import annotations

from typing import Any

from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import for_loop, loop
from ...ir.graphs.static import Scalar, decided
from ...ir.graphs.walk import every_node
from ...ir.sizes.dim import hint_of
from ...ir.values.spec import Spec
from .compiled.loops import bounds

#: Going on for more turns than this, to do nothing in them, costs more than gradients are worth.
MOST_TURNS = 1000


def note(graph: Graph) -> None:
    """Note the loops of a program, and of the graphs in it, through which gradients can go."""
    for node in every_node(graph):
        if node.target is for_loop:
            node.meta["scanned"] = has_floats(node) and is_short(node)


def has_floats(node: Node) -> bool:
    """Whether a loop carries something that is differentiated."""
    return any(isinstance(s, Spec) and s.dtype is not None and s.dtype.is_inexact for s in node.spec)


def is_short(node: Node) -> bool:
    """Whether Python knows how often a loop turns at most, and it is not too often."""
    sources = loop(node).sources
    turns = [hint_of(s.spec.shape[0]) if isinstance(s, Node) else count(s) for s in sources]
    return all(map(decided, bounds(sources))) and all(t is not None and t <= MOST_TURNS for t in turns)


def count(source: tuple[Any, Any, Any] | list[Any]) -> int | None:
    """How often a range turns in the example, or how long a list is."""
    if isinstance(source, list):
        return len(source)
    hints = [v.spec.hint if isinstance(v, Node) and isinstance(v.spec, Scalar) else v for v in source]
    return len(range(*hints)) if all(isinstance(v, int) for v in hints) else None
