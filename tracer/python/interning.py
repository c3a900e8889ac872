"""Interning: calls of functions whose graphs are alike share one."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.likeness import alike, outline

if TYPE_CHECKING:
    from ..tracer import Tracer

#: Graphs of functions by their outlines, each with a call of it that stands in the graph that is open.
Called = dict[Hashable, list[tuple[Node, Graph]]]
#: So many graphs of one outline are compared at most, the latest first.
MOST = 8


class Interning:
    """One call of a function.

    Args:
        made: the graph that was recorded for this call.
        inside: the functions that were called in it.
    """

    def __init__(self, tracer: Tracer, made: Graph, inside: Called) -> None:
        self.tracer = tracer
        self.made = made
        self.inside = inside
        self.outline = outline(made)
        self.graph = self.earlier() or made

    def earlier(self) -> Graph | None:
        """The graph of an earlier call, in a graph that is still open, that was not taken back."""
        for scope in reversed(self.tracer.scopes):
            for call, graph in reversed(scope.called.get(self.outline, ())[-MOST:]):
                if not call.erased and alike(self.made, graph):
                    return graph
        return None

    def called(self, call: Node) -> None:
        """Let later calls share the graph of this one, and those of the functions that are called in it."""
        known: Called = self.tracer.scopes[-1].called
        if self.graph is not self.made:
            return
        known.setdefault(self.outline, []).append((call, self.made))
        for inside, several in self.inside.items():
            found = known.setdefault(inside, [])
            found += [(call, graph) for inner, graph in several if not inner.erased]
