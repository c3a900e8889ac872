"""Arguments made small: what does not matter is as in the example, or gone, while both sides differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..backends.backend import framework_of
from ..ir.values.tree import children
from . import arrays
from .paths import arrays_in, leaves_of, mapped, nested, reached, replaced
from .structure import is_number, lies
from .variations import Arguments, sizing, text


def smallest(
    arguments: Arguments, example: Arguments, differs: Callable[[Arguments], bool], tries: int
) -> Arguments:
    """The smallest arguments found, in at most so many tries, of which `differs` is true."""
    seen = {text(arguments)}
    left = tries
    found = True
    while found and left:
        found = False
        for candidate in candidates(arguments, example):
            key = text(candidate)
            if key in seen:
                continue
            if not left:
                break
            seen.add(key)
            left -= 1
            if differs(candidate):
                arguments, found = candidate, True
                break
    return arguments


def candidates(arguments: Arguments, example: Arguments) -> Iterator[Arguments]:
    """Simpler arguments, the greatest steps first."""
    yield from as_in(arguments, example)
    yield from smaller(arguments)
    for path, value in nested(arguments):
        if path and lies(value) and value:
            if isinstance(value, dict):
                yield replaced(arguments, path, dict(list(value.items())[:-1]))
            else:
                yield replaced(arguments, path, type(value)(value[:-1]))
    yield from plainer(arguments)


def as_in(arguments: Arguments, example: Arguments) -> Iterator[Arguments]:
    """An item as the example has it."""
    for path, value in leaves_of(arguments):
        try:
            known = reached(example, path)
        except LookupError:
            continue
        if text(known) != text(value) and (framework_of(known) or not children(known)):
            yield replaced(arguments, path, known)


def smaller(arguments: Arguments) -> Iterator[Arguments]:
    """Shorter arrays: all dims of one size together, then each alone."""
    found = arrays_in(arguments)
    dims = sorted({d for _, a in found for d in a.shape if d > 1}, reverse=True)
    for size in dims:
        for new in dict.fromkeys((1, size // 2, size - 1)):

            def cut(path: Any, array: Any, size: int = size, new: int = new) -> Any:
                axes = [axis for axis, d in enumerate(array.shape) if d == size]
                return arrays.altered(array, sizing(axes, new)) if axes else array

            yield mapped(arguments, cut)
    for path, array in found:
        for axis, size in enumerate(array.shape):
            if size > 1:
                yield replaced(arguments, path, arrays.altered(array, sizing([axis], size - 1)))


def plainer(arguments: Arguments) -> Iterator[Arguments]:
    """Simpler numbers."""
    for path, array in arrays_in(arguments):
        for change in (np.zeros_like, np.ones_like, counted, rounded):
            yield replaced(arguments, path, arrays.altered(array, change))
    for path, value in leaves_of(arguments):
        if is_number(value) and not isinstance(value, bool):
            for other in (0, 1, 2):
                if abs(other) < abs(value):
                    yield replaced(arguments, path, type(value)(other))


def counted(array: arrays.Array) -> arrays.Array:
    return np.arange(array.size).reshape(array.shape).astype(array.dtype)


def rounded(array: arrays.Array) -> arrays.Array:
    return np.round(array) if array.dtype.kind in "fc" else array
