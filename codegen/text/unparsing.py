"""Unparsing: what is said in short, as `ast.unparse` says it and many times as fast: names, what is taken of
them, and calls of these. Parts of texts are told apart by what they say, at every step.
"""

from __future__ import annotations

import ast
from typing import Any

#: Constants that are written as Python shows them.
SHOWN = frozenset({int, str, bool, type(None)})
SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


def unparsed(tree: Any) -> str:
    """What `ast.unparse` gives."""
    said = compared(tree) if type(tree) is ast.Compare else in_short(tree)
    return ast.unparse(tree) if said is None else said


def compared(tree: ast.Compare) -> str | None:
    """A comparison of what is simple."""
    said = in_short(tree.left)
    for op, other in zip(tree.ops, map(in_short, tree.comparators)):
        said = None if said is None or other is None else f"{said} {SIGNS[type(op)]} {other}"
    return said


def in_short(tree: Any) -> str | None:
    """The same of what is simple; None of anything else."""
    kind = type(tree)
    if kind is ast.Name:
        return str(tree.id)
    if kind is ast.Constant:
        return repr(tree.value) if type(tree.value) in SHOWN and getattr(tree, "kind", None) is None else None
    if kind not in (ast.Attribute, ast.Subscript, ast.Call):
        return None
    of = tree.func if kind is ast.Call else tree.value
    root = None if type(of) is ast.Constant else in_short(of)
    if root is None or kind is ast.Attribute:
        return root and f"{root}.{tree.attr}"
    if kind is ast.Subscript:
        key = in_short(tree.slice)
        return key and f"{root}[{key}]"
    given = [in_short(each) for each in tree.args]
    return None if tree.keywords or None in given else f"{root}({', '.join(map(str, given))})"
