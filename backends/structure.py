"""Structure: regions that are left early, in the form that a target wants.

NumPy and torch have `return`, `break` and `continue` of Python's own: what is done where an `if` is not
left stands after it, not under an
`else`.
"""

from __future__ import annotations

import operator
from typing import Any

from ..ir.graph import Graph, Node, map_arg
from ..ir.program import Program
from ..ir.regions import LEAVING, Function, Region, cond, graphs, is_loop, loop
from ..ir.static import decided
from .closing import ways


def flattened(program: Program) -> None:
    """Let the side of a cond that goes on stand after it, where the other side leaves."""
    for node in list(program.nodes):
        for graph in graphs(node):
            if isinstance(graph, Program):
                flattened(graph)
        if node.target is cond and len(staying(node)) == 1:
            splice(program, node, *staying(node))


def staying(node: Node) -> list[Graph]:
    return [g for g in node.args[1:3] if g.output_node.target not in LEAVING]


def splice(program: Program, node: Node, graph: Graph) -> None:
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
    node.meta.pop("names", None)


def replace_constant(node: Node, value: Any) -> None:
    """Let the users of a node use a plain value instead."""
    if isinstance(value, Node):
        return
    for user in list(node.users):
        user.args = map_arg(user.args, lambda n: value if n is node else n)
        user.kwargs = map_arg(user.kwargs, lambda n: value if n is node else n)


def deep(graph: Graph) -> Graph:
    """A copy, the graphs inside copied too."""
    made = graph.copy()
    for node in made.nodes:
        inner = {id(g): deep(g) for g in graphs(node)}
        if inner:
            node.args = tuple(inner.get(id(a), a) for a in node.args)
            if isinstance(node.target, Function):
                node.target = Function(node.target.name, inner[id(node.target.graph)])
    return made


def leaves_open(graph: Graph) -> bool:
    """Whether a region that is left early hangs on an array, or is a loop."""
    for node in graph.nodes:
        if isinstance(node.target, Function) and leaves_open(node.target.graph):
            return True
        if not isinstance(node.target, Region) or node.meta.get("check"):
            continue
        if is_loop(node):
            if any(True for _ in ways(loop(node).body)):
                return True
        elif any(True for g in graphs(node) for _ in ways(g)) and not decided(node.args[0]):
            return True
        if any(leaves_open(g) for g in graphs(node)):
            return True
    return False
