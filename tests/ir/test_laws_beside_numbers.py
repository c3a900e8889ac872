"""Laws that leave out an operation, `x / 1` and `x * 1.0`: of ints it makes floats, which hangs on the types
of numbers among the arguments too.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert


def divided(x, k):
    return (x * k) / 1


def divided_by_default(x, k=0.5):
    return (x * k) / 1


def multiplied(x, k):
    return (x - k) * 1.0


def made(x, k):
    return np.full(3, k) / 1 + x


def chosen(x, k):
    return np.where(x > 1, x, k) * 1.0


def summed(x, k):
    return (k * x).sum() / 1.0


def power(x, k):
    return np.full(3, k) ** 1 - x


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("example", [None, 0.5, 2])
@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize("fn", [divided, divided_by_default, multiplied, made, chosen, summed, power])
def test_it_stays_where_a_number_may_be_an_int(fn: Any, dtype: str, example: Any, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    given = None if example is None else (np.array([1, 2, 3], dtype), example)
    out = tl.transpile(fn, given, to=to, source="numpy")
    for other in ("float32", "float64", "int32", "uint8"):
        for k in (1, 0.5, True):
            x = np.array([1, 2, 3], other)
            try:
                got = out(convert(x, to), k)
            except Exception:
                continue
            want = fn(x, k)
            assert str(got.dtype).removeprefix("torch.") == str(want.dtype), (other, k, out.source)
            np.testing.assert_allclose(np.asarray(got), want)
