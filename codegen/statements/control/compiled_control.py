"""Control flow that is compiled: cond, while_loop, fori_loop and scan over nested functions, which carry what
changes and capture the rest.

Frameworks differ in them: see backends/compiled.py. In what is exported a function gives arrays of its own
besides, see plan/export_copies.py.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

from ....backends.compiled import Compiled
from ....backends.writing.filling import operand_of
from ....ir.graphs import regions
from ....ir.graphs.graph import Node
from ....ir.graphs.regions import cond, loop, while_loop
from ....ir.graphs.walk import following
from ....ir.values.tree import tuple_fields
from ...plan.called import given_names, result_names
from ...plan.scaffold import Scaffold
from . import python_control
from .strong import columns, handed

if TYPE_CHECKING:
    from ..emitter import Emitter

#: What the nested functions are called.
THEN, OTHERWISE, TEST, STEP = "then", "otherwise", "unfinished", "step"


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




def grouped(items: list[Any]) -> ast.expr:
    """Several values as a tuple, one as itself, none as None."""
    if len(items) == 1:
        made: ast.expr = items[0]
        return made
    return ast.Tuple(items, ast.Load()) if items else ast.Constant(None)


def stored(names: Sequence[str]) -> ast.expr:
    """Likewise the names that such values are bound to."""
    if len(names) == 1:
        return ast.Name(names[0], ast.Store())
    return (
        ast.Tuple([ast.Name(n, ast.Store()) for n in names], ast.Store())
        if names
        else ast.Name("_", ast.Store())
    )


def calling(emitter: Emitter, name: str, args: list[ast.expr]) -> ast.Call:
    return ast.Call(emitter.writer.name(form(emitter).functions[name]), args, [])


def form(emitter: Emitter) -> Compiled:
    """How the target compiles regions."""
    return emitter.module.target.regions


def name(text: str) -> ast.expr:
    return ast.Name(text, ast.Load())


def define(
    emitter: Emitter,
    wanted: str,
    node: Node,
    number: float,
    parameters: Sequence[str],
    body: list[ast.stmt],
    results: ast.expr,
) -> ast.FunctionDef:
    """A nested function."""
    given = emitter.names.give(wanted, node, number, number)
    if len(parameters) > 1 and set(parameters) == {"_"}:
        parameters = ["_" * (i + 1) for i in range(len(parameters))]
    arguments = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
    nothing = body and isinstance(results, ast.Constant) and results.value is None
    return ast.FunctionDef(given, arguments, body if nothing else [*body, ast.Return(results)], [], None)


# cond.


def branches(emitter: Emitter, node: Node, number: float, made: Scaffold) -> tuple[list[ast.stmt], ast.expr]:
    predicate, _, _, operands = node.args
    defined: list[ast.stmt] = []
    called: list[ast.expr] = []
    start = made.starts[node]
    for planned, wanted in zip(made.inner[node], (THEN, OTHERWISE)):
        side = python_control.inner(emitter, planned, list(zip(planned.graph.placeholders, operands)), None)
        body = side.statements(planned)
        values = planned.graph.output_node.args[0]
        results = yielded(side, values, columns(node)) if node.spec else ast.Constant(None)
        if not node.spec and len(body) == 1 and isinstance(body[0], ast.Expr):
            body, results = [], body[0].value
        if not body and wanted == THEN or not body and not defined:
            called.append(lambda_of([], results))
            continue
        function = define(emitter, wanted, node, start, [], body, results)
        emitter.names.until[function.name] = number
        defined.append(function)
        called.append(name(function.name))
    return defined, calling(emitter, "cond", [truth(emitter, predicate), *called])


def truth(emitter: Emitter, predicate: Any) -> ast.expr:
    expr: ast.expr = emitter.tree(predicate)
    return expr


def lambda_of(parameters: Sequence[str], results: ast.expr) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, []), results)


def yielded(side: Emitter, values: Sequence[Any], arrays: Sequence[bool] = ()) -> ast.expr:
    """What a nested function returns. `arrays`: see columns."""
    whole = side.ended(values)
    if whole is not None:
        return whole
    if not values:
        return ast.Tuple([], ast.Load())
    return grouped([value_of(side, v, a) for v, a in zip(values, arrays or repeat(False))])


def value_of(emitter: Emitter, value: Any, array: bool) -> ast.expr:
    """A value that a loop begins with, or a nested function gives. Some want an array there, others make one
    of a number.
    """
    if form(emitter).spread:
        made: ast.expr = emitter.tree(value)
        return made
    made = emitter.bare(value, compiled=True, numbers=array)
    return made


# Loops.


def carried_names(emitter: Emitter, node: Node, made: Scaffold, number: float) -> list[str]:
    """The names of the state inside the nested functions: those that the user gives it."""
    start = made.starts[node]
    return [
        emitter.names.give(wanted, node, start, number)
        for wanted in result_names(node)[: len(loop(node).state)]
    ]


def body_of(
    emitter: Emitter, planned: Scaffold, known: list[tuple[Node, Any]], operands: Sequence[Any]
) -> tuple[Any, list[ast.stmt]]:
    given = [*known, *zip(planned.graph.placeholders[len(known) :], operands)]
    side = python_control.inner(emitter, planned, given, None)
    return side, side.statements(planned)


def unpacked(
    emitter: Emitter, planned: Scaffold, names: Sequence[str], placeholders: Sequence[Node], node: Node
) -> tuple[str, list[ast.stmt]]:
    """The parameter for the state, and the statement that unpacks it."""
    if len(names) == 1 and placeholders[0].users:
        return names[0], []
    used = [n if p.users else "_" for n, p in zip(names, placeholders)]
    if not names or not any(p.users for p in placeholders):
        return "_", []
    taken = emitter.names.give("state", node, planned.statements[0][0] - 1, planned.statements[-1][0])
    target = ast.Tuple([ast.Name(n, ast.Store()) for n in used], ast.Store())
    return taken, [ast.Assign([target], name(taken))]


def known_names(placeholders: Sequence[Node], names: Sequence[str]) -> list[tuple[Node, Any]]:
    return [(p, (name(n), operand_of(p))) for p, n in zip(placeholders, names)]


def whiled(emitter: Emitter, node: Node, number: float, made: Scaffold) -> tuple[list[ast.stmt], ast.expr]:
    parts = loop(node)
    arrays = columns(node)
    init = [value_of(emitter, v, a) for v, a in zip(parts.state, arrays)]
    names = carried_names(emitter, node, made, number)
    apart = form(emitter).spread
    defined: list[ast.stmt] = []
    for planned, wanted in zip(made.inner[node], (TEST, STEP)):
        placeholders = planned.graph.placeholders[: len(names)]
        lend(emitter, names, placeholders, planned)
        parameter, unpacking = ("", []) if apart else unpacked(emitter, planned, names, placeholders, node)
        side, body = body_of(emitter, planned, known_names(placeholders, names), parts.operands)
        results = yielded(side, planned.graph.output_node.args[0], arrays if wanted == STEP else ())
        if apart and wanted == STEP and len(names) == 1:
            results = ast.Tuple([results], ast.Load())
        keep(emitter, names, number)
        parameters = names if apart else [parameter]
        defined.append(
            define(emitter, wanted, node, made.starts[node], parameters, [*unpacking, *body], results)
        )
    called = [name(d.name) for d in defined if isinstance(d, ast.FunctionDef)]
    state = ast.Tuple(init, ast.Load()) if apart else grouped(init)
    return defined, calling(emitter, "while_loop", [*called, state])


def lend(emitter: Emitter, names: Sequence[str], placeholders: Sequence[Node], planned: Scaffold) -> None:
    """Inside a nested function a name of the state may be taken by its next value, once it was read."""
    for each, placeholder in zip(names, placeholders):
        emitter.names.until[each] = planned.until.get(placeholder, -1.0)


def keep(emitter: Emitter, names: Sequence[str], number: float) -> None:
    for each in names:
        emitter.names.until[each] = number


def needs_scan(node: Node) -> bool:
    """Whether a `for` goes through arrays, or collects, or counts in steps."""
    parts = loop(node)
    source = parts.sources[0]
    plain = len(parts.sources) == 1 and isinstance(source, tuple) and source[2] == 1
    return not plain or len(parts.yields) > len(parts.state)


def counted(emitter: Emitter, node: Node, number: float, made: Scaffold) -> tuple[list[ast.stmt], ast.expr]:
    parts = loop(node)
    arrays = columns(node)
    init = grouped([value_of(emitter, v, a) for v, a in zip(parts.state, arrays)])
    sources = [source_of(emitter, s, node) for s in parts.sources]
    names = carried_names(emitter, node, made, number)
    (planned,) = made.inner[node]
    lend(emitter, names, parts.carried, planned)
    items = item_names(emitter, node, planned)
    scans = needs_scan(node)
    parameter, unpacking = unpacked(emitter, planned, names, parts.carried, node)
    item, more = together(emitter, items, planned, node)
    if parameter == item:  # two that nobody reads
        parameter = emitter.names.give("state", node, planned.statements[0][0] - 1, number)
    known = [*known_names(parts.items, items), *known_names(parts.carried, names)]
    output = planned.graph.output_node
    (values,) = output.args
    output.meta["apart"] = len(values) > len(names)  # a scan's step gives the state and what it collects
    side, body = body_of(emitter, planned, known, parts.operands)
    keep(emitter, names, number)
    if not scans:
        results = yielded(side, values, arrays) if values else ast.Constant(None)
        start, stop, _ = parts.sources[0]
        step = define(emitter, STEP, node, made.starts[node], [item, parameter], [*unpacking, *body], results)
        bounds = [emitter.tree(start), emitter.tree(stop)]
        return [step], calling(emitter, "fori_loop", [*bounds, name(step.name), init])
    state = yielded(side, values[: len(names)], arrays) if names else ast.Constant(None)
    collected = grouped([handed(side, v, numbers=True) for v in values[len(names) :]])
    results = ast.Tuple([state, collected], ast.Load())
    step = define(
        emitter, STEP, node, made.starts[node], [parameter, item], [*unpacking, *more, *body], results
    )
    count = turns(emitter, node) if items == ["_"] else None
    given = [grouped(sources)] if count is None else []
    expr = calling(emitter, "scan", [name(step.name), init, *given])
    expr.keywords = [] if count is None else [ast.keyword("length", count)]
    expr.paired = True  # type: ignore[attr-defined]
    return [step], expr


def turns(emitter: Emitter, node: Node) -> ast.expr | None:
    """How many turns a loop takes that counts from 0, where that is surely no number below 0."""
    source, *others = loop(node).sources
    plain = isinstance(source, tuple) and source[0] == 0 and source[2] == 1
    if not form(emitter).counts or others or not plain:
        return None
    match count := emitter.tree(source[1]):
        case ast.Constant(int() as value) if value >= 0:
            return count
        case ast.Subscript(ast.Attribute(attr="shape")) | ast.Call(ast.Name("len")):
            return count
    return None


def item_names(emitter: Emitter, node: Node, planned: Scaffold) -> list[str]:
    parts = loop(node)
    wanted = regions.item_names(node)
    start = planned.statements[0][0] - 0.5
    made = []
    for i, item in enumerate(parts.items):
        fallback = "i" if isinstance(parts.sources[i], tuple) else "row"
        text = wanted[i] if len(wanted) == len(parts.items) and wanted[i] not in ("", "_") else fallback
        made.append(
            emitter.names.give(text, item, start, planned.until.get(item, start)) if item.users else "_"
        )
    return made


def together(
    emitter: Emitter, items: Sequence[str], planned: Scaffold, node: Node
) -> tuple[str, list[ast.stmt]]:
    """The parameter for the items of a turn, and the statement that unpacks it."""
    if len(items) == 1:
        return items[0], []
    taken = emitter.names.give("item", node, planned.statements[0][0] - 1, planned.statements[-1][0])
    target = ast.Tuple([ast.Name(n, ast.Store()) for n in items], ast.Store())
    return taken, [ast.Assign([target], name(taken))]


def source_of(emitter: Emitter, source: Any, node: Node) -> ast.expr:
    """An array to scan over."""
    if not isinstance(source, tuple):
        return handed(emitter, source)
    start, stop, step = source
    kept = [stop] if start == 0 and step == 1 else [start, stop] if step == 1 else [start, stop, step]
    args = [emitter.tree(v) for v in kept]
    return ast.Call(emitter.writer.name(form(emitter).counter), args, [])
