"""Attributes and subscripts that are read; assign.py has those that are written."""

from __future__ import annotations

import ast

from .names import mangled
from .template import Template
from .walk import Walk

GETATTR = Template("HOOKS.getattr_(OBJECT, NAME)")
GETITEM = Template("HOOKS.getitem(OBJECT, INDEX)")
SLICE = Template("RUNTIME.slice(LOWER, UPPER, STEP)")


def attribute(node: ast.Attribute, walk: Walk) -> ast.expr:
    if not isinstance(node.ctx, ast.Load):
        return walk.parts(node)
    return GETATTR(node, attribute=node, OBJECT=walk.value(node.value), NAME=mangled(node.attr, walk.scope.private))


def subscript(node: ast.Subscript, walk: Walk) -> ast.expr:
    if not isinstance(node.ctx, ast.Load):
        return walk.parts(node)
    return GETITEM(node, OBJECT=walk.value(node.value), INDEX=index(node.slice, walk))


def index(node: ast.expr, walk: Walk) -> ast.expr:
    """What stands between the brackets, as a value: slices are made, where Python would do so itself."""
    if isinstance(node, ast.Slice):
        bounds = [None if bound is None else walk.value(bound) for bound in (node.lower, node.upper, node.step)]
        return SLICE(node, LOWER=bounds[0], UPPER=bounds[1], STEP=bounds[2])
    if isinstance(node, ast.Tuple):
        return ast.copy_location(ast.Tuple([index(item, walk) for item in node.elts], ast.Load()), node)
    return walk.value(node)
