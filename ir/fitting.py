"""Fitting: sizes that are equal in the example, and broadcast with each other.

Of two such sizes inference takes the first for that of the result, which would be the second if the first
were 1. The text reads sizes off the array itself, and is right for all arguments; but what Python decides by
the size of such a result was decided by the first size, and holds as long as both are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .dim import Dim, Sym
from .graph import Graph

Pairs = dict[tuple[Any, Any], None]


def pairs(graph: Graph) -> Pairs:
    """The sizes that broadcast with each other in a function so far."""
    found: Pairs = graph.meta.get("home", graph).meta.setdefault("fitted", {})
    return found


def fitted(graph: Graph, sizes: Iterable[Dim | None]) -> Iterator[tuple[Dim, Dim]]:
    """Those of them that have to do with these sizes of arrays that were computed."""
    names = {name for size in sizes if isinstance(size, Sym) for name in size.atoms}
    for left, right in list(pairs(graph)):
        if names & (left - right).atoms:
            yield left, right


def take_over(graph: Graph, inner: Graph, env: Mapping[str, Any]) -> None:
    """Those of a function that is called, its sizes as the caller says them."""
    for pair in pairs(inner):
        left, right = (dim.evaluate(env) if isinstance(dim, Sym) else dim for dim in pair)
        if isinstance(left - right, Sym):
            pairs(graph)[left, right] = None
