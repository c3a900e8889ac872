"""Assigned once: what a loop binds whether it is left or goes on stands before it is.

    x = new                     if err < tol:
    if err < tol:                   x = new
        break                       break
                                x = new

A loop hands on what it carries where a turn ends, and where it is left: the emitter writes it at both.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...text.walking import dumped, walked
from ..written.named_items import mentioned, stored
from ..written.stated import is_path

FUNCTIONS = (ast.FunctionDef, ast.Lambda)


def assign_once(made: ast.FunctionDef) -> None:
    """Let the loops of a function bind once what they bind on both ways."""
    later = {name for node in walked(made) if isinstance(node, FUNCTIONS) and node is not made
             for name in mentioned(node)}  # fmt: skip
    for node in walked(made):
        if isinstance(node, (ast.For, ast.While)):
            for place, statement in reversed([*enumerate(node.body)]):
                if isinstance(statement, ast.If) and leaves(statement):
                    for found in [*twice(node.body, statement, later)]:
                        node.body.insert(place, found)
                        place += 1


def leaves(statement: ast.If) -> bool:
    """Whether an `if` is there to leave the loop, or to go on with the next turn."""
    return not statement.orelse and isinstance(statement.body[-1], (ast.Break, ast.Continue))


def twice(block: list[ast.stmt], leaving: ast.If, later: set[str]) -> Iterator[ast.stmt]:
    """What is bound in an `if` that leaves a loop and behind it, and may as well be before: it is taken out
    of both places.

    Args:
        later: the names that functions read when they are called.
    """
    for mine in [*leaving.body[:-1]]:
        if not is_plain(mine):
            continue
        target: Any = mine.targets[0]  # type: ignore[attr-defined]
        behind = block[block.index(leaving) + 1 :]
        other = next((each for each in behind if dumped(each) == dumped(mine)), None)
        if other is None:
            continue
        between = [*leaving.body[:-1], *behind[: behind.index(other)]]
        between = [each for each in between if each is not mine]
        names = {name for each in (*between, leaving.test) for name in mentioned(each)}
        bound = {*stored([*between, ast.Expr(leaving.test)])}
        held = {*mentioned(mine)} & (bound if is_name(mine) else names)  # which may hold another item by then
        if held or target.id in names | later:
            continue
        leaving.body.remove(mine)
        block.remove(other)
        yield other


def is_plain(statement: ast.stmt) -> bool:
    """Whether it gives a variable what another has, or an item of a container."""
    match statement:
        case ast.Assign([ast.Name()], value):
            return is_name(statement) or is_path(value)
    return False


def is_name(statement: ast.stmt) -> bool:
    """Whether it gives a variable what another has, or a constant."""
    match statement:
        case ast.Assign([ast.Name()], ast.Name() | ast.Constant()):
            return True
    return False
