"""What a program binds in one statement, `lo, hi = 0.0, 1.0`, its text does: before loops, on ways too."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from as_written import gives_the_same, is_the_users

import tracelate as tl

X = np.arange(18.0).reshape(6, 3) - 4


def the_best(x, n=3):
    lo, hi = x.min(), x.max()
    best, at = np.inf, 0
    for i in range(n):
        v = (x[i] ** 2).sum()
        if v < best:
            best, at = v, i
    return lo, hi, best, at


def swapped(x, n=3):
    a, b = x, x * 2
    for _ in range(n):
        a, b = b, a + b
    return a, b


def several_a_turn(x, n=3):
    a, b = x, x * 2
    for _ in range(n):
        a, b = a + 1, b * 2
        s, t = a.sum(), b.sum()
        a, b = a / s, b / t
    return a, b


def on_each_way(x, flag=True):
    if flag:
        a, b = x, x + 1
    else:
        a, b = x - 1, x
    return a * b


def between(x):
    lo, hi = 0.0, 1.0
    while hi - lo > 1e-3:
        mid = (lo + hi) / 2
        if (x - mid).sum() > 0:
            lo = mid
        else:
            hi = mid
    return lo, hi


def one_after_the_other(x, n=3):
    a = x
    b = a * 2
    for _ in range(n):
        a, b = b, a
    return a - b


def three(x, n=3):
    k, total, rest = 0, x * 0, x
    while k < n:
        total = total + rest
        rest = rest * 0.5
        k += 1
    return total, rest, k


PROGRAMS = [the_best, swapped, several_a_turn, on_each_way, between, three, one_after_the_other]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", PROGRAMS[:-1], ids=lambda program: program.__name__)
def test_one_statement_stays_one(program: Any, to: str) -> None:
    if to == "torch" and program in (the_best, between):
        pytest.skip("torch has other words for infinity, and numbers that it takes for arrays")
    is_the_users(program, X, to)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_it_means_the_same(program: Any, to: str) -> None:
    gives_the_same(program, [(X,), (-X,), (X[:, :1],)], to)


def remarked(x, n=3):
    # what is known
    best, at = np.inf, 0  # none yet

    # all of them
    for i in range(n):
        v = (x[i] ** 2).sum()
        if v < best:
            best, at = v, i  # better
    return best, at


def test_remarks_stay_beside_it() -> None:
    assert tl.transpile(remarked, (X,), to="numpy").source.partition("None")[0].endswith(
        """\
    # what is known
    best, at = np.inf, 0  # none yet

    # all of them
    for i in range(n):
        v = (x[i] ** 2).sum()
        if v < best:
            best, at = v, i  # better
    return best, at
"""
    )
