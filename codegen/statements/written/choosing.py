"""Choices of what is returned, `return (y, mean) if full else y`, or bound, `a, b = (x, y) if z else (y, x)`.
Values of other forms, and of several names, are a way each while tracing, an `if` that returns and a `return`
behind it or an `if` that binds them, and one statement again where the user has one.
"""

from __future__ import annotations

import ast
from typing import Any, TypeVar

from ...text.unparsing import unparsed
from ...text.walking import blocks
from .remarks import users

Made = TypeVar("Made", ast.Return, ast.Assign)


def choose_in_one(function: ast.FunctionDef) -> None:
    """Let a function choose in a statement what the user chooses in one."""
    if (made := chosen([*function.body[-1:], ast.Return(ast.Constant(None))])) is not None:  # by its end
        function.body[-1] = made
    for block in blocks(function):
        for place in range(len(block) - 1, -1, -1):
            made = chosen(block[place : place + 2])
            if made is not None:
                block[place : place + 2] = [made]
            elif (bound := bound_by_choice(block[place])) is not None:
                block[place] = bound


def chosen(statements: list[Any]) -> ast.Return | None:
    """An `if` that returns and what is returned else as the user's one statement; None of anything else."""
    match statements:
        case [ast.If(test, [ast.Return(value)], [ast.Return(other)]), *rest] if not rest:
            pass
        case [ast.If(test, [ast.Return(value)], []), ast.Return(other)]:
            pass
        case _:
            return None
    if value is None or other is None:
        return None
    return as_written(statements[0], ast.Return(ast.IfExp(test, value, other)))


def bound_by_choice(statement: ast.stmt) -> ast.Assign | None:
    """An `if` that binds the same names on each way as the user's one statement; None of anything else."""
    match statement:
        case ast.If(
            test,
            [ast.Assign([ast.Tuple() as names], ast.Tuple() as value)],
            [ast.Assign([ast.Tuple() as others], ast.Tuple() as other)],
        ) if unparsed(names) == unparsed(others):
            return as_written(statement, ast.Assign([names], ast.IfExp(test, value, other)))
    return None


def as_written(statement: ast.stmt, made: Made) -> Made | None:
    """A statement that chooses in place of an `if`, where the user has one such; None where he has not."""
    user = users(statement)
    if user is None or not isinstance(user.node, type(made)) or not isinstance(user.node.value, ast.IfExp):
        return None
    made.of = user.key  # type: ignore[attr-defined]
    return made
