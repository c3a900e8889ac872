"""Walking: the graphs in a graph, those of regions and of the user's functions, and their nodes; each once,
however many calls share it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .graph import Graph, Node
from .regions import Function, Region, graphs


def inner_graphs(graph: Graph) -> list[Any]:
    """The graphs that nodes of `graph` hold."""
    found: dict[int, Graph] = {}
    for node in graph.nodes:
        found |= {id(inner): inner for inner in graphs(node)}
    return list(found.values())


def own_graphs(graph: Graph) -> Iterator[Any]:
    """The graph of a function, and those of its regions: each before those that it holds."""
    yield graph
    for node in graph.nodes:
        for inner in graphs(node) if isinstance(node.target, Region) else ():
            yield from own_graphs(inner)


def functions(program: Graph, *, inner_first: bool = False) -> list[Any]:
    """The graph of a function, and those of the functions that it calls, at whatever depth: each before, or
    after, those that it calls.
    """
    met: set[int] = set()
    after: list[Graph] = []

    def visit(one: Graph) -> None:
        met.add(id(one))
        called = [n.target.graph for g in own_graphs(one) for n in g.nodes if isinstance(n.target, Function)]
        for inner in called if inner_first else reversed(called):
            if id(inner) not in met:
                visit(inner)
        after.append(one)

    visit(program)
    return after if inner_first else after[::-1]


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
