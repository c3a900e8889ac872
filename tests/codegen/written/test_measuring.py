"""`len(x)`, and how many elements an array has, are said by the user's words."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import numpy as np
import pytest
import torch

import tracelate as tl

X = np.arange(6, dtype=np.float32)
WORDS = {"numpy": "x.size", "jax": "x.size", "torch": "x.numel()"}


def measured(x, k=2):
    half = x[: len(x) // k]
    out = half * x.size
    for i in range(len(half)):
        out[i] += len(half)
    return out, x.shape[0]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_the_words_of_numpy(to: str) -> None:
    text = tl.transpile(measured, (X,), to=to).source
    assert "x[: len(x) // k]" in text and f"half * {WORDS[to]}" in text
    assert "len(half)" in text and "x.shape[0]" in text and "half.shape" not in text


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_the_words_of_torch(to: str) -> None:
    def counted(x):
        return x.sum() / x.numel() + len(x) * x.size(0)

    text = tl.transpile(counted, (torch.ones(3, 2),), to=to).source
    assert f"/ {WORDS[to]} + len(x) * x.shape[0]" in text
