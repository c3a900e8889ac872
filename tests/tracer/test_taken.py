"""What people write every day and was once refused: it is taken in every direction, whatever it is given.

Each program is traced with one example and run with others; what a check refuses of them, it says.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import math
from itertools import product
from typing import Any

import jax
import numpy as np
import pytest
from ways import agrees_or_raises

import tracelate as tl
from tracelate.backends.arrays import convert

X, Z = np.array([1.0, 2.0, 3.0, 4.0]), np.arange(12.0).reshape(4, 3) / 7 - 0.5
SINGLE = X.astype(np.float32)


# Loops that begin with a number.


def until(x, tol):
    err = np.inf
    while err > tol:
        new = (x + 2 / x) / 2
        err = np.abs(new - x).max()
        x = new
    return x


def until_from_one(x, tol):
    err = 1.0
    while err > tol:
        new = (x + 2 / x) / 2
        err = np.max(np.abs(new - x))
        x = new
    return x


def until_counted(x, tol):
    new, err, n = x, 1.0, 0.0
    while err > tol:
        old, n = new, n + 1
        new = (old + 2 / old) / 2
        err = np.abs(new - old).max()
    return new


# Numbers that NumPy makes of sizes.


def attention(q, k, v):
    s = q @ k.T / np.sqrt(q.shape[-1])
    w = np.exp(s - s.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ v


def attention_of_math(q, k, v):
    return q @ k.T / math.sqrt(q.shape[-1]) @ v


# Writes through what is a view of an array that is fresh and in order.


def through_reshape(x):
    y = x * 2
    y.reshape(-1)[::2] = 0
    return y


def through_ravel(x):
    y = x + 1
    flat = y.ravel()
    flat[0] = 9
    return y, flat * 2


def through_view(x):
    y = x * 2
    y.view(-1)[1] = 5
    return y


def through_real(x):
    z = x + 1j * x
    z.real[0] = 7
    return z


def through_diagonal(x):
    y = x @ x.T
    y.diagonal()[0] = 3
    return y


def the_base_after_a_view_was_read(x):
    y = x * 2
    flat = y.reshape(-1)
    total = flat.sum()
    y[0] = 1
    return total, flat


def columns(x, std):
    scaled = x
    for c in range(x.shape[1]):
        if std[c]:
            scaled[:, c] = scaled[:, c] / std[c]
    return x


def key(d, x):
    d["z"] = x * 2
    return d


# Lists and generators.


def lists_of_lists(x):
    out = []
    for row in x:
        out.append([row.sum(), row.max()])
    return out


def lists_of_tuples(x):
    pairs = []
    for i in range(x.shape[0]):
        pairs.append((x[i] * i, x[i].sum()))
    return pairs


def generators(x, y):
    rows = [x, y, x * y]
    high = max(r.sum() for r in rows)
    low = min(r.sum() for r in rows)
    return high - low + sum(r.mean() for r in rows)


def any_and_all(x):
    if any(v > 3 for v in x):
        return x * 2
    return x + 1 if all(v > 0 for v in x) else x


def tamed(v):
    return np.sqrt(v) + 1


def masked_by_a_helper(x):
    z = x * 1
    mask = z > 0.2
    z[mask] = tamed(z[mask])
    return z


def reduced_under_a_mask(x):
    return x[x > 0.2].sum() + x[x > 0.2].mean() * x[x > 0.2].prod()


def least_under_a_mask(x):
    return x[x > 0.2].min() - x[x > 0.2].max()


# Numbers of Python.


def of_an_axis(x, dim=None):
    if dim is None:
        dim = 0
    return x.sum(dim)


def refuses(x, k):
    if k < 1:
        raise ValueError("k is at least 1")
    assert k < 9, "k is small"
    return x * k


def by_a_range(x, n):
    return x[range(n)]


def tried(x, y):
    try:
        return x @ y
    except ValueError:
        return x * 2


M = np.arange(6.0).reshape(2, 3)
def suppressed_in_place(keep):
    for i in range(keep.shape[0]):
        if not keep[i]:
            continue
        for j in range(i + 1, keep.shape[0]):
            keep[j] = keep[j] & ~keep[i]
    return keep


def suppressed(keep):
    return suppressed_in_place(keep.clone())


PROGRAMS: dict[str, tuple[Any, ...]] = {
    "suppressed": ("torch", suppressed, (X > 0,), [(X > 2,), (X < 3,), (X[:1] > 9,), (Z[0] > 0,)]),
    "until": ("numpy", until, (X, 1e-6), [(X + 1, 1e-2), (X.astype(np.float32), 1e-4)]),
    "until, float32": ("numpy", until, (SINGLE, 1e-4), [(X, 1e-6), (SINGLE, 1.0)]),
    "until from one": ("numpy", until_from_one, (SINGLE, 1e-4), [(X, 1e-6), (SINGLE, 2.0)]),
    "until, counted": ("numpy", until_counted, (SINGLE, 1e-4), [(X, 1e-6), (SINGLE, 2.0)]),
    "attention": ("numpy", attention, (M, M + 1, M - 1), [(Z, Z[1:], Z[1:])]),
    "attention, float32": ("numpy", attention, (M.astype("f"),) * 3, [(Z, Z[1:], Z[1:]), (M, M, M)]),
    "attention of math": ("torch", attention_of_math, (M, M + 1, M - 1), [(Z, Z[1:], Z[1:])]),
    "reshape": ("numpy", through_reshape, (Z,), [(Z[:, ::-1],), (X,), (np.ones((2, 2, 2)),)]),
    "ravel": ("numpy", through_ravel, (Z,), [(Z[:, ::-1],), (X,), (np.ones((2, 2, 2)),)]),
    "view": ("torch", through_view, (Z,), [(X,), (np.ones((2, 2, 2)),)]),
    "real": ("numpy", through_real, (Z,), [(X,), (Z.astype(np.float32),)]),
    "diagonal": ("torch", through_diagonal, (Z,), [(M,), (M[:1],)]),
    "read before": ("numpy", the_base_after_a_view_was_read, (Z,), [(Z[:, ::-1],), (X,)]),
    "columns": ("numpy", columns, (Z, X[:3]), [(Z, np.array([0.0, 1, 0])), (Z[:, :2], X[:2])]),
    "key": ("numpy", key, ({"x": X}, X), [({"x": X, "z": Z}, X), ({}, Z)]),
    "lists of lists": ("numpy", lists_of_lists, (Z,), [(Z[:1],), (Z[:0],), (M,)]),
    "lists of tuples": ("numpy", lists_of_tuples, (Z,), [(Z[:1],), (Z[:0],), (M,)]),
    "generators": ("numpy", generators, (X, X[::-1]), [(Z, Z + 1), (X[:1], X[:1])]),
    "any and all": ("numpy", any_and_all, (X,), [(X - 3,), (X[:1],), (X[:0],)]),
    "a helper": ("numpy", masked_by_a_helper, (Z,), [(X,), (-X,)]),
    "a mask": ("numpy", reduced_under_a_mask, (Z,), [(X,), (M,)]),
    "least": ("numpy", least_under_a_mask, (Z,), [(X,), (M,)]),
    "an axis": ("numpy", of_an_axis, (Z,), [(Z, 1), (Z, -1), (X,)]),
    "raise and assert": ("numpy", refuses, (X, 2), [(X, 8), (Z, 1)]),
    "range": ("numpy", by_a_range, (X, 2), [(X, 0), (Z, 3)]),
    "try": ("numpy", tried, (X, X), [(Z, X[:3]), (X, X[:3])]),
}


@pytest.mark.complete
@pytest.mark.parametrize("name, to", product(PROGRAMS, ["numpy", "jax", "torch"]))
def test_it_is_taken(name, to):
    source, fn, example, others = PROGRAMS[name]
    with jax.enable_x64(True):
        agrees_or_raises(fn, source, example, others, to, **{"x64": True} if to == "jax" else {})


@pytest.mark.parametrize("source, to", product(["numpy", "jax"], ["numpy", "jax", "torch"]))
def test_checks_of_numbers_are_those_of_the_program(source, to):
    out = tl.transpile(refuses, (convert(X, source), 2), to=to, source=source)
    with pytest.raises(ValueError, match="k is at least 1"):
        out(convert(X, to), 0)
    with pytest.raises(AssertionError, match="k is small"):
        out(convert(X, to), 9)
