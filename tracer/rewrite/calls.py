"""Calls, and the spreading of `*` and `**`."""

from __future__ import annotations

import ast

from . import strings
from .runtime import FRAME_READERS
from .template import Template
from .walk import Walk

CALL = Template("HOOKS.call(FUNCTION, *ARGUMENTS, **KEYWORDS)")
CALL_IN_FRAME = Template("RUNTIME.in_frame(HOOKS, FUNCTION)(*ARGUMENTS, **KEYWORDS)")
STAR = Template("HOOKS.star(VALUE)")
DSTAR = Template("HOOKS.dstar(VALUE)")


def hooked(node: ast.Call, walk: Walk) -> ast.expr:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    looks = name in FRAME_READERS and not (name in ("vars", "dir") and node.args)  # of which they tell
    given = map(strings.printed, node.args) if name == "print" else node.args
    return (CALL_IN_FRAME if looks else CALL)(
        node,
        attribute=node.func,
        FUNCTION=walk.value(node.func),
        ARGUMENTS=walk.values([*given]),
        KEYWORDS=keywords(node.keywords, walk),
    )


def keywords(nodes: list[ast.keyword], walk: Walk) -> list[ast.keyword]:
    return [keyword(node, walk) for node in nodes]


def keyword(node: ast.keyword, walk: Walk) -> ast.keyword:
    value = walk.value(node.value)
    if node.arg is None:
        value = DSTAR(node.value, VALUE=value)
    return ast.copy_location(ast.keyword(node.arg, value), node)


def starred(node: ast.Starred, walk: Walk) -> ast.expr:
    value = walk.value(node.value)
    if isinstance(node.ctx, ast.Load):
        value = STAR(node.value, VALUE=value)
    return ast.copy_location(ast.Starred(value, node.ctx), node)


def dictionary(node: ast.Dict, walk: Walk) -> ast.expr:
    keys = [None if key is None else walk.value(key) for key in node.keys]
    pairs = zip(node.keys, node.values, strict=True)
    values = [walk.value(value) if key else DSTAR(value, VALUE=walk.value(value)) for key, value in pairs]
    return ast.copy_location(ast.Dict(keys, values), node)
