"""`try`: Python catches; hooks know of the handlers while the body runs, and see what is caught."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TypeVar

from .attempt import place
from .template import Template
from .walk import THUNK, Walk

TRYING = Template("HOOKS.trying(TYPES, RAISES, PLACE)")
BEGUN = Template("HOOKS.begun()")
ENDED = Template("HOOKS.ended()")
CAUGHT = Template("HOOKS.caught()")

Node = TypeVar("Node", ast.Try, ast.TryStar)


def try_(node: Node, walk: Walk) -> list[ast.stmt]:
    made = walk.parts(node)
    if not node.handlers and _leaves(node.finalbody):
        made.body = [watched(made.body, node)]
    elif _leaves(node.finalbody):
        return try_(_nested(node), walk)
    if node.finalbody:
        last = node.finalbody[0]
        made.finalbody = [ast.copy_location(ast.With([ast.withitem(ENDED(last))], made.finalbody), last)]
    if not node.handlers:
        return [begun(made, node)]
    for handler in made.handlers:
        handler.body.insert(0, ast.copy_location(ast.Expr(CAUGHT(handler)), handler))
    made.body = [watched(made.body, node, _types(node, walk), all(map(_raises, node.handlers)))]
    return [begun(made, node)]


def watched(
    body: list[ast.stmt], node: Node, types: ast.expr | None = None, raises: bool = False
) -> ast.With:
    """A body of which exceptions are caught, of these types; None: all."""
    told = ast.copy_location(ast.Constant(raises), node)
    trying = TRYING(node, TYPES=types, RAISES=told, PLACE=place(node))
    return ast.copy_location(ast.With([ast.withitem(trying)], body), node)


def _leaves(block: Sequence[ast.AST]) -> bool:
    """Whether a `finally` may leave the whole, so that nothing is raised any more."""
    for node in block:
        match node:
            case ast.Return() | ast.Break() | ast.Continue():
                return True
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.expr():
                continue
        if _leaves([*ast.iter_child_nodes(node)]):
            return True
    return False


def _nested(node: Node) -> ast.Try:
    """A `try` with handlers and a `finally`, as one with handlers inside one with a `finally`."""
    inner = type(node)(node.body, node.handlers, node.orelse, [])
    return ast.copy_location(ast.Try([ast.copy_location(inner, node)], [], [], node.finalbody), node)


def begun(made: Node, node: Node) -> Node:
    """What has a `finally`, begun by a call of a hook."""
    if node.finalbody:
        made.body = [ast.copy_location(ast.Expr(BEGUN(node.body[0])), node.body[0]), *made.body]
    return made


def _raises(handler: ast.ExceptHandler) -> bool:
    """Whether a handler raises an exception whatever happens in it."""
    leaves = any(isinstance(inner, ast.Return | ast.Break | ast.Continue) for inner in ast.walk(handler))
    return isinstance(handler.body[-1], ast.Raise) and not leaves


def _types(node: Node, walk: Walk) -> ast.expr | None:
    """What the handlers name, as a thunk, as Python asks only when something is raised; None: anything."""
    types = [handler.type for handler in node.handlers if handler.type is not None]
    if len(types) < len(node.handlers) or not walk.defers(*types):
        return None
    first = node.handlers[0]
    return THUNK(first, VALUE=ast.copy_location(ast.Tuple(types, ast.Load()), first))
