"""Scopes: the graphs that are open, one inside the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...ir.graphs.graph import Graph, Node


@dataclass(slots=True, eq=False)
class Scope:
    """An open graph: the entry, a function of the user's, or a branch.

    Attributes:
        captures: the placeholders that stand for nodes of the graphs around it.
        constants: the nodes of the arrays that the program closes over, by id, each with its array.
        guards: what is checked already, each with what it must be.
        called: the graphs of functions, see python/interning.py.
    """

    graph: Graph
    captures: dict[Node, Node] = field(default_factory=dict)
    constants: dict[int, tuple[Any, Node]] = field(default_factory=dict)
    guards: set[tuple[Any, Any]] = field(default_factory=set)
    called: dict[Any, list[tuple[Node, Graph]]] = field(default_factory=dict)
