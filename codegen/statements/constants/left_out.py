"""Defaults of the user's helpers: a helper has them as he wrote it, and its calls leave out what they say."""

from __future__ import annotations

import ast
import cmath
from collections.abc import Iterable, Mapping
from typing import Any

from ....ir.graphs.likeness import equal
from ....ir.source.readings import Readings
from ....ir.source.remarks import remarks
from ...text.walking import walked
from .definitions import defaults
from .expressions import at
from .tables import literal
from .words import Scope

#: What is printed for all that is no constant.
OTHER = object()


def leave_out(entry: ast.FunctionDef, helpers: Iterable[ast.FunctionDef]) -> None:
    """Give the numbers among the defaults of helpers back to them, and let calls leave them out."""
    known = {helper.name: (helper, given_back(helper)) for helper in helpers}
    for function in (entry, *helpers):
        for call in walked(function):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in known:
                shorten(call, *known[call.func.id])


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
            said = literal(value) if value is not None and cmath.isfinite(value) else None
        if said is None:
            break
        found[place] = found[arg.arg] = value
        arguments.defaults.insert(0, said)
    return found


def shorten(call: ast.Call, helper: ast.FunctionDef, known: Mapping[int | str, Any]) -> None:
    """Leave out what parameters are by default anyhow, and give by name what the user gives so, and what
    stands behind something that is left out.
    """
    if any(isinstance(arg, ast.Starred) for arg in call.args):
        return
    if helper.args.posonlyargs or helper.args.vararg is not None:
        return
    call.keywords = [k for k in call.keywords if not equal(number(k.value), known.get(k.arg or "", ...))]
    names, named = [arg.arg for arg in helper.args.args], by_name(call, helper)
    defaults = [equal(number(arg), known.get(place, ...)) for place, arg in enumerate(call.args)]
    while defaults and defaults[-1]:
        defaults.pop()
    told = [*zip(names, call.args, defaults)]
    first = next((place for place, (name, _, left) in enumerate(told) if left or name in named), len(told))
    call.args = call.args[:first]
    given = [ast.keyword(name, value) for name, value, left in told[first:] if not left]
    call.keywords = [*given, *call.keywords]


def by_name(call: ast.Call, helper: ast.FunctionDef) -> set[str]:
    """The parameters that the user gives by name where he calls a helper."""
    key, place = getattr(call, "of", None), getattr(call, "at", None)
    statement = remarks(key[0]).found.get(key) if key is not None and place is not None else None
    own: Any = getattr(helper, "own", None)
    match at(statement, place) if statement is not None and own is not None else None:
        case ast.Call(ast.Name(name) | ast.Attribute(_, name), keywords=said) if name == own.node.name:
            return {keyword.arg for keyword in said if keyword.arg is not None}
    return set()


def number(printed: ast.expr) -> Any:
    """The number, word or flag that is printed."""
    match printed:
        case ast.Constant(value):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
            return -value
    return OTHER
