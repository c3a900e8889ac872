"""Containers that a function gives back are put together where the user does it, under the user's name.

    return params, {"loss": loss}           metrics = {"loss": loss}
                                            return params, metrics
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any

from ....ir.source.remarks import Remarked
from ...plan.names import legal
from ...text.walking import dumped, walked
from .annotations import parameters
from .remarks import returned

#: What is put together item by item.
DISPLAYS = (ast.Dict, ast.List, ast.Tuple, ast.ListComp, ast.DictComp)


def name_displays(made: ast.FunctionDef, own: Remarked | None, taken: Collection[str]) -> None:
    """Let the last line of a function say the containers in it by the user's names.

    Args:
        own: the definition that it was traced from.
        taken: names of the file's.
    """
    last = made.body[-1]
    ends = returned(own) if own is not None else None
    if ends is None or not isinstance(last, ast.Return) or last.value is None:
        return
    bound = {arg.arg for arg in parameters(made.args)}.union(taken)
    bound |= {node.id for node in walked(made) if isinstance(node, ast.Name)}
    theirs: Any = ends.node
    named: dict[str, Any] = {}
    for user, (found, put) in [*pairs(theirs.value, last.value, partial(setattr, last, "value"))]:
        if named.get(user.id) == dumped(found):  # which is one container in both places
            put(ast.Name(user.id, ast.Load()))
            continue
        before = assigned(own, user.id) if user.id not in bound and legal(user.id) == user.id else None
        if before is None:
            continue
        named[user.id] = dumped(found)
        given = ast.Assign([ast.Name(user.id, ast.Store())], found, lineno=0)
        given.of = before.key  # type: ignore[attr-defined]
        made.body.insert(len(made.body) - 1, given)
        put(ast.Name(user.id, ast.Load()))
        bound.add(user.id)


def pairs(user: Any, made: Any, put: Callable[[ast.expr], object]) -> Iterator[tuple[ast.Name, Any]]:
    """The names that the user gives back, each with the container that is printed for it, and what puts
    another expression in its place.
    """
    if isinstance(user, ast.Name) and isinstance(made, DISPLAYS) and says_much(made):
        yield user, (made, put)
        return
    if type(user) is not type(made) or not isinstance(user, ast.Tuple | ast.List | ast.Dict):
        return
    theirs, ours = (each.values if isinstance(each, ast.Dict) else each.elts for each in (user, made))
    if len(theirs) == len(ours) and not any(isinstance(each, ast.Starred) for each in theirs):
        for place, (one, other) in enumerate(zip(theirs, ours)):
            yield from pairs(one, other, partial(ours.__setitem__, place))


def says_much(display: Any) -> bool:
    """Whether there is something in it."""
    many = getattr(display, "elts", None) or getattr(display, "keys", None)
    return bool(many) or hasattr(display, "generators")


def assigned(own: Remarked | None, name: str) -> Remarked | None:
    """The first statement of a function that puts something together under this name."""
    for each in inside(own) if own is not None else ():
        node = each.node
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            targets = [node.target]
        if len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id == name:
            return each
    return None


def inside(own: Remarked) -> Iterator[Remarked]:
    """The statements of a function, and those in them, but for those of functions in it."""
    for each in (each for block in own.blocks for each in block):
        yield each
        if not each.is_function:
            yield from inside(each)
