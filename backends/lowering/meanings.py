"""Meanings: an op that a target has no word for is a function of the text's, where the text would spell it
out twice or at length: `softmax(x, axis)`, `group_norm(x, weight, bias, eps)`.

What it depends on is noted of the calls on the tape that it stands for, and so asked of whoever calls it.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from ...ir.graphs.graph import Graph, Node, identifier, map_arg
from ...ir.graphs.likeness import equal, key
from ...ir.graphs.regions import Function
from ...ir.graphs.static import Scalar
from ...ir.graphs.walk import every_graph
from ...ir.meaning.op import Op
from ...ir.program import Program
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves

#: So many names, or ops, a meaning has at most that stands where it is said, and so many ops if it is said
#: more than once and reads each operand once.
NAMES, MOST, FEW = 2, 8, 5
#: Numbers that stand in a meaning for themselves too.
COMMON = frozenset({0.0, 0.5, 1.0, 2.0, -1.0})


@dataclass
class Meaning:
    """The nodes that say what an op means, in order; the operands that they are computed from, and those of
    its parameters that they say, by name.
    """

    op: Op
    nodes: list[Node]
    given: dict[str, Node]
    numbers: dict[str, Any]

    def worth(self, times: int) -> bool:
        """Whether it is long, or said several times and no short expression. What reads an operand more than
        once takes a line more for that.
        """
        arrays = [node for node in self.nodes if isinstance(node.spec, Spec)]
        named = sum("step" in node.meta or node.uses > 1 for node in arrays[:-1])
        again = any(node.uses > 1 or node.kwargs.get("keepdims") for node in arrays[:-1])  # on its own line
        read = Counter(operand for node in self.nodes for operand in node.all_input_nodes)
        twice = any(read[node] > 1 for node in self.given.values())
        if named > NAMES or len(arrays) > (FEW if twice else MOST):
            return times > 1 or not self.is_all
        return times > 1 and (again or len(arrays) > (1 if twice else FEW))

    @property
    def is_all(self) -> bool:
        """Whether it is all that a function computes, which needs no other one for it."""
        graph, result = self.nodes[-1].graph, self.nodes[-1]
        others = {node for node in graph.nodes if node.op == "call_function"} - {*self.nodes}
        return graph.output_node.args[0] is result and all(node.target is operator.getitem for node in others)

    @property
    def form(self) -> Hashable:
        """What two meanings that are written alike have in common."""
        known: dict[Any, Any] = {node: i for i, node in enumerate([*self.given.values(), *self.nodes])}
        known |= {number: name for name, number in self.numbers.items() if isinstance(number, Node)}
        found = (self.said(node, known.__getitem__, lambda name: name) for node in self.nodes)
        return self.op.name, *((node.target, key(said, id)) for node, said in zip(self.nodes, found))

    def said(self, node: Node, value: Callable[[Node], Any], number: Callable[[str], Any]) -> Any:
        """The arguments of one of the nodes, of these values and numbers."""

        def named(leaf: Any) -> Any:
            names = (n for n, own in self.numbers.items() if type(leaf) is float and equal(leaf, own))
            return next(map(number, names), leaf)

        args, kwargs = map_arg((node.args, node.kwargs), value, named)
        mine = (n for n, own in self.numbers.items() if n in kwargs and equal(node.kwargs[n], own))
        return args, kwargs | {name: number(name) for name in mine}

    def set_apart(self) -> Node:
        """Let a call of a function take the place of the nodes. Returns the call."""
        result, outer = self.nodes[-1], self.nodes[-1].graph
        called = identifier(self.op.name)
        made = Program(called)
        made.meta = {"home": outer.meta.get("home", outer), "inner": True, "meaning": tuple(self.numbers)}
        made.meta["written"] = outer.meta.get("written", False)
        new: dict[Node, Node] = {}
        for name, node in self.given.items():
            new[node] = made.placeholder(name)
            new[node].spec, new[node].form = node.spec, node.form
        numbers = {name: made.placeholder(name) for name in self.numbers}
        for name, number in self.numbers.items():
            given = isinstance(number, Node)
            numbers[name].spec = number.spec if given else Scalar(type(number), number)
            new |= {number: numbers[name]} if given else {}
        for node in self.nodes:
            new[node] = made.create_node(
                node.op, node.target, *self.said(node, new.__getitem__, numbers.__getitem__)
            )
            new[node].resemble(node, named=False)
            new[node].origin, new[node].names = node.origin, None
        made.output(new[result])
        with outer.inserting_before(result):
            args = *self.given.values(), *self.numbers.values()
            call: Node = outer.create_node("call_function", Function(called, made), args)
        call.resemble(result)
        call.place, call.origin = result.place, result.origin
        for fact in ("spelled out of", "decided", "step"):
            call.meta.pop(fact, None)
        result.replace_all_uses_with(call)
        for node in reversed(self.nodes):
            outer.erase_node(node)
        return call


def set_apart(program: Program) -> None:
    """Let the meanings of ops be functions, where that is shorter."""
    found = [meaning for graph in every_graph(program) for meaning in meanings(graph)]
    forms = [meaning.form for meaning in found]
    times = Counter(forms)
    calls: dict[Node, Node] = {}
    for meaning, form in zip(found, forms):
        meaning.given = {name: calls.get(node, node) for name, node in meaning.given.items()}
        if meaning.worth(times[form]):
            calls[meaning.nodes[-1]] = meaning.set_apart()


def meanings(graph: Graph) -> Iterator[Meaning]:
    """The meanings of ops that are spelled out in a graph, as far as functions can say them."""
    groups: dict[int, list[Node]] = {}
    for node in graph.nodes:
        if "spelled out of" in node.meta:
            groups.setdefault(id(node.meta["spelled out of"][0]), []).append(node)
    for nodes in groups.values():
        if all(map(is_value, nodes)) and (found := meaning(nodes)) is not None:
            yield found


def meaning(nodes: list[Node]) -> Meaning | None:
    """None where more goes in than operands and parameters, or more comes out than one array; nor where a
    number is given for an array, of which the caller checks what the text relies on.
    """
    spelled = nodes[0].meta["spelled out of"][0]
    mine = set(nodes)
    given = list(dict.fromkeys(a for node in nodes for a in node.all_input_nodes if a not in mine))
    results = [node for node in nodes if any(user not in mine for user in node.users)]
    if len(results) != 1 or results[0] is not nodes[-1] or not isinstance(results[0].spec, Spec):
        return None
    operands = {name: node for name, node in zip(spelled.op.arrays, spelled.operands) if node in given}
    if any(isinstance(node.spec, Scalar) for node in operands.values()):
        return None
    numbers = {name: value for name, value in spelled.params.items() if is_named(name, value, nodes, given)}
    taken = [*operands.values(), *(value for value in numbers.values() if isinstance(value, Node))]
    if len(taken) != len(given) or {*taken} != {*given}:
        return None
    return Meaning(spelled.op, nodes, operands, numbers)


def is_named(name: str, value: Any, nodes: list[Node], given: list[Node]) -> bool:
    """Whether a meaning says a parameter as such."""
    if isinstance(value, Node):
        return value in given
    if type(value) is int:
        return any(equal(node.kwargs.get(name), value) for node in nodes)
    found = (leaf for node in nodes for leaf in leaves((node.args, node.kwargs)))
    return type(value) is float and value not in COMMON and any(equal(leaf, value) for leaf in found)


def is_value(node: Node) -> bool:
    """Whether a node computes an array, or a size of one, and does nothing else."""
    if node.op != "call_function":
        return False
    if isinstance(node.target, Op):
        return not node.target.effect and isinstance(node.spec, (Spec, Scalar))
    return node.target in (getattr, operator.getitem) and isinstance(node.spec, Scalar)
