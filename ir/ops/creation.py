"""New arrays: from nothing, from numbers, or like another. Their dtype is always said."""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

import math
from functools import partial

from ..bodies.building import only_if
from ..meaning.op import free
from ..meaning.op import op as declare
from ..sizes.sliced import ceildiv
from ..values.dtypes import int64
from .elementwise import add, cast, equal, multiply
from .shape import sizes_of, tril

#: Numbers go somewhere; nothing is computed of them.
op = partial(declare, tolerance="moved")

# From numbers.


def nested(*, value, dtype):
    shape = []
    while isinstance(value, (list, tuple)):
        shape.append(len(value))
        value = value[0] if value else None
    return tuple(shape)


@op(
    dtype=free,
    shape=nested,
    samples={"value": ([[1, 2], [3, 4]], [0.5, 1.5], 2, [True, False], [], -0.5)},
    natural="numbers",
    numbers="value",
)
def array(*, value, dtype):
    """An array of the numbers in a nested list."""
    ...


# From nothing.


def filled(*, shape, **_):
    return sizes_of(shape)


@op(dtype=free, shape=filled)
def zeros(*, shape, dtype):
    """0 everywhere."""
    ...


@op(dtype=free, shape=filled)
def ones(*, shape, dtype):
    """1 everywhere."""
    ...


@op(dtype=free, shape=filled, dynamic="fill_value", natural="numbers", numbers="fill_value")
def full(*, shape, fill_value, dtype):
    """One number everywhere."""
    ...


def counted(*, start, stop, step, dtype):
    if None in (start, stop, step):
        return None
    if any(isinstance(number, float) for number in (start, stop, step)):
        return (max(math.ceil((stop - start) / step), 0),)
    length = ceildiv(stop - start, step) if step > 0 else ceildiv(start - stop, -step)
    return (max(length, 0) if isinstance(length, int) else length,)


@op(
    dtype=free,
    shape=counted,
    samples={"start": (0, 2, 5), "stop": (6, 9), "step": (1, 2)},
    natural="numbers",
    numbers="start stop step",
)
def arange(*, start=0, stop, step=1, dtype):
    """start, start + step and so on, below stop."""
    real = dtype.real if dtype.kind == "complex" else int64
    return cast(arange(start=start, stop=stop, step=step, dtype=real), dtype=dtype)


def spaced(*, num, **_):
    return None if num is None else (num,)


@op(
    dtype=free,
    shape=spaced,
    samples={"start": (0, -1.5), "stop": (6, 2.5), "num": (5, 1, 8)},
    tolerance="elementwise",
    numbers="start stop",
)
def linspace(*, start, stop, num, endpoint=True, dtype):
    """`num` numbers at equal distances from start to stop; without the endpoint the last is a step before."""
    only_if(not endpoint)
    distances = multiply(arange(stop=num, dtype=dtype), (stop - start) / num)
    return add(distances, start) if start else distances


def square(*, n_rows, n_cols=None, **_):
    n_cols = n_rows if n_cols is None else n_cols
    return None if None in (n_rows, n_cols) else (n_rows, n_cols)


@op(dtype=free, shape=square)
def eye(*, n_rows, n_cols=None, k=0, dtype):
    """A matrix with 1 on its k-th diagonal, 0 elsewhere."""
    rows = arange(stop=n_rows, dtype=int64)[:, None]
    columns = arange(stop=n_rows if n_cols is None else n_cols, dtype=int64)
    return cast(equal(add(rows, k), columns), dtype=dtype)


@op(dtype=free, shape=square)
def tri(*, n_rows, n_cols=None, k=0, dtype):
    """A matrix with 1 up to its k-th diagonal, 0 above."""
    return tril(ones(shape=(n_rows, n_rows if n_cols is None else n_cols), dtype=dtype), k=k)


# Like another.


def likewise(x, *, shape=None, **_):
    return x if shape is None else sizes_of(shape)


@op(dtype=free, shape=likewise, samples={"shape": (None, (2, 3), 4)}, natural="like")
def zeros_like(x, *, dtype, shape=None):
    """0 wherever x has an element, or in a shape of its own."""
    only_if(shape is not None)
    return zeros(shape=shape, dtype=dtype)


@op(dtype=free, shape=likewise, samples={"shape": (None, (2, 3), 4)}, natural="like")
def ones_like(x, *, dtype, shape=None):
    """1 wherever x has an element, or in a shape of its own."""
    only_if(shape is not None)
    return ones(shape=shape, dtype=dtype)


@op("X[~] -> Y[~]", dtype=free, dynamic="fill_value", natural="like", numbers="fill_value")
def full_like(x, *, fill_value, dtype):
    """One number wherever x has an element."""
    ...
