"""Unions: values that are a number on one way and an array on another.

In the framework that the user wrote for, the number is written as a number. In another it is an array, lest
what is computed of it be of another dtype. But where a union is only compared with arrays, and returned,
nothing is computed of it: there the number stays one as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..ir.graph import Graph, Node
from ..ir.op import Op
from ..ir.regions import Region, graphs, is_loop, loop
from ..ir.spec import Spec
from ..ir.tree import leaves

COMPARING = frozenset({"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"})
#: From a value to those that it is on another side of a region's border.
Flows = dict[Node, list[Node]]


def kept(graph: Graph) -> set[Node]:
    """The numbers among the unions of a function's graph that stay numbers in any framework."""
    flows: Flows = defaultdict(list)
    follow(graph, flows, [])
    numbers = [node for node in every(graph) if is_number(node)]
    reached = {number: reach(number, flows) for number in numbers}
    unions = set().union(*reached.values())
    return {n for n, found in reached.items() if all(fine(value, flows, unions) for value in found)}


def every(graph: Graph) -> Iterator[Node]:
    """The nodes of a graph, and of those of its regions."""
    for node in graph.nodes:
        yield node
        if isinstance(node.target, Region):
            for inner in graphs(node):
                yield from every(inner)


def is_number(node: Node) -> bool:
    """Whether a node is a number of the user's that is an array only because it is one on another way."""
    return bool(node.meta.get("number")) and "wrote" in node.meta


def follow(graph: Graph, flows: Flows, around: Sequence[list[Node]]) -> None:
    """Note where the values go that regions take and give. `around`: what the state of the loop around is."""
    for node in graph.nodes:
        if not isinstance(node.target, Region):
            continue
        results: list[list[Node]] = [[] for _ in node.spec]
        for user in node.users:
            results[user.args[1]].append(user)
        if is_loop(node):
            parts = loop(node)
            states = [[*found, carried] for found, carried in zip(results, parts.carried)]
            if parts.test is not None:
                states = [[*s, p] for s, p in zip(states, parts.test.placeholders)]
                note(flows, parts.operands, [[p] for p in parts.test.placeholders[len(states) :]])
            operands = parts.body.placeholders[len(parts.sources) + len(states) :]
            note(flows, parts.operands, [[p] for p in operands])
            note(flows, parts.state, states)
            note(flows, parts.yields, states)
            follow(parts.body, flows, states)
            continue
        for side in graphs(node):
            note(flows, node.args[3], [[p] for p in side.placeholders])
            output = side.output_node
            if output.target == "yield":
                note(flows, output.args[0], results)
            elif output.target in ("break", "continue"):
                note(flows, output.args[0], around)
            follow(side, flows, around)


def note(flows: Flows, values: Iterable[Any], places: Iterable[list[Node]]) -> None:
    for value, nodes in zip(values, places):
        if isinstance(value, Node):
            flows[value] += nodes


def reach(number: Node, flows: Flows) -> set[Node]:
    """The values that may be this number."""
    found: set[Node] = set()
    waiting = [number]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += flows.get(node, ())
    return found


def fine(value: Node, flows: Flows, unions: set[Node]) -> bool:
    """Whether it makes no difference to the rest of the text what a value is."""
    return all(leaves_it(value, user, unions) for user in value.users)


def leaves_it(value: Node, user: Node, unions: set[Node]) -> bool:
    """Whether a use does not depend on whether a value is a number or an array."""
    if user.op == "output":
        return user.target != "raise"
    if isinstance(user.target, Region):
        if is_loop(user):  # the state is gone through as a whole, the sources one by one
            return all(value is not leaf for leaf in leaves(loop(user).sources))
        return user.args[0] is not value
    if not isinstance(user.target, Op) or user.target.name not in COMPARING:
        return False
    return all(arg is value or is_float(arg, unions) for arg in user.args) and user.args.count(value) == 1


def is_float(value: Any, unions: set[Node]) -> bool:
    """Whether a value is an array of floats whatever happens."""
    known = isinstance(value, Node) and isinstance(value.spec, Spec) and value not in unions
    return known and value.spec.dtype is not None and value.spec.dtype.kind == "float"
