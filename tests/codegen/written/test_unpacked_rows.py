"""Rows of an array that a statement unpacks have its names, in one statement where they are all of them."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert

X = np.arange(6, dtype=np.float32).reshape(2, 3) + 1


def an_argument(x):
    a, b = x
    return a * b


def a_variable(x):
    y = x * 2
    a, b = y
    return a * b + y.sum()


def an_expression(x):
    a, b = x * 2
    return a * b


def one_of_them(x):
    a, _ = x * 3
    return a + 1


def the_rest(x):
    first, *rest = x * 2
    return first * rest[0]


def in_a_loop(x):
    total = x[0] * 0
    for i in range(3):
        a, b = x * (i + 1)
        total = total + a * b
    return total


def carried(x):
    a, b = x * 1
    for _ in range(3):
        a, b = b, a + b
    return a, b


def in_a_comprehension(x):
    p, q = [a * b for a, b in (x[:, :2], x[:, 1:])]
    return p + q


def of_some(x):
    p, q = (row * 2 for row in x)
    return p * q


def three_of(x):
    a, b, c = x.T * 1.5
    return a * b - c


def written_into(x):
    y = x * 1
    a, b = y
    a[0] = 7
    return a + b, y


def on_a_way(x):
    if x.sum() > 0:
        a, b = x * 2
        y = a * b
    else:
        y = x[0] * 1
    return y


#: What stands in the text for NumPy; "" where no row has a name.
SAID: dict[Any, str] = {
    an_argument: "a, b = x",
    a_variable: "y = x * 2\n    a, b = y\n",
    an_expression: "a, b = x * 2\n",
    one_of_them: "a, _ = x * 3\n",
    the_rest: "",
    in_a_loop: "a, b = x * (i + 1)\n",
    carried: "a, b = x * 1\n",
    in_a_comprehension: "",
    of_some: "",
    three_of: "a, b, c = x.T * 1.5\n",
    written_into: "",
    on_a_way: "a, b = x * 2\n",
}


@pytest.mark.parametrize("fn", SAID)
def test_the_names_of_the_user(fn):
    text = tl.symbolic_trace(fn, (X,)).source("numpy")
    assert SAID[fn] in text, text


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", SAID)
def test_the_numbers_are_the_same(fn, to):
    out = tl.transpile(fn, (X,), to=to)
    for x in (X, -X):
        found, wanted = out(convert(x.copy(), to)), fn(x.copy())
        for a, b in zip(found, wanted, strict=True) if isinstance(wanted, tuple) else ((found, wanted),):
            np.testing.assert_allclose(np.asarray(a), b, rtol=1e-5)
