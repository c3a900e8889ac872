"""Writes of which each counts that an index array names a place for; functions that name their places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from calls import sourced

import tracelate.api as api
from tracelate.ir.errors import UnsupportedError

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4) - 5
M = X[0].copy()
V = np.array([3.0, -1.0, 2.5, 0.5], np.float32)
#: Some places several times, and some counted from the end.
IDS = np.array([0, 2, 0, -1])
N = np.array([[0, 2, 0], [1, 1, 1]])
#: From the front, as torch's functions want them.
ROWS = np.array([[0, 2], [2, 2], [1, 0]])

def inlined() -> Any:
    """Functions that are traced as part of their callers, numbers and slices of theirs included."""

    def at(ufunc: Any, x: Any, key: Any, value: Any) -> Any:
        y = x.copy()
        ufunc.at(y, key, value)
        return y

    def put(x: Any, i: Any, values: Any, axis: Any) -> Any:
        y = x.copy()
        np.put_along_axis(y, i, values, axis)
        return y

    return at, put


at, put = inlined()


def recorded(x: Any, i: Any, number: float) -> Any:
    np.add.at(x, i, number)
    return x

# fmt: off
NUMPY = [
    (lambda i, v: at(np.add, np.zeros(5, np.float32), i, v), IDS, V),
    (lambda x, i: (at(np.add, x, i, np.float32(2)), at(np.subtract, x, i, 3), at(np.multiply, x, i, 2)),
         M, IDS),
    (lambda x, i, v: (at(np.minimum, x, (i, i), v), at(np.maximum, x, (slice(None), i), v)), M, IDS, V),
    (lambda x, i: (at(np.add, x, (slice(None), i), 1), at(np.add, x, (slice(1, None), slice(None), i), 1)),
         X, IDS),
    (lambda x, n: (at(np.add, x, (n % 2, n), 1), at(np.minimum, x, (slice(None), n), 1)), X, N),
    (lambda x, n: (at(np.multiply, x, (slice(None), slice(1, None), n), 2), at(np.add, x, n % 2, 2)), X, N),
    (lambda x: (at(np.add, x, [0, 0], 1), at(np.add, x, 1, 2), at(np.add, x, (0, slice(1)), x[1, :1] * 1)),
         M),
    (lambda x, i: (at(np.add, x, i, 7), at(np.subtract, x, i, x[0] * 1), at(np.maximum, x, i, 3)),
         M.astype(np.uint8), IDS),
    (lambda x, i, v: at(np.add, x, i, v), M.astype(np.int8), IDS, np.arange(16).reshape(4, 4) * 50),
    (lambda x, i: put(x, i, 7, 1), M, np.array([[0], [3], [-1]])),
    (lambda x, i: put(x, i, x[:, :1] * 2, -1), M, np.array([[0, 1], [3, 2], [-1, 0]])),
    (lambda x, i: put(x, i, x[:1] * 2, 0), M, np.array([[0, 1, 2, 0]])),
]
JAX = [
    (lambda x, i: (x.at[i].add(2.0), x.at[i].subtract(x[0]), x.at[i].multiply(3), x.at[i].mul(2)), M, IDS),
    (lambda x, i, v: (x.at[i, i].min(v), x.at[:, i].max(v), x.at[i].max(v)), M, IDS, V),
    (lambda x, i: (x.at[i[1]].add(1.0), x.at[:, i[0]].mul(2.0), x.at[1:, i].add(1.0)), X, IDS % 2),
]
TORCH = [
    (lambda x, i, v: (torch.index_add(x, 0, i, v), x.index_add(1, i, v.T, alpha=2), x.index_add(0, i, v,
         alpha=-1)), M[:, :3].copy(), IDS[:3], M[:3, :3].copy()),
    (lambda x, i, v: (x.index_put((i,), v), x.index_put((i, i), v[:, 0], accumulate=True),
         torch.index_put(x, (i,), v, accumulate=True)), M, IDS, np.outer(V, V)),
    (lambda x, i: (x.index_copy(1, i, x[:, :2] * 2), x.index_fill(0, i, 7),
         torch.index_fill(x, 1, i, x[0, 0])), M, IDS[:2]),
    (lambda x, i: (x.scatter(1, i, x[:, 1:] * 2), torch.scatter(x, 0, i[:1], 9.0), x.scatter(0, i, x)),
         M, ROWS[:, :1]),
    (lambda x, i: (x.scatter_add(1, i, x * 2), torch.scatter_add(x, 0, i, x[:, 1:]),
         x.scatter_add(-1, i[:2], x)), M, ROWS),
    (lambda x, i: tuple(x.scatter_reduce(1, i, x * 2, how) for how in ("sum", "prod", "amin", "amax")),
         M, ROWS),
    (lambda x, i: (x.scatter_reduce(0, i, x, "amax"), x.scatter(0, i, x, reduce="add")),
         M[:, 0].copy(), ROWS[:, 0].copy()),
    (lambda x, i: (x.index_add(0, i, x[i]), x.scatter_add(1, i.expand(4, 2).T[:, :2], x)),
         M.astype(np.int32), IDS[:2]),
    (lambda x: (torch.fill(x, 2), x.fill_(x[0, 0] * 1).clone(), x.zero_()), M),
]
# fmt: on


@pytest.mark.parametrize(("source", "case"), sourced(NUMPY, JAX, TORCH))
def test_same(source: str, case: Any, same: Callable[..., Any]) -> None:
    same(*case, source=source)


def filled(x: Any, v: Any) -> Any:
    y = x.copy()
    np.fill_diagonal(y, 7)
    np.copyto(y, x * 2, where=x > 3)
    np.putmask(y, x < 0, v[0])
    np.putmask(y, x == 1, x - 5)
    z = v.copy()
    np.put(z, [0, 3], [7.0, 8.0])
    np.put(z, [1, -2], 3)
    w = np.empty_like(x)
    np.copyto(w, v)
    return y, z, w


def test_functions_that_fill(same: Callable[..., Any]) -> None:
    same(filled, M, V, source="numpy")


def in_place(x: Any, i: Any, v: Any) -> Any:
    y = torch.zeros_like(x)
    y.index_add_(0, i, v)
    y.index_put_((i, i), v[:, 0], accumulate=True)
    y.scatter_(1, i[:, None], v)
    y[1:].scatter_add_(1, i[:2, None], v)
    y.index_fill_(1, i[:1], 8).index_copy_(0, i[1:2], v[:1])
    y[2].fill_(3)
    y[:, 1].zero_()
    y[0].copy_(v[1])
    return y, x


def test_in_place(same: Callable[..., Any]) -> None:
    texts = same(in_place, M[:, :3].copy(), IDS[:3], M[:, 1:].copy(), source="torch")
    assert "    y[2] = 3\n    y[:, 1] = 0\n    y[0] = v[1]\n" in texts["numpy"]


def arguments(x: Any, i: Any) -> Any:
    np.add.at(x, i, 1)
    np.multiply.at(x, i, 2)
    np.put_along_axis(x, i[:1], 5, axis=0)
    return x


def test_into_an_argument() -> None:
    out = api.transpile(arguments, to="torch", args=(V.astype(np.float64), IDS))
    x, expected = torch.tensor(V, dtype=torch.float64), V.astype(np.float64)
    assert out(x, torch.tensor(IDS)) is x
    np.testing.assert_array_equal(x.numpy(), arguments(expected, IDS))


def histogram(places: Any, weights: Any) -> Any:
    counts = np.zeros(5)
    np.add.at(counts, places, weights)
    for row in places.reshape(10, 2):
        np.subtract.at(counts, row, 1)
    return counts


def test_in_a_loop(same: Callable[..., Any]) -> None:
    texts = same(histogram, np.arange(20) % 5, np.arange(20.0), source="numpy")
    assert "    np.add.at(counts, places, weights)\n" in texts["numpy"]
    assert "counts.at[places].add(weights)" in texts["jax"]
    assert "    counts.index_put_((places,), weights, accumulate=True)\n" in texts["torch"]


# fmt: off
REFUSED = [
    ("numpy", lambda x, i: at(np.divide, x, i, 2), M, "np.divide.at"),
    ("numpy", lambda x, i: at(np.add, x, i, 0.1), M, r"np\.float32\(number\)"),
    ("numpy", lambda x, i: at(np.minimum, x, i, 300), M.astype(np.uint8), "number"),
    ("numpy", lambda x, i: at(np.add, x, i, x.astype(np.float64)[i]), M,
         "computed in float64 and written into float32"),
    ("numpy", lambda x, i: at(np.maximum, x, i, i[0]), M.astype(np.int8),
         "computed in int64 and written into int8"),
    ("numpy", lambda x, i: at(np.add, x, i, True), M > 0, "bool is not joined"),
    ("numpy", lambda x, i: put(x, i, 0, None), M, "flat array"),
    ("numpy", lambda x, i: recorded(x, i, 0.5), M, r"np\.float32\(number\)"),
    ("numpy", lambda x, i: (np.put(x, [0, 1], 5), x), M, "flat array"),
    ("numpy", lambda x, i: (np.put(x[0], [0, 1], [5]), x), M, "repeated"),
    ("numpy", lambda x, i: (np.putmask(x, x > 1, [1, 2]), x), M, "repeated"),
    ("numpy", lambda x, i: (np.fill_diagonal(x, [1, 2, 3]), x), M, "repeated"),
    ("numpy", lambda x, i: (np.place(x, x > 1, [1, 2]), x), M, "np.place cannot be translated"),
    ("jax", lambda x, i: x.at[i].divide(2), M, "divide would do so in another order"),
    ("jax", lambda x, i: x.at[i].add(1, mode="drop"), M, "mode has no counterpart"),
    ("torch", lambda x, i: x.scatter_reduce(0, i[:, None], x, "mean"), M, "'mean'"),
    ("torch", lambda x, i: x.scatter_reduce(0, i[:, None], x, "sum", include_self=False), M, "leaves out"),
]
# fmt: on


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: Any, refused: Callable[..., Any]) -> None:
    source, fn, x, match = case
    refused(fn, x, np.array([0, 2, 0]), source=source, match=match)


def test_of_constants_made_outside() -> None:
    table = np.zeros(3)

    def fn(x: Any, i: Any) -> Any:
        np.add.at(table, i, x)
        return table

    with pytest.raises(UnsupportedError, match="made outside"):
        api.symbolic_trace(fn, (V, IDS))

