"""Interning: calls of functions whose graphs are alike share one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...ir.graph import Graph, Node
from ...ir.likeness import likeness

if TYPE_CHECKING:
    from ..tracer import Tracer

#: Graphs by likeness, each with a call of it that stands in the graph that is open.
Called = Mapping[Any, tuple[Node, Graph]]


class Interning:
    """One call of a function.

    Args:
        made: the graph that was recorded for this call.
        inside: the functions that were called in it.
    """

    def __init__(self, tracer: Tracer, made: Graph, inside: Called) -> None:
        self.tracer = tracer
        self.inside = inside
        self.likeness = likeness(made)
        earlier = self.earlier()
        self.made = made
        self.graph = made if earlier is None else earlier

    def earlier(self) -> Graph | None:
        """The graph of an earlier call, in a graph that is still open, that was not taken back."""
        for scope in reversed(self.tracer.scopes):
            call, graph = scope.called.get(self.likeness, (None, None))
            if call is not None and not call.erased:
                return graph
        return None

    def called(self, call: Node) -> None:
        """Let later calls share the graph of this one, and those of the functions that are called in it."""
        known = self.tracer.scopes[-1].called
        known[self.likeness] = call, self.graph
        for key, (inner, graph) in self.inside.items() if self.graph is self.made else ():
            if not inner.erased and (key not in known or known[key][0].erased):
                known[key] = call, graph
