"""What functions of the user's answer, where an `if` asks it beside what Python knows."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert

Y = np.arange(3.0, dtype=np.float32)
W = Y * 2 + 1


def is_positive(v):
    return True if v.sum() > 0 else False


def is_small(n):
    if n < 3:
        return True
    return False


def both(v):
    return v.sum() > 0, v.shape[0] > 2


def by_values(y, w, k=3):
    if is_positive(y) and k > 2:
        return y
    return w


def by_numbers(y, w, k=3):
    if is_small(k) and k > 1:
        return y
    return w


def by_one_of_two(y, w, k=3):
    positive, long = both(y)
    if long and k > 2:
        return y
    if positive and k > 1:
        return y * 2
    return w


def by_a_local_one(y, w, k=3):
    def is_large(v):
        return True if v.sum() > k else False

    if is_large(y) and k > 2:
        return y
    return w


def in_turns(y, w, k=3):
    for i in range(9):
        if is_positive(y) and k > 1:
            y = y - 1
        if is_small(i) and k > 5:
            break
    return y


@pytest.mark.complete
@pytest.mark.parametrize(
    "program, to",
    product([by_values, by_numbers, by_one_of_two, by_a_local_one, in_turns], ["numpy", "jax", "torch"]),
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_test_of_them_is_what_it_is(program: Any, to: str) -> None:
    out = tl.transpile(program, (Y, W), to=to)
    for y, k in product((Y, -Y), (3, 1, 2, 9)):
        expected = program(y.copy(), W, k)
        found = out(convert(y.copy(), to), convert(W, to), k)
        assert not [*compare(expected, found)], f"{y} {k}: {found}\n{out.source}"


def tripled(q):
    q *= 3
    return q


def by_helpers(y):
    k = tripled(y * 2)
    return y + k


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_what_is_written_and_handed_on_may_lose_its_axes(to: str) -> None:
    """A number of NumPy's is none of its memory."""

    def shifted(w):
        w += 0.5
        return by_helpers(w)

    out = tl.transpile(shifted, (W.copy(),), to=to)
    for given in (W, np.array(3.0, np.float32)):
        expected = shifted(given.copy())
        try:
            found = out(convert(given.copy(), to))
        except AssertionError:
            assert not given.ndim
            continue
        assert not [*compare(expected, found)], out.source
