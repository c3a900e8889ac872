"""Named turns: what the user calls the items that a loop takes out of lists by the number of its turn.

    for i in range(len(params)):
        w, b = params[i]
        x = x @ w + b           not x @ params[i][0] + params[i][1]

No turn changes what such a list holds, so that an item is the same wherever a turn reads it.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

from ....ir.source.remarks import Remarked, remarks
from ...plan.names import legal
from ...text.unparsing import unparsed
from ...text.walking import copied, walked
from .named_items import Naming, mentioned, stored
from .remarks import said


def name_turns(made: ast.FunctionDef, taken: Collection[str]) -> None:
    """Let the loops of a function say the items of lists by the user's names.

    Args:
        taken: names of the file's.
    """
    loops = [node for node in walked(made) if isinstance(node, ast.For)]
    for turned in loops:
        key = said(turned, "placed")
        user = remarks(key[0]).found.get(key) if key is not None else None
        if user is None or not isinstance(user.node, ast.For):
            continue
        for each in takewhile(lambda one: not may_go_on(one), user.blocks[0]):
            named = dict(named_by(each.node))
            others = [node for node in loops if turned not in walked(node) and node not in walked(turned)]
            if named and all(is_free(name, made, turned, others, taken) for name in named):
                put(turned, each, {by_place(value): name for name, value in named.items()})


def named_by(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """The names that a statement gives, each with what it is."""
    match node:
        case ast.Assign([ast.Name(name)], value):
            yield name, value
        case ast.Assign([ast.Tuple(names)], ast.Tuple(values)) if len(names) == len(values):
            for target, value in zip(names, values):
                if isinstance(target, ast.Name):
                    yield target.id, value
        case ast.Assign([ast.Tuple(names)], ast.Subscript() as value):
            for number, target in enumerate(names):
                if isinstance(target, ast.Name) and target.id != "_":
                    yield target.id, ast.Subscript(value, ast.Constant(number), ast.Load())


def may_go_on(user: Remarked) -> bool:
    return any(isinstance(node, ast.Continue) for node in walked(user.node))


def by_place(value: ast.expr) -> str:
    """What is taken out of something, by names and literals alone; "" of anything else."""
    inner = value
    while isinstance(inner, ast.Subscript) and isinstance(inner.slice, (ast.Name, ast.Constant)):
        inner = inner.value
    return unparsed(value) if inner is not value and isinstance(inner, ast.Name) else ""


def is_free(
    name: str, made: ast.FunctionDef, turned: ast.For, others: Sequence[ast.For], taken: Collection[str]
) -> bool:
    """Whether a function has nothing else of a name, but what other loops name so in each of their turns."""
    apart = {id(node) for loop in others if name in {*stored(loop.body)} for node in walked(loop)}
    mine = [node for node in walked(made) if id(node) not in apart]
    names = {*mentioned(turned)} | {n.id for n in mine if isinstance(n, ast.Name)}
    names |= {n.arg for n in mine if isinstance(n, ast.arg)}
    return name not in names and name not in taken and legal(name) == name and name != "_"


def put(turned: ast.For, user: Remarked, names: dict[str, str]) -> None:
    """Name some items before the first statement of a turn that reads one, and say them so from there on."""
    if "" in names or not turns_by(turned, names) or len({*names.values()}) != len(names):
        return
    naming = Naming(names, by_place)
    first = next((i for i, statement in enumerate(turned.body) if reads(statement, names)), None)
    if first is None or any(isinstance(s, ast.FunctionDef) for s in turned.body):
        return
    for statement in turned.body[first:]:
        naming.visit(statement)
    assert isinstance(user.node, ast.Assign)
    given = ast.Assign(copied(user.node.targets), copied(user.node.value), lineno=0)
    given.of = user.key  # type: ignore[attr-defined]
    turned.body.insert(first, given)


def turns_by(turned: ast.For, names: Collection[str]) -> bool:
    """Whether these are items by the number of the turn, and the same all through it: it neither binds one of
    the variables by which they are said, nor puts something into what they are taken out of.
    """
    numbers = {*mentioned(turned.target)}
    bound = {*stored(turned.body)}
    filled = [n for s in turned.body for n in parts(s) if not isinstance(n.ctx, ast.Load)]
    for path in names:
        variables = {*mentioned(ast.parse(path, mode="eval"))}
        if not variables & numbers or variables & bound:
            return False
        if any(variables & {*mentioned(node.value)} for node in filled):
            return False
    return True


def reads(statement: ast.stmt, names: Collection[str]) -> bool:
    return any(by_place(part) in names for part in parts(statement))


def parts(statement: ast.stmt) -> Iterator[ast.Subscript]:
    return (node for node in walked(statement) if isinstance(node, ast.Subscript))
