"""Sequences: strings, and tuples and lists of numbers and strings, that have names in a module of the user's.

    LUMA = (0.299, 0.587, 0.114)
    NO_DECAY = ("bias", "norm")

They are known by what they are: one that a program changes is not what is printed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ....ir.graphs.likeness import equal
from ...text.walking import walked
from .definitions import bound_to, definition, imported
from .tables import LARGEST, NUMBERS, has_literal
from .word import Constant, Told, Word
from .words import Scope


def sequences(scope: Scope, expression: ast.expr) -> Iterator[Word]:
    """The strings and sequences whose names are in an expression."""
    names = dict.fromkeys(part.id for part in walked(expression) if isinstance(part, ast.Name))
    for name in names:
        if scope.owner(name) is None and (word := of_module(scope, name, name)) is not None:
            yield word


def of_module(scope: Scope, name: str, called: str) -> Word | None:
    """What a module has under a name; `called` is what it is called where it is read."""
    value = scope.module.get(name)
    if not is_plain(value) or type(value) in NUMBERS or size(value) > LARGEST:
        return None
    statement = definition(scope.file, name)
    if statement is None:
        there = scope.elsewhere(name) if imported(scope.file, name) is not None else None
        found = of_module(there[0], there[1], called) if there is not None else None
        return found if found is not None and equal(found.number, value) else None
    inner = scope.within(statement, scope.file.file, name)
    spelled = Word(value, lambda to: said(inner, bound_to(name, statement.node), value, to))
    made = Constant(called, value, spelled, statement.trailing, None, statement.key)
    return Word(value, lambda to: to.named(made))


def is_plain(value: Any) -> bool:
    """Whether a value is a string, a number with a literal, or a tuple or list of such."""
    if type(value) in (tuple, list):
        return all(map(is_plain, value))
    return type(value) is str or type(value) in NUMBERS and has_literal(value)


def size(value: Any) -> int:
    return sum(map(size, value)) if type(value) in (tuple, list) else 1


def said(scope: Scope, expression: ast.expr | None, value: Any, to: Told) -> ast.expr | None:
    """A sequence as the user spells it; None where he does not say one item by one."""
    kinds = {ast.Tuple: tuple, ast.List: list}
    if isinstance(expression, ast.Tuple | ast.List) and kinds[type(expression)] is type(value):
        if len(expression.elts) == len(value):
            items = [said(scope, *each, to) for each in zip(expression.elts, value)]
            known = [item for item in items if item is not None]
            return type(expression)(known, ast.Load()) if len(known) == len(items) else None
        return None
    if type(value) is str:
        same = isinstance(expression, ast.Constant) and expression.value == value
        return ast.Constant(value) if same else None
    words = [word for word in scope.words(expression) if equal(word.number, value)] if expression else []
    return words[0].say(to) if words else None


def value_of(printed: ast.expr) -> Any:
    """What a printed literal says; None for what is none."""
    try:
        return ast.literal_eval(printed)
    except (ValueError, TypeError):
        return None
