"""Loops that are refused say what is true of them, and their ways out are ways out."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.float32(np.arange(12) - 3)


def double_buffered(u):
    v = u.copy()
    while np.abs(u).max() > 0.1:
        v[1:-1] = (u[:-2] + u[2:]) / 3
        v[0] = v[-1] = 0
        u, v = v, u
    return u


def double_buffered_and_counted(u):
    v = u.copy()
    k = 0
    while np.abs(u).max() > 0.1 and k < 50:
        v[1:-1] = (u[:-2] + u[2:]) / 3
        v[0] = v[-1] = 0
        u, v = v, u
        k += 1
    return u


def with_a_new_array(u):
    v = u.copy()
    k = 0
    while np.abs(u).max() > 0.1 and k < 50:
        new = v.copy()
        new[1:-1] = (u[:-2] + u[2:]) / 3
        new[0] = new[-1] = 0
        u, v = new, u
        k += 1
    return u


@pytest.mark.parametrize("fn", [double_buffered, double_buffered_and_counted])
def test_a_swap_of_arrays_that_are_written_into_says_what_to_do(fn: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match="`v` in this loop.*bound to another array") as refused:
        tl.transpile(fn, (X,), to="numpy")
    assert "new = v.copy()" in str(refused.value.hint)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_the_way_out_of_it_is_one(to: str) -> None:
    out = tl.transpile(with_a_new_array, (X,), to=to)
    for given in (X, -X, X / 9):
        assert not list(compare(with_a_new_array(given), out(convert(given, to)))), out.source


def counted(x):
    return sum(1 for v in x if v > 0)


def first_above(x):
    return next((i for i, v in enumerate(x) if v > 4), -1)


def counted_by_items(x):
    return sum(1 if v > 0 else 0 for v in x)


def first_by_a_loop(x):
    for i, v in enumerate(x):
        if v > 4:
            return i
    return -1


@pytest.mark.parametrize("fn", [counted, first_above])
def test_a_filter_that_an_array_decides_says_what_to_do(fn: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match="how many items it keeps") as refused:
        tl.transpile(fn, (X,), to="numpy")
    assert "v if v > 0 else 0" in str(refused.value.hint) and "`for`" in str(refused.value.hint)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", [counted_by_items, first_by_a_loop])
def test_the_ways_out_of_it_are_some(fn: Any, to: str) -> None:
    out = tl.transpile(fn, (X,), to=to)
    for given in (X, -X, X / 9):
        assert int(fn(given)) == int(out(convert(given, to))), out.source
