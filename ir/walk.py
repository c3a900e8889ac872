"""Walking: the graphs in a graph, those of regions and of the user's functions, and their nodes; each once,
however many calls share it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .graph import Graph, Node
from .regions import graphs


def inner_graphs(graph: Graph) -> list[Any]:
    """The graphs that nodes of `graph` hold."""
    found: dict[int, Graph] = {}
    for node in graph.nodes:
        found |= {id(inner): inner for inner in graphs(node)}
    return list(found.values())


def every_graph(graph: Graph, *, inner_first: bool = False) -> list[Any]:
    """A graph and all graphs in it, at whatever depth: each before, or after, those that it holds."""
    met: set[int] = set()
    after: list[Graph] = []

    def visit(one: Graph) -> None:
        met.add(id(one))
        for inner in reversed(inner_graphs(one)) if not inner_first else inner_graphs(one):
            if id(inner) not in met:
                visit(inner)
        after.append(one)

    visit(graph)
    return after if inner_first else after[::-1]


def every_node(graph: Graph) -> Iterator[Node]:
    """The nodes of a graph and of all graphs in it, those of an inner graph behind the node that holds it."""
    met = {id(graph)}

    def visit(one: Graph) -> Iterator[Node]:
        for node in one.nodes:
            yield node
            for inner in graphs(node):
                if id(inner) not in met:
                    met.add(id(inner))
                    yield from visit(inner)

    return visit(graph)
