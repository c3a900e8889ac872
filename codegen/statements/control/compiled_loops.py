"""Compiled loops: while_loop, fori_loop and scan over nested functions, which carry what changes and capture
the rest.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....backends.unions import is_number
from ....backends.writing.filling import operand_of
from ....ir.graphs import regions
from ....ir.graphs.graph import Node
from ....ir.graphs.regions import Function, loop
from ...plan.called import result_names
from ...plan.containers import part
from ...plan.scaffold import Scaffold
from ...text.unparsing import unparsed
from . import python_control
from .nested import STEP, TEST, called, calling, define, form, grouped, name, value_of, yielded
from .strong import columns, handed, number

if TYPE_CHECKING:
    from ..emitter import Emitter


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
            define(
                emitter,
                called(planned, wanted),
                node,
                made.starts[node],
                parameters,
                [*unpacking, *body],
                results,
            )
        )
    functions = [name(d.name) for d in defined if isinstance(d, ast.FunctionDef)]
    state = ast.Tuple(init, ast.Load()) if apart else grouped(init)
    return defined, calling(emitter, "while_loop", [*functions, state])


def lend(emitter: Emitter, names: Sequence[str], placeholders: Sequence[Node], planned: Scaffold) -> None:
    """Inside a nested function a name of the state may be taken by its next value, once it was read."""
    for each, placeholder in zip(names, placeholders):
        emitter.names.until[each] = planned.until.get(placeholder, -1.0)


def keep(emitter: Emitter, names: Sequence[str], number: float) -> None:
    for each in names:
        emitter.names.until[each] = number


def needs_scan(node: Node) -> bool:
    """Whether a `for` goes through arrays, or collects, or counts in steps; or is a scan of the user's that
    has a length.
    """
    parts = loop(node)
    source = parts.sources[0]
    plain = len(parts.sources) == 1 and isinstance(source, tuple) and source[2] == 1
    return not plain or len(parts.yields) > len(parts.state) or has_length(node)


def has_length(node: Node) -> bool:
    """Whether a `for` is a scan of the user's of a length, `scan(step, x, length=n)`, which nobody counts."""
    parts, said = loop(node), (node.stands_for or node).meta.get("scan")
    return bool(said) and isinstance(parts.sources[0], tuple) and not parts.items[0].users


def counted(emitter: Emitter, node: Node, number: float, made: Scaffold) -> tuple[list[ast.stmt], ast.expr]:
    parts = loop(node)
    arrays = columns(node)
    init = grouped([value_of(emitter, v, a) for v, a in zip(parts.state, arrays)])
    sources = [source_of(emitter, s, node) for s in parts.sources]
    names = carried_names(emitter, node, made, number)
    (planned,) = made.inner[node]
    wanted = called(planned, STEP)
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
        step = define(
            emitter, wanted, node, made.starts[node], [item, parameter], [*unpacking, *body], results
        )
        bounds = [emitter.tree(start), emitter.tree(stop)]
        return [step], calling(emitter, "fori_loop", [*bounds, name(step.name), init])
    state = yielded(side, values[: len(names)], arrays) if names else ast.Constant(None)
    collected = grouped([handed(side, of_number(v), numbers=True) for v in values[len(names) :]])
    call = given_by(values) if (len(names), len(values)) == (1, 2) else None
    results = ast.Tuple([state, collected], ast.Load()) if call is None else side.tree(call)
    step = define(
        emitter, wanted, node, made.starts[node], [parameter, item], [*unpacking, *more, *body], results
    )
    count = turns(emitter, node) if items == ["_"] else None
    given = [grouped(sources)] if count is None else []
    expr = calling(emitter, "scan", [name(called_only(step) or step.name), init, *given])
    expr.keywords = [] if count is None else [ast.keyword("length", count)]
    expr.keywords += [ast.keyword("reverse", ast.Constant(True))] if node.meta.get("reversed") else []
    expr.paired = True  # type: ignore[attr-defined]
    return [] if called_only(step) else [step], expr


def of_number(value: Any) -> Any:
    """What a turn hands on to what is collected, for a number of the program's what is an array here."""
    found = number(value) if isinstance(value, Node) and is_number(value) else None
    same = isinstance(found, Node) and found.spec == value.spec and not part(found)  # a number on some way
    return found if same else value


def given_by(values: Sequence[Any]) -> Node | None:
    """The call of a function that gives these values, and no others."""
    calls = {v.args[0] if isinstance(v, Node) and part(v) else None for v in values}
    (call,) = calls if len(calls) == 1 else (None,)
    if call is None or not isinstance(call.target, Function):
        return None
    returned = call.target.graph.output_node.args[0]
    same = [v.args[1] for v in values] == [*range(len(values))]
    return call if same and type(returned) is tuple and len(returned) == len(values) else None


def called_only(step: ast.FunctionDef) -> str:
    """The function that a nested one is: it does nothing but call that with what it is given."""
    match step.body:
        case [ast.Return(ast.Call(ast.Name(function), args, []))]:
            return function if [unparsed(a) for a in args] == [a.arg for a in step.args.args] else ""
    return ""


def turns(emitter: Emitter, node: Node) -> ast.expr | None:
    """How many turns a loop takes that counts from 0, where that is surely no number below 0."""
    source, *others = loop(node).sources
    plain = isinstance(source, tuple) and source[0] == 0 and source[2] == 1
    if not form(emitter).counts or others or not plain:
        return None
    count = emitter.tree(source[1])
    if has_length(node):
        return count
    match count:
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
