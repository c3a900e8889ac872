"""Collecting: what a loop of the user's puts into a list or dict of its own, put there turn by turn.

    return {"w": params["w"] - g, "b": ...}      out = {}
                                                 out["w"] = params["w"] - g
                                                 out["b"] = ...
                                                 return out
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ....ir.source.remarks import Key, Remarked
from ...text.unparsing import unparsed
from ...text.walking import walked
from ..written.named_items import mentioned, stored
from ..written.named_turns import named_by
from ..written.positions import position
from ..written.remarks import said
from .displays import Instead

#: Statements with others in them.
COMPOUND = (ast.For, ast.While, ast.If, ast.FunctionDef, ast.With, ast.Try)


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
            found = display(statement, each, type(begins[1]), turns)
            if found is not None and spread(block, statement, found, each, user, name, holds):
                first = next(place for place, other in enumerate(block) if holds(other))
                block.insert(first, beginning(name, *begins))
                break


def collect_variables(
    block: list[ast.stmt], user: Remarked, segments: Sequence[list[ast.stmt]], theirs: Mapping[str, str]
) -> list[list[ast.stmt]]:
    """The statements of each turn, with those by which variables are appended to lists: `acts.append(x)`.

    Args:
        block: the statements that are printed of the block in which the loop stands; it is changed.
        theirs: what the user calls variables.
    """
    found = [[*segment] for segment in segments]
    for each in user.blocks[0]:
        match each.node:
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "append"), [ast.Name(variable)], [])):
                begins = begun(user, name)
                known = any(name in mentioned(s) for s in block if not gives(s, name))
                if begins is None or known:
                    continue
                now, behind = variable, []
                items: list[str] = []
                for segment in found:
                    place = 0
                    for number, statement in enumerate(segment):
                        at = position(statement)
                        if at is not None and at < each.key:
                            place = number + 1
                            now = next((n for n in stored([statement]) if theirs.get(n) == variable), now)
                    items.append(now)
                    behind.append(place)
                    later = [n for s in segment[place:] for n in stored([s]) if theirs.get(n) == variable]
                    now = later[-1] if later else now
                if put_by_name(block, items, name):
                    for segment, place, item in zip(found, behind, items):
                        append = ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())
                        put: Any = ast.Expr(ast.Call(append, [ast.Name(item, ast.Load())], []))
                        put.of = each.key
                        segment.insert(place, put)
                    first = next(number for number, s in enumerate(block) if s is segments[0][0])
                    block.insert(first, beginning(name, *begins))
    return found


def put_by_name(block: list[ast.stmt], items: Sequence[str], name: str) -> bool:
    """Let a list of these variables be called by its name. Returns whether there is one."""
    for statement in block:
        for node in walked(statement) if not isinstance(statement, COMPOUND) else ():
            if isinstance(node, ast.List) and [unparsed(item) for item in node.elts] == [*items]:
                Instead(node, ast.Name(name, ast.Load())).visit(statement)
                return True
    return False


def collects(node: ast.stmt) -> str:
    """What a statement puts something into; "" for any other."""
    match node:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "append"), [_], [])):
            return name
        case ast.Assign([ast.Subscript(ast.Name(name))]):
            return name
    return ""


def begun(user: Remarked, name: str) -> tuple[Remarked, ast.expr] | None:
    """The statement before a loop, in the same block, by which a container is empty, and that container."""
    around = next((b for b in user.parent.blocks if user in b), []) if user.parent is not None else []
    for each in reversed(around[: around.index(user)] if around else ()):
        for bound, value in named_by(each.node):
            if bound == name and isinstance(value, (ast.List, ast.Dict)) and is_empty(value):
                return each, value
        if name in mentioned(each.node):
            return None
    return None


def beginning(name: str, user: Remarked, empty: ast.expr) -> ast.stmt:
    made: Any = ast.Assign([ast.Name(name, ast.Store())], empty, lineno=0)
    made.of = user.key
    return made  # type: ignore[no-any-return]


def is_empty(container: ast.List | ast.Dict) -> bool:
    return not (container.elts if isinstance(container, ast.List) else container.keys)


def gives(statement: ast.stmt, name: str) -> bool:
    """Whether a statement is `out = [...]`."""
    match statement:
        case ast.Assign([ast.Name(bound)], ast.List() | ast.Dict()):
            return bound == name
    return False


def display(statement: ast.stmt, each: Remarked, kind: type[Any], turns: int) -> Any:
    """The container in a statement that holds what is put in by one of the user's."""
    if isinstance(statement, COMPOUND):
        return None
    for node in walked(statement):
        if isinstance(node, kind):
            items: list[Any] = node.elts if isinstance(node, ast.List) else node.values
            marked = [key_of(item) for item in items]
            if len(items) == turns and any(marked) and all(key in (None, each.key) for key in marked):
                return node
    return None


def spread(
    block: list[ast.stmt],
    statement: ast.stmt,
    found: Any,
    user: Remarked,
    loop: Remarked,
    name: str,
    holds: Callable[[ast.stmt], bool],
) -> bool:
    """Put the items of a container into it one by one, each behind what it is made of. Returns whether that
    can be.
    """
    items = found.elts if isinstance(found, ast.List) else found.values
    turned = turned_round(loop, name)
    items = items[::-1] if turned is not None else items
    at = block.index(statement)
    behind = places(block[:at], items, holds, user.key)
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
    if turned is not None:
        reverse = ast.Attribute(ast.Name(name, ast.Load()), "reverse", ast.Load())
        last: Any = ast.Expr(ast.Call(reverse, [], []))
        last.of = turned.key
        block.insert(at, last)
    for place, put in [*zip(behind, added)][::-1]:
        block.insert(place, put)
    return True


def key_of(item: ast.expr) -> Key | None:
    """The statement of the user's that an expression is of."""
    return next((key for part in walked(item) if (key := said(part, "of")) is not None), None)


def turned_round(loop: Remarked, name: str) -> Remarked | None:
    """The statement behind a loop, in the same block, by which a list is turned round."""
    around = next((b for b in loop.parent.blocks if loop in b), []) if loop.parent is not None else []
    for each in around[around.index(loop) + 1 :] if around else ():
        if unparsed(each.node) == f"{name}.reverse()":
            return each
    return None


def places(
    before: list[ast.stmt], items: Sequence[ast.expr], holds: Callable[[ast.stmt], bool], key: Key
) -> list[int] | None:
    """Where expressions may stand that are read behind these statements: as soon as the loop that `holds` has
    made what they are made of, and in a turn where the user has them, by the key of his statement; None where
    what comes after that changes it.
    """
    found: list[int] = []
    least = next((place for place, statement in enumerate(before) if holds(statement)), len(before))
    for item in items:
        names = {*mentioned(item)}
        made = [i for i, other in enumerate(before) if holds(other) and names & {*bound(other)}]
        place = max([*found[-1:], *(i + 1 for i in made[-1:])], default=least)
        if any(names & {*bound(other)} for other in before[place:]):
            return None
        found.append(in_turn(before, place, holds, key) if place not in found else place)
    return found if found == sorted(found) else None


def in_turn(
    before: Sequence[ast.stmt], place: int, holds: Callable[[ast.stmt], bool], key: Key
) -> int:
    """The place in a turn where a statement of the user's stands: behind what of that turn stands before it.
    What is made behind it in a turn is read in the next.
    """
    last = position(before[place - 1]) if place and holds(before[place - 1]) else None
    if last is not None and last > key:
        last = None
    while place < len(before) and holds(before[place]):
        at = position(before[place])
        if at is None or at >= key or last is not None and at <= last:
            break
        place, last = place + 1, at
    return place


def bound(statement: ast.stmt) -> Iterator[str]:
    """What a statement binds, or changes a part of."""
    yield from stored([statement])
    for node in walked(statement):
        if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            yield from mentioned(node)


