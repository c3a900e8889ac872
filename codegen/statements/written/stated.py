"""Stated: what statements say themselves of how many items there are, so that no check need.

    w, b = params[0]
    for (w, b), g in zip(params, grads):

Python refuses to unpack more items or less.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from ...checks.apart import checks_of, replace
from ...text.unparsing import unparsed
from ...text.walking import walked


def leave_stated(made: ast.FunctionDef) -> None:
    """Leave out the checks of what a function states anyhow, before it may end."""
    checks = checks_of(made)
    known = {id(check) for check in checks}
    body = [statement for statement in made.body if id(statement) not in known]
    counted = dict(counts(checks))
    surely = [*takewhile(lambda statement: not may_end(statement), body)]
    facts = {fact for statement in body[: len(surely) + 1] for fact in stated(statement, counted)}
    rebound = {name for statement in body for name in names_in(statement, bound=True)}
    replace(made, [check for check in checks if said(check) not in facts or rebound & about(check)])


def stated(statement: ast.stmt, counted: Mapping[str, int]) -> Iterator[str]:
    """What a statement says of containers when it is run."""
    match statement:
        case ast.Assign([target]) if hasattr(statement, "path"):  # as named_items.py has it
            yield from lengths(target, statement.path)
        case ast.Assign([target], value) if isinstance(value, ast.Name) or is_path(value):
            yield from lengths(target, unparsed(value))
        case ast.For(ast.Name(number), ast.Call(ast.Name("range"), [ast.Call(ast.Name("len"), [whole])])):
            yield from of_places(statement.body, number, unparsed(whole))
        case ast.For(target, iterated):
            yield from of_items(target, iterated, counted)
    given = statement.value if isinstance(statement, (ast.Assign, ast.Return)) else None
    for loop in given.generators[:1] if isinstance(given, ast.ListComp) else ():
        yield from of_items(loop.target, loop.iter, counted)


def of_items(target: ast.expr, iterated: ast.expr, counted: Mapping[str, int]) -> Iterator[str]:
    """What a loop says of the items that it goes through."""
    items = items_of(target)
    match iterated:
        case ast.Call(ast.Name("zip"), each) if len(each) == len(items):
            for item, one in zip(items, each):
                yield from of_items(item, one, counted)
        case ast.Call(ast.Name("enumerate"), [one]) if len(items) == 2:
            yield from of_items(items[1], one, counted)
        case ast.Call(ast.Name("reversed"), [one]):
            yield from of_items(target, one, counted)
        case ast.Subscript(whole, ast.Slice() as part) if isinstance(whole, ast.Name) or is_path(whole):
            path = unparsed(whole)
            places = bounds(part)
            for place in range(counted.get(path, 0))[places] if places is not None else ():
                yield from lengths(target, f"{path}[{place}]")
        case _ if isinstance(iterated, ast.Name) or is_path(iterated):
            path = unparsed(iterated)
            if items:
                yield normal(f"all(len(item) == {len(items)} for item in {path})")
            for place in range(counted.get(path, 0)):
                yield from lengths(target, f"{path}[{place}]")


def of_places(body: Sequence[ast.stmt], number: str, whole: str) -> Iterator[str]:
    """What a loop over the places in a list says of its items: `w, b = params[i]`."""
    for statement in takewhile(lambda one: isinstance(one, ast.Assign), body):
        match statement:
            case ast.Assign([ast.Tuple(items)], ast.Subscript(value, ast.Name(place))) if place == number:
                if unparsed(value) == whole and not any(isinstance(item, ast.Starred) for item in items):
                    yield normal(f"all(len(item) == {len(items)} for item in {whole})")


def is_path(value: ast.AST) -> bool:
    """Whether an expression is a part of a variable: `params["w"][0]`, `layer.weight`."""
    match value:
        case ast.Subscript(inner, ast.Constant(int() | str())) | ast.Attribute(inner):
            return isinstance(inner, ast.Name) or is_path(inner)
    return False


def lengths(target: ast.expr, path: str) -> Iterator[str]:
    """What a target states of a value, and of the items that it takes apart."""
    items = items_of(target)
    if items and not any(isinstance(item, ast.Starred) for item in items):
        yield normal(f"len({path}) == {len(items)}")
        for number, item in enumerate(items):
            yield from lengths(item, f"{path}[{number}]")


def counts(checks: Sequence[ast.stmt]) -> Iterator[tuple[str, int]]:
    """How many items containers have, as it is checked."""
    for check in checks:
        match check:
            case ast.Assert(
                ast.Compare(ast.Call(ast.Name("len"), [path]), [ast.Eq()], [ast.Constant(int() as count)])
            ):
                yield unparsed(path), count


def bounds(part: ast.Slice) -> slice | None:
    """A slice whose bounds are numbers."""
    try:
        given = (part.lower, part.upper, part.step)
        return slice(*(None if each is None else ast.literal_eval(each) for each in given))
    except ValueError:
        return None


def items_of(target: ast.expr) -> list[ast.expr]:
    return target.elts if isinstance(target, (ast.Tuple, ast.List)) else []


def may_end(statement: ast.stmt) -> bool:
    """Whether a function may end there."""
    return any(isinstance(node, (ast.Return, ast.Raise)) for node in walked(statement))


def names_in(code: ast.AST, *, bound: bool = False) -> set[str]:
    """The variables in some code, or those that it binds."""
    names = (node for node in walked(code) if isinstance(node, ast.Name))
    return {node.id for node in names if not (bound and isinstance(node.ctx, ast.Load))}


def about(check: ast.stmt) -> set[str]:
    """The variables of a function that a check is about."""
    return names_in(check) - {"len", "all", "item"}


def said(check: ast.stmt) -> str:
    return unparsed(check.test) if isinstance(check, ast.Assert) else ""


def normal(text: str) -> str:
    """An expression as `unparsed` writes it."""
    return unparsed(ast.parse(text, mode="eval").body)
