"""Unpacking: `a, b = x` and `a = x.values`, where x is an array, or Python's and has arrays in it."""

from __future__ import annotations

import itertools
import operator
import sys
import types
from collections.abc import Iterator, Sequence
from typing import Any

from ...ir.graphs.graph import Node
from ..place import BETWEEN, here, is_ours, users
from ..proxy import is_array_proxy, is_proxy
from ..tracer import Tracer


def unpacked(tracer: Tracer, value: Any, count: int, star: int | None) -> Any:
    """What Python unpacks into `count` targets, the one at `star` being starred."""
    if is_array_proxy(value):
        return rows(tracer, value, count, star)
    if star is None and isinstance(value, (types.GeneratorType, map)):
        value = [*itertools.islice(value, count + 1)]  # so many does Python ask for
    if star is None and type(value) in (list, tuple) and len(value) == count:
        name(value)
    return value


def name(values: Sequence[Any]) -> None:
    """Let arrays that this very statement has made have its names: `q, k = (f(a) for a in (x, y))`.
    Those that it does not make, and those that it says one by one, have their names.
    """
    place = here()
    statement = place.statement if place is not None else None
    if statement is None or not statement.unpacks or len(statement.targets) != len(values):
        return
    for target, value in zip(statement.targets, values):
        made = value.node if is_array_proxy(value) and target.strip("_") else None  # `_` is no name
        if made is None or made.place is None or made.names is not None or made.place.names:
            continue
        if made.place.statement is not None and made.place.statement.key == statement.key:
            made.names = (target,)


def taken(value: Any) -> Any:
    """One of several results of a call, named by the statement that takes it out: `i = x.max(0).indices`."""
    if is_array_proxy(value) and is_result(node := value.node) and node.names is None:
        place = here()
        node.names = (place.names if place is not None else ()) or None
    return value


def chosen(value: Any) -> Any:
    """What Python chose of two while tracing, named by the statement that binds it if that has made it:
    `scores = scores * scale if scale else scores`.
    """
    made = value.node if is_array_proxy(value) else None
    if made is not None and made.place is not None and made.names is None and not made.place.names:
        place = here()
        statement, own = place.statement if place is not None else None, made.place.statement
        if statement is not None and own is not None and own.key == statement.key:
            made.names = (place.names if place is not None else ()) or None
    return value


def returned(tracer: Tracer, result: Any) -> Any:
    """What a function gave that stands in its caller's graph, or a loop that was called, named by the
    statement that binds it, where it has no name: `norm = length(x)`.
    """
    place = here() if is_called_directly() else None
    statement = place.statement if place is not None else None
    if place is None or statement is None or statement.value != place.positions:
        return result
    names = statement.nested or statement.targets
    for name, value in paired(names, result if statement.nested or statement.unpacks else (result,)):
        made = unturned(value.node) if is_proxy(value) and name.strip("_") else None
        if made is None or made.op in ("placeholder", "get_attr") or made.graph is not tracer.graph:
            continue
        named = made.names is not None or made.place is not None and bool(made.place.names)
        if not named and (made.place is not None or is_result(made)):
            made.names = (name,)
    return result


def unturned(node: Node) -> Node:
    """What a loop has collected from its end on, where a node has that turned round."""
    turned = node.target is operator.getitem and node.args[1] == slice(None, None, -1)
    rows = node.args[0] if turned else None
    return rows if isinstance(rows, Node) and rows.place is None and is_result(rows) else node


def paired(names: Any, value: Any) -> Iterator[tuple[str, Any]]:
    """The names of a tree of them, each with the part of a value that it is bound to."""
    if isinstance(names, str):
        yield names, value
    elif type(value) in (list, tuple) and len(names) == len(value):
        for name, item in zip(names, value):
            yield from paired(name, item)


def is_called_directly() -> bool:
    """Whether the program itself called what we are at work for, and nothing that it called."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and is_ours(frame.f_code.co_filename):
        if frame.f_code in BETWEEN:
            return False
        frame = frame.f_back
    return frame is not None and users(frame.f_code)


def is_result(node: Node) -> bool:
    """Whether a node is one of the results of a call; what arguments hold is taken out likewise."""
    whole = node.args[0] if node.target is operator.getitem else None
    several = isinstance(whole, Node) and whole.op != "placeholder" and isinstance(whole.spec, tuple)
    return several and not {"path", "within"} & node.meta.keys()


def rows(tracer: Tracer, value: Any, count: int, star: int | None) -> Any:
    """The rows of an array that is unpacked."""
    shape = value.node.spec.shape
    if shape is None:
        raise tracer.error("unpacking an array of unknown length", "give example arguments with args=")
    if not shape:
        raise TypeError("iteration over a 0-d array")
    tracer.relative(value.node, 0, None)
    length = tracer.known(shape[0], "the array is unpacked here")
    if star is not None and length >= count - 1:
        return tuple(tracer.record(operator.getitem, (value, i)) for i in range(length))
    if length != count:
        problem = "not enough" if length < count else "too many"
        raise ValueError(f"{problem} values to unpack (expected {count})")
    made = tuple(tracer.record(operator.getitem, (value, i)) for i in range(count))
    for row, target in zip(made, targets_here(count)):
        row.node.meta["rows"] = count
        if target.strip("_"):
            row.node.names = (target,)
    return made


def targets_here(count: int) -> tuple[str, ...]:
    """The names that the statement at hand unpacks so many values into, unless that is done within it."""
    place = here()
    statement, found = (place.statement, place.positions) if place is not None else (None, None)
    if statement is None or found is None or (found[0], found[2]) != statement.key[1:]:
        return ()
    return statement.targets if statement.unpacks and len(statement.targets) == count else ()
