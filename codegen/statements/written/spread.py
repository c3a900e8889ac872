"""Spread: sizes that the user takes out of a shape together are said so, `x.reshape(*x.shape[:-1], 2)`."""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from ....ir.graphs.graph import Node
from ....ir.source.remarks import remarks
from ...text.walking import copied, walked
from .stated import bounds

if TYPE_CHECKING:
    from ..emitter import Emitter


def spread(emitter: Emitter, expr: ast.expr, node: Node) -> None:
    """Let what is printed for a node say sizes together."""
    if shape_of(node) is not None:
        expr.size = node  # type: ignore[attr-defined]
    elif any(shape_of(each) is not None for each in node.all_input_nodes):
        for part in walked(expr):
            match part:
                case ast.Call(args=several, keywords=keywords):
                    several[:] = [*joined(emitter, [whole(emitter, each) for each in several])]
                    for keyword in keywords:
                        keyword.value = whole(emitter, keyword.value)
                case ast.Tuple(several) | ast.List(several):
                    made = [*joined(emitter, several)]
                    several[:] = made if len(made) > 1 else several  # nobody writes `(*x.shape,)`


def whole(emitter: Emitter, several: ast.expr) -> ast.expr:
    """What an argument is of which all sizes are taken out of a shape together."""
    made = [*joined(emitter, several.elts)] if isinstance(several, ast.Tuple) else []
    return made[0].value if len(made) == 1 and isinstance(made[0], ast.Starred) else several


def joined(emitter: Emitter, several: Sequence[ast.expr]) -> Iterator[ast.expr]:
    """Expressions, those of sizes that are taken out of a shape together in one."""
    place = 0
    while place < len(several):
        taken = together([getattr(each, "size", None) for each in several[place:]])
        if taken is None:
            yield several[place]
            place += 1
            continue
        count, shape, part = taken
        whole = emitter.tree(shape)
        whole = whole if part is None else ast.Subscript(whole, copied(part), ast.Load())
        yield ast.Starred(whole, ast.Load())
        place += count


def together(values: Sequence[Any]) -> tuple[int, Node, ast.Slice | None] | None:
    """How many of the first values the user takes out of a shape together, the shape, and which part of it he
    says, if he does not take all. Those that he does not take, for an op of which the target has no word, are
    said together too.
    """
    shape = shape_of(values[0])
    if shape is None or not isinstance(shape.args[0], Node):
        return None
    rank = getattr(shape.args[0].spec, "rank", None)
    found = written(values[0])
    if rank is None:
        return None
    if values[0].stands_for is None:
        return in_a_row(values, shape, rank)
    if found is None:
        return None
    limits = bounds(found) if isinstance(found, ast.Slice) else slice(None)
    numbers = [*range(rank)[limits]] if limits is not None else []
    run = [value for value, _ in zip(values, numbers) if shape_of(value) is shape]
    same = len(run) == len(numbers) > 0 and [value.args[1] % rank for value in run] == numbers
    return (len(run), shape, found if isinstance(found, ast.Slice) else None) if same else None


def in_a_row(values: Sequence[Any], shape: Node, rank: int) -> tuple[int, Node, ast.Slice | None] | None:
    """The same of sizes that nobody wrote: `x.flatten(2)` keeps the first two, `x.shape[:2]`."""
    first = values[0].args[1] % rank
    run = [*takewhile(lambda pair: is_made(pair[1], shape, pair[0] % rank), enumerate(values, first))]
    start, end = (ast.Constant(place) for place in (first, first + len(run)))
    part = ast.Slice(start if first else None, end if first + len(run) < rank else None)
    return (len(run), shape, part if len(run) < rank else None) if len(run) > 1 else None


def is_made(value: Any, shape: Node, axis: int) -> bool:
    """Whether it is this size of a shape, and no expression of the user's."""
    found = shape_of(value)
    if found is None or found.args != shape.args or value.stands_for is not None:
        return False
    return bool(value.args[1] % shape.args[0].spec.rank == axis)


def shape_of(value: Any) -> Node | None:
    """The shape that a size is taken out of."""
    taken = isinstance(value, Node) and value.target is operator.getitem and type(value.args[1]) is int
    shape = value.args[0] if taken else None
    is_shape = isinstance(shape, Node) and shape.target is getattr and shape.args[1] == "shape"
    return shape if is_shape else None


def written(size: Node) -> ast.Slice | ast.Attribute | None:
    """The part of a shape that the user takes a size with, or the shape where it is all; None where he takes
    one size, or where a statement of his binds them.
    """
    source = size.stands_for
    place = source.place if source is not None else None
    statement = place.statement if place is not None else None
    user = remarks(statement.key[0]).found.get(statement.key) if statement is not None else None
    if user is None or place is None or statement is None:
        return None
    for part, mine in parts(user.node):
        if span(mine) == place.positions and span(part) != statement.value:
            if isinstance(part, ast.Subscript):
                return part.slice if isinstance(part.slice, ast.Slice) else None
            return mine
    return None


def parts(node: ast.AST) -> Iterator[tuple[ast.expr, ast.Attribute]]:
    """The attributes in some code, each with the item or the part that is taken out of it, or itself."""
    inner = set[int]()
    for part in walked(node):
        if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Attribute):
            inner.add(id(part.value))
            yield part, part.value
    attributes = (part for part in walked(node) if isinstance(part, ast.Attribute))
    yield from ((part, part) for part in attributes if id(part) not in inner)


def span(node: ast.expr) -> tuple[int, int | None, int, int | None]:
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset
