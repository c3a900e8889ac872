"""Functions that others define, and that give what they read of variables there: who writes into one,
writes into both.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from itertools import product
from typing import Any

import jax
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.arange(6.0).reshape(2, 3) + 1


def written_behind(x):
    a = x * 1

    def f(v):
        if v.sum() > 3:
            return a
        return v * 2

    y = f(x * 2)
    a[0] = 7
    return a, y


def result_written(x):
    a = x * 1

    def f(v):
        if v.sum() > 3:
            return a
        return v

    y = f(x * 2)
    y[0] = 7
    return a, y


def a_view_written(x):
    a = x * 1

    def f(v):
        if v.sum() > 3:
            return a[:1]
        return v[:1]

    y = f(x * 2)
    y += 7
    return a, y


def by_another_function(x):
    a = x * 1

    def g():
        return a

    def f(v):
        if v.sum() > 3:
            return g()
        return v * 2

    y = f(x * 2)
    a[0] = 7
    return a, y


def out_of_a_dict(x):
    d = {"a": x * 1}

    def f(v):
        if v.sum() > 3:
            return d["a"]
        return v * 2

    y = f(x * 2)
    d["a"][0] = 7
    return d["a"], y


def only_read(x):
    a = x * 1

    def f(v):
        if v.sum() > 3:
            return a
        return v

    y = f(x * 2)
    return a, y * 2


def written_before(x):
    a = x * 1

    def f(v):
        if v.sum() > 3:
            return v + a
        return v

    y = f(x)
    a[0] = 7
    return y + f(x)


TAKEN = [only_read, written_before]
PROGRAMS = [written_behind, result_written, a_view_written, by_another_function, out_of_a_dict, *TAKEN]


@pytest.mark.complete
@pytest.mark.parametrize(
    "program, to", product(PROGRAMS, ["numpy", "jax", "torch"]), ids=lambda v: getattr(v, "__name__", None)
)
def test_it_is_one_memory(program: Any, to: str) -> None:
    with jax.enable_x64(True):
        try:
            out = tl.transpile(program, (X.copy(),), to=to, x64=True if to == "jax" else None)
        except tl.UnsupportedError as error:
            assert program not in TAKEN and "share memory" in str(error)
            return
        for given in (X, X * 0, -X):
            expected, found = program(given.copy()), out(convert(given.copy(), to))
            assert not [*compare(expected, found)], out.source


def test_a_variable_keeps_its_name() -> None:
    text = tl.transpile(only_read, (X,), to="numpy").source
    assert "y = f(x * 2, a)" in text and "def f(v, a):" in text
