"""A `try` as a choice: `if` its body fails, its handler, `else` itself. Who runs it may then record both.

    try:                                  if <fails>:
        x = solve(a, b)                       x = guess(a, b)
    except LinAlgError:         =>        else:
        x = guess(a, b)                       try: ... as before

Law: only where nobody can tell how far the body got. Its last call binds what others see; what is bound
before is written in the body alone.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Mapping, Sequence

from . import names
from .template import Template
from .walk import THUNK, Walk

FAILS = Template("HOOKS.fails(TYPES, PLACE)")


class Fails(ast.expr):
    """Whether the body of a `try` fails: the test of an `if` that nobody wrote.

    Attributes:
        types: what the handler names; none: everything.
    """

    _fields = ("types",)

    def __init__(self, types: Sequence[ast.expr] = (), **place: int) -> None:
        super().__init__(**place)
        self.types = list(types)


def choice(node: ast.Try, whole: Mapping[str, int]) -> ast.stmt:
    """The statement as such an `if`, or as it is. `whole`: the `uses` of the function."""
    if len(node.handlers) != 1 or node.orelse or node.finalbody or not _is_simple(node, whole):
        return node
    (handler,) = node.handlers
    test = ast.copy_location(Fails([] if handler.type is None else [handler.type]), node)
    return ast.copy_location(ast.If(test, copy.deepcopy(handler.body), [node]), node)


def fails(node: Fails, walk: Walk) -> ast.expr:
    if not walk.defers(*node.types):
        return ast.copy_location(ast.Constant(False), node)
    types = [THUNK(each, VALUE=each) for each in node.types]
    return FAILS(node, TYPES=types[0] if types else None, PLACE=place(node))


def place(node: ast.expr | ast.stmt) -> str:
    """Where in its file a `try` stands."""
    return f"{node.lineno}:{node.col_offset}"


def uses(node: ast.AST) -> Counter[str]:
    """How often each name is written in a piece of code, whatever is done to it."""
    found: Counter[str] = Counter()
    for inner in ast.walk(node):
        for value in (getattr(inner, field, None) for field in ("id", "arg", "name", "rest", "names")):
            if isinstance(value, str):
                found[value] += 1
            elif isinstance(value, list):
                found.update(name for name in value if isinstance(name, str))
    return found


def _is_simple(node: ast.Try, whole: Mapping[str, int]) -> bool:
    """Whether what others see of the body is what its last call binds."""
    handler = node.handlers[0]
    held = [inner for statement in handler.body for inner in ast.walk(statement)]
    raised_again = any(isinstance(inner, ast.Raise) and inner.exc is None for inner in held)
    if raised_again or handler.name is not None and uses(ast.Module(handler.body, []))[handler.name]:
        return False
    calls = [statement for statement in node.body if not _is_safe(statement)]
    last = node.body.index(calls[-1]) if calls else 0
    if not all(isinstance(each, ast.Assign | ast.Expr | ast.Return) for each in calls):
        return False
    found = names.Names(*node.body)
    if found.pauses or found.walruses or found.escapes:
        return False
    return _is_private(node.body[:last], node.body, whole)


def _is_safe(node: ast.stmt) -> bool:
    """Whether a statement cannot raise: it leaves, or hands on a name or a constant."""
    match node:
        case ast.Break() | ast.Continue() | ast.Pass() | ast.Return(value=None | ast.Name() | ast.Constant()):
            return True
        case ast.Assign(value=ast.Name() | ast.Constant()):
            return all(isinstance(target, ast.Name) for target in node.targets)
    return False


def _is_private(before: Sequence[ast.stmt], body: Sequence[ast.stmt], whole: Mapping[str, int]) -> bool:
    """Whether what these statements do is seen in the body alone."""
    here = uses(ast.Module(list(body), []))
    for statement in before:
        if isinstance(statement, ast.Expr):
            continue
        if not isinstance(statement, ast.Assign):
            return False
        targets = [inner for target in statement.targets for inner in _targets(target)]
        if not all(isinstance(each, ast.Name) and here[each.id] == whole[each.id] for each in targets):
            return False
    return True


def _targets(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.Tuple | ast.List):
        return [inner for each in node.elts for inner in _targets(each)]
    return [node.value if isinstance(node, ast.Starred) else node]
