"""Arrays like a given one: with other numbers, of other sizes, ranks and dtypes.

Numbers are quarters, sums and products of which every framework computes to the last bit, so that what
differs is no matter of rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..backends.arrays import convert, to_numpy
from ..backends.backend import COMMON, framework_of

Array = np.ndarray[Any, Any]
Change = Callable[[Array], Array]


def altered(array: Any, change: Change) -> Any:
    """An array of the same framework after a change that NumPy makes."""
    made = np.array(change(to_numpy(array)))
    if isinstance(array, np.generic) and made.ndim == 0:
        return made[()]
    return convert(made, framework_of(array) or COMMON)


def kind_of(array: Any) -> str:
    """ "bool", "int", "float" or "complex"."""
    code = to_numpy(array).dtype.kind
    return {"b": "bool", "i": "int", "u": "int", "c": "complex"}.get(code, "float")


def numbers(kind: str, random: np.random.Generator) -> Iterator[tuple[str, Change]]:
    """Other numbers, for an array of this kind."""
    yield "drawn anew", lambda a: drawn(a, random)
    if kind == "bool":
        yield "all True", np.ones_like
        yield "all False", np.zeros_like
        yield "the other way round", lambda a: ~a
        return
    yield "all zero", np.zeros_like
    yield "negative", lambda a: -np.abs(a) if a.dtype.kind != "u" else a
    if kind == "float":
        yield "with a nan", lambda a: one_item(a, np.nan, random)
        yield "with an inf", lambda a: one_item(a, np.inf, random)
        yield "all -0.0", lambda a: -np.zeros_like(a)
        yield "with a -inf", lambda a: one_item(a, -np.inf, random)
    yield "all equal", lambda a: np.full_like(a, a.flat[0]) if a.size else a
    yield "the other way round", lambda a: a.ravel()[::-1].reshape(a.shape)
    yield "ascending", lambda a: np.sort(a, axis=None).reshape(a.shape)
    yield "large", lambda a: a * np.asarray(100 if a.dtype.itemsize < 4 else 2**12, a.dtype)
    yield "drawn again", lambda a: drawn(a, random)


def one_item(array: Array, value: float, random: np.random.Generator) -> Array:
    made = array.copy()
    if made.size:
        made.flat[int(random.integers(made.size))] = value
    return made


def drawn(array: Array, random: np.random.Generator) -> Array:
    """Numbers like those that are there: ints between them, quarters of about their size, bools."""
    kind = kind_of(array)
    made: Any
    if kind == "bool":
        made = random.integers(0, 2, array.shape)
    elif kind == "int":
        low, high = (int(array.min()), int(array.max())) if array.size else (0, 3)
        made = random.integers(low, high + 1, array.shape)
    else:
        finite = np.abs(array[np.isfinite(array)]).astype(np.float64)
        steps = int(min(4 * max(1.0, float(np.ceil(np.max(finite, initial=1.0)))), 2**20))
        positive = kind == "float" and array.size and bool(np.all(array >= 0))
        made = random.integers(0 if positive else -steps, steps + 1, array.shape) / 4
    found: Array = made.astype(array.dtype)
    return found


def resized(array: Array, axis: int, size: int) -> Array:
    """With another size along an axis: its own items, again with others added where they come again."""
    if array.shape[axis] == 0:
        shape = tuple(size if i == axis else d for i, d in enumerate(array.shape))
        return np.ones(shape, array.dtype)
    index = np.arange(size)
    made: Array = np.take(array, index % array.shape[axis], axis)
    if kind_of(array) in ("float", "complex"):
        rounds = (index // array.shape[axis]).reshape([-1 if i == axis else 1 for i in range(array.ndim)])
        made = (made + 0.25 * rounds).astype(array.dtype)
    return made


def raised(array: Array) -> Array:
    """Of one more axis, the first."""
    return np.stack([array, array.ravel()[::-1].reshape(array.shape)])


def trailing(array: Array) -> Array:
    """Of one more axis, the last."""
    return np.stack([array, array], -1)


def lowered(array: Array) -> Array:
    """Of one axis fewer: its first row."""
    return array[0] if array.ndim and array.shape[0] else array


def cast(name: str) -> Change:
    """To another dtype; an array of floats keeps its numbers as far as they go."""

    def change(array: Array) -> Array:
        with np.errstate(all="ignore"):
            return array.astype(dtype_of(name))

    return change


def dtype_of(name: str) -> Any:
    if name == "bfloat16":
        import ml_dtypes

        return ml_dtypes.bfloat16
    return name
