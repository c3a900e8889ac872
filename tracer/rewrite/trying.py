"""`try`: Python catches; hooks know of the handlers while the body runs, and see what is caught."""

from __future__ import annotations

import ast
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
    if node.finalbody:
        last = node.finalbody[0]
        made.finalbody = [ast.copy_location(ast.With([ast.withitem(ENDED(last))], made.finalbody), last)]
    if not node.handlers:
        return [begun(made, node)]
    for handler in made.handlers:
        handler.body.insert(0, ast.copy_location(ast.Expr(CAUGHT(handler)), handler))
    raises = ast.copy_location(ast.Constant(all(map(_raises, node.handlers))), node)
    trying = TRYING(node, TYPES=_types(node, walk), RAISES=raises, PLACE=place(node))
    body = ast.With([ast.withitem(trying)], made.body)
    made.body = [ast.copy_location(body, node)]
    return [begun(made, node)]


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
