"""`zip` of a range and of an array: as many turns as the shorter has, none where the range ends below 0."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert


def first(x, k):
    t = x[0] * 0
    for i, v in zip(range(k), x):
        t = t + v * i
    return t


def begun_later(x, k):
    t = x[0] * 0
    for i, v in zip(range(1, k), x):
        t = t + v * i
    return t


def sizes(x, k):
    t = x[0] * 0
    for i, v in zip(range(len(x) - k), x):
        t = t + v * i
    return t


def last(x, k):
    t = x[0] * 0
    for v, i in zip(x, range(k)):
        t = t + v * i
    return t


def three(x, k):
    t = x[0] * 0
    for i, v, w in zip(range(k), x, x[::-1]):
        t = t + v * i + w
    return t


def counted(x, k):
    t = x[0] * 0
    for n, (i, v) in enumerate(zip(range(k), x)):
        t = t + v * i * n
    return t


def collected(x, k):
    found = []
    for i, v in zip(range(k), x[::-1]):
        found.append(v * i)
    return sum(found)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", [first, begun_later, sizes, last, three, counted, collected])
def test_a_range_of_no_numbers(fn, to: str) -> None:
    x = np.arange(1.0, 6.0, dtype=np.float32)
    out = tl.transpile(fn, [x, 3], to=to)
    taken = 0
    for k in range(-3, 9):
        try:
            found = out(convert(x, to), k)
        except AssertionError:
            continue
        taken += 1
        np.testing.assert_allclose(np.asarray(found), fn(x, k), err_msg=out.source)
    assert taken, out.source
