"""Choices of what is returned: `return (y, mean) if full else y`. Values of other forms are a way each while
tracing, an `if` that returns and a `return` behind it, and one statement again where the user has one.
"""

from __future__ import annotations

import ast
from typing import Any

from ....ir.source.remarks import remarks
from ...text.walking import blocks


def choose_in_one(function: ast.FunctionDef) -> None:
    """Let a function choose in a statement what the user chooses in one."""
    if (made := chosen([*function.body[-1:], ast.Return(ast.Constant(None))])) is not None:  # by its end
        function.body[-1] = made
    for block in blocks(function):
        for place in range(len(block) - 1, -1, -1):
            made = chosen(block[place : place + 2])
            if made is not None:
                block[place : place + 2] = [made]


def chosen(statements: list[Any]) -> ast.Return | None:
    """An `if` that returns and what is returned else as the user's one statement; None of anything else."""
    match statements:
        case [ast.If(test, [ast.Return(value)], [ast.Return(other)]), *rest] if not rest:
            pass
        case [ast.If(test, [ast.Return(value)], []), ast.Return(other)]:
            pass
        case _:
            return None
    key = getattr(statements[0], "of", None)
    user = remarks(key[0]).found.get(key) if key is not None else None
    if user is None or not is_choice(user.node) or value is None or other is None:
        return None
    made = ast.Return(ast.IfExp(test, value, other))
    made.of = key  # type: ignore[attr-defined]
    return made


def is_choice(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Return) and isinstance(statement.value, ast.IfExp)
