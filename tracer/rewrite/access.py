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
    name = mangled(node.attr, walk.scope.private)
    return GETATTR(node, attribute=node, OBJECT=walk.value(node.value), NAME=name)


def subscript(node: ast.Subscript, walk: Walk) -> ast.expr:
    if not isinstance(node.ctx, ast.Load):
        return walk.parts(node)
    return GETITEM(node, OBJECT=walk.value(node.value), INDEX=index(node.slice, walk))


def index(node: ast.expr, walk: Walk) -> ast.expr:
    """What stands between the brackets, as a value: slices are made, where Python would do so itself."""
    if isinstance(node, ast.Slice):
        lower, upper, step = (bound and walk.value(bound) for bound in (node.lower, node.upper, node.step))
        return SLICE(node, LOWER=lower, UPPER=upper, STEP=step)
    if isinstance(node, ast.Tuple):
        return ast.copy_location(ast.Tuple([index(item, walk) for item in node.elts], ast.Load()), node)
    return walk.value(node)
