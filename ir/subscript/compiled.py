"""create_subscript_p: a Subscript as a Python function, straight-line code over its shapes.

Law: what the function lets through, `match` lets through, with the same outputs and nothing assumed.
Whatever else it meets, a clash, a symbolic size that would have to be looked at, a form that is not worth
code, it leaves to `match`.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, Protocol, TypeAlias, overload

from ..sizes.dim import Dim, Shape, Sym
from .helpers import FUNCTIONS
from .judge import Constraint
from .report import Report
from .subscript import Subscript
from .writer import Writer

Checked: TypeAlias = tuple[tuple[Shape, ...], tuple[Report, ...], bool, tuple[Shape | None, ...]]


class Checker(Protocol):
    """What create_subscript_p compiles: (output shapes, reports, whether a rank is wrong, input shapes).

    What had to be assumed about symbolic sizes is appended to `constraints`.
    """

    subscript: Subscript

    def __call__(
        self,
        shapes: Sequence[Shape | None],
        constraints: list[Constraint] | None = None,
        /,
        **local_variables: Any,
    ) -> Checked: ...


Indices: TypeAlias = tuple[int | None, ...]
Flags: TypeAlias = tuple[bool, ...]


@overload
def create_subscript_p(
    text: str,
    *,
    macroexpand: bool = False,
    fixed: bool = False,
    return_body: Literal[False] = False,
    allow_symbol: bool = False,
    local_variables: Sequence[str] = (),
) -> tuple[Checker, Indices, Flags]: ...
@overload
def create_subscript_p(
    text: str,
    *,
    macroexpand: bool = False,
    fixed: bool = False,
    return_body: Literal[True],
    allow_symbol: bool = False,
    local_variables: Sequence[str] = (),
) -> tuple[str, Indices, Flags]: ...
def create_subscript_p(
    text: str,
    *,
    macroexpand: bool = False,
    fixed: bool = False,
    return_body: bool = False,
    allow_symbol: bool = False,
    local_variables: Sequence[str] = (),
) -> tuple[Checker | str, Indices, Flags]:
    """The checker of a Subscript, which input each output aliases, and which inputs begin with ~.

    Args:
        text: the Subscript.
        macroexpand: print the checker's source.
        fixed: ignore every ~.
        return_body: give the source instead of the function.
        allow_symbol: a symbol of an output that nothing determines stays a symbolic size.
        local_variables: the constructor's arguments, which become keyword parameters of the checker.

    Raises:
        SubscriptError: where the text is ill-formed.
    """
    subscript = Subscript(text).fixed() if fixed else Subscript(text)
    source = _source(subscript.text, allow_symbol, tuple(local_variables))
    if macroexpand:
        print(source)
    made = source if return_body else _compiled(subscript.text, allow_symbol, tuple(local_variables))
    return made, subscript.aliases, subscript.broadcastable


@lru_cache(maxsize=None)
def _source(text: str, allow_symbol: bool, local_variables: tuple[str, ...]) -> str:
    return Writer(Subscript(text).form, local_variables).source(text)


@lru_cache(maxsize=None)
def _compiled(text: str, allow_symbol: bool, local_variables: tuple[str, ...]) -> Checker:
    subscript = Subscript(text)
    source = _source(text, allow_symbol, local_variables)
    file = f"<subscript {text}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)

    def slow(
        shapes: Sequence[Shape | None], constraints: list[Constraint] | None, env: Mapping[str, Any]
    ) -> Checked:
        found = subscript.match(shapes, env, allow_symbol=allow_symbol)
        if constraints is not None:
            constraints += found.constraints
        return found.outputs, found.reports, found.rank_error, found.inputs

    scope: dict[str, Any] = {**FUNCTIONS, **RUNTIME, "_slow": slow}
    exec(compile(source, file, "exec"), scope)
    check: Checker = scope["check"]
    check.subscript = subscript
    return check


def axes(value: Any) -> Shape:
    """The sizes that a symbol stands for."""
    if type(value) is int and value >= 0:
        return (value,)
    sizes = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    for size in sizes:
        if type(size) is not Sym and (type(size) is not int or size < 0):
            raise TypeError(f"{size!r} is for match to look at")
    return sizes


def stretch(first: Dim, second: Dim) -> Dim:
    """The size that both broadcast to, where that is certain."""
    if first == second or second == 1:
        return first
    if first == 1:
        return second
    raise TypeError(f"{first} and {second} are for match to look at")


def broadcast(first: Shape, second: Shape) -> Shape:
    """The shape that both broadcast to, where that is certain."""
    if len(first) < len(second):
        first, second = second, first
    shift = len(first) - len(second)
    return first[:shift] + tuple(map(stretch, first[shift:], second))


def same(left: Any, right: Any) -> bool:
    """left == right, where that is certain."""
    if left == right:
        return True
    if type(left) is int and type(right) is int:
        return False
    raise TypeError(f"{left} and {right} are for match to look at")


#: What the source calls beside FUNCTIONS. Python's own min, max and abs are fast, and refuse symbolic sizes.
RUNTIME: dict[str, Callable[..., Any]] = {
    "_axes": axes, "_stretch": stretch, "_broadcast": broadcast, "_same": same,
    "min": min, "max": max, "abs": abs,
}  # fmt: skip
