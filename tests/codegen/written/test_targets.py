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


def ordered(x, up=True):
    lo, hi = (x.min(), x.max()) if up else (x.max(), x.min())
    return hi - lo * 2


def exchanged(x, up=True):
    y = x * 2
    a, b = (x, y) if up else (y, x)
    return a - 3 * b


def chosen_a_turn(x, n=3):
    a, b = x, x * 2
    for i in range(n):
        a, b = (b, a + b) if i % 2 == 0 else (a + 1, b * 2)
    return a, b


def one_of_three(x, n=3):
    a, b = (x + 1, x) if n > 2 else (x - 1, x * 2) if n > 1 else (x, x)
    return a * b, b


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


PROGRAMS = [
    the_best, swapped, several_a_turn, on_each_way, between, three, ordered, exchanged, chosen_a_turn,
    one_of_three, one_after_the_other,
]  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", PROGRAMS[:-2], ids=lambda program: program.__name__)
def test_one_statement_stays_one(program: Any, to: str) -> None:
    if to == "torch" and program in (the_best, between):
        pytest.skip("torch has other words for infinity, and numbers that it takes for arrays")
    is_the_users(program, X, to)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_it_means_the_same(program: Any, to: str) -> None:
    gives_the_same(program, [(X,), (-X,), (X[:, :1],)], to)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("program", [ordered, exchanged, on_each_way])
def test_the_other_way_is_in_the_text(program: Any, to: str) -> None:
    gives_the_same(program, [(X, True), (X, False)], to)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_each_of_three_ways(to: str) -> None:
    gives_the_same(one_of_three, [(X, 3), (X, 2), (X, 1)], to)


def chosen_by_values(x):
    a, b = (x + 1, x * 3) if x.sum() > 0 else (x * 2, x - 1)
    return a, b, a


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_what_values_choose_has_the_users_names(to: str) -> None:
    gives_the_same(chosen_by_values, [(X,), (-X,), (X * 0,)], to)
    assert "a, b = " in tl.transpile(chosen_by_values, (np.float32(X),), to=to).source


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
