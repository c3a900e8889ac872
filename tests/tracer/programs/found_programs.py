"""Programs that random ones came down to when they had found a fault, and their like.

The first arguments are the example that each is traced with.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np


def bound_in_some_turns(x, y):
    s = x.sum()
    outs = [y]
    for _ in range(3):
        if s:
            b = s
            if b:
                v = x
            w = v  # noqa: F841 (unread, and without a value where `v` has none)
            s = y.sum()
        outs.append(s)
    return outs


def item_outlives_rows(x, y):
    a = x[0]
    for a in y:  # noqa: B007
        pass
    return a


def item_outlives_a_range(x, n: int):
    i = 0
    for i in range(n):  # noqa: B007
        pass
    return x * i


def item_and_state(x, n: int):
    i = 0
    for i in range(n):
        x = x * 1.5
    return x * i


def one_array_twice(x, y):
    for a, b in zip(y, y):
        x = x * a + b
    return x


def two_items_unread(x, y):
    for _, _ in zip(y, y):
        x = x * 0.5
    return x


def size_after_a_write(x, y, n: int):
    x = x.copy()
    first, v = x, y
    if x.sum():
        x[1] = 1.0
    for _ in range(n):
        m = first
    else:
        v = y if x.shape[0] > 2 else m
    return v, x


def column_by_its_own(m):
    m = m.copy()
    for j in range(3):
        m[:, j] -= m[j, j]
    return m


def column_by_its_own_rolled(m, n: int):
    m = m.copy()
    for j in range(n):
        m[:, j] -= m[j, j]
    return m


def moved_along(m):
    m = m.copy()
    m[1:] += m[:-1]
    m[:, 1:] = m[:, :-1]
    m[0] /= m[0, 0]
    m += m.T
    return m


def grown_by_its_first(x):
    for _ in range(40):
        x = np.concatenate([x, x[:1]])
    return x * x.shape[0]


def doubled_in_length(x, n: int):
    for _ in range(n):
        x = np.concatenate([x, x * 2])
        if x.sum() > 30:
            x = x / 2
    return x


def grown_for_each_row(x, y):
    for row in y:
        z = x
        for _ in range(9):
            z = np.concatenate([z, row[:1]])
        x = x + z.sum()
    return x


def without_axes_at_first(x, n: int):
    t = np.zeros(())
    for i in range(n):
        t = t + x * i
    return t


def rows_so_far(rows):
    far = np.zeros((1, 3))
    for row in rows:
        far = np.concatenate([far, far[-1:] + row])
    return far[1:]


def grown_until(x):
    for _ in range(12):
        x = np.concatenate([x, x[:1]])
        if x.sum() > 14:
            break
    return x


V = [np.array([0.5, 1.0, -1.5]), np.array([0.5, 1.0, 1.5])]
ROWS = [np.arange(12.0), np.arange(11.0) - 4]
M = np.arange(9.0).reshape(3, 3) + 1
PROGRAMS: list[tuple[Any, list[tuple[Any, ...]]]] = [
    (bound_in_some_turns, [(x, y) for x in V for y in V]),
    (item_outlives_rows, [(x, y) for x in V for y in ROWS]),
    (item_outlives_a_range, [(x, n) for x in V for n in (12, 1, 0)]),
    (item_and_state, [(x, n) for x in V for n in (12, 1, 0)]),
    (one_array_twice, [(x, y) for x in V for y in ROWS]),
    (two_items_unread, [(x, y) for x in V for y in ROWS]),
    (size_after_a_write, [(x, y, n) for x in V for y in V for n in (2, 12)]),
    (column_by_its_own, [(M,), (-M,)]),
    (column_by_its_own_rolled, [(M, 3), (M, 1)]),
    (moved_along, [(M,), (-M,)]),
    (grown_by_its_first, [(V[0],), (V[0][:1],), (V[0][:0],)]),
    (doubled_in_length, [(x, n) for x in V for n in (9, 1, 0)]),
    (grown_for_each_row, [(x, k * M) for x in V for k in (1, -1)]),
    (without_axes_at_first, [(x, n) for x in V for n in (12, 2, 0)]),
    (rows_so_far, [(np.arange(36.0).reshape(12, 3),), (M,)]),
    (grown_until, [(x,) for x in V]),
]
