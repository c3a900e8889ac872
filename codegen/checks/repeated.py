"""Repeated: what the checks of arguments and those of what was looked at both say, is said once."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import takewhile

from ..text.unparsing import unparsed
from ..text.walking import dumped


def checked_once(checks: Sequence[ast.stmt], statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The checks, then the statements, of which the first may be checks too: none of them twice, and none for
    an argument that is None where another says that it is not.
    """
    first = list(takewhile(lambda statement: isinstance(statement, ast.Assert), statements))
    given = {name for statement in first if (name := is_given(statement)) is not None}
    made = [without_none(check, given) for check in checks]
    asked = {subject(check) for check, one in zip(checks, made) if one is not check and subject(one) is None}
    said = set(map(dumped, made))
    kept = [s for s in first if dumped(s) not in said and is_given(s) not in asked]
    return [*made, *kept, *statements[len(first) :]]


def is_given(statement: ast.stmt) -> str | None:
    """What a check asks to be no None."""
    match statement:
        case ast.Assert(ast.Compare(value, [ast.IsNot()], [ast.Constant(None)])):
            return unparsed(value)
    return None


def subject(check: ast.stmt) -> str | None:
    """What a check lets be None."""
    match check:
        case ast.Assert(ast.BoolOp(ast.Or(), [ast.Compare(value, [ast.Is()], [ast.Constant(None)]), *_])):
            return unparsed(value)
    return None


def without_none(check: ast.stmt, given: set[str]) -> ast.stmt:
    """A check without the way on which an argument is None."""
    match check:
        case ast.Assert(ast.BoolOp(operator, [_, *rest]), message) if subject(check) in given:
            return ast.Assert(rest[0] if len(rest) == 1 else ast.BoolOp(operator, rest), message)
    return check
