"""Unpacked: what the user calls the parts of what control flow hands to a function of his, `h, c = carry`.

The function is given one value for all of them, so no statement outside says these names.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ....ir.values.tree import children, leaves
from ...objects.containers import named
from ...proxy import is_proxy, isinstance_scalar
from ...rewrite.source import begun


def state_names(function: Any, parameter: str, value: Any, asks: Any = None) -> dict[str, str]:
    """The names of the parts of a parameter, by those that they have where nobody unpacks it.

    Args:
        asks: another function of that, which may have a name where this has none.
    """
    found = parts(function, parameter, value)
    names = {name: called for name, called, _ in found}
    theirs = {name: called for name, called, _ in parts(asks, parameter, value)} if asks is not None else {}
    if found and {*names} == {*theirs}:
        names = {name: theirs[name] if called == name else called for name, called in names.items()}
        found = [(name, names[name], part) for name, _, part in found]
    if len({*names.values()}) < len(found):
        return {}
    for _, called, part in found:
        if is_proxy(part) and not isinstance_scalar(part):
            part.node.meta.setdefault("called", called)
    return names


def item_names(function: Any, parameter: str, value: Any) -> tuple[str, ...]:
    """The names of the arrays in a parameter, in order; none where some of them have none."""
    names = tuple(called for _, called, _ in parts(function, parameter, value))
    return names if len({*names}) == len(names) == len(list(leaves(value))) else ()


def call(values: Iterable[Any], names: Mapping[str, str]) -> None:
    """Let what has no variable of the user's be called as he calls the part."""
    for node in (v.node for v in values if is_proxy(v) and not isinstance_scalar(v)):
        if (name := node.meta.get("called")) in names:
            node.meta["called"] = names[name]


def parts(function: Any, parameter: str, value: Any) -> list[tuple[str, str, Any]]:
    """The names of the parts without and with the statement that unpacks the parameter, and the parts."""
    if is_proxy(value) or children(value) is None:
        return []
    target = unpacking(function, parameter)
    return [] if target is None else list(spelled(target, value, parameter))


def spelled(target: ast.expr, value: Any, name: str) -> Iterator[tuple[str, str, Any]]:
    """The parts of a value with the names that a target of an assignment gives them."""
    items = None if is_proxy(value) else children(value)
    match target:
        case ast.Tuple(elements) | ast.List(elements) if items is not None and len(items) == len(elements):
            for element, (key, item) in zip(elements, items):
                yield from spelled(element, item, named(name, key, value))
        case ast.Name(called):
            yield from renamed(value, name, called if called.strip("_") else name)  # `_` is no name


def renamed(value: Any, name: str, called: str) -> Iterator[tuple[str, str, Any]]:
    """What stands for a value, and for the parts of it."""
    items = None if is_proxy(value) else children(value)
    if items is None:
        yield name, called, value
    for key, item in items or ():
        yield from renamed(item, named(name, key, value), named(called, key, value))


def unpacking(function: Any, parameter: str) -> ast.expr | None:
    """The target of the statement by which a function unpacks a parameter."""
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    found = begun(code, function.__globals__) if isinstance(code, types.CodeType) else []
    node = found[0].node if len(found) == 1 else None
    for statement in node.body if isinstance(node, ast.FunctionDef) else ():
        match statement:
            case ast.Assign([ast.Tuple() | ast.List() as target], ast.Name(name)) if name == parameter:
                starred = any(isinstance(part, ast.Starred) for part in ast.walk(target))
                return None if starred else target
    return None
