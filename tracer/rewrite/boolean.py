"""`and`, `or`, and the conditional expression.

Where only the truth of a whole is wanted, Python asks each operand for its truth once: all_ and any_ keep
that, and let an array's `and` be a logical one. What cannot be a thunk leaves the construct to Python.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from . import names
from .template import Template
from .walk import Walk

AND = Template("HOOKS.and_(FIRST, *REST)")
OR = Template("HOOKS.or_(FIRST, *REST)")
ALL = Template("HOOKS.all_(FIRST, *REST)")
ANY = Template("HOOKS.any_(FIRST, *REST)")
IFEXP = Template("HOOKS.ifexp(TEST, THEN, ORELSE)")


def boolean(node: ast.BoolOp, walk: Walk) -> ast.expr:
    first, *rest = node.values
    if not walk.defers(*rest):
        return walk.parts(node)
    template = AND if isinstance(node.op, ast.And) else OR
    return template(node, FIRST=walk.value(first), REST=[walk.thunk(value) for value in rest])


def boolean_test(node: ast.BoolOp, walk: Walk) -> ast.expr:
    first, *rest = node.values
    if not walk.defers(*rest):
        why = _why(rest, "an operand of its test")
        return ast.copy_location(ast.BoolOp(node.op, [walk.truth(value, why) for value in node.values]), node)
    template = ALL if isinstance(node.op, ast.And) else ANY
    return template(node, FIRST=walk.test(first), REST=[walk.thunk(value, Walk.test) for value in rest])


def choice(node: ast.IfExp, walk: Walk) -> ast.expr:
    return _choice(node, walk, as_test=False)


def choice_test(node: ast.IfExp, walk: Walk) -> ast.expr:
    return _choice(node, walk, as_test=True)


def _choice(node: ast.IfExp, walk: Walk, *, as_test: bool) -> ast.expr:
    write = Walk.test if as_test else Walk.value
    if walk.defers(node.body, node.orelse):
        then, orelse = (walk.thunk(side, write) for side in (node.body, node.orelse))
        return IFEXP(node, TEST=walk.test(node.test, node), THEN=then, ORELSE=orelse)
    test = walk.truth(node.test, _why((node.body, node.orelse), "a side of it"), node)
    return ast.copy_location(ast.IfExp(test, write(walk, node.body), write(walk, node.orelse)), node)


def _why(nodes: Iterable[ast.expr], what: str) -> str | None:
    """What is in the way of thunks, where a user can take it away."""
    return f"{what} assigns to a variable" if any(map(names.assigns, nodes)) else None
