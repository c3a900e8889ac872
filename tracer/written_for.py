"""Written for: which framework a function is written for, where nobody says it."""

from __future__ import annotations

import inspect
import types
from collections.abc import Mapping, Sequence
from typing import Any

from ..backends.backend import framework_of, owner
from ..ir.errors import TraceError
from ..ir.tree import children
from .own import attribute

ROOTS = {"numpy": ("np", "numpy"), "jax": ("jnp", "jax"), "torch": ("torch",)}


def source_of(fn: Any, args: Sequence[Any] | None, kwargs: Mapping[str, Any] | None) -> str:
    """Which framework a function is written for: its arguments say, else its globals.

    Raises:
        TraceError: where neither does, or they say several.
    """
    found = {f for v in [*(args or ()), *(kwargs or {}).values()] for f in frameworks(v)}
    if not found:
        found = set(mentioned(fn))
    if len(found) == 1:
        return found.pop()
    problem = (
        "does not say which framework it is written for"
        if not found
        else f"mixes {' and '.join(sorted(found))}"
    )
    raise TraceError(f"{attribute(fn, '__name__', fn)} {problem}", hint='source="torch", or "jax" or "numpy"')


def frameworks(value: Any) -> set[str]:
    own = framework_of(value)
    if own is not None:
        return {own}
    items = children(value)
    return {f for _, v in items for f in frameworks(v)} if items is not None else set()


def mentioned(fn: Any) -> set[str]:
    """The frameworks whose modules or functions the code names."""
    function = inspect.unwrap(fn) if callable(fn) else fn
    function = attribute(function, "__func__", function)
    code = attribute(function, "__code__")
    if code is None:
        return set()
    found = set()
    for name in code_names(code):
        value = function.__globals__.get(name)
        module = (
            value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", "") or ""
        )
        framework = owner(module)
        if framework is not None:
            found.add(framework.name)
    return found


def code_names(code: types.CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= code_names(constant)
    return names
