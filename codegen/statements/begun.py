"""Begun: lists that are begun together, `inputs, outputs = [], []`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from ...ir.remarks import Remarked
from .abreast import joined
from .definitions import inside
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
