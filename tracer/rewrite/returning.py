"""Returning: what stands behind an `if` on a word or flag, and is returned then, is returned on each way.

    if reduction == "mean":                  if reduction == "mean":
        loss = loss.mean()                       loss = loss.mean()
    return loss                                  return loss
                                             return loss

A caller decides which way it is, and each gives what it gives: arrays of other ranks, a tuple or an array.
The text has one `return` again where it can (codegen/statements/written/returned.py).

Law: a parameter is a word if `compared` says so, and a flag if its default is True or False. Where the
function writes into a parameter it keeps its one end: what is returned may lie in that.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Sequence

from . import names
from .compared import compared


def asked(node: ast.FunctionDef) -> frozenset[str]:
    """The words and flags among the parameters of a function; none where it writes into one of them."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    if written(node) & {arg.arg for arg in (*positional, *arguments.kwonlyargs)}:
        return frozenset()
    defaults = [
        *zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults),
        *zip(arguments.kwonlyargs, arguments.kw_defaults),
    ]
    flags = {arg.arg for arg, default in defaults if is_flag(default)}
    return compared(node) | (flags - names.Names(*node.body).binds.keys())


def written(node: ast.FunctionDef) -> set[str]:
    """The variables into which a function writes by a statement of its own."""
    found = set()
    for part in ast.walk(node):
        target = part.target if isinstance(part, ast.AugAssign) else part
        if isinstance(target, ast.Subscript | ast.Attribute) and isinstance(target.ctx, ast.Store | ast.Del):
            while isinstance(target, ast.Subscript | ast.Attribute):
                target = target.value
        if isinstance(target, ast.Name) and target is not part:
            found.add(target.id)
    return found


def is_flag(default: ast.expr | None) -> bool:
    return isinstance(default, ast.Constant) and isinstance(default.value, bool)


def on_each_way(statements: list[ast.stmt], words: Collection[str]) -> list[ast.stmt]:
    """A block that ends with an `if` and a `return` of what is bound in it, with that on each way."""
    match statements:
        case [*first, ast.If(test=test) as node, ast.Return() as end] if is_asked(test, words):
            if is_of_names(end.value) and names.Names(end).reads & bound(node):
                return [*first, *handed(node, end, words)]
    return statements


def bound(node: ast.If) -> set[str]:
    """What is bound to something else in an `if`: `y += 1` keeps the form of an array."""
    found: set[str] = set()
    for statement in (*node.body, *node.orelse):
        if isinstance(statement, ast.If):
            found |= bound(statement)
        elif not isinstance(statement, ast.AugAssign):
            found |= names.Names(statement).binds.keys()
    return found


def handed(node: ast.If, end: ast.Return, words: Collection[str]) -> list[ast.stmt]:
    """An `if` each way of which returns, what its `else` holds, and the `return` behind it."""
    made = ast.copy_location(ast.If(node.test, ending(node.body, end), []), node)
    match node.orelse:
        case []:
            return [made, end]
        case [ast.If(test=test) as other] if is_asked(test, words):
            return [made, *handed(other, end, words)]
    return [made, *ending(node.orelse, end)]


def ending(statements: Sequence[ast.stmt], end: ast.Return) -> list[ast.stmt]:
    if isinstance(statements[-1], ast.Return | ast.Raise | ast.Continue | ast.Break):
        return [*statements]
    return [*statements, copy.deepcopy(end)]


def is_asked(test: ast.expr, words: Collection[str]) -> bool:
    """Whether a test asks words and flags alone."""
    read = {part.id for part in ast.walk(test) if isinstance(part, ast.Name)}
    calls = any(isinstance(part, ast.Call | ast.Attribute | ast.Subscript) for part in ast.walk(test))
    return bool(read) and read <= {*words} and not calls


def is_of_names(value: ast.expr | None) -> bool:
    """Whether a value is a variable, or a tuple or list of such."""
    match value:
        case ast.Name():
            return True
        case ast.Tuple(items) | ast.List(items):
            return bool(items) and all(isinstance(item, ast.Name) for item in items)
    return False
