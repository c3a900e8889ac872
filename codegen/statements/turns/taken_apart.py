"""Taken apart: items that are taken of a whole, `w, _ = params[i]`."""

from __future__ import annotations

import ast
from collections import Counter

from ....ir.source.remarks import remarks
from ...text.unparsing import unparsed
from ...text.walking import walked
from .rolled import blocks


def take_apart(made: ast.FunctionDef) -> None:
    """Let what the user takes out of a whole by its place among names be taken so: not `w = params[i][0]`."""
    names_said = [node for node in walked(made) if isinstance(node, ast.Name)]
    if any(node.id == "_" and isinstance(node.ctx, ast.Load) for node in names_said):
        return
    said = Counter(node.id for node in names_said)
    for block in blocks(made.body):
        for statement in block:
            match statement:
                case ast.Assign([ast.Name(name)], ast.Subscript(whole, ast.Constant(int() as place))):
                    names = taken(statement, whole)
                    others = [each for n, each in enumerate(names) if n != place and each != "_"]
                    if names[place : place + 1] == [name] and not any(said[each] for each in others):
                        ends = [ast.Name(name if n == place else "_", ast.Store()) for n in range(len(names))]
                        statement.targets, statement.value = [ast.Tuple([*ends], ast.Store())], whole


def taken(statement: ast.Assign, whole: ast.expr) -> list[str]:
    """The names to which the user's statement gives all items of a whole."""
    key = getattr(statement, "of", None) or getattr(statement.value, "of", None)
    user = remarks(key[0]).found.get(key) if key is not None else None
    match user.node if user is not None else None:
        case ast.Assign([ast.Tuple(targets)], value) if unparsed(value) == unparsed(whole):
            names = [each.id for each in targets if isinstance(each, ast.Name)]
            return names if len(names) == len(targets) else []
    return []
