"""Ways of an `if` that say the same size differently: it stays an `if`, and sizes behind it are the array's
own.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ways import agrees_or_raises

import tracelate as tl

X = np.arange(9, dtype=np.float32).reshape(3, 3) - 4
MASK = X > 0


def masked(x, mask=None):
    s = x @ x.T
    if mask is not None:
        s = np.where(~mask, -1e9, s)
    return s


def size_behind(x, mask=None):
    s = x @ x.T
    if mask is not None:
        s = np.where(~mask, 0.0, s)
    return s.reshape(s.shape[0] * s.shape[1]), s.sum(axis=0) / s.shape[0]


def made_of_sizes(x, places=None):
    if places is None:
        places = np.arange(x.shape[0])
    return x * places[:, None] + np.zeros((places.shape[0], 1), np.float32)


def other_sizes(x, wide=None):
    y = x * 2
    if wide is not None:
        y = np.concatenate([x, wide])
    return y.mean(axis=0), y * 2


def joined_again(x, mask=None):
    s = x * 1
    if mask is not None:
        s = np.where(mask, s, 0)
    return s.T @ s


def rows_behind(x, mask=None):
    s = x * 1
    if mask is not None:
        s = np.where(mask, s, 0)
    out = s[0]
    for row in s:
        out = out * 0.5 + row
    return out


#: Each with other arguments than it is traced with: absent, of other sizes, and of sizes that spread.
CALLS: dict[Any, list[tuple[Any, ...]]] = {
    masked: [(X,), (X[:2], MASK[:2, :2]), (X, MASK[:1]), (X, MASK[:, :1]), (X[:1], MASK)],
    size_behind: [(X,), (X[:2], MASK[:2, :2]), (X, MASK[:1]), (X[:1], MASK), (X[:1], MASK[:, :1])],
    made_of_sizes: [(X,), (X, np.arange(3)), (X[:2], np.arange(2)), (X, np.arange(1)), (X[:1], np.arange(3))],
    other_sizes: [(X,), (X, X), (X[:1], X), (X, X[:0])],
    joined_again: [(X,), (X, MASK), (X[:1], MASK), (X, MASK[:1])],
    rows_behind: [(X,), (X[:2], MASK[:2]), (X[:1], MASK), (X, MASK[:1]), (X, MASK[0])],
}


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", CALLS)
@pytest.mark.parametrize("first", range(5))
def test_other_sizes_agree_or_are_refused(fn, to, first):
    """Of the cases those that have all pairs of values, see covering.py."""
    calls = CALLS[fn]
    example = calls[first] if first < len(calls) else calls[0]
    agrees_or_raises(fn, "numpy", example, calls, to)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_what_may_be_left_out_may_be_left_out(to):
    out = tl.transpile(masked, (X, MASK), to=to)
    assert "if mask is not None:" in out.source and "assert mask" not in out.source
