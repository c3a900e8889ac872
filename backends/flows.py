"""Flows: where the values of a program go that its regions and functions take and give."""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..ir.graphs.graph import Graph, Node
from ..ir.graphs.regions import Function, Region, graphs, is_loop, loop, put
from ..ir.graphs.walk import functions, returned
from ..ir.values.tree import leaves

#: For each of several values, what it is there.
Places = Sequence[list[Node]]


@dataclass
class Flows:
    """Where values go.

    Attributes:
        onward: from a value to those that it is on another side of a region's border.
        returned: what the function gives its caller.
        collected: what loops put into lists of which arrays are made.
        begun: what else than values goes there, the numbers that a loop begins with.
    """

    onward: dict[Node, list[Node]] = field(default_factory=lambda: defaultdict(list))
    returned: set[Node] = field(default_factory=set)
    collected: set[Node] = field(default_factory=set)
    begun: dict[Node, list[Any]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, program: Graph) -> Flows:
        """Where the values of a program go that its regions and functions take and give."""
        flows = cls()
        for way in returned(program):
            flows.returned.update(leaf for leaf in leaves(way) if isinstance(leaf, Node))
        for function in functions(program):
            follow(function, flows, [])
        return flows


def follow(graph: Graph, flows: Flows, around: Places) -> None:
    """Note where the values of a graph go, and of those of its regions. `around`: what the state of the loop
    around is.
    """
    for node in graph.nodes:
        if node.target is put:
            flows.returned.update(leaf for leaf in leaves(node.args[2]) if isinstance(leaf, Node))
        elif isinstance(node.target, Function):
            follow_call(node, flows)
        elif isinstance(node.target, Region) and is_loop(node):
            follow_loop(node, flows)
        elif isinstance(node.target, Region):
            for side in graphs(node):
                lead(flows, node.args[3], [[p] for p in side.placeholders])
                output = side.output_node
                if output.target == "yield":
                    lead(flows, output.args[0], parts_of(node))
                elif output.target in ("break", "continue"):
                    lead(flows, output.args[0], around)
                follow(side, flows, around)


def follow_call(node: Node, flows: Flows) -> None:
    lead(flows, node.args, [[p] for p in node.target.graph.placeholders])
    caller = parts_of(node) if isinstance(node.spec, tuple) else [[node]]
    for way in returned(node.target.graph):
        found = [*leaves(way)]
        plain = len(found) == len(caller) and not isinstance(way, Mapping)
        lead(flows, found, caller if plain else [sum(caller, [])] * len(found))


def follow_loop(node: Node, flows: Flows) -> None:
    parts = loop(node)
    states = [[*found, carried] for found, carried in zip(parts_of(node), parts.carried)]
    if parts.test is not None:
        states = [[*s, p] for s, p in zip(states, parts.test.placeholders)]
        lead(flows, parts.operands, [[p] for p in parts.test.placeholders[len(states) :]])
    operands = parts.body.placeholders[len(parts.sources) + len(states) :]
    lead(flows, parts.operands, [[p] for p in operands])
    # Of one that surely turns nothing comes out as it went in.
    surely = node.meta.get("turns") or (node.stands_for or node).meta.get("turns")
    lead(flows, parts.state, [[p] for p in parts.carried] if surely else states)
    lead(flows, parts.yields, states)
    flows.collected.update(value for value in parts.yields[len(states) :] if isinstance(value, Node))
    follow(parts.body, flows, states)


def parts_of(node: Node) -> list[list[Node]]:
    """What stands for each of several results."""
    found: list[list[Node]] = [[] for _ in node.spec]
    for user in node.users:
        if user.target is operator.getitem:
            found[user.args[1]].append(user)
    return found


def lead(flows: Flows, values: Iterable[Any], places: Iterable[list[Node]]) -> None:
    for value, nodes in zip(values, places):
        if isinstance(value, Node):
            flows.onward[value] += nodes
        else:
            for node in nodes:
                flows.begun[node].append(value)
