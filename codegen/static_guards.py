"""Checks of arguments that keep the example's value: flags, strings, members of an Enum, dtypes.

What cannot be compared with anything that the target has, such as a function or an object of the user's,
stays a parameter that is not looked at: the text is the program for the one of the example.
"""

from __future__ import annotations

import ast
import enum
import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..ir.dtypes import PYTHON, DType
from ..ir.dtypes import dtype as dtype_of
from .assertions import Check, equal
from .guards import Fact, check, parsed

Literal = Callable[[Any], ast.expr]


def static_checks(static: Mapping[str, Any], literal: Literal) -> Iterator[Check]:
    """The checks of what a function's arguments are, by path."""
    for path, value in static.items():
        if isinstance(value, enum.Enum):
            yield named(path, value)
        elif writable(value):
            yield check(Fact(path, value), literal)
        elif (dtype := dtype_in(value)) is not None:
            test = equal([parsed(path), literal(dtype)])
            yield Check(test, (parsed(path),), f"with {path}={dtype}, not ")


def named(path: str, value: enum.Enum) -> Check:
    """A member of an Enum by its name, which may be given instead of it."""
    name = ast.Call(
        ast.Name("getattr", ast.Load()), [parsed(path), ast.Constant("name"), parsed(path)], []
    )
    return Check(equal([name, ast.Constant(value.name)]), (parsed(path),), f"with {path}={value.name}, not ")


def default(parameter: inspect.Parameter, literal: Literal) -> ast.expr | None:
    """The default of a parameter, None where it has none. One that cannot be written is None."""
    value = parameter.default
    if value is parameter.empty:
        return None
    if isinstance(value, enum.Enum):
        return ast.Constant(value.name)
    if writable(value):
        return literal(value)
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


def writable(value: Any) -> bool:
    """Whether a kept argument can be compared with a literal."""
    if isinstance(value, enum.Enum):
        return False
    if isinstance(value, (tuple, list)):
        return all(map(writable, value))
    if isinstance(value, dict):
        return all(map(writable, value.values()))
    return isinstance(value, (bool, int, float, complex, str, type(None)))
