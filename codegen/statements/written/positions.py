"""Positions: of which statements of the user's those are that are printed."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from ....ir.source.remarks import Key, Remarked, remarks
from ...plan.names import legal
from .remarks import keys, lines, said


def goes_on(node: ast.stmt) -> bool:
    """Whether a statement is `if ...: continue`."""
    return isinstance(node, ast.If) and not node.orelse and isinstance(node.body[0], ast.Continue)


def calls(statements: Sequence[ast.stmt]) -> dict[str, str]:
    """What the user calls the variables that statements bind."""
    found: dict[str, str] = {}
    for statement in lines(statements):
        match statement:
            case ast.Assign([ast.Name(name)]) if (key := position(statement)) is not None:
                user = remarks(key[0]).found.get(key)
                match user.node if user is not None else None:
                    case ast.Assign([ast.Name(theirs)]) | ast.AugAssign(ast.Name(theirs)):
                        if legal(theirs) == theirs:
                            found[name] = theirs
    return found


def position(statement: ast.stmt) -> Key | None:
    """The statement of the user's that a statement is of."""
    own = said(statement, "of")
    return own if own is not None else next((k for part in lines([statement]) for k in keys(part)), None)


def within(key: Key | None, first: Any, last: Any) -> bool:
    """Whether a statement of the user's is one of those from `first` to `last`."""
    if key is None:
        return False
    return (first.lineno, first.col_offset) <= key[1:] < (last.end_lineno, last.end_col_offset)


def taken(statements: list[ast.stmt], user: Remarked) -> list[ast.stmt]:
    """Take the first statements off that are of one of the user's."""
    found = []
    while statements and within(position(statements[0]), user.node, user.node):
        found.append(statements.pop(0))
    return found


def taken_all(statements: list[ast.stmt], block: Sequence[Remarked]) -> list[ast.stmt]:
    """The same of a block of his."""
    found = []
    while statements and within(position(statements[0]), block[0].node, block[-1].node):
        found.append(statements.pop(0))
    return found


def is_of(row: Sequence[ast.stmt], key: Key) -> bool:
    """Whether a row is an `if` that is printed."""
    return any(isinstance(statement, ast.If) and position(statement) == key for statement in row)


def uneven(rows: Sequence[Sequence[ast.stmt]], key: Key) -> bool:
    """Whether an `if` goes one way in one turn and another in another."""
    if all(is_of(row, key) for row in rows):
        return False
    return len({len(row) for row in rows}) > 1 or not all(
        len({position(s) for s in column}) == 1 for column in zip(*rows)
    )
