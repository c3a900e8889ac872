"""Checks of arguments that keep the example's value: flags, strings, members of an Enum, dtypes, slices.

What cannot be compared with anything that the target has stays a parameter of which only is checked that
there is one: the text is the program for that of the example. Of objects see objects.py.
"""

from __future__ import annotations

import ast
import enum
import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ...backends.backend import Backend
from ...ir.dtypes import PYTHON, DType
from ...ir.dtypes import dtype as dtype_of
from ...ir.graph import Graph
from .assertions import Check, equal
from .guards import Fact, about, of_fact, parsed, root
from .named import names_in, of_names

Literal = Callable[[Any], ast.expr]


def static_checks(graph: Graph, literal: Literal, target: Backend) -> Iterator[Check]:
    """The checks of what a function's arguments are, by path. None stands for a default that cannot be
    written.
    """
    defaults = {p.name: p.default for p in graph.meta.get("parameters", ())}
    unread, objects = graph.meta.get("unread", ()), set(map(about, graph.meta.get("held", {})))
    for path, value in graph.meta.get("static", {}).items():
        if root(path) in unread or path in objects:
            continue
        if isinstance(value, enum.Enum):
            yield named(path, value)
        elif writable(value):
            yield with_flags(of_fact(Fact(path, value), literal), path, value)
        elif (dtype := dtype_in(value)) is not None:
            test = equal([parsed(path), literal(dtype)])
            yield Check(test, (parsed(path),), f"with {path}={dtype}, not ")
        elif (text := spelled(value)) is not None:
            yield Check(equal([parsed(path), parsed(text)]), (parsed(path),), f"with {path}={text}, not ")
        elif defaults.get(path) is value:
            continue
        elif names := names_in(value, target):
            yield of_names(path, names)
        elif callable(value):
            test = ast.Call(ast.Name("callable", ast.Load()), [parsed(path)], [])
            yield Check(test, (parsed(path),), f"with something callable for {path}, not ")
        else:
            test = ast.Compare(parsed(path), [ast.IsNot()], [ast.Constant(None)])
            yield Check(test, (parsed(path),), f"with an object for {path}, not ")


def with_flags(found: Check, path: str, value: Any) -> Check:
    """The check of a container that has its flags be flags: 1 is no True, where it is computed with."""
    own = [ast.Call(ast.Name("type", ast.Load()), [parsed(flag)], []) for flag in flags(path, value)]
    if not own or isinstance(value, bool):
        return found
    kinds = [*own[1:], ast.Name("bool", ast.Load())]
    told = ast.Compare(own[0], [ast.Is() for _ in kinds], kinds)
    return replace(found, held=ast.BoolOp(ast.And(), [found.held, told]))


def flags(path: str, value: Any) -> Iterator[str]:
    """The flags in an argument, by path."""
    if isinstance(value, bool):
        yield path
    elif isinstance(value, (tuple, list, dict)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from flags(f"{path}[{key!r}]", item)


def named(path: str, value: enum.Enum) -> Check:
    """A member of an Enum by what may be given instead of it."""
    asked = "value" if isinstance(instead(value), int) else "name"
    found = ast.Call(ast.Name("getattr", ast.Load()), [parsed(path), ast.Constant(asked), parsed(path)], [])
    text = f"with {path}={instead(value)}, not "
    return Check(equal([found, ast.Constant(instead(value))]), (parsed(path),), text)


def instead(value: enum.Enum) -> Any:
    """What stands for a member of an Enum: its name; for flags none of which is set the number."""
    name: str | None = value.name
    return value.value if name is None else name


def default(parameter: inspect.Parameter, literal: Literal) -> ast.expr | None:
    """The default of a parameter, None where it has none. One that cannot be written is None."""
    value = parameter.default
    if value is parameter.empty:
        return None
    if isinstance(value, enum.Enum):
        return ast.Constant(instead(value))
    if writable(value):
        return literal(value)
    if (text := spelled(value)) is not None:
        return parsed(text)
    dtype = dtype_in(value)
    return ast.Constant(None) if dtype is None else literal(dtype)


def dtype_in(value: Any) -> DType | None:
    """The dtype that an object of a framework's stands for, None where it is none."""
    is_object = isinstance(value, type) or type(value).__name__.lower().endswith("dtype")
    if not is_object or isinstance(value, type) and value in PYTHON:
        return None
    try:
        return dtype_of(value)
    except TypeError:
        return None


def spelled(value: Any) -> str | None:
    """A slice, a range, a set of constants, `...` or a type such as float as Python says it, and what holds
    such; None for anything else.
    """
    if value is ...:
        return "..."
    if isinstance(value, type) and value in PYTHON:
        return value.__name__
    if type(value) in (tuple, list, dict):
        return nested(value)
    if type(value) is range:
        return repr(value)
    if type(value) is slice:
        parts = (value.start, value.stop, value.step)
        return repr(value) if all(type(part) in (int, type(None)) for part in parts) else None
    if type(value) in (set, frozenset) and value and all(map(writable, value)):
        items = "{" + ", ".join(sorted(map(repr, value))) + "}"
        return items if type(value) is set else f"frozenset({items})"
    return None


def nested(value: Any) -> str | None:
    """A container of constants and of what `spelled` knows."""
    items = value.values() if type(value) is dict else value
    texts = [spelled(item) or (repr(item) if writable(item) else None) for item in items]
    if not all(texts) or type(value) is dict and not all(map(writable, value)):
        return None
    if type(value) is dict:
        return "{" + ", ".join(f"{key!r}: {text}" for key, text in zip(value, texts)) + "}"
    inside = ", ".join(map(str, texts))
    return f"[{inside}]" if type(value) is list else f"({inside},)" if len(texts) == 1 else f"({inside})"


def writable(value: Any) -> bool:
    """Whether a kept argument can be compared with a literal."""
    if isinstance(value, enum.Enum):
        return False
    if isinstance(value, (tuple, list)):
        return all(map(writable, value))
    if isinstance(value, dict):
        return all(map(writable, value.values()))
    return isinstance(value, (bool, int, float, complex, str, type(None)))
