"""Desugaring: what simpler statements say, so that the other rules need not know it.

A `while` with a walrus in its test becomes an endless loop that breaks, because the function of a test tells
no variables. A `match` on plain values becomes a chain of `if`.

Law: the new statements do the same in the same order, and stand where the old ones stood.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TypeVar

from . import names
from .match import chain
from .runtime import VARIABLE_READERS

Node = TypeVar("Node", bound=ast.AST)


def desugared(node: ast.FunctionDef) -> ast.FunctionDef:
    """The function in simpler statements; those of functions and classes inside it stay as they are."""
    readers = VARIABLE_READERS.keys() & names.Names(*node.body).reads
    return _inside(node, room=readers <= names.variables(node))


def _block(statements: Sequence[ast.stmt], room: bool) -> list[ast.stmt]:
    """`room`: whether a variable of ours may join the user's, as nobody lists them."""
    return [made for node in statements for made in _statement(node, room)]


def _statement(node: ast.stmt, room: bool) -> list[ast.stmt]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node]
    made = _inside(node, room)
    match made:
        case ast.While(orelse=[]) if names.assigns(made.test):
            return [_endless(made)]
        case ast.Match() if room:
            return chain(made) or [made]
        case _:
            return [made]


def _inside(node: Node, room: bool) -> Node:
    """The node itself, or one like it where a statement inside it changes."""
    parts = dict(ast.iter_fields(node))
    for field, value in ast.iter_fields(node):
        match value:
            case [ast.stmt(), *_]:
                parts[field] = _block(value, room)
            case [ast.ExceptHandler() | ast.match_case(), *_]:
                parts[field] = [_inside(part, room) for part in value]
    return ast.copy_location(type(node)(**parts), node)


def _endless(node: ast.While) -> ast.While:
    """`while TEST: ...` as `while True: (if TEST: pass, else: break); ...`"""
    test = node.test
    go_on, leave, always = ast.Pass(), ast.Break(), ast.Constant(True)
    ask = ast.If(test, [go_on], [leave])
    for made in (go_on, leave, always, ask):
        ast.copy_location(made, test)
    return ast.copy_location(ast.While(always, [ask, *node.body], []), node)
