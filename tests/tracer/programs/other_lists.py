"""Calls with other lists than the example's: longer and shorter ones, of arrays of other sizes, dtypes and
ranks.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays, to_numpy

TARGETS = ("numpy", "jax", "torch")


def a(*shape: int, seed: int = 0, dtype: Any = np.float64) -> np.ndarray:
    return (np.random.default_rng([seed, *shape]).normal(size=shape) * 3).astype(dtype)


def entered(value: Any, to: str) -> Any:
    """Arguments as arrays of a framework."""
    return map_arrays(copy.deepcopy(value), lambda array: convert(np.asarray(array), to))


def outcome(fn: Callable[..., Any], args: Any) -> Any:
    """What a function gives and leaves of its arguments; the class of its error where it raises."""
    try:
        found = fn(*args)
    except Exception as error:
        return type(error)
    return map_arrays((found, args), to_numpy)


def translations(
    fn: Callable[..., Any], args: tuple[Any, ...], source: str
) -> Iterator[tuple[str, Any]]:
    """What a program is in each framework, None where it is refused; nothing of one that raises itself."""
    if isinstance(outcome(fn, entered(args, source)), type):
        return
    for to in TARGETS:
        try:
            yield to, tl.symbolic_trace(fn, entered(args, source)).to(to, x64=True if to == "jax" else None)
        except tl.TraceError:
            yield to, None


def other_lists(args: tuple[Any, ...]) -> list[tuple[tuple[Any, ...], str]]:
    """Other arguments: lists of other lengths, of arrays of other sizes, dtypes and ranks, of one array."""

    def resized(value: Any, length: int, change: Callable[[Any], Any] = copy.deepcopy) -> Any:
        if isinstance(value, dict):
            return {key: resized(item, length, change) for key, item in value.items()}
        if isinstance(value, (list, tuple)) and value:
            return type(value)(map_arrays(value[i % len(value)], change) for i in range(length))
        return copy.deepcopy(value)

    def each(length: int, change: Callable[[Any], Any] = copy.deepcopy) -> tuple[Any, ...]:
        return tuple(resized(value, length, change) for value in args)

    made = [(each(length), "length") for length in (0, 1, 2, 3, 5)]
    made.append((each(2, lambda v: np.concatenate([v, v], axis=-1)), "size"))
    made.append((each(2, lambda v: v.astype(np.float32)), "dtype"))
    made.append((each(3, lambda v: np.round(v).astype(np.int64)), "dtype"))
    made.append((each(2, lambda v: v > 0), "dtype"))
    made.append((each(2, lambda v: v[None]), "rank"))
    counts = itertools.count()
    made.append((each(4, lambda v: v if next(counts) % 2 else v.astype(np.float32)), "dtype"))
    counts = itertools.count()
    made.append((each(4, lambda v: v if next(counts) % 2 else v[:1]), "size"))
    counts = itertools.count()
    made.append((each(3, lambda v: v if next(counts) % 2 else v[0]), "rank"))
    if isinstance(args[0], list) and isinstance(args[0][0], np.ndarray):
        made.append(((args[0][:1] * 3, *args[1:]), "other"))
        made.append((([args[0][0], None], *args[1:]), "other"))
        made.append(((tuple(args[0]), *args[1:]), "other"))
        made.append(((args[0] * 2, *args[1:]), "other"))
    return made
