"""The walks over the graphs of a program, and along its values."""

from __future__ import annotations

from typing import Any

import numpy as np

import tracelate as tl
from tracelate.ir.graphs.graph import Node
from tracelate.ir.graphs.regions import Function
from tracelate.ir.graphs.walk import (
    between,
    every_graph,
    every_node,
    following,
    functions,
    own_graphs,
    own_nodes,
    returned,
)
from tracelate.ir.program import Program
from tracelate.ir.worklist import nearest, operands_first, reached

#: Longer than any stack of Python's.
LONG = 100_000

#: What each is computed from: a diamond, and one behind it.
OPERANDS = {"e": ["d"], "d": ["b", "c"], "b": ["a"], "c": ["a"], "a": []}


def twice(x: Any) -> Any:
    y = x * 2
    return y + 1


def scaled(x: Any) -> Any:
    if x.sum() > 1:
        return twice(x)
    for row in x:
        x = x + row
    return twice(x + 1)


def program() -> Program:
    return tl.symbolic_trace(scaled, (np.ones((2, 2)),)).read(())


def test_values_are_met_once():
    assert [*reached(["e"], OPERANDS.__getitem__)] == ["e", "d", "c", "a", "b"]
    assert [*nearest(["d", "a"], OPERANDS.__getitem__)] == ["d", "a", "b", "c"]
    assert [*operands_first(["e", "c"], OPERANDS.__getitem__)] == ["a", "b", "c", "d", "e"]


def test_what_cannot_be_hashed_is_told_apart_by_a_key():
    one, other = [1], [1]
    assert [*reached([one], lambda _: [one, other, other], key=id)] == [one, other]


def test_a_chain_may_be_long():
    def before(number: int) -> list[int]:
        return [number - 1] if number else []

    for walk in (reached, nearest, operands_first):
        assert len([*walk([LONG], before)]) == LONG + 1


def test_each_graph_is_met_once():
    graph = program()
    called = {n.target.graph for n in every_node(graph) if isinstance(n.target, Function)}
    found = every_graph(graph)
    assert called and len({*found}) == len(found) and called < {*found} and found[0] is graph
    assert {*every_graph(graph, inner_first=True)} == {*found}
    assert {*own_graphs(graph)} < {*found} and called.isdisjoint(own_graphs(graph))
    assert {*functions(graph)} == {graph, *called}
    assert functions(graph)[0] is functions(graph, inner_first=True)[-1] is graph
    assert [*own_nodes(graph)] == [node for one in own_graphs(graph) for node in one.nodes]
    assert len([*returned(graph)]) == 2


def test_nodes_that_follow():
    first, second, *rest = program().nodes
    assert [*following(first)] == [second, *rest]
    assert between(first, rest[-1]) == [second, *rest[:-1]]
    assert isinstance(first, Node)
