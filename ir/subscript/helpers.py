"""The functions that expressions of a Subscript may call: on ints, symbolic sizes and tuples of them.

Law: a helper says what Python, NumPy or the slice protocol say, exactly; where it would have to look at a
symbolic size it asks `holds`, so that the look is recorded. How long slices are says sizes/sliced.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from ..sizes.dim import Dim, Shape, maximum, minimum
from ..sizes.sliced import ceildiv, slicelen

F = TypeVar("F", bound=Callable[..., Any])


def axes_of(axes: int | Sequence[int] | None, rank: int) -> tuple[int, ...]:
    """`axes` counted from the front; None means all of them.

    Raises:
        IndexError: where one is out of range. ValueError: where one is named twice.
    """
    if axes is None:
        return tuple(range(rank))
    numbers = tuple(axes) if isinstance(axes, (tuple, list)) else (axes,)
    if any(not isinstance(axis, int) or not -rank <= axis < rank for axis in numbers):
        raise IndexError(f"axes {numbers} of rank {rank}")
    front = tuple(axis % rank for axis in numbers)
    if len(set(front)) < len(front):
        raise ValueError(f"axes {numbers} name one axis twice")
    return front


def permute(s: Shape, p: Sequence[int]) -> Shape:
    """The sizes of `s` in the order `p`."""
    order = axes_of(tuple(p), len(s))
    if len(order) != len(s):
        raise ValueError(f"{tuple(p)} is no permutation of {len(s)} axes")
    return tuple(s[axis] for axis in order)


def drop(s: Shape, axes: int | Sequence[int] | None) -> Shape:
    """`s` without `axes`."""
    gone = axes_of(axes, len(s))
    return tuple(size for axis, size in enumerate(s) if axis not in gone)


def insert(s: Shape, axes: int | Sequence[int]) -> Shape:
    """`s` with new axes of size 1, at these places of the result."""
    numbers = tuple(axes) if isinstance(axes, (tuple, list)) else (axes,)
    new = axes_of(numbers, len(s) + len(numbers))
    old = iter(s)
    return tuple(1 if axis in new else next(old) for axis in range(len(s) + len(new)))


def put(s: Shape, axes: int | Sequence[int] | None, v: Dim | Shape) -> Shape:
    """`s` with `v` at `axes`: one size for all of them, or a tuple with one for each."""
    places = axes_of(axes, len(s))
    sizes = tuple(v) if isinstance(v, (tuple, list)) else (v,) * len(places)
    if len(sizes) != len(places):
        raise ValueError(f"{len(sizes)} sizes for {len(places)} axes")
    new = dict(zip(places, sizes))
    return tuple(new.get(axis, size) for axis, size in enumerate(s))


def _least(*dims: Any) -> Dim:
    return minimum(*(dims[0] if len(dims) == 1 else dims))


def _largest(*dims: Any) -> Dim:
    return maximum(*(dims[0] if len(dims) == 1 else dims))


def _absolute(dim: Dim) -> Dim:
    return maximum(dim, -dim)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": _least, "max": _largest, "sum": sum, "len": len, "prod": math.prod, "abs": _absolute,
    "ceildiv": ceildiv, "permute": permute, "drop": drop, "insert": insert, "put": put, "slicelen": slicelen,
}  # fmt: skip
BUILTIN = frozenset(FUNCTIONS)


@overload
def subscript_function(function: F) -> F: ...
@overload
def subscript_function(function: str) -> Callable[[F], F]: ...
def subscript_function(function: F | str) -> F | Callable[[F], F]:
    """Let Subscripts call a function of your own: `@subscript_function`, or with a name for it in brackets.

    It gets ints, symbolic sizes and tuples, and returns such. Hyphens in a name are read as underscores.

    Raises:
        ValueError: where the name is one of the functions that every Subscript knows.
    """
    if isinstance(function, str):
        name = function.replace("-", "_")
    else:
        name = function.__name__
    if name in BUILTIN:
        raise ValueError(f"{name} is a function of every Subscript already")

    def register(chosen: F) -> F:
        FUNCTIONS[name] = chosen
        return chosen

    return register if isinstance(function, str) else register(function)
