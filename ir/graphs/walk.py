"""Walking: the graphs in a graph, those of regions and of the user's functions, and their nodes; each once,
however many calls share it.

`every_…` goes into the functions that are called as well, `own_…` stays in one function, with its regions.
Walks along values, through operands or users, are in `ir/worklist.py`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, TypeVar, cast

from .graph import Graph, Node
from .regions import Function, Region, graphs

#: What a Program holds are Programs.
Kind = TypeVar("Kind", bound=Graph)
#: What holds graphs.
HOLDING = frozenset({Region, Function})


def held(node: Node, graph: Kind) -> list[Kind]:
    """The graphs that a node of `graph` holds."""
    return cast(list[Kind], graphs(node))


def inner_graphs(graph: Kind) -> list[Kind]:
    """The graphs that nodes of `graph` hold."""
    found: dict[int, Kind] = {}
    for node in graph.nodes:
        if type(node.target) in HOLDING:
            found |= {id(inner): inner for inner in held(node, graph)}
    return list(found.values())


def own_graphs(graph: Kind) -> Iterator[Kind]:
    """The graph of a function, and those of its regions: each before those that it holds."""
    yield graph
    for node in graph.nodes:
        if type(node.target) is Region:
            for inner in held(node, graph):
                yield from own_graphs(inner)


def own_nodes(graph: Graph) -> Iterator[Node]:
    """The nodes of the graph of a function, then those of its regions."""
    return (node for inner in own_graphs(graph) for node in inner.nodes)


def returned(graph: Graph) -> Iterator[Any]:
    """What a function may return, by the way that it goes."""
    ends = (inner.output_node for inner in own_graphs(graph))
    return (end.args[0] for end in ends if end.target in ("output", "return"))


def functions(program: Kind, *, inner_first: bool = False) -> list[Kind]:
    """The graph of a function, and those of the functions that it calls, at whatever depth: each before, or
    after, those that it calls.
    """
    met: set[int] = set()
    after: list[Kind] = []

    def visit(one: Kind) -> None:
        met.add(id(one))
        called = [held(node, one)[0] for node in own_nodes(one) if isinstance(node.target, Function)]
        for inner in called if inner_first else reversed(called):
            if id(inner) not in met:
                visit(inner)
        after.append(one)

    visit(program)
    return after if inner_first else after[::-1]


def every_graph(graph: Kind, *, inner_first: bool = False) -> list[Kind]:
    """A graph and all graphs in it, at whatever depth: each before, or after, those that it holds."""
    met: set[int] = set()
    after: list[Kind] = []

    def visit(one: Kind) -> None:
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
            for inner in graphs(node) if type(node.target) in HOLDING else ():
                if id(inner) not in met:
                    met.add(id(inner))
                    yield from visit(inner)

    return visit(graph)


def following(node: Node) -> Iterator[Node]:
    """The nodes that stand behind one in its graph, those too that are put there on the way."""
    while (node := node.next).op != "root":
        yield node


def between(first: Node, last: Node) -> list[Node]:
    """The nodes between two of one graph, which are left out."""
    return list(itertools.takewhile(lambda node: node is not last, following(first)))
