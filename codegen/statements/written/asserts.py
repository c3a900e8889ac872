"""Asserts of the user's: what he asserts stays one, and a check of ours that asks the same has his words."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Collection

from ....ir.source.remarks import Remarked, remarks
from ...checks.apart import checks_of, replace
from ...checks.assertions import negated
from ...text.unparsing import unparsed
from ...text.walking import blocks, walked
from .named_items import root_of, stored
from .remarks import keys
from .stated import is_path

#: The functions that a message of a check may call: of what they are given they change nothing.
ASKING = frozenset({"len", "tuple", "type", "repr", "str"})


def keep_asserts(function: ast.FunctionDef, own: Remarked | None) -> None:
    """Let a function assert what the user's function does, in his words."""
    for block in blocks(function):
        block[:] = [asserted(statement) for statement in block]
    if own is None or not isinstance(own.node, ast.FunctionDef):
        return
    known = {arg.arg for arg in walked(function.args) if isinstance(arg, ast.arg)} - {*stored(own.node.body)}
    first = itertools.takewhile(lambda each: not may_leave(each.node), own.blocks[0])
    made = [assert_ for each in first if says(each.node, known) for assert_ in taken(function, each)]
    begins, count = getattr(function, "checks", (0, 0))
    function.body[begins + count : begins + count] = made


def may_leave(statement: ast.stmt) -> bool:
    """Whether what stands behind it may never be reached."""
    return any(isinstance(part, (ast.Return, ast.Raise)) for part in walked(statement))


def taken(function: ast.FunctionDef, user: Remarked) -> list[ast.stmt]:
    """An assert of the user's, if checks of ours ask together what it does: these go."""
    assert isinstance(user.node, ast.Assert)
    test, checks = user.node.test, checks_of(function)
    asked = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    wanted = sorted(map(unparsed, asked))
    same = [check for check in checks if isinstance(check, ast.Assert) and unparsed(check.test) in wanted]
    if sorted(unparsed(check.test) for check in same) != wanted:
        return []
    replace(function, [check for check in checks if check not in same])
    made = ast.Assert(test, user.node.msg or (same[0].msg if len(same) == 1 else None))
    made.of = user.key  # type: ignore[attr-defined]
    return [made]


def asserted(statement: ast.stmt) -> ast.stmt:
    """`assert test, message` for `if not test: raise AssertionError(message)`, where it was one."""
    match statement:
        case ast.If(test, [ast.Raise(ast.Name("AssertionError"))], []):
            message = None
        case ast.If(test, [ast.Raise(ast.Call(ast.Name("AssertionError"), [message], []))], []):
            pass
        case _:
            return statement
    found = [remarks(key[0]).found.get(key) for key in keys(statement)]
    if not any(each is not None and isinstance(each.node, ast.Assert) for each in found):
        return statement
    made = ast.Assert(negated(test), message)
    for fact in ("of", "leads"):
        if hasattr(statement, fact):
            setattr(made, fact, getattr(statement, fact))
    return made


def says(statement: ast.stmt, known: Collection[str]) -> bool:
    """Whether it is an assert whose message says nothing but of parameters, which stay what they are."""
    if not isinstance(statement, ast.Assert):
        return False
    return statement.msg is None or all(may_stand(part, known) for part in walked(statement.msg))


def may_stand(part: ast.AST, known: Collection[str]) -> bool:
    match part:
        case ast.Call(ast.Name(name), _, []):
            return name in ASKING
        case ast.Name(name):
            return name in known or name in ASKING
        case ast.Attribute() | ast.Subscript():
            return is_path(part) and root_of(part) in known
    return isinstance(part, (ast.Constant, ast.JoinedStr, ast.FormattedValue, ast.Tuple, ast.expr_context))
