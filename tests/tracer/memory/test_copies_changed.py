"""Copies that are written into: a write into a whole, `w[...] *= x`, keeps its dtype; and the copy of a
number of NumPy's, given where the example has an array without axes, is a number, in which no write stays.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import copy
import itertools
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert

DTYPES = ("float64", "float32", "float16", "int64", "int8", "uint8", "bool")


def absolute(x, w):
    w = np.abs(w)
    w[...] *= x
    return w


def added(x, w):
    w = w + 0
    w[...] += x
    return w


def by_name(x, w):
    w = w + 0
    v = w[...]
    v += x
    return w


def twice(x, w):
    w = w + 0
    w[...][...] += x
    return w


def in_a_loop(x, w):
    w = w + 0
    for _ in range(2):
        w[...] *= x
    return w


def on_one_way(x, w):
    w = w * 1
    if w.shape[0] > 2:
        w[...] += x
    return w + 1


def put(x, w):
    w = w + 0
    v = w[...]
    v[...] = x
    return w


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("dtype", ["float64", "int64"])
@pytest.mark.parametrize("program", [absolute, added, by_name, twice, in_a_loop, on_one_way, put])
def test_a_write_into_a_whole_keeps_its_dtype(program: Any, dtype: str, to: str) -> None:
    out = tl.transpile(program, (np.ones(3, dtype), np.ones(3, dtype)), to=to)
    right = 0
    for one, other in itertools.product(DTYPES, DTYPES):
        x, w = np.array([1, 2, 3]).astype(one), np.array([101, 102, 103]).astype(other)
        try:
            expected = program(x, w)
        except TypeError:
            continue
        try:
            found = out(convert(x, to), convert(w, to))
        except (AssertionError, TypeError, RuntimeError):
            continue  # checked; or the target refuses what comes of it
        np.testing.assert_array_equal(np.asarray(found), expected, strict=True, err_msg=f"{one}, {other}")
        right += 1
    assert right > 0


def copied(x, t):
    t = t.copy()
    u = t
    t += x[0]
    return x * u


def cast(x, t):
    t = t.astype(x.dtype)
    u = t
    t += x[0]
    return x * u


def squeezed(x, t):
    t = t.squeeze().copy()
    u = t
    t += x[0]
    return x * u


def copied_by_python(x, t):
    t = copy.copy(t)
    u = t
    t += x[0]
    return x * u


def transposed(x, t):
    t = t.copy().T
    u = t
    t += x[0]
    return x * u


class Best:
    def __init__(self, m):
        self.m = m.copy()
        self.best = self.m

    def step(self, v):
        self.m += v
        return self.best * v


def of_an_object(x, t):
    return Best(t).step(x[1])


def summed(x, t):
    t = t.copy()
    u = t
    for v in x:
        t += v
    return u


OF_COPIES = (copied, cast, squeezed, copied_by_python, transposed, of_an_object, summed)


@pytest.mark.parametrize("program", OF_COPIES)
def test_a_copy_of_a_number_is_no_array(program: Any) -> None:
    x = np.array([1.0, 2.0, 3.0])
    out = tl.transpile(program, (x, np.array(2.0)), to="numpy")
    np.testing.assert_array_equal(out(x, np.array(5.0)), program(x, np.array(5.0)))
    with pytest.raises(AssertionError):
        out(x, np.float64(3.0))


def test_where_nobody_else_has_the_copy_a_number_will_do() -> None:
    def program(x, t):
        t = t.copy()
        t += x[0]
        return x * t

    x = np.array([1.0, 2.0, 3.0])
    out = tl.transpile(program, (x, np.array(2.0)), to="numpy")
    np.testing.assert_array_equal(out(x, np.float64(3.0)), program(x, np.float64(3.0)))


def lowered(ps, g):
    a = ps[0]
    a -= g
    return a + 1


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_an_item_of_a_list_may_be_one_of_a_tuple(to: str) -> None:
    out = tl.transpile(lowered, ([np.ones(4), np.ones(4)], np.ones(4)), to=to)
    given, told = (np.full(4, 3.0), np.ones(4)), (np.full(4, 3.0), np.ones(4))
    theirs = tuple(convert(a, to) for a in given)
    expected, found = lowered(told, np.ones(4)), out(theirs, convert(np.ones(4), to))
    np.testing.assert_array_equal(np.asarray(found), expected)
    np.testing.assert_array_equal(np.asarray(theirs[0]), told[0])


@pytest.mark.parametrize("dtype", ["int64", "float32", "uint8"])
@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_bools_are_subtracted_in_place(dtype: str, to: str) -> None:
    def program(i):
        j = i.copy()
        i -= i > 3
        j[1:] -= j[1:] > 4
        return i, j

    x = np.arange(1, 7).astype(dtype)
    out = tl.transpile(program, (x.copy(),), to=to)
    for found, expected in zip(out(convert(x, to)), program(x.copy())):
        np.testing.assert_array_equal(np.asarray(found), expected, strict=True)
