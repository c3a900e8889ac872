"""Handing back: for targets that write into nothing, a function gives back what it writes into its arguments,
behind what it gives anyway; and its caller goes on with that.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

from ...ir.analysis.axes import by_line
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import Function, Region, after, gone_on, results, store
from ...ir.graphs.walk import every_graph, functions
from ...ir.meaning.op import REGISTER
from ...ir.worklist import reached


def handed_back(program: Graph) -> None:
    """Let the functions that a program calls give back what they write into their arguments."""
    writing = [graph for graph in functions(program) if graph.meta.get("writes")]
    wholes = [{number for number, final in finals(graph).items() if is_whole(final)} for graph in writing]
    found = {id(graph): Given(graph, whole) for graph, whole in zip(writing, wholes)}
    for graph in every_graph(program, inner_first=True):
        for node in list(graph.nodes):
            if isinstance(node.target, Function) and id(node.target.graph) in found:
                given_back(graph, node, found[id(node.target.graph)])


class Given:
    """What a function gives from here on.

    Attributes:
        plain: whether that was several values. `items`: what it was.
        places: where it gives what it leaves in each operand that it writes into, by the operand's number.
        further: the operands whose new values stand behind what it gave.
        whole: those that `+=` writes into, which would bind a number anew and leave the caller's as it was.
    """

    def __init__(self, graph: Graph, whole: set[int]) -> None:
        self.whole = whole
        value, left = graph.output_node.args[0], stored(graph)
        numbers = {final: number for number, final in left.items()}
        self.plain = type(value) is tuple
        self.items = list(value) if self.plain else [] if value is None else [value]
        known = {numbers[v]: i for i, v in enumerate(self.items) if isinstance(v, Node) and v in numbers}
        self.further = [number for number in left if number not in known]
        together = [*self.items, *(left[number] for number in self.further)]
        self.one = not self.plain and len(together) == 1
        graph.output_node.args = (together[0] if self.one else tuple(together),)
        self.places = {**known, **{number: len(self.items) + i for i, number in enumerate(self.further)}}


def given_back(program: Graph, call: Node, given: Given) -> None:
    """One call of such a function."""
    graph, further, plain, one = call.target.graph, given.further, given.plain, given.one
    specs = tuple(call.spec) if plain else (call.spec,) if given.items else ()
    found = gone_on(call)
    users = [user for user in call.users if user not in found]
    calls = {user.args[2]: user.stands_for for user in found}
    named = {number: each.meta.get("writes") for number, each in calls.items() if each is not None}
    if not one or all(map(named.get, further)):  # else it is written where it is used
        call.meta["handed_back"] = tuple(named.get(n) or str(graph.placeholders[n].target) for n in further)
    call.spec = (*specs, *(call.args[n].spec for n in further))
    if one:
        (call.spec,) = call.spec
    elif not plain and users:
        first = item(program, call, 0)
        for user in users:
            user.replace_input_with(call, first)
    for user in found:
        if user.args[2] in given.whole:
            by_line(call.args[user.args[2]])
        user.replace_all_uses_with(call if one else item(program, call, given.places[user.args[2]]))
        program.erase_node(user)


def stored(graph: Graph) -> dict[int, Node]:
    """What a function leaves in each operand that it writes into, by its number; noted no more."""
    found = finals(graph)
    for node in list(graph.nodes):
        if node.target is store:
            graph.erase_node(node)
    del graph.meta["writes"]
    return found


def finals(graph: Graph) -> dict[int, Node]:
    """The same, noted still."""
    order = graph.placeholders
    return dict(sorted((order.index(n.args[0]), n.args[1]) for n in graph.nodes if n.target is store))


def is_whole(final: Node) -> bool:
    """Whether an array is written as a whole on the way to what it is in the end: not at places, which no
    number has.
    """
    return any(node.target is REGISTER["update"] and node.kwargs["key"] == (...,) for node in written(final))


def written(final: Any) -> Iterator[Node]:
    """What an array has been since a function was given it."""

    def earlier(node: Node) -> Iterator[Node]:
        several = node.target is operator.getitem and isinstance(node.args[0], Node)
        base, number = node.args if several else (node, 0)
        ways: list[Any] = []
        if node.target is REGISTER["update"]:
            ways = [node.args[0]]
        elif node.target is after:
            ways = [node.args[0], finals(node.args[1].target.graph).get(node.args[2])]
        elif isinstance(base.target, Region):
            ways = [*results(base, number)]
        yield from (way for way in ways if isinstance(way, Node))

    return reached([final], earlier)


def item(program: Graph, call: Node, number: int) -> Node:
    with program.inserting_before(call.next):
        made = program.create_node("call_function", operator.getitem, (call, number))
    made.spec, made.origin = call.spec[number], call.origin
    return made
