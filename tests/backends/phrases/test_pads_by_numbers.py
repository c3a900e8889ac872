"""What arrays are padded with may be an argument; torch takes it for a float of 64 bits."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
import torch.nn.functional as F

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

X = np.array([[3, 0, 1], [0, 4, 3]])
BIG = np.iinfo(np.int64).max


@pytest.fixture(autouse=True)
def wide():
    with jax.enable_x64(True):
        yield


def by_numpy(x, v):
    return np.pad(x, ((0, 1), (1, 2)), constant_values=v)


def by_torch(x, v):
    return F.pad(x, (1, 2, 0, 1), value=v)


def by_jax(x, v):
    return jnp.pad(x, 1, constant_values=v)


def to_a_length(x, n, v):
    return F.pad(x, (0, n - x.size(-1)), value=v)


PROGRAMS = {by_numpy: "numpy", by_torch: "torch", by_jax: "jax"}


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("dtype", ["int64", "int8", "uint8", "bool", "float32", "float64"])
@pytest.mark.parametrize("fn", PROGRAMS)
def test_other_numbers_agree_or_are_refused(fn: Any, dtype: str, to: str) -> None:
    array, source = X.astype(dtype), PROGRAMS[fn]
    for first in (True,) if dtype == "bool" else (2, 1.5):
        try:
            out = tl.transpile(fn, (convert(array, source), first), to=to)
        except tl.UnsupportedError:
            continue  # a float among ints
        for v in (first, 0, -1, True, 300, 0.5, np.inf, 2**53, 2**53 + 1, BIG, -(2**60), 2**64):
            try:
                expected = to_numpy(fn(convert(array, source), v))
            except (OverflowError, RuntimeError, TypeError, ValueError):
                continue  # no number of this dtype
            try:
                found = to_numpy(out(convert(array, to), v))
            except (AssertionError, OverflowError, RuntimeError, TypeError, ValueError):
                assert v is not first
                continue
            np.testing.assert_array_equal(found, expected, f"{v}\n{out.source}", strict=True)


def by_the_largest(x):
    return np.pad(x, ((0, 0), (0, 2)), constant_values=np.iinfo(x.dtype).max)


def on_both_sides(x):
    return jnp.pad(x, ((1, 0), (2, 1)), constant_values=2**60 + 1)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_ints_that_no_float_holds_are_kept(to: str) -> None:
    for fn, given in ((by_the_largest, X), (on_both_sides, jnp.asarray(X))):
        out = tl.transpile(fn, (given,), to=to)
        np.testing.assert_array_equal(to_numpy(out(convert(X, to))), np.asarray(fn(given)), strict=True)


def test_torch_makes_other_numbers_of_them() -> None:
    for fn in (lambda x: F.pad(x, (1, 0), value=2**53 + 1), lambda x: F.pad(x, (1, 0), value=BIG)):
        with pytest.raises(tl.UnsupportedError, match="for a float, which does not hold it"):
            tl.symbolic_trace(fn, (torch.tensor(X),)).source("numpy")


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_lengths_and_numbers_together(to: str) -> None:
    report = tl.check(to_a_length, (torch.tensor(X), 5, 7), to=to, x64=True if to == "jax" else None, vary=24)
    assert report.ok, str(report)
