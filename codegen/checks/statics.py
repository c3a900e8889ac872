"""Checks of arguments that keep the example's value: flags, strings, members of an Enum, dtypes, slices.

A default that no text can say is `...` in it, so that what is left out is told from all that may be given. Of
objects see objects.py.
"""

from __future__ import annotations

import ast
import builtins
import enum
import inspect
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ...backends.backend import Backend
from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Graph
from ...ir.values.dtypes import PYTHON, DType
from ...ir.values.dtypes import dtype as dtype_of
from ...ir.values.tree import plain_constant
from .assertions import Check, equal
from .guards import Fact, about, of_fact, parsed, root
from .named import counterparts, names_in, of_names

Literal = Callable[[Any], ast.expr]


def static_checks(graph: Graph, literal: Literal, target: Backend) -> Iterator[Check]:
    """The checks of what a function's arguments are, by path."""
    unread, held = graph.meta.get("unread", ()), graph.meta.get("held", {})
    objects = {path for path in graph.meta.get("static", {}) if any(is_about(text, path) for text in held)}
    for path, value in graph.meta.get("static", {}).items():
        if root(path) in unread or path in objects:
            continue
        yield or_absent(graph, path, of_value(path, value, literal, target), target)


def is_about(text: str, path: str) -> bool:
    """Whether an expression is about an argument, or about a part of one."""
    return about(text) == path if path.isidentifier() else path in text


def or_absent(graph: Graph, name: str, check: Check | None, target: Backend) -> Check:
    """A check of an argument. Its default passes it, where that is the example's and no text can say it.

    Raises:
        UnsupportedError: where nothing can be checked.
    """
    static = graph.meta.get("static", {})
    defaults = {p.name: p.default for p in graph.meta.get("parameters", ())}
    default = defaults.get(name, inspect.Parameter.empty)
    said = is_said(default) or bool(counterparts(default, target))
    if said or name not in static or default is not static[name]:
        if check is None:
            raise UnsupportedError(
                f"the argument {name}",
                why=f"no text can say what {static.get(name)!r} is: another could not be told from it",
                hint="bind it before: functools.partial(fn, ...)",
            )
        return check
    absent = ast.Compare(parsed(name), [ast.Is()], [ast.Constant(...)])
    if check is None:
        return Check(absent, (parsed(name),), f"with the default of {name}, not ")
    return replace(check, held=ast.BoolOp(ast.Or(), [absent, check.held]))


def of_value(path: str, value: Any, literal: Literal, target: Backend) -> Check | None:
    """The check that an expression is what it was; None where no text can say that."""
    if isinstance(value, enum.Enum):
        return named(path, value)
    if writable(value):
        return with_flags(of_fact(Fact(path, value), literal), path, value)
    if (dtype := dtype_in(value)) is not None:
        return Check(equal([parsed(path), literal(dtype)]), (parsed(path),), f"with {path}={dtype}, not ")
    if type(value) is range:  # one that is empty, or ends elsewhere behind the same items, is equal
        shown = parsed(f"repr({path})")
        return Check(equal([shown, ast.Constant(repr(value))]), (parsed(path),), f"with {path}={value}, not ")
    if (text := spelled(value)) is not None:
        return Check(equal([parsed(path), parsed(text)]), (parsed(path),), f"with {path}={text}, not ")
    names = names_in(value, target)
    return of_names(path, names) if names else None


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
            yield from flags(f"{path}[{plain_constant(key)!r}]", item)


def named(path: str, value: enum.Enum) -> Check:
    """A member of an Enum by what may be given instead of it."""
    asked = "value" if isinstance(instead(value), int) else "name"
    found = ast.Call(ast.Name("getattr", ast.Load()), [parsed(path), ast.Constant(asked), parsed(path)], [])
    classes = ast.Tuple([ast.Constant(type(value).__name__), ast.Constant(type(instead(value)).__name__)])
    own = ast.Compare(parsed(f"type({path}).__name__"), [ast.In()], [classes])
    held = ast.BoolOp(ast.And(), [equal([found, ast.Constant(instead(value))]), own])
    return Check(held, (parsed(path),), f"with {path}={instead(value)}, not ")


def instead(value: enum.Enum) -> Any:
    """What stands for a member of an Enum: its name; for flags none of which is set the number."""
    name: str | None = value.name
    return value.value if name is None else name


def default(parameter: inspect.Parameter, literal: Literal) -> ast.expr | None:
    """The default of a parameter, None where it has none. One that no text can say is `...`."""
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
    return ast.Constant(...) if dtype is None else literal(dtype)


def is_said(default: Any) -> bool:
    """Whether a text can say a default."""
    known = isinstance(default, enum.Enum) or writable(default) or dtype_in(default) is not None
    return known or spelled(default) is not None


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
    """A slice, a range, bytes, a set of constants, `...` or a class of Python's own as Python says it, and
    what holds such; None for anything else.
    """
    if value is ...:
        return "..."
    if isinstance(value, type):
        own = vars(builtins).get(value.__name__) is value
        return str(value.__name__) if own else None
    if type(value) in (tuple, list, dict):
        return nested(value)
    if type(value) in (range, bytes):
        return repr(value)
    if type(value) is slice:
        parts = (value.start, value.stop, value.step)
        return repr(value) if all(type(part) in (int, type(None)) for part in parts) else None
    if type(value) in (set, frozenset) and all(texts := [said(item) for item in value]):
        items = "{" + ", ".join(sorted(map(str, texts))) + "}" if texts else ""
        return (items or "set()") if type(value) is set else f"frozenset({items})"
    return None


def said(value: Any) -> str | None:
    """What is written as a literal or known by `spelled`."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    return repr(value) if writable(value) else spelled(value)


def nested(value: Any) -> str | None:
    """A container of constants and of what `spelled` knows."""
    texts = [said(item) for item in (value.values() if type(value) is dict else value)]
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
