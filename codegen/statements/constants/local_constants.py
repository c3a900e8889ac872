"""Local constants: numbers to which the user gives names in a function.

    eps = 1e-6
    b1, b2 = 0.9, 0.99

While tracing they are numbers. Such a statement stands where the user has it if a number in the function then
has its name for a word, see constants.py; else it is left out again.
"""

from __future__ import annotations

import ast
import cmath
from collections.abc import Callable, Collection, Iterator
from typing import Any

from ....ir.source.readings import Readings
from ....ir.source.remarks import Remarked
from ...plan.names import legal
from ..written.named_items import mentioned
from ..written.positions import position
from ..written.remarks import said
from .definitions import assigned
from .words import Scope


def put_constants(made: ast.FunctionDef, own: Remarked, readings: Readings, taken: Collection[str]) -> None:
    """Put the user's statements that name numbers among those of a function.

    Args:
        own: the definition that it was traced from.
        taken: names of the file's.
    """
    used = {*mentioned(made), *taken}
    known: dict[str, Any] = {}
    first = sum(getattr(made, "checks", (0, 0)))
    for user in own.blocks[0]:
        pairs = [*named(user)]
        scope = Scope(user, readings)
        numbers = {name: scope.value(value) for name, value in pairs}
        if not pairs or any(bool(n in used) for n in numbers):
            continue
        if any(number is None or not cmath.isfinite(number) for number in numbers.values()):
            continue
        if any(legal(name) != name or assigned(own, name) is not user for name in numbers):
            continue
        targets = [ast.Name(name, ast.Store()) for name in numbers]
        values = [written(numbers[name], value, user) for name, value in pairs]
        several = len(pairs) > 1
        statement: Any = ast.Assign(
            [ast.Tuple([*targets], ast.Store()) if several else targets[0]],
            ast.Tuple(values, ast.Load()) if several else values[0],
        )
        statement.of, statement.constant = user.key, True
        made.body.insert(place(made.body, first, user), statement)
        known |= numbers
    made.constants = known  # type: ignore[attr-defined]


def named(user: Remarked) -> Iterator[tuple[str, ast.expr]]:
    """The names that a statement gives to numbers, with what it says for these."""
    match user.node:
        case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), value=ast.expr() as value):
            yield name, value
        case ast.Assign([ast.Tuple(names)], ast.Tuple(values)) if len(names) == len(values):
            if all(isinstance(each, ast.Name) for each in names):
                yield from ((each.id, value) for each, value in zip(names, values))  # type: ignore[attr-defined]


def written(number: Any, value: ast.expr, user: Remarked) -> ast.expr:
    """A number that is spelled as the user does."""
    made: Any = ast.parse(repr(number), mode="eval").body
    for part in ast.walk(made):
        if isinstance(part, ast.Constant):
            span = value.lineno, value.end_lineno, value.col_offset, value.end_col_offset
            part.within = user.key, span  # type: ignore[attr-defined]
    return made  # type: ignore[no-any-return]


def place(body: list[ast.stmt], first: int, user: Remarked) -> int:
    """Where among statements one of the user's stands: before the first that is behind it in his text."""
    for number, statement in enumerate(body[first:], first):
        at = position(statement)
        if at is not None and at[0] == user.key[0] and at > user.key:
            return number
    return len(body) - 1 if isinstance(body[-1], ast.Return) else len(body)


def is_constant(statement: ast.stmt) -> bool:
    """Whether a statement names numbers of the user's."""
    return hasattr(statement, "constant")


def leave_unread(made: ast.FunctionDef, spell: Callable[[ast.stmt], Any]) -> None:
    """Leave out the statements that name numbers of which nobody reads one, with their comments above what
    follows, and let the others stand before who reads them.

    Args:
        spell: lets a statement say its numbers as the user does.
    """
    body: list[Any] = made.body
    for statement in reversed([*filter(is_constant, body)]):
        names = {node.id for node in ast.walk(statement.targets[0]) if isinstance(node, ast.Name)}
        at = next(i for i, each in enumerate(body) if each is statement)
        readers = [i for i, each in enumerate(body) if each is not statement and names & {*mentioned(each)}]
        if readers:
            spell(statement)
            body.insert(min(readers[0], at), body.pop(at))
        else:
            body.pop(at)
            below: Any = body[at]
            comments = (said(statement, "comment"), said(statement, "trailing"), said(below, "comment"))
            below.comment = "\n".join(filter(None, comments))
            below.paragraph = said(below, "paragraph") or said(statement, "paragraph")
