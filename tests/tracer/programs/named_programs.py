"""Programs that write, in a loop, into an array that has several names."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from arguments import M

X = M - 4
XN = [(X, 2), (-X, 3), (X / 10 - 0.3, 1), (X[:2], 2), (X.T, 0)]


def chosen_columns(x, n):
    std = x[0] > 0
    x = x * n
    x_std = x
    for c in range(x.shape[1]):
        if std[c]:
            x_std[:, c] = (x_std[:, c] - x_std[:, c].mean()) / (x[:, c].std() + 1)
    return x, x_std


def of_the_argument(x, n):
    y = x
    for c in range(len(x)):
        if x[c].sum() > 0:
            y[c] = x[c - 1] * n
    return y


def three_names(x, n):
    x = x * 1
    y = x
    z = y
    i = 0
    while i < len(x) and z.sum() < 100:
        if x[i].sum() > 0:
            y[i] += z[i - 1] * n
        i += 1
    return x, y, z


def in_a_dict(x, n):
    x = x * 1
    held = {"x": x}
    for i in range(len(x)):
        if x[i].sum() > 0:
            held["x"][i] = x[i - 1] * n
    return x, held["x"]


def in_a_list_twice(x, n):
    x = x * 1
    both = [x, x]
    for i in range(len(x)):
        if x[i].sum() > 0:
            both[0][i] = both[1][i - 1] + n
    return both[1]


def through_a_view(x, n):
    x = x * 1
    y = x.T
    for i in range(len(x)):
        if x[i].sum() > 0:
            y[:, i] = x[i - 1] * n
    return x, y


def through_one_that_may_be_it(x, n):
    x = x * 1
    y = np.asarray(x)
    for i in range(len(x)):
        if x[i].sum() > 0:
            y[i] = x[i - 1] * n
    return x, y


def one_name_on_each_way(x, n):
    x = x * n
    y = x
    for i in range(len(x)):
        if x[i].sum() > 0:
            y[i] = 0
        else:
            x[i] = 1
    return x, y


def in_two_loops(x, n):
    x = x * 1
    y = x
    for _ in range(12):
        for i in range(len(x)):
            if x[i].sum() > 0:
                y[i] = x[i - 1] * 0.5
        if y.sum() > 1000:
            break
    return x, y * n


def left_in_many_ways(x, n):
    x = x * n
    y = x
    for i in range(len(x)):
        if x[i].sum() > 0:
            y[i] = x[i - 1] * 0.5
            continue
        if x[i].sum() < -50:
            break
        x[0] = y[-1]
    return x, y


def with_a_copy_of_the_best(x, n):
    x = x * 1
    best = x * 0
    y = x
    for i in range(len(x)):
        y[i] = y[i] + n
        if y.sum() > 2:
            best = y.copy()
    return best, x


PROGRAMS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (fn, XN)
    for fn in (
        chosen_columns, of_the_argument, three_names, in_a_dict, in_a_list_twice, through_a_view,
        through_one_that_may_be_it, one_name_on_each_way, in_two_loops, left_in_many_ways,
        with_a_copy_of_the_best,
    )
]  # fmt: skip
