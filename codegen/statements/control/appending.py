"""Appending: to which lists a loop of Python's appends, and what.

A turn collects arrays, one of each kind. Where it appends containers of them, `outs.append((w, b))`, and
nobody wants those of one kind by themselves, the text does so too.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ....backends.unions import is_number
from ....ir.graphs.graph import Node
from ....ir.graphs.regions import ends, for_loop, forms_of, graphs, loop, results
from ....ir.values.listing import Listed
from ....ir.values.tree import children, leaves, map_leaves
from ...plan.containers import part
from ...text.walking import walked
from .strong import handed, number

if TYPE_CHECKING:
    from ..emitter import Emitter


def appended(node: Node) -> list[Any]:
    """What a turn of a loop appends to each list: the number of a result, or a container of such."""
    left = [*range(len(loop(node).state), len(node.spec))]
    asked = {number: {repr(form): form for form in wanted(node, number)} for number in left}
    made: list[Any] = []
    while left:
        number = left[0]
        (form,) = asked[number].values() if len(asked[number]) == 1 else (number,)
        inside = {*leaves(form)}
        if not inside <= {*left} or any(asked[each].keys() != {repr(form)} for each in inside):
            form, inside = number, {number}
        made.append(form)
        left = [each for each in left if each not in inside]
    return made


def wanted(node: Node, number: int) -> Iterator[Any]:
    """In which containers with others those want a result of a loop who read it."""
    for each in node.users:
        if part(each) and each.args[1] == number:
            for user in each.users:
                yield from wanted_by(user, each)


def wanted_by(user: Node, value: Node) -> Iterator[Any]:
    if user.target is getattr and user.args[1] == "shape":
        yield from () if all(asks.args[1:] == (0,) for asks in user.users) else (value.args[1],)
    elif isinstance(user.target, Listed):
        yield from (numbered(item, user.args, value) for item in user.target.items)
    elif user.target is for_loop and value in (parts := loop(user)).sources and value not in parts.operands:
        for form in forms_of(user):
            if value in [parts.sources[number] for number in leaves(form) if number is not None]:
                yield numbered(form, parts.sources, value)
    else:
        yield value.args[1]


def numbered(form: Any, values: Any, value: Any) -> Any:
    """A form of values that are results of one loop, with the numbers of these; that of `value` alone, where
    they are not.
    """
    held = [values[number] if number is not None else None for number in leaves(form)]
    if any(
        not isinstance(each, Node) or not part(each) or each.args[0] is not value.args[0] for each in held
    ):
        return value.args[1]
    return map_leaves(form, lambda number: values[number].args[1])


def appends(emitter: Emitter, lists: Sequence[tuple[str, Any]], values: Sequence[Any]) -> list[ast.stmt]:
    """The statements by which a turn appends to lists; `values`: what it hands on."""
    made: list[ast.stmt] = []
    for name, form in lists:
        append = ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())
        item = display(form, lambda place: said(emitter, values[place]), emitter.writer.literal)
        made.append(ast.Expr(ast.Call(append, [item], [])))
    return made


def said(emitter: Emitter, value: Any) -> ast.expr:
    """What is appended, a number of Python's as itself."""
    if isinstance(value, Node) and is_number(value) and value not in emitter.known:
        if (found := number(value)) is not None:
            return emitter.tree(found)
    return handed(emitter, value)


def of_numbers(node: Node, index: int) -> bool:
    """Whether what a loop collects so are numbers of Python's."""
    found = [*results(node, index)]
    return bool(found) and all(
        isinstance(value, Node) and is_number(value) and number(value) is not None for value in found
    )


def behind(emitter: Emitter, values: Sequence[Any]) -> list[ast.stmt]:
    """Those by which it appends before it leaves the loop, if it hands on more than the state."""
    return appends(emitter, emitter.appending, values) if len(values) > len(emitter.loop) else []


def leaves_behind(node: Node) -> bool:
    """Whether a way of a cond leaves the loop around, where the turn has appended before."""
    return any(end.meta.get("appended") for graph in graphs(node) for end in ends(graph, inside=True))


def before_leaving(body: Sequence[ast.stmt]) -> int:
    """Where in a turn its appending stands: before it may leave behind that, or else at its end."""
    found = (i for i, each in enumerate(body) if getattr(each, "leaves_behind", False))
    return next(found, len(body))


def into_branches(body: list[ast.stmt]) -> list[ast.stmt]:
    """A turn in which what every way of an `if` makes, to be appended behind it, is appended there."""
    names = Counter(part.id for each in body for part in walked(each) if isinstance(part, ast.Name))
    for each in [*body]:
        match each:
            case ast.Expr(ast.Call(ast.Attribute(_, "append") as append, [ast.Name(name)])):
                earlier = body[: body.index(each)]
                while earlier and is_append(earlier[-1]):
                    earlier.pop()
                made = [*made_last(earlier[-1], name)] if earlier else []
                if made and all(made) and names[name] == len(made) + 1:
                    for block in made:
                        moved = ast.Expr(ast.Call(append, [block[-1].value], []))
                        noted = {k: v for k, v in vars(block[-1]).items() if k not in ast.Assign._fields}
                        moved.__dict__.update(noted)
                        block[-1] = moved
                    body.remove(each)
    return body


def is_append(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(_, "append"))):
            return True
    return False


def made_last(statement: ast.stmt, name: str) -> Iterator[list[Any]]:
    """The blocks of an `if` that end by making a value of this name; an empty one for one that does not."""
    if not isinstance(statement, ast.If):
        yield []
        return
    for block in (statement.body, statement.orelse):
        match block[-1:]:
            case [ast.Assign([ast.Name(made)])] if made == name:
                yield block
            case [ast.If() as inner]:
                yield from made_last(inner, name)
            case _:
                yield []


def display(form: Any, say: Callable[[int], ast.expr], literal: Callable[[Any], ast.expr]) -> ast.expr:
    """A container, in which `say` says what numbers stand for."""
    if (items := children(form)) is None:
        return say(form)
    said = [display(item, say, literal) for _, item in items]
    if type(form) is dict:
        return ast.Dict([literal(key) for key in form], said)
    return ast.List(said, ast.Load()) if type(form) is list else ast.Tuple(said, ast.Load())
