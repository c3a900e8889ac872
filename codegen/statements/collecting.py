"""Collecting: what a loop of the user's puts into a list or dict of its own, put there turn by turn.

    return {"w": params["w"] - g, "b": ...}      out = {}
                                                 out["w"] = params["w"] - g
                                                 out["b"] = ...
                                                 return out
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...ir.remarks import Remarked
from .displays import Instead
from .named_items import mentioned, stored
from .remarks import said


def collect(block: list[ast.stmt], user: Remarked, turns: int, holds: Callable[[ast.stmt], bool]) -> None:
    """Put what a loop collects into what it collects it in as soon as it is known.

    Args:
        block: the statements that are printed of the block in which the loop stands.
        holds: whether one of these is of the loop.
    """
    for each in user.blocks[0]:
        name = collects(each.node)
        begins = begun(user, name) if name else None
        if begins is None or any(name in mentioned(s) for s in block if not gives(s, name)):
            continue
        for statement in [*block]:
            found = display(statement, each, type(begins.node.value), turns)  # type: ignore[attr-defined]
            if found is not None and spread(block, statement, found, each, name, holds):
                first = next(place for place, other in enumerate(block) if holds(other))
                empty = begins.node.value  # type: ignore[attr-defined]
                made: Any = ast.Assign([ast.Name(name, ast.Store())], empty, lineno=0)
                made.of = begins.key
                block.insert(first, made)
                break


def collects(node: ast.stmt) -> str:
    """What a statement puts something into; "" for any other."""
    match node:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "append"), [_], [])):
            return name
        case ast.Assign([ast.Subscript(ast.Name(name))]):
            return name
    return ""


def begun(user: Remarked, name: str) -> Remarked | None:
    """The statement before a loop, in the same block, by which a container is empty."""
    around = next((b for b in user.parent.blocks if user in b), []) if user.parent is not None else []
    for each in reversed(around[: around.index(user)] if around else ()):
        match each.node:
            case ast.Assign([ast.Name(bound)], ast.List([]) | ast.Dict([])) if bound == name:
                return each
        if name in mentioned(each.node):
            return None
    return None


def gives(statement: ast.stmt, name: str) -> bool:
    """Whether a statement is `out = [...]`."""
    match statement:
        case ast.Assign([ast.Name(bound)], ast.List() | ast.Dict()):
            return bound == name
    return False


def display(statement: ast.stmt, each: Remarked, kind: type[Any], turns: int) -> Any:
    """The container in a statement that holds what is put in by one of the user's."""
    if isinstance(statement, (ast.For, ast.While, ast.If, ast.FunctionDef, ast.With, ast.Try)):
        return None
    for node in ast.walk(statement):
        if isinstance(node, kind):
            items: list[Any] = node.elts if isinstance(node, ast.List) else node.values
            marked = [said(item, "of") for item in items]
            if len(items) == turns and any(marked) and all(key in (None, each.key) for key in marked):
                return node
    return None


def spread(
    block: list[ast.stmt],
    statement: ast.stmt,
    found: Any,
    user: Remarked,
    name: str,
    holds: Callable[[ast.stmt], bool],
) -> bool:
    """Put the items of a container into it one by one, each behind what it is made of. Returns whether that
    can be.
    """
    items = found.elts if isinstance(found, ast.List) else found.values
    at = block.index(statement)
    behind = places(block[:at], items, holds)
    if behind is None:
        return False
    added: list[Any] = []
    for number, item in enumerate(items):
        target = ast.Name(name, ast.Load())
        put: Any = ast.Expr(ast.Call(ast.Attribute(target, "append", ast.Load()), [item], []))
        if isinstance(found, ast.Dict):
            key: Any = found.keys[number]
            put = ast.Assign([ast.Subscript(target, key, ast.Store())], item, lineno=0)
        put.of, put.last = user.key, user.ends_block
        added.append(put)
    if gives(statement, name):
        del block[at]
    else:
        Instead(found, ast.Name(name, ast.Load())).visit(statement)
    for place, put in [*zip(behind, added)][::-1]:
        block.insert(place, put)
    return True


def places(
    before: list[ast.stmt], items: Sequence[ast.expr], holds: Callable[[ast.stmt], bool]
) -> list[int] | None:
    """Where expressions may stand that are read behind these statements, each as soon as the loop that
    `holds` has made what it is made of; None where what comes after that changes it.
    """
    found: list[int] = []
    for item in items:
        names = {*mentioned(item)}
        made = [i for i, other in enumerate(before) if holds(other) and names & {*bound(other)}]
        found.append(max([*found[-1:], *(i + 1 for i in made[-1:])], default=-1))
        if found[-1] > 0 and any(names & {*bound(other)} for other in before[found[-1] :]):
            return None
    behind = [place if place >= 0 else len(before) for place in found]
    return behind if behind == sorted(behind) else None


def bound(statement: ast.stmt) -> Iterator[str]:
    """What a statement binds, or changes a part of."""
    yield from stored([statement])
    for node in ast.walk(statement):
        if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            yield from mentioned(node)


