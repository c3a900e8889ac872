"""Loops over the rows of an array that the body writes into: the rows are taken by the number of the turn,
and the text for NumPy and torch goes through them as the user does.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from as_written import means_the_same

import tracelate as tl

X = np.arange(1, 13.0).reshape(3, 4)
#: Of other numbers of rows, none among them, and of other ranks.
OTHERS = [X * 2 + 1, np.ones((5, 4)), np.ones((1, 4)), np.ones((0, 4)), X[::-1]]
OTHERS += [np.arange(3.0) + 1, np.arange(24.0).reshape(4, 3, 2)]


def by_rows(x):
    y = x * 1
    for row in y:
        row /= row.sum()
    return y


def of_an_argument(x):
    for row in x:
        row[0] = row[1]
        row -= 1
    return x


def counted(x):
    y = x * 1
    for i, row in enumerate(y):
        row *= i
        if row.sum() > 3:
            row[0] = 0
    return y


def counted_from_one(x):
    y = x * 1
    for i, row in enumerate(y, 1):
        row *= i
    return y


def in_step(x):
    y, z = x * 1, x * 2
    for a, b in zip(y, z):
        a += b
    return y, z


def both_in_step(x):
    y, z = x * 1, x * 2
    for a, b in zip(y, z):
        a += b
        b[0] = a[1]
    return y, z


def written_by_number(x):
    y = x * 1
    for i, row in enumerate(y):
        y[i] = row * 2 + 1
    return y


def of_a_part(x):
    y = x * 1
    for i, row in enumerate(y[1:]):
        row += y[i]
    return y


def elements(x):
    y = x * 1
    for row in y:
        for j in range(len(row)):
            row[j] *= j
    return y


def from_behind(x):
    y = x * 1
    for row in reversed(y):
        row[0] = 0
        y[0] += 1
    return y


def columns(x):
    y = x * 1
    for column in y.T:
        column -= column.mean()
    return y


def by_a_helper(x):
    y = x * 1
    for row in y:
        clip(row)
    return y


def clip(row):
    row[row < 3] = 0


def until_one_is_large(x):
    y = x * 1
    for row in y:
        row += 1
        if row.sum() > 30:
            break
    return y


def collected(x):
    y, sums = x * 1, []
    for row in y:
        row *= 2
        sums.append(row.sum())
    return y, sums


def the_last_one(x):
    y = x * 1
    last = y[0]
    for row in y:
        row += 1
        last = row
    last[0] = 9
    return y


PROGRAMS = [
    by_rows,
    of_an_argument,
    counted,
    counted_from_one,
    in_step,
    both_in_step,
    written_by_number,
    of_a_part,
    elements,
    from_behind,
    columns,
    by_a_helper,
    until_one_is_large,
    collected,
    the_last_one,
]
#: How the loop begins in the texts for NumPy and torch.
HEADS = {
    by_rows: "    for row in y:\n        row /= row.sum()\n",
    of_an_argument: "    for row in x:\n        row[0] = row[1]\n        row -= 1\n",
    counted: "    for i, row in enumerate(y):\n        row *= i\n        if row.sum() > 3:\n",
    in_step: "    for a, b in zip(y, z):\n        a += b\n",
    both_in_step: "    for a, b in zip(y, z):\n        a += b\n        b[0] = a[1]\n",
    written_by_number: "    for i, row in enumerate(y):\n        y[i] = row * 2 + 1\n",
    of_a_part: "    for i, row in enumerate(y[1:]):\n        row += y[i]",
    by_a_helper: "    for row in y:\n        clip(row)\n",
    until_one_is_large: "    for row in y:\n        row += 1\n        if row.sum() > 30:\n",
}


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", HEADS, ids=lambda f: f.__name__)
def test_the_loop_is_the_users(program: Any, to: str) -> None:
    assert HEADS[program] in tl.transpile(program, (X.copy(),), to=to).source


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.usefixtures("wide")
def test_it_means_the_same(program: Any, source: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    if source == "torch" and program in (from_behind,):
        pytest.skip("torch has no reversed() of tensors that are views")
    means_the_same(program, [X, *OTHERS], source, to)


def test_the_number_of_rows_is_not_pinned() -> None:
    text = tl.transpile(by_rows, (X,), to="jax", x64=True).source
    assert "fori_loop" in text and "shape[0] ==" not in text
