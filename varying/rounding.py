"""Rounding: results that differ no more than the source's own does when the last bits of arguments change.

Frameworks add in other orders. Where a program divides by what should be zero, or asks whether two sums are
equal, the last bit decides over everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..backends.arrays import Difference, to_numpy
from ..backends.backend import framework_of
from ..backends.copies import arrays_of
from ..backends.tolerance import TOLERANCES
from ..ir.values.tree import children
from . import arrays
from .paths import mapped
from .variations import Arguments

#: How often the last bits are changed, and how much more than the source's own a difference may be.
TRIES = 4
FACTOR = 1000.0
#: How often where whole numbers differ: one in ten sums of a solver may decide how many turns it takes.
MORE = 32


def noise(values: Any) -> float:
    """What is nothing beside the largest of these values, in the narrowest of their dtypes."""
    floats = [to_numpy(a) for a in arrays_of(values)]
    floats = [a for a in floats if a.dtype.name in TOLERANCES]
    scale = max((largest(a) for a in floats), default=1.0)
    return max((TOLERANCES[a.dtype.name]["linalg"][1] for a in floats), default=1e-10) * max(scale, 1.0)


def largest(array: arrays.Array) -> float:
    finite = np.abs(array[np.isfinite(array)]).astype(np.float64)
    return float(np.max(finite, initial=0.0))


def audible(differences: list[Difference], values: Any) -> list[Difference]:
    """The differences that are more than noise."""
    limit = noise(values)
    return [d for d in differences if not d.what.startswith("values differ") or not d.error <= limit]


def explained(theirs: Any, mine: Any, arguments: Arguments, run: Callable[[Arguments], Any]) -> bool:
    """Whether rounding may be all that makes two results differ.

    Args:
        run: gives the source's result, or None where it raises.
    """
    random = np.random.default_rng(0)
    pairs = list(zip(numbers(theirs), numbers(mine)))
    others: list[list[arrays.Array]] = []
    whole = any(a.dtype.kind not in "fcV" and not np.array_equal(a, b) for a, b in pairs)
    for tries in range(1, 1 + (MORE if whole else TRIES)):
        moved = mapped(arguments, lambda _, array: shaken(array, random))
        if (found := run(moved)) is not None:
            others.append(list(numbers(found)))
        if tries >= TRIES and all_reached(pairs, others):
            return True
    return False


def all_reached(pairs: list[tuple[arrays.Array, arrays.Array]], others: list[list[arrays.Array]]) -> bool:
    """Whether rounding explains each, by what the source gave for other last bits."""
    if not pairs or not all(len(other) == len(pairs) for other in others):
        return False
    return all(reached(a, b, [other[i] for other in others]) for i, (a, b) in enumerate(pairs))


def numbers(value: Any) -> Iterator[arrays.Array]:
    """The arrays and floats in a result."""
    if framework_of(value) is not None or isinstance(value, (bool, int, float, complex)):
        yield to_numpy(value)
        return
    for _, item in children(value) or ():
        yield from numbers(item)


def shaken(array: Any, random: np.random.Generator) -> Any:
    """An array with other last bits."""
    if arrays.kind_of(array) not in ("float", "complex") or to_numpy(array).dtype.name not in TOLERANCES:
        return array

    def change(a: arrays.Array) -> arrays.Array:
        with np.errstate(all="ignore"):
            # ml_dtypes have no finfo of NumPy's; half a relative tolerance is a few last bits of any dtype.
            step = TOLERANCES[a.dtype.name]["elementwise"][0] / 2
            return np.asarray(a * (1 + step * random.choice([-1.0, 1.0], a.shape))).astype(a.dtype)

    return arrays.altered(array, change)


def reached(expected: arrays.Array, got: arrays.Array, others: list[arrays.Array]) -> bool:
    """Whether each place that differs is one where the source's own differs about as much."""
    if expected.shape != got.shape or expected.dtype.kind != got.dtype.kind:
        return False
    if expected.dtype.kind not in "fcV":
        several = [expected, *(other for other in others if other.shape == expected.shape)]
        least, most = np.min(several, axis=0), np.max(several, axis=0)
        return bool(np.all((least <= got) & (got <= most)))
    same = np.isclose(expected, got, rtol=1e-9, atol=0, equal_nan=True)
    free = same.copy()
    for other in others:
        if other.shape != expected.shape:
            return False
        with np.errstate(all="ignore"):
            gap, own = np.abs(got - expected), np.abs(other - expected)
        wild = ~np.isfinite(own) & ~np.isclose(expected, other, equal_nan=True)
        free |= wild | (np.isfinite(gap) & (gap <= FACTOR * own))
    return bool(np.all(free))
