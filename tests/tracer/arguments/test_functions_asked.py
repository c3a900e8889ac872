"""A function among the arguments is checked to be of the example's name, whatever else is asked of it."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare

X = np.arange(4.0)


def own(x, n=1):
    return x + n


def other(x, n=1):
    return x - n


PROGRAMS = (
    lambda x, f: f(x),
    lambda x, f: (f(x), f.__name__),
    lambda x, f: (f(x), getattr(f, "__name__", "?")),
    lambda x, f: (f(x), hasattr(f, "__name__")),
    lambda x, f: f(x) if hasattr(f, "ndim") else f(x) * 2,
    lambda x, f: (f(x), getattr(f, "args", ())),
    lambda x, f: (f(x), callable(f)),
    lambda x, f: f(x) if isinstance(f, (type(own), np.ufunc)) else x,
    lambda x, f: f(x) if type(f).__name__ != "partial" else x,
)


@pytest.mark.parametrize(("given", "then"), [(np.sin, np.cos), (own, other)])
@pytest.mark.parametrize("program", PROGRAMS)
def test_another_function_is_refused(program: Any, given: Any, then: Any) -> None:
    out = tl.transpile(program, (X, given), to="numpy")
    wanted, found = program(X, given), out(X, given)
    assert not [*compare(wanted, found)]
    with pytest.raises(AssertionError):
        out(X, then)
