"""The `else` of a loop, in the place of the flag that stands for it: every `break` clears it, and it is asked
once, after the loop.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from ...text.walking import blocks, walked

Loop = ast.For | ast.While
#: What tracing calls the flag; one that the user has made stays.
FLAG = re.compile(r"finished(_\d+)?")


def give_else(function: ast.FunctionDef) -> None:
    """Let the loops of a function have an `else` in the place of such flags."""
    for body in list(blocks(function)):
        for loop, asked in zip(list(body), body[1:]):
            match asked:
                case ast.If(test=ast.Name(id=flag)) if isinstance(loop, Loop) and FLAG.fullmatch(flag):
                    settle(function, body, loop, asked, flag)


def settle(function: ast.FunctionDef, body: list[ast.stmt], loop: Loop, asked: ast.If, flag: str) -> None:
    """Give one loop its `else`, if the flag is for nothing else."""
    before = body[: body.index(loop)]
    ways = list(breaks(loop.body))
    raised = next((s for s in reversed(before) if assigns(s, flag, True)), None)
    cleared = [next((s for s in way[-2:-1] if assigns(s, flag, False)), None) for way in ways]
    if raised is None or None in cleared or not ways or loop.orelse or asked.orelse:
        return
    if mentions(function, flag) != 2 + len(ways):
        return
    for statement, owner in [(raised, body), *zip(cleared, ways)]:
        assert isinstance(statement, ast.Assign)
        forget(statement, owner, flag)
    loop.orelse = asked.body
    body.remove(asked)


def breaks(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """The lists of statements that end in a `break` of a loop with this body."""
    for statement in body:
        if isinstance(statement, ast.Break):
            yield body
        elif isinstance(statement, Loop):
            yield from breaks(statement.orelse)
        else:
            for field in ("body", "orelse"):
                yield from breaks(getattr(statement, field, []))


def pairs(statement: ast.stmt) -> list[tuple[ast.expr, ast.expr]]:
    """The targets of an assignment, each with its value."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return []
    (target,), value = statement.targets, statement.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return list(zip(target.elts, value.elts))
    return [(target, value)]


def assigns(statement: ast.stmt, name: str, value: bool) -> bool:
    given = [v for target, v in pairs(statement) if is_named(target, name)]
    return any(isinstance(v, ast.Constant) and v.value is value for v in given)


def is_named(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def mentions(function: ast.FunctionDef, name: str) -> int:
    """How often a function has a name."""
    return sum(is_named(node, name) for node in walked(function))


def forget(statement: ast.Assign, owner: list[ast.stmt], name: str) -> None:
    """Take a name out of an assignment."""
    kept = [(target, value) for target, value in pairs(statement) if not is_named(target, name)]
    if not kept:
        owner.remove(statement)
        return
    targets, values = zip(*kept)
    statement.targets = [one_or_tuple(targets, ast.Store())]
    statement.value = one_or_tuple(values, ast.Load())


def one_or_tuple(items: Sequence[ast.expr], context: ast.expr_context) -> ast.expr:
    return items[0] if len(items) == 1 else ast.Tuple(list(items), context)
