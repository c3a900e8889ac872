"""`w = np.zeros(n) if w0 is None else w0`: both ways stay where they agree, else the example's, checked."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.arange(1, 4, dtype=np.float32)


def of_another_dtype(x, w0=None):
    w = np.zeros(len(x)) if w0 is None else w0
    return w @ x


def of_another_dtype_turned_round(x, w0=None):
    w = w0 if w0 is not None else np.zeros(len(x))
    return w @ x + w.sum()


def written_into(x, out=None):
    res = np.zeros(len(x)) if out is None else out
    res[0] = x[0]
    return res


def written_into_by_a_helper(x, out=None):
    res = np.zeros(len(x)) if out is None else out
    fill(res, x)
    return res


def fill(res, x):
    res[:] = x * 2


def of_one_dtype(x, w0=None):
    w = np.zeros(len(x), np.float32) if w0 is None else w0
    return w @ x


SETTLED = [of_another_dtype, of_another_dtype_turned_round, written_into, written_into_by_a_helper]


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", [*SETTLED, of_one_dtype], ids=lambda fn: str(fn.__name__))
def test_it_means_the_same(fn: Any, to: str) -> None:
    out = tl.transpile(fn, (X.copy(), X + 1), to=to)
    for first, second in ((X, X + 1), (X * 2, -X)):
        mine, theirs = ([convert(a.copy(), each) for a in (first, second)] for each in ("numpy", to))
        assert not list(compare(fn(*mine), out(*theirs))), out.source
        if to != "jax":
            assert not list(compare(mine, theirs)), out.source
    if fn is of_one_dtype:
        assert not list(compare(fn(X), out(convert(X, to)))), out.source
        assert "if w0 is None else" in out.source
    else:
        with pytest.raises((AssertionError, AttributeError)):
            out(convert(X.copy(), to))


def twice_by_another_name(x, a=None):
    if a is None:
        return x, x
    b = a
    b *= 2
    return a, b


def in_a_dict(x, a=None):
    if a is None:
        return x, {}
    s = {"v": a}
    s["v"] += 1
    return a, s


def chosen(x, a=None):
    before = x * 2 if a is None else a
    a *= 2
    return before, a


def given_by_a_helper(x, a=None):
    h = either(x, a)
    h *= 2
    return h, a


def either(x, a):
    return x * 2 if a is None else a


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [twice_by_another_name, in_a_dict, chosen, given_by_a_helper])
def test_a_number_is_not_changed_in_place(fn: Any, to: str) -> None:
    """Given for an array that may be None, under two names: the text has one."""
    out = tl.transpile(fn, (X.copy(), X + 1), to=to)
    for other in (2.0, 3, np.float32(2), X + 2, np.array([[1.0, 2.0, 3.0]], np.float32)):
        mine = (X.copy(), other.copy() if isinstance(other, np.ndarray) else other)
        theirs = [convert(a, to) if isinstance(a, np.ndarray) else a for a in copy.deepcopy(mine)]
        want = fn(*mine)
        try:
            found = out(*theirs)
        except (AssertionError, AttributeError, TypeError):
            assert not isinstance(other, np.ndarray) or other.ndim > 1
            continue
        assert not list(compare(want, found)), (other, out.source)
