"""Handing back: for targets that write into nothing, a function gives back what it writes into its arguments,
behind what it gives anyway; and its caller goes on with that.
"""

from __future__ import annotations

import operator
from typing import Any

from ...ir.graph import Graph, Node
from ...ir.regions import Function, gone_on, store
from ...ir.walk import every_graph, functions


def handed_back(program: Graph) -> None:
    """Let the functions that a program calls give back what they write into their arguments."""
    found = {id(graph): Given(graph) for graph in functions(program) if graph.meta.get("writes")}
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
    """

    def __init__(self, graph: Graph) -> None:
        value, finals = graph.output_node.args[0], stored(graph)
        numbers = {final: number for number, final in finals.items()}
        self.plain = type(value) is tuple
        self.items = list(value) if self.plain else [] if value is None else [value]
        known = {numbers[v]: i for i, v in enumerate(self.items) if isinstance(v, Node) and v in numbers}
        self.further = [number for number in finals if number not in known]
        together = [*self.items, *(finals[number] for number in self.further)]
        self.one = not self.plain and len(together) == 1
        graph.output_node.args = (together[0] if self.one else tuple(together),)
        self.places = {**known, **{number: len(self.items) + i for i, number in enumerate(self.further)}}


def given_back(program: Any, call: Node, given: Given) -> None:
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
        user.replace_all_uses_with(call if one else item(program, call, given.places[user.args[2]]))
        program.erase_node(user)


def stored(graph: Graph) -> dict[int, Node]:
    """What a function leaves in each operand that it writes into, by its number; noted no more."""
    order, found = graph.placeholders, {}
    for node in list(graph.nodes):
        if node.target is store:
            found[order.index(node.args[0])] = node.args[1]
            graph.erase_node(node)
    del graph.meta["writes"]
    return dict(sorted(found.items()))


def item(program: Any, call: Node, number: int) -> Node:
    with program.inserting_before(call.next):
        made: Node = program.create_node("call_function", operator.getitem, (call, number))
    made.spec, made.origin = call.spec[number], call.origin
    return made
