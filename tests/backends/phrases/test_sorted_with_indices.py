"""Sorting that gives the positions too is one call in a text for torch, and two elsewhere."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert

#: Which of equal elements comes first, nobody says.
X = torch.tensor([[3.0, 1.0, 2.0], [5.0, 0.0, 7.0]])


def both(x):
    v, i = x.sort(descending=True)
    return v, i


def along(x):
    v, i = torch.sort(x, dim=0)
    return v * 2, i


def values(x):
    return x.sort(dim=1, descending=True).values


def indices(x):
    return torch.sort(x, 1).indices


def stable(x):
    v, i = torch.sort(x, stable=True, dim=-1)
    return v, i


def largest(x):
    v, i = x.max(dim=1)
    return v, i


def top(x):
    v, i = torch.topk(x, 2, dim=1)
    return v, i


#: What stands in the text for torch.
SAID = {
    both: "v, i = x.sort(descending=True)",
    along: "v, i = torch.sort(x, dim=0)",
    values: "return x.sort(dim=1, descending=True).values",
    indices: "return torch.sort(x, 1).indices",
    stable: "v, i = torch.sort(x, dim=-1, stable=True)",
    largest: "v, i = x.max(dim=1)",
    top: "v, i = torch.topk(x, 2, dim=1)",
}


@pytest.mark.parametrize("fn", SAID)
def test_torch_has_one_word(fn):
    text = tl.symbolic_trace(fn, (X,)).source("torch")
    assert SAID[fn] in text, text


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", SAID)
def test_every_dtype_agrees_or_is_refused(fn, to):
    """And no check is made of a dtype of floats where NumPy says it in two words."""
    out = tl.transpile(fn, (X,), to=to)
    for dtype in (torch.float32, torch.float64, torch.int32, torch.int64, torch.int8, torch.uint8):
        x = X.to(dtype)
        try:
            found = out(convert(x, to))
        except (AssertionError, TypeError):
            assert dtype not in (torch.float32, torch.float64) or to == "jax"
            continue
        wanted = fn(x)
        pairs = zip(found, wanted, strict=True) if isinstance(found, tuple) else ((found, wanted),)
        for mine, theirs in pairs:
            np.testing.assert_array_equal(np.asarray(mine), theirs.numpy())


def test_an_array_is_no_size():
    """Where a reader takes what a call is told, too."""

    def padded(x, n):
        return np.pad(x, [(0, 0), ((n * 2).sum(), 1)])

    with pytest.raises(tl.UnsupportedError, match="'widths' is an array"):
        tl.symbolic_trace(padded, (np.ones((2, 3)), np.array([1]))).source("numpy")
