"""Containers that a function gives back are put together where the user does it, under the user's name.

    return params, {"loss": loss}           metrics = {"loss": loss}
                                            return params, metrics
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import Any

from ....ir.source.remarks import Remarked
from ...plan.names import legal
from ...text.walking import walked
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
    for user, place in pairs(theirs.value, last):
        before = assigned(own, user.id) if user.id not in bound and legal(user.id) == user.id else None
        if before is None:
            continue
        found, put = place
        given = ast.Assign([ast.Name(user.id, ast.Store())], found, lineno=0)
        given.of = before.key  # type: ignore[attr-defined]
        made.body.insert(len(made.body) - 1, given)
        put(ast.Name(user.id, ast.Load()))
        bound.add(user.id)


def pairs(user: ast.expr | None, last: ast.Return) -> Iterator[tuple[ast.Name, Any]]:
    """The names that the user gives back, each with the container that is printed for it, and what puts
    another expression in its place.
    """
    value: Any = last.value
    if isinstance(user, ast.Name) and isinstance(value, DISPLAYS) and says_much(value):
        yield user, (value, lambda name: setattr(last, "value", name))
    elif isinstance(user, ast.Tuple) and isinstance(value, ast.Tuple) and len(user.elts) == len(value.elts):
        for number, (name, part) in enumerate(zip(user.elts, value.elts)):
            if isinstance(name, ast.Name) and isinstance(part, DISPLAYS) and says_much(part):
                yield name, (part, lambda name, at=number: value.elts.__setitem__(at, name))


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
