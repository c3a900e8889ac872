"""Defaults of the user's helpers: a helper has them as he wrote it, and its calls leave out what they say."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from ...ir.likeness import equal
from ...ir.readings import Readings
from ..text.walking import walked
from .constants import literal
from .definitions import defaults
from .words import Scope


def leave_out(entry: ast.FunctionDef, helpers: Iterable[ast.FunctionDef]) -> None:
    """Give the numbers among the defaults of helpers back to them, and let calls leave them out."""
    known = {helper.name: given_back(helper) for helper in helpers}
    for function in (entry, *helpers):
        for call in walked(function):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in known:
                shorten(call, known[call.func.id])


def given_back(helper: ast.FunctionDef) -> dict[int, Any]:
    """The numbers that the last parameters of a helper are by default, by their places."""
    own, arguments = getattr(helper, "own", None), helper.args
    found: dict[int, Any] = {}
    if own is None or arguments.defaults or arguments.vararg or arguments.posonlyargs:
        return found
    theirs, scope = dict(defaults(own.node)), Scope(own, Readings())
    for place, arg in reversed([*enumerate(arguments.args)]):
        number = scope.value(theirs[arg.arg]) if arg.arg in theirs else None
        if number is None:
            break
        found[place] = number
        arguments.defaults.insert(0, literal(number))
    return found


def shorten(call: ast.Call, known: dict[int, Any]) -> None:
    """Leave out the last arguments of a call that are what they are by default."""
    if any(isinstance(arg, ast.Starred) for arg in call.args):
        return
    while call.args and equal(number(call.args[-1]), known.get(len(call.args) - 1, ...)):
        call.args.pop()


def number(printed: ast.expr) -> Any:
    """The number that is printed."""
    match printed:
        case ast.Constant(value):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
            return -value
    return None
