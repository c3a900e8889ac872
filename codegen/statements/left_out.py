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

#: What is printed for all that is no constant.
OTHER = object()


def leave_out(entry: ast.FunctionDef, helpers: Iterable[ast.FunctionDef]) -> None:
    """Give the numbers among the defaults of helpers back to them, and let calls leave them out."""
    known = {helper.name: given_back(helper) for helper in helpers}
    for function in (entry, *helpers):
        for call in walked(function):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in known:
                shorten(call, known[call.func.id])


def given_back(helper: ast.FunctionDef) -> dict[int | str, Any]:
    """What the last parameters of a helper are by default, by their places and names: numbers, words, flags
    and None.
    """
    own, arguments = getattr(helper, "own", None), helper.args
    found: dict[int | str, Any] = {}
    if own is None or arguments.defaults or arguments.vararg or arguments.posonlyargs:
        return found
    theirs, scope = dict(defaults(own.node)), Scope(own, Readings())
    for place, arg in reversed([*enumerate(arguments.args)]):
        default = theirs.get(arg.arg)
        if isinstance(default, ast.Constant) and isinstance(default.value, str | bool | None):
            said: ast.expr | None = ast.Constant(default.value)
            value = default.value
        else:
            value = scope.value(default) if default is not None else None
            said = literal(value) if value is not None else None
        if said is None:
            break
        found[place] = found[arg.arg] = value
        arguments.defaults.insert(0, said)
    return found


def shorten(call: ast.Call, known: dict[int | str, Any]) -> None:
    """Leave out what parameters are by default anyhow: by name, and at the end."""
    if any(isinstance(arg, ast.Starred) for arg in call.args):
        return
    call.keywords = [k for k in call.keywords if not equal(number(k.value), known.get(k.arg or "", ...))]
    while call.args and equal(number(call.args[-1]), known.get(len(call.args) - 1, ...)):
        call.args.pop()


def number(printed: ast.expr) -> Any:
    """The number, word or flag that is printed."""
    match printed:
        case ast.Constant(value):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
            return -value
    return OTHER
