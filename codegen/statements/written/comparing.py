"""Comparing: the sides of comparisons as the user has them, `0 < x` where Python asked `x > 0`, and several
in one, `2 < n < 10`, where he wrote them so.
"""

from __future__ import annotations

import ast
from typing import Any

from ....ir.source.remarks import remarks
from ...text.unparsing import unparsed
from ...text.walking import Transformer, marked, walked
from .positions import position
from .remarks import said

#: What asks the same of the other side.
MIRRORED: dict[type, type] = {
    ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq,
}  # fmt: skip


class Comparing(Transformer):
    """Writes the comparisons in a tree as the statements of the user's do that they are of."""

    def __init__(self) -> None:
        #: Those of the statement at hand.
        self.theirs: list[ast.Compare] = []

    def visit(self, node: ast.AST) -> Any:
        key = position(node) if isinstance(node, ast.stmt) else said(node, "of")
        user = remarks(key[0]).found.get(key) if key is not None else None
        if user is None:
            return super().visit(node)
        before, self.theirs = self.theirs, compared(user.node)
        try:
            return super().visit(node)
        finally:
            self.theirs = before

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        return self.turned(node) if self.theirs and len(node.ops) == 1 else node

    def turned(self, node: ast.Compare) -> ast.Compare:
        """A comparison, the other way round if that is how the user has it."""
        kind = MIRRORED.get(type(node.ops[0]))
        mine = unparsed(node.left), type(node.ops[0]), unparsed(node.comparators[0])
        found = [link for each in self.theirs for link in links(each)]
        if kind is None or mine in found or (mine[2], kind, mine[0]) not in found:
            return node
        turned: ast.Compare = marked(ast.Compare(node.comparators[0], [kind()], [node.left]), node)
        return turned

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.And) or not any(len(each.ops) > 1 for each in self.theirs):
            return node
        values: list[ast.expr] = []
        for value in node.values:
            joined = self.joined(values[-1], value) if values else None
            values[-1:] = [joined] if joined is not None else [*values[-1:], value]
        made: ast.expr = marked(values[0] if len(values) == 1 else ast.BoolOp(node.op, values), node)
        return made

    def joined(self, first: ast.expr, second: ast.expr) -> ast.Compare | None:
        """Two comparisons as one, if the user has these one behind the other and what both look at is a name:
        it is read once then.
        """
        match first, second:
            case ast.Compare(_, _, [*_, ast.Name(name)]), ast.Compare(ast.Name(again)) if name == again:
                operands = [*first.comparators, *second.comparators]
                made = ast.Compare(first.left, [*first.ops, *second.ops], operands)
                return made if any(is_part(made, each) for each in self.theirs) else None
        return None


def compared(node: ast.stmt) -> list[ast.Compare]:
    """The comparisons in a statement of the user's, of which those of a block are none."""
    parts = [part for name in ("test", "iter") if (part := getattr(node, name, None)) is not None]
    return [each for part in parts or [node] for each in walked(part) if isinstance(each, ast.Compare)]


def links(node: ast.Compare) -> list[tuple[str, type, str]]:
    """Which operands a comparison compares how, one with the next."""
    sides = [*map(unparsed, [node.left, *node.comparators])]
    return [*zip(sides, map(type, node.ops), sides[1:])]


def is_part(made: ast.Compare, theirs: ast.Compare) -> bool:
    """Whether a comparison of several is one of the user's, or its beginning. What stands between others may
    have a name.
    """
    mine, own = [made.left, *made.comparators], [theirs.left, *theirs.comparators]
    alike = (unparsed(a) == unparsed(b) or isinstance(a, ast.Name) for a, b in zip(mine, own))
    return all(alike) and [*map(type, made.ops)] == [*map(type, theirs.ops[: len(made.ops)])]
