"""Control flow that is compiled: cond, while_loop, fori_loop and scan over nested functions, which carry what
changes and capture the rest.

Frameworks differ in them: see backends/compiled.py. In what is exported a function gives arrays of its own
besides, see plan/export_copies.py.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....ir.graphs.graph import Graph, Node
from ....ir.graphs.regions import Function, cond, loop, while_loop
from ....ir.graphs.walk import following
from ....ir.values.tree import tuple_fields
from ...plan.called import given_names
from ...plan.scaffold import Scaffold
from . import python_control
from .compiled_loops import counted, needs_scan, whiled
from .nested import OTHERWISE, THEN, called, calling, define, form, name, stored, yielded
from .strong import columns

if TYPE_CHECKING:
    from ..emitter import Emitter


def region(emitter: Emitter, node: Node, number: float, made: Scaffold) -> list[ast.stmt]:
    """The nested functions of a region, and the statement that calls it."""
    if node.target is cond:
        before, expr = branches(emitter, node, number, made)
    elif node.target is while_loop:
        before, expr = whiled(emitter, node, number, made)
    else:
        before, expr = counted(emitter, node, number, made)
    emitter.module.jitted = emitter.module.target.traces
    return [*before, *bound(emitter, node, number, made, expr)]


def bound(emitter: Emitter, node: Node, number: float, made: Scaffold, expr: ast.expr) -> list[ast.stmt]:
    """The statement that gives the results their names; one that is used once, right away, needs none."""
    if not node.spec:
        return [ast.Expr(expr)] if node.is_impure() else []
    used = {user.args[1] for user in node.users}
    spread = form(emitter).spread and node.target is while_loop
    if returned_whole(node) and not (spread and len(node.spec) == 1):
        emitter.whole[node] = expr
        return []
    names = [
        emitter.names.give(wanted, node, number, until) if i in used else "_"
        for i, (wanted, until) in enumerate(zip(given_names(node), made.ends(node, number)))
    ]
    emitter.parts[node] = names
    if spread:
        return [ast.Assign([ast.Tuple([ast.Name(n, ast.Store()) for n in names], ast.Store())], expr)]
    if node.target is not cond and getattr(expr, "paired", False):
        state = len(loop(node).state)
        left = stored(names[:state])
        right = stored(names[state:])
        return [ast.Assign([ast.Tuple([left, right], ast.Store())], expr)]
    return [ast.Assign([stored(names)], expr)]


def returned_whole(node: Node) -> bool:
    """Whether the only use of a region's results is that the function, or graph, ends with all of them
    in order.
    """
    if node.target not in (cond, while_loop) and needs_scan(node):
        return False
    users = list(node.users)
    ends = {user for part in users for user in part.users}
    if len(ends) != 1 or any(len(part.users) != 1 for part in users):
        return False
    (end,) = ends
    if end.op != "output" or end.meta.get("apart"):
        return False
    if node.is_impure() and any(n.is_impure() for n in following(node) if n.op != "output"):
        return False
    (value,) = end.args
    if tuple_fields(type(value)) is not None:  # a region gives plain tuples
        return False
    given = value if isinstance(value, tuple) else (value,)
    order = [v.args[1] if v in users else None for v in given]
    alone = end.target == "yield" or isinstance(value, tuple) == (len(node.spec) > 1)
    return order == list(range(len(node.spec))) and alone


def branches(emitter: Emitter, node: Node, number: float, made: Scaffold) -> tuple[list[ast.stmt], ast.expr]:
    predicate, _, _, operands = node.args
    defined: list[ast.stmt] = []
    given: list[ast.expr] = []
    start = made.starts[node]
    for planned, wanted in zip(made.inner[node], (THEN, OTHERWISE)):
        side = python_control.inner(emitter, planned, list(zip(planned.graph.placeholders, operands)), None)
        body = side.statements(planned)
        values = planned.graph.output_node.args[0]
        results = yielded(side, values, columns(node)) if node.spec else ast.Constant(None)
        alone = not node.spec and len(body) == 1 and gives_nothing(planned.graph)
        if alone and isinstance(body[0], ast.Expr):
            body, results = [], body[0].value
        if not body and wanted == THEN or not body and not defined:
            given.append(lambda_of([], results))
            continue
        function = define(emitter, called(planned, wanted), node, start, [], body, results)
        emitter.names.until[function.name] = number
        defined.append(function)
        given.append(name(function.name))
    return defined, calling(emitter, "cond", [truth(emitter, predicate), *given])


def gives_nothing(graph: Graph) -> bool:
    """Whether what a graph calls for what it does, as `print`, gives None: both sides of a cond must."""
    called = (node.target.graph for node in graph.nodes if isinstance(node.target, Function))
    return all(each.output_node.args[0] is None for each in called)


def truth(emitter: Emitter, predicate: Any) -> ast.expr:
    expr: ast.expr = emitter.tree(predicate)
    return expr


def lambda_of(parameters: Sequence[str], results: ast.expr) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, []), results)
