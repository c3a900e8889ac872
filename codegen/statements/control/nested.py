"""Nested functions, as compiled regions call them: what they are called, take and give."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

from ....backends.compiled import Compiled
from ....ir.graphs.graph import Node
from ...plan.names import legal
from ...plan.scaffold import Scaffold

if TYPE_CHECKING:
    from ..emitter import Emitter

#: What the nested functions are called.
THEN, OTHERWISE, TEST, STEP = "then", "otherwise", "unfinished", "step"


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
    given = emitter.names.give(legal(wanted), node, number, number)
    if len(parameters) > 1 and set(parameters) == {"_"}:
        parameters = ["_" * (i + 1) for i in range(len(parameters))]
    arguments = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
    nothing = body and isinstance(results, ast.Constant) and results.value is None
    return ast.FunctionDef(given, arguments, body if nothing else [*body, ast.Return(results)], [], None)


def called(planned: Scaffold, otherwise: str) -> str:
    """What a nested function is called: as the user calls it, if he does."""
    return str(planned.graph.meta.get("called", otherwise))


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
