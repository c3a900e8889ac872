"""Begun: lists that are begun together, `inputs, outputs = [], []`, and items that are taken of a whole,
`w, _ = params[i]`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ....ir.source.remarks import Remarked, remarks
from ...text.unparsing import unparsed
from ...text.walking import walked
from ..abreast import joined
from ..constants.definitions import inside
from .rolled import blocks


def begin(made: ast.FunctionDef) -> None:
    """Let lists that a function begins stand in one statement where the user has them in one."""
    own: Remarked | None = getattr(made, "own", None)
    theirs = [names for each in inside(own) if (names := begun(each.node))] if own is not None else []
    for names in theirs:
        for block in blocks(made.body):
            places = [i for i, each in enumerate(block) if is_begun(each, names)]
            first = places[0] if places else 0
            if [*map(name_of, block[first : first + len(names)])] == names and len(places) == len(names):
                block[first : first + len(names)] = [joined(block[first : first + len(names)])]


def begun(statement: ast.stmt) -> list[str]:
    """The names that a statement of the user's gives to several empty lists."""
    match statement:
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if len(targets) == len(values):
            lists = all(isinstance(each, ast.List) and not each.elts for each in values)
            names = [each.id for each in targets if isinstance(each, ast.Name)]
            return names if lists and len(names) == len(targets) else []
    return []


def is_begun(statement: ast.stmt, names: Sequence[str]) -> bool:
    match statement:
        case ast.Assign([ast.Name(name)], ast.List([])):
            return name in names
    return False


def name_of(statement: Any) -> str:
    match statement:
        case ast.Assign([ast.Name(name)], ast.List([])):
            return name
    return ""


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
