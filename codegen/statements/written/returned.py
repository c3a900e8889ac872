"""Returned behind: what each way of an `if` returns while tracing (tracer/rewrite/returning.py) is returned
behind it, where the user returns it there.
"""

from __future__ import annotations

import ast
from typing import Any

from ...text.unparsing import unparsed
from ...text.walking import blocks
from .remarks import users


def return_behind(function: ast.FunctionDef) -> None:
    """Let a function return once what the user's returns once."""
    for block in blocks(function):
        end = ending(block) if block else None
        if end is not None:
            block[:] = joined(block, end)


def joined(block: list[Any], end: ast.Return) -> list[Any]:
    """A block of which this is the end, that returns behind the last `if` and those whose `else` it is in."""
    rest = without_end(block)
    place = len(rest) if isinstance(block[-1], ast.Return) else len(rest) - 1
    rest, orelse = rest[:place], rest[place:]
    while (found := before(rest, end)) is not None:
        node = rest[found]
        if not isinstance(node.body[-1], ast.Raise):
            node.body = without_end(node.body) or [ast.Pass()]
        node.orelse, orelse = [*rest[found + 1 :], *orelse], [node]
        rest = rest[:found]
    return [*rest, *orelse, end]


def before(block: list[Any], end: ast.Return) -> int | None:
    """Where the last `if` of a block stands that gives what is given at its end, or raises, where another one
    does not hold; what stands behind it is its `else`, if the user has one.
    """
    place = next((i for i in range(len(block) - 1, -1, -1) if isinstance(block[i], ast.If)), None)
    user = users(block[place]) if place is not None else None
    if place is None or user is None or not isinstance(user.node, ast.If) or block[place].orelse:
        return None
    if place < len(block) - 1 and not user.node.orelse:
        return None
    body = block[place].body
    if goes_on(block[place]):
        bind(body, end)
    through = goes_on(block[place]) and is_same(ending(body), end)
    return place if through or isinstance(body[-1], ast.Raise) and is_elif(block[place]) else None


def bind(block: list[Any], end: ast.Return) -> None:
    """Let a block that returns something else than a name bind the one that is returned at the end."""
    match block[-1], end.value:
        case ast.Return(ast.expr() as value) as last, ast.Name(name) if unparsed(last) != unparsed(end):
            bound = ast.Assign([ast.Name(name, ast.Store())], value, lineno=0)
            block[-1:] = [ast.copy_location(bound, last), ast.copy_location(ast.Return(end.value), last)]


def ending(block: list[Any]) -> ast.Return | None:
    """The `return` at the end of a block; the one on each way of an `if` there."""
    match block[-1]:
        case ast.Return() as end:
            return end
        case ast.If(_, body, [_, *_] as orelse) as node if goes_on(node):
            found = ending(body)
            return found if is_same(found, ending(orelse)) else None
    return None


def without_end(block: list[Any]) -> list[Any]:
    """A block that has an `ending`, without it."""
    if isinstance(block[-1], ast.If):
        node = block[-1]
        node.body, node.orelse = without_end(node.body) or [ast.Pass()], without_end(node.orelse)
        return block
    return block[:-1]


def is_same(one: ast.Return | None, other: ast.Return | None) -> bool:
    return one is not None and other is not None and unparsed(one) == unparsed(other)


def goes_on(statement: ast.If) -> bool:
    """Whether the user's `if` is none that returns."""
    user = users(statement)
    return user is not None and not any(isinstance(part, ast.Return) for part in ast.walk(user.node))


def is_elif(statement: ast.If) -> bool:
    """Whether it is what the user's program does where another `if` does not hold."""
    user = users(statement)
    if user is None or user.parent is None:
        return False
    around = user.parent.node
    return isinstance(around, ast.If) and any(each is user.node for each in around.orelse)
