"""Parameters that are None by default and get a number in their place."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from ways import agree, attempt

import tracelate as tl

X = np.random.default_rng(0).normal(size=(4, 3))


def along(x, dim=None):
    if dim is None:
        dim = 0
    return x.sum(dim)


def along_one(x, axis=None):
    axis = -1 if axis is None else axis
    return x.sum(axis)


def small(x, eps=None):
    if eps is None:
        eps = 1e-5
    return x / (np.abs(x) + eps)


def counted(x, n=None):
    if n is None:
        n = x.shape[0]
    for i in range(n):
        x = x + i
    return x


def shared_out(x, n=None):
    if n is None:
        n = len(x)
    return x / n


def over_axes(x, axes=None, mode=None):
    if axes is None:
        axes = (0, 1)
    if mode is None:
        mode = "sum"
    return x.sum(axes) if mode == "sum" else x.mean(axes)


def t_attention(x, mask=None, scale=None):
    scale = 0.125 if scale is None else scale
    scores = x * scale
    if mask is not None:
        scores = scores + mask
    return scores


PROGRAMS = ((along, 1), (along_one, 0), (small, 0.5), (over_axes, (1,)))


@pytest.mark.parametrize("target", ("numpy", "torch", "jax"))
@pytest.mark.parametrize("fn, other", PROGRAMS, ids=lambda value: getattr(value, "__name__", ""))
@pytest.mark.usefixtures("wide")
def test_without_an_example_it_is_left_out(fn: Callable[..., Any], other: Any, target: str) -> None:
    options: dict[str, Any] = {"x64": True} if target == "jax" else {}
    out = tl.symbolic_trace(fn, source="numpy", assume="float64").to(target, **options)
    for x in (X, -X, X[:2]):
        assert agree(attempt(fn, (x,), "numpy", arguments=False), attempt(out, (x,), target, arguments=False))
    given = X if target == "numpy" else torch.from_numpy(X) if target == "torch" else np.float64(X)
    with pytest.raises(AssertionError):
        out(given, other)


def test_one_that_may_be_an_array_stays_one() -> None:
    out = tl.symbolic_trace(t_attention, source="torch").to("numpy")
    x = X.astype(np.float32)
    for mask in (None, x * 2):
        given = None if mask is None else torch.from_numpy(mask)
        expected = t_attention(torch.from_numpy(x), given)
        np.testing.assert_allclose(out(x, mask), expected, rtol=1e-6)


@pytest.mark.parametrize("fn, number", ((along, 1), (small, 0.5), (counted, 3), (shared_out, 2)))
def test_with_a_number_for_an_example_it_is_not_left_out(fn: Callable[..., Any], number: Any) -> None:
    out = tl.symbolic_trace(fn, (X, number)).to("numpy")
    np.testing.assert_allclose(out(X, number), fn(X, number))
    with pytest.raises(AssertionError):
        out(X)
