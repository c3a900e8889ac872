"""Targets: what the user binds in one statement, `lo, hi = 0.0, 1.0`, stands in one. What loops and branches
hand on is bound name by name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ....ir.source.remarks import Remarked
from ...text.unparsing import unparsed
from ...text.walking import blocks
from .remarks import infinity, said

#: How long the statement may become.
LINE = 80


def join_targets(function: ast.FunctionDef, own: Remarked) -> None:
    """Let a function bind in one statement what the user's binds in one."""
    theirs = [*together(own.blocks)]
    for block in blocks(function) if theirs else ():
        place = 0
        while place < len(block):
            made = next((m for user in theirs if (m := joined(block[place:], user)) is not None), None)
            place += 1
            if made is not None:
                behind = place - 1 + len(made.targets[0].elts)
                hand_on(block[place - 1 : behind], block[behind : behind + 1], made.of)
                block[place - 1 : behind] = [made]


class Together(NamedTuple):
    """Several names that a statement of the user's binds, or a way of the choice in it, and to what each."""

    key: Any
    values: dict[str, ast.expr]


def together(several: Sequence[Sequence[Remarked]]) -> Iterator[Together]:
    """The statements of a function by which several names are bound to as many values."""
    for each in (each for block in several for each in block):
        match each.node:
            case ast.Assign([ast.Tuple(targets)], value):
                names = [target.id for target in targets if isinstance(target, ast.Name)]
                for items in ways(value) if len(names) == len(targets) > 1 else ():
                    if len(items) == len(names):
                        yield Together(each.key, dict(zip(names, items)))
        if not each.is_function:
            yield from together(each.blocks)


def ways(value: ast.expr) -> Iterator[list[ast.expr]]:
    """What stands in a tuple, or in each of those among which there is a choice."""
    match value:
        case ast.Tuple(items):
            yield items
        case ast.IfExp(_, body, orelse):
            yield from ways(body)
            yield from ways(orelse)


def joined(statements: Sequence[ast.stmt], user: Together) -> Any:
    """The first of some statements as this one of the user's; None where they are not of it, or one reads
    what another has bound by then.
    """
    values = user.values
    found: dict[str, ast.expr] = {}
    for statement in statements[: len(values)]:
        match statement:
            case ast.Assign([ast.Name(name)], value) if name in values and name not in found:
                of = said(statement, "of"), said(value, "of")
                if user.key not in of and not is_said(value, values[name]):
                    return None
                if any(isinstance(part, ast.Name) and part.id in found for part in ast.walk(value)):
                    return None
                found[name] = value
            case _:
                return None
    if len(found) < len(values):
        return None
    names = ast.Tuple([ast.Name(name, ast.Store()) for name in values], ast.Store())
    made: Any = ast.Assign([names], ast.Tuple([found[name] for name in values], ast.Load()), lineno=0)
    made.of = user.key
    return made if len(unparsed(made)) <= LINE else None


def hand_on(statements: Sequence[Any], following: Sequence[Any], key: Any) -> None:
    """What begins the state of a loop is noted as the loop's: let the loop be noted so, which follows."""
    others = [of for each in statements if (of := said(each, "of")) not in (None, key)]
    for loop in following if others else ():
        loop.of = said(loop, "of") or others[0]


def is_said(value: ast.expr, theirs: ast.expr) -> bool:
    """Whether a value that stands by itself is what the user says: a name, a number, or an empty list."""
    plain = isinstance(value, (ast.Name, ast.Constant, ast.UnaryOp)) or unparsed(value) == "[]"
    return plain and unparsed(value) == unparsed(theirs) or infinity(value) == infinity(theirs) is not None
