"""Abreast: `a, b = x, y` stays one statement, where each of the values is written as one of its own."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from ...ir.graphs.graph import Node
from ..plan.called import is_item
from ..text.unparsing import unparsed
from ..text.walking import walked
from .written import augmenting

#: How long the statement may become.
LINE = 80


def item(made: ast.Assign, value: Any) -> ast.Assign:
    """Note on an assignment of a value whether the user has it as one of several in a statement, and whether
    it is a number.
    """
    augmenting.note(made, value)
    made.binds = value  # type: ignore[attr-defined]
    call = value.stands_for if isinstance(value, Node) else None
    found = call.place.statement if call is not None and call.place is not None else None
    single: Any = made.targets[0]
    if found is None or call is None or isinstance(single, ast.Tuple):
        return made
    if found.beside and single.id in call.place.names:
        made.beside, made.place = found.key, call.place.offset  # type: ignore[attr-defined]
    elif is_item(call) and single.id in (call.names or ()):
        made.beside, made.place = found.key, found.targets.index(single.id)  # type: ignore[attr-defined]
        made.rows = call.meta.get("rows")  # type: ignore[attr-defined]
    return made


def abreast(body: Iterable[ast.stmt]) -> list[ast.stmt]:
    """The statements, those in one that the user has in one."""
    made: list[ast.stmt] = []
    for key, group in itertools.groupby(body, beside):
        several: list[Any] = [*group]  # in the order in which they are needed, and in the user's
        ordered = sorted(several, key=lambda each: each.place) if key is not None else []
        if not fits(ordered):
            made += several
            continue
        single: Any = joined(ordered)
        if made and is_only_for(made[-1], single, len(several)):
            single.value = made.pop().value  # type: ignore[attr-defined]
        made.append(single)
    return made


def is_only_for(before: ast.stmt, unpacking: ast.Assign, rows: int) -> bool:
    """Whether a statement names an array for nothing but that this one unpacks it, and the user does not."""
    match before, unpacking.value:
        case ast.Assign([ast.Name(name)]), ast.Name(own) if name == own:
            array = getattr(before, "binds", None)
            alone = isinstance(array, Node) and array.uses == rows
            return alone and getattr(before, "of", None) == getattr(unpacking, "of", False)
    return False


def beside(statement: ast.stmt) -> Any:
    return getattr(statement, "beside", None)


def fits(several: Sequence[Any]) -> bool:
    """Whether assignments may be one: no value reads what one before it binds."""
    bound: set[str] = set()
    for each in several:
        if bound & {inner.id for inner in walked(each.value) if isinstance(inner, ast.Name)}:
            return False
        bound.add(each.targets[0].id)
    return len(bound) == len(several) > 1 and len(unparsed(joined(several))) <= LINE


def whole_of(several: Sequence[Any]) -> ast.expr | None:
    """The array whose rows these are, if they are all of them, in order."""
    arrays: dict[str, ast.expr] = {}
    for number, each in enumerate(several):
        match each.value:
            case ast.Subscript(array, ast.Constant(int() as place)):
                if place == number and getattr(each, "rows", None) == len(several):
                    arrays[unparsed(array)] = array
                    continue
        return None
    return next(iter(arrays.values())) if len(arrays) == 1 else None


def joined(several: Sequence[Any]) -> ast.stmt:
    names = ast.Tuple([each.targets[0] for each in several], ast.Store())
    made = ast.Assign([names], whole_of(several) or ast.Tuple([each.value for each in several], ast.Load()))
    ast.copy_location(made, several[0])
    for said in ("of", "trailing"):
        if (value := getattr(several[0], said, None)) is not None:
            setattr(made, said, value)
    return ast.fix_missing_locations(made)
