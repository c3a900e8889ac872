"""Structure: regions that are left early, in the form that a target wants.

NumPy and torch have `return`, `break` and `continue` of Python's own: what is done where an `if` is not
left stands after it, not under an `else`.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from ...ir.graphs.attempts import is_attempt
from ...ir.graphs.graph import Graph, Node, map_arg
from ...ir.graphs.regions import LEAVING, Function, Region, cond, graphs, is_loop, loop
from ...ir.graphs.static import Scalar, takes
from ...ir.graphs.walk import every_graph, returned
from ...ir.program import Program
from ...ir.values.spec import Spec
from .compiled.exits import ways


def flattened(program: Program) -> None:
    """Let the side of a cond that goes on stand after it, where the other side leaves."""
    for graph in every_graph(program, inner_first=True):
        for node in list(graph.nodes):
            if node.target is cond and len(staying(node)) == 1 and not is_attempt(node):
                splice(graph, node, *staying(node))


def staying(node: Node) -> list[Graph]:
    return [g for g in node.args[1:3] if g.output_node.target not in LEAVING]


def splice(program: Graph, node: Node, graph: Graph) -> None:
    """Put the nodes of `graph`, one side of the cond `node`, after it."""
    predicate, then, orelse, operands = node.args
    empty = type(graph)(graph.name)
    for placeholder in graph.placeholders:
        empty.node_copy(placeholder, lambda n: n)
    empty.output((), "yield")
    values: dict[Node, Any] = dict(zip(graph.placeholders, operands))
    with program.inserting_before(node.next):
        results = program.graph_copy(graph, values)
    for user in list(node.users):
        assert user.target is operator.getitem
        user.replace_all_uses_with(results[user.args[1]]) if isinstance(results[user.args[1]], Node) else None
        replace_constant(user, results[user.args[1]])
        program.erase_node(user)
    sides = (empty if g is graph else g for g in (then, orelse))
    node.args = (predicate, *sides, operands)
    node.spec = ()
    node.names = None


def replace_constant(node: Node, value: Any) -> None:
    """Let the users of a node use a plain value instead."""
    if isinstance(value, Node):
        return
    for user in list(node.users):
        user.args = map_arg(user.args, lambda n: value if n is node else n)
        user.kwargs = map_arg(user.kwargs, lambda n: value if n is node else n)


def leaves_open(
    graph: Graph, outside: Mapping[Node, Any] | None = None, met: set[int] | None = None
) -> bool:
    """Whether a region that is left early hangs on an array, or is a loop.

    Args:
        outside: what the placeholders stand for.
        met: the functions that were looked at, see python_exits.py.
    """
    known, met = dict(outside or {}), set() if met is None else met
    for node in graph.nodes:
        if isinstance(node.target, Function) and id(inside := node.target.graph) not in met:
            met.add(id(inside))
            if leaves_open(inside, {**known, **dict(zip(inside.placeholders, node.args))}, met):
                return True
        if not isinstance(node.target, Region) or node.meta.get("check"):
            continue
        if is_loop(node):
            if any(True for _ in ways(loop(node).body)):
                return True
        elif any(True for g in graphs(node) for _ in ways(g)) and not is_decided(node.args[0], known):
            return True
        if node.target is cond:
            for side in node.args[1:3]:
                known.update(zip(side.placeholders, node.args[3]))
        if isinstance(node.target, Region) and any(leaves_open(g, known, met) for g in graphs(node)):
            return True
    return False


def is_answer(call: Node, index: Any, outside: Mapping[Node, Any]) -> bool:
    """Whether Python knows what a function of the user's gives, or the item of that at an index."""
    graph = call.target.graph
    inner = {**outside, **dict(zip(graph.placeholders, call.args))}
    given = [value if index is None else value[index] for value in returned(graph)]
    return all(is_decided(value, inner) for value in given) and not leaves_open(graph, inner)


def is_sized(value: Node) -> bool:
    """Whether a value is an array, of which a number that is not taken out of it can be only a size."""
    return isinstance(value.spec, Spec)


def is_given(value: Any, outside: Mapping[Node, Any]) -> bool:
    """Whether a value is a container among the arguments: who asks for its numbers is not jitted."""
    value = outside.get(value, value)
    if not isinstance(value, Node) or not isinstance(value.spec, Mapping):
        return False
    if value.target in (operator.getitem, getattr):
        return is_given(value.args[0], outside)
    return value.op == "placeholder"


def is_decided(value: Any, outside: Mapping[Node, Any] | None = None) -> bool:
    """Whether Python knows a number when it calls the function: also where others compute or choose it.

    Args:
        outside: what the placeholders of graphs inside stand for.
    """
    if not isinstance(value, Node):
        return True
    outside = outside or {}
    if value in outside:
        return is_decided(outside[value], outside)
    if not isinstance(value.spec, Scalar) or takes(value):
        return False
    if value.op != "call_function":
        return not value.spec.local
    region = value.args[0] if value.target is operator.getitem else None
    for call, index in ((value, None), (region, value.args[-1])):
        if isinstance(call, Node) and isinstance(call.target, Function):
            return is_answer(call, index, outside)
    if not isinstance(region, Node) or region.target is not cond:
        inputs = value.all_input_nodes
        known = all(is_sized(n) or is_given(n, outside) or is_decided(n, outside) for n in inputs)
        return known if inputs else not value.spec.local
    predicate, *sides, operands = region.args
    inner = dict(outside)
    for side in sides:
        inner.update(zip(side.placeholders, operands))
    kept = [side for side in sides if side.output_node.target == "yield"]
    chosen = (side.output_node.args[0][value.args[1]] for side in kept)
    return is_decided(predicate, outside) and all(is_decided(v, inner) for v in chosen)

