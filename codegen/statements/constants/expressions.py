"""Expressions: those of the user's that what is printed was written in, and what in them is constant."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import Any

from ....ir.source.readings import Readings
from ....ir.source.remarks import Key, Remarked, remarks
from ...text.walking import parts_of, walked
from .words import Scope


def found(key: Key, positions: Any, readings: Readings) -> tuple[Scope, ast.expr] | None:
    """An expression of the user's by its place, and what names stand for there."""
    statement = remarks(key[0]).found.get(key)
    expression = at(statement, positions) if statement is not None else None
    return None if statement is None or expression is None else (Scope(statement, readings), expression)


def constant_parts(expression: ast.expr, scope: Scope) -> Iterator[ast.expr]:
    """The greatest parts of an expression that are constants: its own operands before theirs, in the order of
    the text. A parameter may be of another type than its number: where Python asks what one holds, as in
    `len({k})`, it is no name for the answer. Of what is computed of parameters the constants are parts too:
    the 2 of `k // 2` is one, whatever k is.
    """
    level: list[tuple[ast.AST, bool]] = [(expression, False)]
    while level:
        inner: list[tuple[ast.AST, bool]] = []
        for part, asked in level:
            words = scope.words(part) if isinstance(part, ast.expr) else []
            if asked:
                words = [word for word in words if not word.given]
            if words and isinstance(part, ast.expr):
                yield part
            if not words or all(word.given for word in words):
                inner += [(each, asked or asks(part)) for each in parts_of(part)]
        level = inner


def asks(part: ast.AST) -> bool:
    """Whether Python makes something else of what is in it."""
    called = part.func if isinstance(part, ast.Call) else None
    builtin = isinstance(called, ast.Name) and called.id in vars(builtins)
    return builtin or isinstance(part, (ast.Set, ast.SetComp, ast.Dict, ast.DictComp))


def at(statement: Remarked, positions: Any) -> ast.expr | None:
    """The expression at a position in a statement; that of its header where none is said, or all of it."""
    if positions is None or positions == span(statement.node):
        header = getattr(statement.node, "iter", None) or getattr(statement.node, "test", None)
        return header if header is not None else getattr(statement.node, "value", None)
    for part in walked(statement.node):
        if isinstance(part, ast.expr):
            if span(part) == positions:
                return part
    return None


def span(node: Any) -> tuple[int, int, int, int]:
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset
