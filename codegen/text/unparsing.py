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
#: What joins tests, and how many of them stand without parentheses if they are comparisons.
JOINED: dict[type[ast.boolop], tuple[str, int]] = {ast.And: (" and ", 2), ast.Or: (" or ", 3)}
BETWEEN: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip


def unparsed(tree: Any) -> str:
    """What `ast.unparse` gives."""
    said = asserted(tree) if type(tree) is ast.Assert else tested(tree)
    return ast.unparse(tree) if said is None else said


def asserted(tree: ast.Assert) -> str | None:
    """An assert of what is simple."""
    test = tested(tree.test)
    if test is None or tree.msg is None:
        return test and f"assert {test}"
    message = in_short(tree.msg)
    return message and f"assert {test}, {message}"


def tested(tree: Any) -> str | None:
    """A test of what is simple, or that itself."""
    kind = type(tree)
    if kind is ast.Compare:
        return compared(tree)
    if kind is ast.BoolOp:
        joined, bare = JOINED[type(tree.op)]
        said = [compared(each) if type(each) is ast.Compare else in_short(each) for each in tree.values]
        if None in said:
            return None
        parts = [
            f"({part})" if place >= bare and type(each) is ast.Compare else str(part)
            for place, (each, part) in enumerate(zip(tree.values, said))
        ]
        return joined.join(parts)
    if kind is ast.UnaryOp and type(tree.op) is ast.Not:
        operand = in_short(tree.operand)
        return operand and f"not {operand}"
    return in_short(tree)


def compared(tree: ast.Compare) -> str | None:
    """A comparison of what is simple, or of two such added, multiplied and the like."""
    said = side(tree.left)
    for op, other in zip(tree.ops, map(side, tree.comparators)):
        said = None if said is None or other is None else f"{said} {SIGNS[type(op)]} {other}"
    return said


def side(tree: Any) -> str | None:
    """What is compared."""
    if type(tree) is not ast.BinOp or type(tree.op) not in BETWEEN:
        return in_short(tree)
    left, right = in_short(tree.left), in_short(tree.right)
    return None if left is None or right is None else f"{left} {BETWEEN[type(tree.op)]} {right}"


def in_short(tree: Any) -> str | None:
    """The same of what is simple; None of anything else."""
    kind = type(tree)
    if kind is ast.Name:
        return str(tree.id)
    if kind is ast.Constant:
        return repr(tree.value) if type(tree.value) in SHOWN and getattr(tree, "kind", None) is None else None
    if kind is ast.Attribute:
        root = None if type(tree.value) is ast.Constant else in_short(tree.value)
        return root and f"{root}.{tree.attr}"
    if kind is ast.Subscript:
        root, key = in_short(tree.value), None if type(tree.slice) is ast.Tuple else in_short(tree.slice)
        return root and key and f"{root}[{key}]"
    if kind is ast.Call:
        root = in_short(tree.func)
        given = [*map(in_short, tree.args)]
        for each in tree.keywords:
            value = in_short(each.value) if each.arg is not None else None
            given.append(value and f"{each.arg}={value}")
        return None if root is None or None in given else f"{root}({', '.join(map(str, given))})"
    if kind is ast.Tuple and len(tree.elts) > 1:
        parts = [*map(in_short, tree.elts)]
        return None if None in parts else f"({', '.join(map(str, parts))})"
    return None
