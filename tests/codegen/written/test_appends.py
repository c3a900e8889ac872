"""What a loop appends stands where the user appends it."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from as_written import is_the_users, means_the_same

X = np.arange(6.0).reshape(2, 3) + 1


def on_each_way(x):
    out = []
    for row in x:
        if row.sum() > 7:
            out.append(row * 2)
        elif row.sum() > 1:
            y = row + 1
            out.append(y * y)
        else:
            out.append(row)
    return out


def to_two_lists(x):
    out = []
    other = []
    for row in x:
        v = row * 2
        if v[0] > 4:
            other.append(v.sum())
        else:
            other.append(v.max())
        out.append(v)
    return out, other


def with_what_it_begins(x):
    ys = [x]
    for _ in range(7):
        x = x - 0.1 * x
        ys.append(x)
    return ys


def with_what_is_made_of_it(x):
    sums = [x.sum()]
    for _ in range(7):
        x = x * 0.5
        sums.append(x.sum())
    return x, sums


# What is read besides keeps its name.


def also_carried(x):
    out = []
    total = x[0] * 0
    for row in x:
        if row.sum() > 7:
            y = row * 2
        else:
            y = row + 1
        out.append(y)
        total = total + y
    return out, total


def only_one_leaves(x):
    out = []
    for row in x:
        if row.sum() > 7:
            y = row * 2
        else:
            break
        out.append(y)
    return out


def still_read(x):
    y = x * 1
    ys = [y]
    for _ in range(3):
        y = y * 0.5
        ys.append(y)
    return ys, x + y


STAYING = [on_each_way, to_two_lists, with_what_it_begins, with_what_is_made_of_it]
PROGRAMS = [*STAYING, also_carried, only_one_leaves, still_read]
NAMES = {"ids": lambda value: getattr(value, "__name__", None)}


@pytest.mark.parametrize("program, to", product(STAYING, ["numpy", "torch"]), **NAMES)
def test_a_loop_appends_where_the_program_does(program: Any, to: str) -> None:
    is_the_users(program, X, to)


@pytest.mark.parametrize("program, to", product(PROGRAMS, ["numpy", "jax", "torch"]), **NAMES)
def test_it_means_the_same(program: Any, to: str) -> None:
    if program is only_one_leaves and to == "jax":
        pytest.skip("how much it collects is known only when the program runs, which JAX refuses")
    means_the_same(program, [X, X * 3, X - 4, np.ones((5, 3))], "numpy", to)
