"""Sizes that the body of an op computes with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.ir.meaning.op import inexact, same
from tracelate.ir.ops.creation import arange
from tracelate.ir.ops.joining import concat
from tracelate.ir.ops.reduction import mean
from tracelate.ir.ops.shape import broadcast_to, reshape

pytestmark = pytest.mark.usefixtures("dictionary")
TARGETS = ("numpy", "jax", "torch")


def held(fn: Any, *args: Any) -> list[str]:
    """The texts, which hold for arrays of other sizes too."""
    found = []
    for to in TARGETS:
        report = tl.check(fn, args, to=to, vary=8)
        assert report, str(report)
        found.append(tl.transpile(fn, args, to=to).source)
    return found


def test_a_size_that_is_computed_is_written_as_such() -> None:
    @tl.op("X[b c *s] -> Y[b c *s]", dtype=inexact)
    def centred(x, *, size):  # type: ignore[no-untyped-def]
        """x less the mean of each group of `size` channels."""
        groups = reshape(x, shape=(x.shape[0], x.shape[1] // size, size, -1))
        return reshape(groups - mean(groups, axis=(2, 3), keepdims=True), shape=x.shape)

    x = torch.randn(2, 8, 3)
    text = tl.transpile(lambda x: centred(x, size=2), (x,), to="numpy").source
    assert "    groups = x.reshape(x.shape[0], x.shape[1] // 2, 2, -1)\n" in text
    assert ".reshape(x.shape)\n" in text or ".reshape(*x.shape)\n" in text
    held(lambda x: centred(x, size=2), x)


def test_sums_products_and_remainders_of_sizes() -> None:
    @tl.op(dtype=same, shape=lambda x: (2 * x[0] * x[1] + x[0] % 3,))
    def lined(x):  # type: ignore[no-untyped-def]
        """Twice the elements, and as many zeros as rows are over three."""
        twice = broadcast_to(x, shape=(2, x.shape[0], x.shape[1]))
        flat = reshape(twice, shape=(x.shape[0] * x.shape[1] * 2,))
        rest = arange(start=0, stop=x.shape[0] % 3, step=1, dtype=x.dtype)
        return concat(flat, rest * 0, axis=0)

    for text in held(lambda x: lined(x) * 2, np.ones((4, 3), np.float32)):
        assert "x.shape[0] % 3" in text


def test_the_parameters_name_stays_alive() -> None:
    @tl.op("X[m n] -> Y[m n]", dtype=inexact)
    def doubled(x):  # type: ignore[no-untyped-def]
        """x, through a shape of pairs."""
        pairs = reshape(x * 2, shape=(x.shape[0] * x.shape[1] // 2, 2))
        return reshape(pairs, shape=x.shape)

    def program(x: Any) -> Any:
        x = doubled(x)
        x = x + 1
        return doubled(x)

    held(program, np.ones((4, 6), np.float32))
