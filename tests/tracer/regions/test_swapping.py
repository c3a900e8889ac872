"""Loops that hand on arrays under each other's names, and write into one: double buffers."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from as_written import is_the_users, means_the_same

X = np.arange(1.0, 7.0)
OTHERS = [X * 0, X[::-1], np.arange(9.0) / 9, np.arange(12.0).reshape(4, 3)]


def jacobi(b, n=20, tol=1e-4):
    u = b * 0
    new = u * 1
    for k in range(n):
        new[1:-1] = 0.5 * (u[2:] + u[:-2] - b[1:-1])
        if abs(new - u).max() < tol:
            break
        u, new = new, u
    return u, k


def in_place(b):
    u, new = b * 1, b * 2
    for _ in range(7):
        new += u
        new[0] = 1
        u, new = new, u
    return u, new


def three_levels(b):
    prev, cur, nxt = b * 0, b * 1, b * 2
    for _ in range(8):
        nxt[1:-1] = 2 * cur[1:-1] - prev[1:-1]
        prev, cur, nxt = cur, nxt, prev
    return cur, prev


def in_a_while(b):
    u, new = b * 1, b * 2
    while u.sum() > 1:
        new[:] = u * 0.5
        u, new = new, u
    return u


KEPT = [jacobi, three_levels, in_a_while]


def kept_by_another_name(b):
    u, new = b * 1, b * 2
    best = u
    for i in range(5):
        new[0] = u.sum()
        if i == 2:
            best = u
        u, new = new, u
    return u, best


def collected(b):
    u, new = b * 1, b * 2
    history = []
    for _ in range(5):
        new[0] = u.sum()
        history.append(u)
        u, new = new, u
    return u, history


def seen_by_a_view(b):
    u, new = b * 1, b * 2
    view, other = new[1:], u
    for i in range(5):
        new[1] = u.sum() + i
        u, new = new, u
    return u, view, other


def one_array(b):
    u = b * 1
    new = u
    for i in range(5):
        new[0] = u.sum() + i
        u, new = new, u
    return u, new


def an_argument(b):
    u, new = b, b * 1
    for i in range(3):
        new[0] = u.sum() + i
        u, new = new, u
    return u, b


def twice_the_same(b):
    u, new = b * 1, b * 2
    for _ in range(4):
        new[0] = u.sum()
        u, new = new, new
    return u, new


def written_behind_the_loop(b):
    u, new = b * 1, b * 2
    for _ in range(3):
        new[0] = u.sum()
        u, new = new, u
    u[1] = 7
    return u, new


def an_array_with_views(b):
    u, new, whole = b * 1, b * 2, b * 3
    part = whole[1:]
    for _ in range(3):
        whole -= 1
        u, new = new, u
    return whole, part, u


PROGRAMS = [
    *KEPT,
    in_place,
    kept_by_another_name,
    collected,
    seen_by_a_view,
    one_array,
    an_argument,
    twice_the_same,
    written_behind_the_loop,
    an_array_with_views,
]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", KEPT, ids=lambda f: f.__name__)
def test_the_text_is_the_users(program: Any, to: str) -> None:
    is_the_users(program, X, to)


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.usefixtures("wide")
def test_it_means_the_same(program: Any, source: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    means_the_same(program, [X, *OTHERS], source, to)
