"""Written for: which framework a function is written for, where nobody says it."""

from __future__ import annotations

import inspect
import types
from collections.abc import Mapping, Sequence
from typing import Any

from ..backends.backend import NAMES, framework_of, owner
from ..ir.errors import TraceError
from ..ir.values.tree import children
from ..ir.worklist import Worklist
from .own import attribute


def source_of(fn: Any, args: Sequence[Any] | None, kwargs: Mapping[str, Any] | None) -> str:
    """Which framework a function is written for: its arguments say, else what it calls, else its module
    imports only one.

    Raises:
        TraceError: where neither does, or they say several.
    """
    found = {f for v in [*(args or ()), *(kwargs or {}).values()] for f in frameworks(v)}
    if not found:
        found = mentioned(fn)
    if not found and len(only := imported(fn)) == 1:
        found = only
    if len(found) == 1:
        return found.pop()
    problem = (
        "does not say which framework it is written for"
        if not found
        else f"mixes {' and '.join(sorted(found))}"
    )
    first, *others = (f'"{name}"' for name in reversed(NAMES))
    hint = f"source={first}, or {' or '.join(others)}"
    raise TraceError(f"{attribute(fn, '__name__', fn)} {problem}", hint=hint)


def frameworks(value: Any) -> set[str]:
    own = framework_of(value)
    if own is not None:
        return {own}
    items = children(value)
    return {f for _, v in items for f in frameworks(v)} if items is not None else set()


def mentioned(fn: Any) -> set[str]:
    """The frameworks whose modules or functions the code names, or that of functions of its module which it
    names.
    """
    found: set[str] = set()
    functions = Worklist([unwrapped(fn)])
    for function in functions:
        code = attribute(function, "__code__")
        values = [function.__globals__.get(name) for name in code_names(code)] if code is not None else []
        found |= {framework.name for v in values if (framework := owner(home(v))) is not None}
        here = attribute(function, "__module__")
        functions.add(v for v in values if isinstance(v, types.FunctionType) and v.__module__ == here)
    return found


def imported(fn: Any) -> set[str]:
    """The frameworks that the module of a function imports by name."""
    found = attribute(unwrapped(fn), "__globals__", {}).values()
    owners = (owner(value.__name__) for value in found if isinstance(value, types.ModuleType))
    return {framework.name for framework in owners if framework is not None}


def unwrapped(fn: Any) -> Any:
    function = inspect.unwrap(fn) if callable(fn) else fn
    return attribute(function, "__func__", function)


def home(value: Any) -> str:
    """The name of a module, or of the one that a value is of."""
    return value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", "") or ""


def code_names(code: types.CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= code_names(constant)
    return names
