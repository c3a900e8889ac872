"""Arithmetic and comparisons."""

from __future__ import annotations

import ast

from ...ir.meaning import operators
from .template import Template, variable
from .walk import Walk

BINARY = Template("HOOKS.binary(OP, LEFT, RIGHT)")
UNARY = Template("HOOKS.unary(OP, OPERAND)")
NOT = Template("HOOKS.not_(OPERAND)")

COMPARE = Template("HOOKS.compare(OP, LEFT, RIGHT)")
IS = Template("HOOKS.is_(LEFT, RIGHT)")
IS_NOT = Template("HOOKS.is_not(LEFT, RIGHT)")
IN = Template("HOOKS.contains(LEFT, RIGHT)")

CHAIN = Template("(lambda left, right: HOOKS.and_(LINK, lambda *thunk: REST))(LEFT, RIGHT)")
CHAIN_OF_TESTS = Template("(lambda left, right: HOOKS.all_(LINK, lambda *thunk: REST))(LEFT, RIGHT)")

#: The operator module's names; in place, they start with an "i".
ARITHMETIC: dict[type[ast.AST], str] = {each.kind: each.name for each in operators.BINARY}
SIGNS: dict[type[ast.AST], str] = {each.kind: each.name for each in operators.UNARY}
ORDER: dict[type[ast.AST], str] = {each.kind: each.name for each in operators.COMPARING}


def binary(node: ast.BinOp, walk: Walk) -> ast.expr:
    if _is_literal(node):
        return node
    op = ARITHMETIC[type(node.op)]
    return BINARY(node, OP=op, LEFT=walk.value(node.left), RIGHT=walk.value(node.right))


def unary(node: ast.UnaryOp, walk: Walk) -> ast.expr:
    if _is_literal(node):
        return node
    if isinstance(node.op, ast.Not):
        return NOT(node, OPERAND=walk.value(node.operand))
    return UNARY(node, OP=SIGNS[type(node.op)], OPERAND=walk.value(node.operand))


def unary_test(node: ast.UnaryOp, walk: Walk) -> ast.expr:
    return NOT(node, OPERAND=walk.test(node.operand)) if isinstance(node.op, ast.Not) else walk.value(node)


def compare(node: ast.Compare, walk: Walk) -> ast.expr:
    return _chained(node, walk, CHAIN)


def compare_test(node: ast.Compare, walk: Walk) -> ast.expr:
    return _chained(node, walk, CHAIN_OF_TESTS)


def _chained(node: ast.Compare, walk: Walk, template: Template) -> ast.expr:
    if len(node.ops) > 1 and not walk.defers(*node.comparators[1:]):
        return walk.parts(node)
    first, *rest = node.comparators
    rights = [walk.value(first), *walk.inside().values(rest)]
    return _chain(node, walk.value(node.left), node.ops, rights, template)


def _chain(
    node: ast.Compare, left: ast.expr, ops: list[ast.cmpop], rights: list[ast.expr], template: Template
) -> ast.expr:
    if len(ops) == 1:
        return _link(node, ops[0], left, rights[0])
    rest = _chain(node, variable("right", node), ops[1:], rights[1:], template)
    link = _link(node, ops[0], variable("left", node), variable("right", node))
    return template(node, LEFT=left, RIGHT=rights[0], LINK=link, REST=rest)


def _link(node: ast.Compare, op: ast.cmpop, left: ast.expr, right: ast.expr) -> ast.expr:
    match op:
        case ast.Is():
            return IS(node, LEFT=left, RIGHT=right)
        case ast.IsNot():
            return IS_NOT(node, LEFT=left, RIGHT=right)
        case ast.In():
            return IN(node, LEFT=left, RIGHT=right)
        case ast.NotIn():
            return NOT(node, OPERAND=IN(node, LEFT=left, RIGHT=right))
        case _:
            return COMPARE(node, OP=ORDER[type(op)], LEFT=left, RIGHT=right)


def _is_literal(node: ast.expr) -> bool:
    """Whether Python folds the expression: no hook need see it."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp():
            return _is_literal(node.operand)
        case ast.BinOp():
            return _is_literal(node.right) and _is_literal(node.left)
        case _:
            return False
