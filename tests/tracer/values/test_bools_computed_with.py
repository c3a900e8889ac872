"""Bools that the program computes, computed with as the ints that they are to Python: of such a bool only the
example is known, and what compiles adds ints, and no bools.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert


def of_an_argument(x, n):
    a = n > 1
    if a * 2 > 1:
        x = x * 10
    return x, a + 1 == 2


def of_a_branch(x, n):
    a = False
    if x[0] > 0:
        a = True
    if a + 1 > 1:
        x = x * 10
    return x, a + a == 2


def of_a_loop(x, n):
    a = b = False
    for v in x:
        if v > 0:
            a = True
        if v > 2:
            b = True
    for _ in range(a + b):
        x = x + 1
    return x, a + a == 2


def of_a_counter(x, n):
    s = 0
    for i in range(n):
        if (i > 0) + (i > 1) == 2:
            s += i
    return s


def in_a_test(x, n):
    t = 0
    while t < bool(x[0] > 0) + (n > 2):
        t += 1
    return t


def in_a_choice(x, n):
    f = n > 2
    return np.where(f + f > 1, x, 0)


def in_an_expression(x, n):
    d = (n > 1) + (n > 4)
    return d if d < 2 else 10


def added(x, n):
    return bool(x[0] > 0) + bool(x[-1] > 0)


def added_behind_a_loop(x, n):
    k = 0
    while k < n and x[0] > -5:
        k += 1
    return (k > 1) + (k > 2), max(k > 1, k)


def carried(x, n):
    neg, pos = False, False
    for v in x:
        neg = neg or bool(v < 0)
        pos = pos or bool(v > 0)
    return neg + pos


def put(x, n):
    y = x * 0
    for i in range(n):
        y[i] = (i > 0) + (i > 1) + (i > 2)
    return y


def as_a_size(x, n):
    return np.zeros((n > 1) + (n > 3) + 1, np.float32)


def by_other_operators(x, n):
    a = n > 1
    return -a == -1, a**2 == 1, 1 - a == 0, abs(a - 2), a // 1, a % 2


PROGRAMS = (
    of_an_argument, of_a_branch, of_a_loop, of_a_counter, in_a_test, in_a_choice, in_an_expression, added,
    added_behind_a_loop, carried, put, as_a_size, by_other_operators,
)  # fmt: skip
X = np.array([1, -2, 3, 0.5], np.float32)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_they_are_added_as_ints(program: Any, to: str) -> None:
    try:
        out = tl.transpile(program, (X, 3), to=to)
    except tl.UnsupportedError:
        return  # JAX knows no such number while it compiles
    right = 0
    for x in (X, -X, X * 0, X * 4):
        for n in range(5):
            expected = program(x.copy(), n)
            try:
                found = out(convert(x.copy(), to), n)
            except AssertionError:
                continue
            one, other = (v if isinstance(v, tuple) else (v,) for v in (found, expected))
            for mine, theirs in zip(one, other, strict=True):
                np.testing.assert_allclose(np.asarray(mine, float), np.asarray(theirs, float))
            right += 1
    assert right > 0, out.source
