"""`x[i, 0] = value`: an int beside an index array is one of one number."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

TARGETS = ("numpy", "jax", "torch")
X = np.arange(27.0, dtype=np.float32).reshape(3, 3, 3)
PLACES = (np.array([0, 2]), np.array([1]), np.array([2, 0, 0]))


def first_of_rows(x, i):
    x = x * 1
    x[i, 0] += 1.0
    x[i, 1] = x[i, 0] * 2
    return x


def last(x, i):
    x = x * 1
    x[1, i] = 5.0
    x[i, -1] *= 2.0
    return x


def behind_a_slice(x, i):
    x = x * 1
    x[:, i, 0] = -1.0
    return x


def between(x, i):
    x = x * 1
    x[i, 0, i] += 7.0
    x[0, i, 1] = x[i, 2, 2]
    return x


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [first_of_rows, last, behind_a_slice, between])
def test_writes_by_ints_and_index_arrays(fn: Any, source: str, to: str) -> None:
    out: Any = tl.transpile(fn, (convert(X, source), convert(PLACES[0], source)), source=source, to=to)
    for places in PLACES:
        wanted = to_numpy(fn(convert(X, source), convert(places, source)))
        assert np.array_equal(to_numpy(out(convert(X, to), convert(places, to))), wanted)


@pytest.mark.parametrize("to", TARGETS)
def test_jax_writes_so_too(to: str) -> None:
    def f(x, i):
        return x.at[i, 0].set(1.0).at[2, i].set(x[i, 1])

    out: Any = tl.transpile(f, (convert(X, "jax"), convert(PLACES[0], "jax")), to=to)
    for places in PLACES[:2]:  # of what is written twice nobody knows which is last
        wanted = to_numpy(f(convert(X, "jax"), convert(places, "jax")))
        assert np.array_equal(to_numpy(out(convert(X, to), convert(places, to))), wanted)


def test_what_counts_each_time_is_by_index_arrays_alone() -> None:
    def f(x, i):
        return x.at[i, 0].add(1.0)

    with pytest.raises(tl.UnsupportedError, match="beside an int"):
        tl.symbolic_trace(f, (convert(X, "jax"), convert(PLACES[0], "jax"))).source("torch")
