"""Leaf names: what is made of each leaf of a tree stands in statements of its own, where the user gives the
tree a name and later statements would have it within their own expressions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...text.unparsing import unparsed
from ...text.walking import parts_of, walked
from ..written.named_items import mentioned, stored
from ..written.remarks import said
from .displays import Instead

SIMPLE = (ast.Assign, ast.AugAssign, ast.Return, ast.Expr)


def give(body: list[ast.stmt], key: Any, bound: Mapping[str, Sequence[ast.expr]], name: str) -> bool:
    """Let what a statement of the user's makes of each leaf have names. Returns whether that can be.

    Args:
        key: that of his statement. `bound`: the leaves, by the parameters of what makes the others.
        name: what he calls the tree.
    """
    found = [(place, node) for place, statement in enumerate(body) for node in within(statement, key)]
    leaves = [leaf_of(node, bound) for _, node in found]
    if not found or sorted(leaves) != [*range(len(next(iter(bound.values()))))]:
        return False
    first, last = found[0][0], found[-1][0]
    read = {each for _, node in found for each in mentioned(node)}
    names = [f"{name}_leaf_{leaf}" for leaf in range(len(leaves))]
    if not all(isinstance(statement, SIMPLE) for statement in body[first : last + 1]):
        return False
    if read & {*stored(body[first:last])} or {*names} & {n for s in body for n in mentioned(s)}:
        return False
    made: list[tuple[int, Any]] = []
    for leaf, (place, node) in zip(leaves, found):
        Instead(node, ast.Name(names[leaf], ast.Load())).visit(body[place])
        given: Any = ast.Assign([ast.Name(names[leaf], ast.Store())], node, lineno=0)
        given.of = key
        made.append((leaf, given))
    body[first:first] = [given for _, given in sorted(made, key=lambda pair: pair[0])]
    return True


def within(node: ast.AST, key: Any) -> Iterator[ast.expr]:
    """The outermost expressions in a statement that are of one of the user's."""
    for child in parts_of(node):
        if isinstance(child, ast.expr) and said(child, "of") == key:
            yield child
        elif not isinstance(child, (ast.Lambda, ast.FunctionDef)):
            yield from within(child, key)


def leaf_of(node: ast.expr, bound: Mapping[str, Sequence[ast.expr]]) -> int:
    """Which leaf an expression is about; -1 where it is about none, or several."""
    texts = {unparsed(part) for part in walked(node)}
    found = {i for leaves in bound.values() for i, leaf in enumerate(leaves) if unparsed(leaf) in texts}
    return found.pop() if len(found) == 1 else -1
