"""Picked: `x = f(x) if test else x`, of which Python decided the test in each turn, as the loop has it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from ....ir.source.remarks import Remarked
from ...text.walking import dumped, walked
from .decided import Unlike

if TYPE_CHECKING:
    from .alike import Turns


def picks(node: ast.stmt) -> TypeGuard[ast.Assign]:
    """Whether a statement of the user's binds one of two things to a variable."""
    match node:
        case ast.Assign([ast.Name()], ast.IfExp()):
            return True
    return False


def picked(turns: Turns, rows: Sequence[Sequence[ast.stmt]], user: Remarked) -> list[ast.stmt]:
    """What is printed of such a statement in each turn, as one. A turn in which it only gives another name to
    a variable has nothing.

    Raises:
        Unlike: where that is not what the turns do.
    """
    assert picks(user.node) and isinstance(user.node.value, ast.IfExp)
    whole = user.node.value
    parts = turns.decided.parted(whole.test, turns.active)
    if parts is None or not parts[1] or not parts[2]:  # the test stands in the text, or is always the same
        return turns.abreast(rows)
    test, *ways = parts
    found: dict[int, Any] = dict(zip(turns.active, (named(row) for row in rows)))
    sides: list[ast.expr] = []
    for way, theirs in zip(ways, (whole.body, whole.orelse)):
        values = [found[turn].value for turn in way if found[turn] is not None]
        if len(values) == len(way):
            with turns.among(way):
                sides.append(turns.expression(values))
        elif not values and isinstance(theirs, ast.Name):
            sides.append(ast.Name(theirs.id, ast.Load()))
        else:
            raise Unlike
    bound = [turn for turn in turns.active if found[turn] is not None]
    with turns.among(bound):
        target = turns.variable([found[turn].targets[0] for turn in bound])
    for turn, side in ((turn, side) for way, side in zip(ways, sides) for turn in way if turn not in bound):
        assert isinstance(side, ast.Name)
        turns.goes_by(turn, side.id, target.id)
    value: Any = ast.IfExp(test, *sides)
    value.decided = (True,)
    same = dumped(sides[0]) == dumped(sides[1])
    made: Any = ast.Assign([target], sides[0] if same else value)
    made.of = user.key
    return [made]


def others(code: ast.AST) -> dict[str, set[str]]:
    """The variables whose values such statements may give to others, by those that they bind."""
    found: dict[str, set[str]] = {}
    for node in walked(code):
        match node:
            case ast.Assign([ast.Name(name)], ast.IfExp() as whole):
                sides = (side for side in (whole.body, whole.orelse) if isinstance(side, ast.Name))
                found.setdefault(name, set()).update(side.id for side in sides)
    return found


def named(row: Sequence[ast.stmt]) -> ast.Assign | None:
    """The one statement of a row, which binds a variable; None where there is nothing.

    Raises:
        Unlike: where it is something else.
    """
    match row:
        case []:
            return None
        case [ast.Assign([ast.Name()]) as one]:
            return one
    raise Unlike
