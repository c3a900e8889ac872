"""Row loops: a loop that takes the rows of an array by number, since it writes into them, as the user has it:

    for i in range(x.shape[0]):     for row in x:
        row = x[i]                      row /= row.sum()
        row /= row.sum()
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...text.walking import walked
from .loop_items import calling, zipped


def go_through_rows(made: ast.For, kinds: Sequence[str]) -> None:
    """Let a loop go through rows where its first statements take them.

    Args:
        kinds: what the user goes through, thing by thing: `row`, `count` or `other`.
    """
    number, others, iterated = parts_of(made)
    count = kinds.count("row")
    taken, body = made.body[:count], made.body[count:]
    if number is None or not body or not all(takes_row(statement, number) for statement in taken):
        return
    if kinds.count("other") != len(others):
        return
    rows = [statement.targets[0] for statement in taken if isinstance(statement, ast.Assign)]
    values = [statement.value for statement in taken if isinstance(statement, ast.Assign)]
    arrays = [value.value for value in values if isinstance(value, ast.Subscript)]
    kept = {number, *(name.id for a in arrays for name in walked(a) if isinstance(name, ast.Name))}
    names = [name for statement in body for name in walked(statement) if isinstance(name, ast.Name)]
    if any(name.id in kept and isinstance(name.ctx, ast.Store) for name in names):
        return
    pairs = {"row": zip(rows, arrays), "other": zip(others, iterated)}
    found = [next(pairs[kind]) for kind in kinds if kind != "count"]
    targets, through = [target for target, _ in found], zipped([each for _, each in found])
    target = targets[0] if len(targets) == 1 else ast.Tuple(targets, ast.Store())
    if any(name.id == number for name in names):
        target = ast.Tuple([ast.Name(number, ast.Store()), target], ast.Store())
        through = calling("enumerate", [through])
    made.target, made.iter, made.body = target, through, body


def parts_of(made: ast.For) -> tuple[str | None, list[ast.expr], list[ast.expr]]:
    """The name of the number of the turn, and the other targets of a loop, each with what it goes through; no
    name where the loop does not count from 0 on.
    """
    match made.target, made.iter:
        case ast.Name(number), ast.Call(ast.Name("range"), [_]):
            return number, [], []
        case ast.Tuple([ast.Name(number), ast.Tuple(others)]), ast.Call(ast.Name("enumerate"), [through]):
            return number, others, arguments(through)
        case ast.Tuple([ast.Name(number), *others]), ast.Call(ast.Name("enumerate"), [through]):
            return number, others, arguments(through)
    return None, [], []


def arguments(through: ast.expr) -> list[ast.expr]:
    match through:
        case ast.Call(ast.Name("zip"), args):
            return args
    return [through]


def takes_row(statement: ast.stmt, number: str) -> bool:
    """Whether a statement is `row = x[number]`."""
    match statement:
        case ast.Assign([ast.Name()], ast.Subscript(array, ast.Name(index))):
            return index == number and is_view(array)
    return False


def is_view(array: ast.expr) -> bool:
    """Whether an expression is an array that has a name, or a slice of one."""
    while isinstance(array, ast.Subscript) and isinstance(array.slice, ast.Slice):
        array = array.value
    return isinstance(array, ast.Name)
