"""Handed: what a function that is called says of its arguments, as its caller says it.

A caller hands on arrays, and containers of them; the function names what is in one by a path: p['w'].
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from ..values.tree import children
from .graph import Node
from .leaves import behind, leaves
from .regions import Function


@lru_cache(maxsize=4096)
def steps(path: str) -> tuple[str, str, tuple[Any, ...]]:
    """The parameter that a path begins with, the rest of it, and the keys and attributes in that."""
    found: list[Any] = []
    expr = ast.parse(path, mode="eval").body
    while not isinstance(expr, ast.Name):
        assert isinstance(expr, (ast.Attribute, ast.Subscript))
        found.append(expr.attr if isinstance(expr, ast.Attribute) else ast.literal_eval(expr.slice))
        expr = expr.value
    return expr.id, path.removeprefix(expr.id), tuple(reversed(found))


def given(call: Node, path: str) -> Iterator[Node]:
    """What the caller hands on as what a function says this path for: one value, or the arrays of which it
    may be any.
    """
    assert isinstance(call.target, Function)
    name, rest, keys = steps(path)
    places = [str(placeholder.target).lstrip("*") for placeholder in call.target.graph.placeholders]
    value = call.args[places.index(name)]
    for number, key in enumerate(keys):
        if isinstance(value, Node):
            yield from in_container(value, "".join(ends(rest)[number:]))
            return
        value = dict(children(value) or ()).get(key)
    if isinstance(value, Node):
        yield value


@lru_cache(maxsize=4096)
def ends(rest: str) -> tuple[str, ...]:
    """The steps of a path, as they are written."""
    found: list[str] = []
    expr = ast.parse(f"x{rest}", mode="eval").body
    while not isinstance(expr, ast.Name):
        assert isinstance(expr, (ast.Attribute, ast.Subscript))
        found.append(ast.unparse(expr).removeprefix(ast.unparse(expr.value)))
        expr = expr.value
    return tuple(reversed(found))


def in_container(container: Node, rest: str) -> Iterable[Node]:
    """The arrays that a container of the caller's may hold there."""
    within = container.meta.get("within")
    leaf = leaves(container.graph).get(f"{within[:-1]}{rest}") if within is not None else None
    return [leaf] if leaf is not None else behind([container])
