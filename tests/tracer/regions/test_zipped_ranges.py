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


def in_a_comprehension(xs, k):
    return [v * i for v, i in zip(xs, range(k))]


def by_its_length(xs, k):
    return [v * i for i, v in zip(range(len(xs) - 4), xs)]


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("source", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize(
    "fn", [first, begun_later, sizes, last, collected, in_a_comprehension, by_its_length]
)
def test_an_example_of_no_turns(fn, listed: bool, source: str, to: str) -> None:
    """The text is right of it, or refused.
    Of the cases those that have all pairs of values, see covering.py.
    """
    x = np.arange(1.0, 6.0, dtype=np.float32)
    x = [x, x + 1, x * 2] if listed else x

    def given(name: str):
        return [convert(each, name) for each in x] if isinstance(x, list) else convert(x, name)

    for k in (-1, -2, 0):
        try:
            out = tl.transpile(fn, [given(source), k], to=to)
        except tl.TraceError:
            continue
        for other in (k, -3, 1, 2, 8):
            expected = fn(given(source), other)
            try:
                found = out(given(to), other)
            except AssertionError:
                assert other != k, out.source
                continue
            assert np.shape(found) == np.shape(expected), out.source
            np.testing.assert_allclose(np.asarray(found), np.asarray(expected), err_msg=out.source)
