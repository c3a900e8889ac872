"""The length of a range that ends before it begins is 0."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

pytestmark = pytest.mark.usefixtures("wide")

X = np.arange(4.0)


def of_a_size(x, n):
    return x * len(range(len(x)))


def of_a_difference(x, n):
    return x * len(range(len(x) - 5))


def of_a_number(x, n):
    return x * len(range(n))


def of_two(x, n):
    return x * len(range(n, len(x)))


def of_less_a_number(x, n):
    return x * len(range(len(x) - n))


def of_backwards(x, n):
    return x * len(range(n, 0, -1))


def of_what_a_loop_goes_through(x, n):
    turns = range(len(x) - n)
    total = 0.0
    for i in turns:
        total = total + x[0] * i
    return total / (len(turns) + 1)


def of_two_in_step(x, n):
    return [v * i for i, v in zip(range(len(x)), x)]


PROGRAMS = (
    of_a_size, of_a_difference, of_a_number, of_two, of_less_a_number, of_backwards,
    of_what_a_loop_goes_through, of_two_in_step,
)  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("framework", ["numpy", "torch"])
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_lengths_of_ranges(fn: Callable[..., Any], framework: str, to: str) -> None:
    for example in (2, -3):
        out = tl.transpile(
            fn, to=to, args=(convert(X, framework), example), x64=True if to == "jax" else None
        )
        for n in (2, -3, 0, 4, 7):
            for x in (X, X[:2], np.arange(9.0)):
                expected = fn(convert(x, framework), n)
                try:
                    found = out(convert(x, to), n)
                except AssertionError:
                    assert x is not X or n != example
                    continue
                for one, other in zip(jax.tree.leaves(expected), jax.tree.leaves(found), strict=True):
                    if isinstance(one, (np.ndarray, torch.Tensor)):
                        np.testing.assert_allclose(
                            to_numpy(other), to_numpy(one), rtol=1e-6, err_msg=out.source
                        )
                    else:
                        np.testing.assert_allclose(np.asarray(other), np.asarray(one), rtol=1e-6)


def test_what_is_surely_no_less_is_written_as_it_is() -> None:
    assert "max" not in tl.transpile(of_a_size, (X, 2), to="numpy").source
    assert "max(len(x) - 5, 0)" in tl.transpile(of_a_difference, (np.arange(9.0), 2), to="numpy").source
