"""Arrays of lists to which no turn has appended anything, and lists that say how long a loop runs."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.arange(6.0).reshape(2, 3) + 1
NAMES = {"ids": lambda value: getattr(value, "__name__", None)}


def rows(x, n=0):
    out = []
    for _ in range(n):
        x = x * 2
        out.append(x)
    return np.array(out)


def ints(x, n=0):
    out = []
    for i in range(n):
        out.append(i * 2)
    return np.array(out), x


def floats(x, n=0):
    out = []
    for _ in range(n):
        out.append(float(x.sum()))
    return np.array(out), x


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("program", [rows, ints, floats], **NAMES)
def test_of_nothing_an_array_is_made_as_the_program_makes_it(program: Any, to: str) -> None:
    with jax.enable_x64(True):
        out = tl.transpile(program, (X.copy(), 0), to=to, x64=True if to == "jax" else None)
        for n in (0, 1, 3):
            try:
                found = out(convert(X, to), n)
            except AssertionError:
                assert n
                continue
            assert not [*compare(program(X, n), found, kind="reduction")], out.source


def picked_one_by_one(x, k=2):
    chosen = [int(x.sum(1).argmin())]
    best = x[chosen].ravel()
    while len(chosen) < k:  # what this test makes of a list that a turn has appended to is not recorded
        chosen.append(int(best.argmax()) % 2)
        best = np.minimum(best, x[chosen[-1]])
    return x[chosen].copy()


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_a_list_that_says_how_long_a_loop_runs(to: str) -> None:
    out = tl.transpile(picked_one_by_one, (X.copy(),), to=to)
    assert not [*compare(picked_one_by_one(X), out(convert(X, to)))], out.source
