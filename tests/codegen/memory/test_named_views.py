"""Views that have a name: what the user reads and writes through it stays so, in straight lines, in branches
and in loops, those that are left early too.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
import torch
from as_written import is_the_users, means_the_same

import tracelate as tl

X = np.arange(12.0).reshape(3, 4) - 3
#: Of other sizes, values, ranks and an order of memory.
OTHERS = [X * 2 + 1, np.ones((5, 4)), X[:, ::-1], np.arange(16.0).reshape(4, 4).T - 8]
OTHERS += [np.arange(3.0) + 1, np.arange(24.0).reshape(4, 3, 2)]


def written_and_given(x):
    y = x * 2
    p = y[:2]
    p[0] = 7
    return y, p


def assigned_whole(x):
    v = x * 1
    inner = v[1:-1]
    inner[:] = inner * 0.5
    inner += 1
    return v


def a_view_of_a_view(x):
    y = x * 1
    a = y[:2]
    b = a[1:]
    b[0] = 3
    a[0] = 4
    return a + b, y


def of_an_argument(x):
    top = x[:2]
    top *= 2
    top[0] = 1
    return x


def written_otherwise(x):
    y = x * 1
    p = y[:2]
    y[1] = 3
    return p + 1, y


def read_before_and_after(x):
    y = x * 1
    p = y[:2]
    q = p * 2
    y[1] = 3
    p[0] = 5
    return p + q, y


def a_part_of_the_view(x):
    y = x * 1
    p = y[:2]
    p[:, 1] -= 0.5
    p[1, 2] = 9
    return y


def sizes_of_a_view(x):
    y = x * 1
    n = y.shape[0] // 2
    lo, hi = y[:n], y[n:]
    lo[:] = hi[:n] * 2
    hi[0] = lo[0] + hi.shape[0]
    return y


def by_a_mask(x):
    y = x * 1
    row = y[0]
    row[row < 0] = 0
    return y.sum() + row.sum()


def in_one_way(x):
    y = x * 1
    row = y[0]
    if x.sum() > 0:
        row[0] = 2
    return y


def in_both_ways(x):
    y = x * 1
    row = y[0]
    if x.sum() > 20:
        row[0] = 2
        t = row.sum()
    else:
        row -= 3
        t = row[1]
    return y, row * t


def in_a_way_of_a_loop(x):
    y = x * 1
    for i in range(3):
        row = y[i]
        row -= row.mean()
        if row[0] > -3:
            row[0] = 0
    return y


def taken_before_a_loop(x):
    q = x * 1
    pos, vel = q[0], q[1]
    for _ in range(20):
        vel += 0.1 * pos
        pos -= 0.1 * vel
    return q


def beside_its_array(x):
    u = x * 1
    inner = u[1:-1]
    for _ in range(9):
        inner += 0.1 * (u[2:] + u[:-2] - 2 * inner)
    return u


def in_a_loop_that_is_left(x):
    u = x * 1
    for _ in range(9):
        old = u * 1
        u[1:-1] = 0.5 * (u[2:] + u[:-2])
        if abs(u - old).max() < 1e-2:
            break
    return u


def in_a_loop_with_an_argument(x):
    inner = x[1:-1]
    for k in range(9):
        inner *= 0.5
        if abs(inner).max() < 0.7:
            break
        x[0] += 1
    return x, k


def in_turns_that_end_early(x):
    y = x * 1
    row = y[0]
    for i in range(3):
        row += 1
        if y[i, 0] > 0:
            continue
        row[1] = i
    return y, row


def until_nothing_changes(x):
    y = x * 1
    while True:
        y[0] *= 0.5
        if y[0].max() < 0.1:
            break
        y[1] += 1
    return y


#: What is the user's own text in NumPy and torch, but for the words of each and for checks.
KEPT = [
    written_and_given,
    assigned_whole,
    a_view_of_a_view,
    of_an_argument,
    written_otherwise,
    read_before_and_after,
    a_part_of_the_view,
    sizes_of_a_view,
    by_a_mask,
    in_one_way,
    in_both_ways,
    in_a_way_of_a_loop,
    taken_before_a_loop,
    beside_its_array,
    in_a_loop_that_is_left,
    in_a_loop_with_an_argument,
    in_turns_that_end_early,
    until_nothing_changes,
]


def lost_in_a_copy(x, flag=True):
    """The view is one of an array that is not written into."""
    p = x[0]
    y = x * 1
    y[0] = p + 1
    p = y[0]
    y = y * 2
    p[0] = 7
    return y, p


def bound_anew(x):
    y = x * 1
    p = y[0]
    y[1] = 3
    p = p + 1
    p[0] = 5
    return y, p


def in_some_turns_another(x):
    y = x * 1
    p = y[0]
    for i in range(3):
        if x[i, 0] > 0:
            p = y[i]
        p = p * 2
    return y, p


def handed_out_before_it_is_left(x):
    y, kept = x * 1, x[0]
    for i in range(3):
        y[i] += 1
        if y[i, 1] > 2:
            kept = y[0] * 1
            break
        y[0] *= 2
    return y, kept


def overlapping(x):
    y = x * 1
    a, b = y[:-1], y[1:]
    a += b
    b[:] = a
    return y


PROGRAMS = [
    *KEPT,
    lost_in_a_copy,
    bound_anew,
    in_some_turns_another,
    handed_out_before_it_is_left,
    overlapping,
]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", KEPT, ids=lambda f: f.__name__)
def test_the_text_is_the_users(program: Any, to: str) -> None:
    if program is sizes_of_a_view and to == "torch":
        pytest.skip("torch must not read what it writes: `hi[:n]` is copied")
    is_the_users(program, X, to)


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_it_means_the_same(program: Any, source: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    if source == "torch" and program is overlapping:
        pytest.skip("torch forbids what the program does")
    with jax.enable_x64(True):
        means_the_same(program, [X, *OTHERS], source, to)


def test_an_array_without_axes_picks_a_copy_in_numpy() -> None:
    def before_a_write(x, i):
        row = x[i]
        x[0] = 0
        return row

    out = tl.transpile(before_a_write, (torch.ones(3, 2), torch.tensor(1)), to="numpy")
    assert out(np.ones((3, 2), np.float32), np.array(0)).tolist() == [0, 0]
