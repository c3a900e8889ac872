"""Loops that are left behind an `append`, and functions that raise where a loop that returns has ended: the
usual forms of solvers.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from as_written import is_the_users, means_the_same

import tracelate as tl

X = np.array([1.0, 2.0, 3.0])
#: Of which some end at once, and some never.
OTHERS = [X * 0, X * 1e-3, X * 100, np.ones(1), np.arange(6.0).reshape(2, 3)]


def history(x, tol=1e-6):
    hist = []
    for _ in range(50):
        new = 0.5 * x
        err = abs(new - x).max()
        hist.append(err)
        if err < tol:
            break
        x = new
    return x, hist


def without_a_name(x, tol=1e-3):
    hist = []
    while True:
        x = x / 2
        hist.append(x.sum())
        if x.max() < tol:
            break
    return hist


def before_and_behind(x):
    xs = []
    for k in range(9):
        if x.min() < -2:
            break
        x = x - 0.3
        xs.append(x)
        if x.max() < 0.2:
            break
        x = x * 1.5
    return xs, k


def with_an_else(x, tol=0.5):
    log = []
    for _ in range(5):
        x = x * 0.7
        log.append(x)
        if x.max() < tol:
            x = x + 10
            break
    else:
        x = x - 1
    return log, x


def in_pairs(x, tol=0.1):
    log = []
    for k in range(9):
        x = x * 0.5
        log.append((x.max(), x))
        if k > 2:
            if x.max() < tol:
                break
    return log, k


def written_into(x, tol=0.1):
    u = x * 1
    log = []
    for _ in range(9):
        u *= 0.5
        log.append(u.max())
        if u.max() < tol:
            break
        u += 0.01
    return u, log


def raises_at_its_end(x, tol=1e-3):
    for k in range(20):
        new = 0.5 * x
        if abs(new - x).max() < tol:
            return new, k + 1
        x = new
    raise RuntimeError("did not converge")


def raises_behind_a_while(x):
    while x.max() > 1:
        x = x / 2
        if x.min() < 0.7:
            return x
    raise ValueError("too small")


KEPT = [
    history,
    without_a_name,
    before_and_behind,
    with_an_else,
    in_pairs,
    raises_at_its_end,
    raises_behind_a_while,
]
PROGRAMS = [*KEPT, written_into]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", KEPT, ids=lambda f: f.__name__)
def test_the_text_is_the_users(program: Any, to: str) -> None:
    is_the_users(program, X, to)


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_it_means_the_same(program: Any, source: str, to: str) -> None:
    means_the_same(program, [X, *OTHERS], source, to)


@pytest.mark.parametrize("program", [history, raises_at_its_end])
def test_what_is_compiled_neither_collects_so_nor_raises(program: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match="left early|raising RuntimeError"):
        tl.transpile(program, (X.astype(np.float32),), to="jax", x64=False)


def test_what_is_written_into_behind_an_append_is_refused() -> None:
    def program(x):
        log, u = [], x * 1
        for _ in range(9):
            u *= 0.5
            log.append(u)
            if u[0] < 0.1:
                break
            u += 1
        return log

    with pytest.raises(tl.UnsupportedError, match="appending to `log`"):
        tl.transpile(program, (X,), to="numpy")
