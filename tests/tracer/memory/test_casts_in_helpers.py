"""What a helper makes of numbers alone is its own, however it is cast."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy


def causal(n):
    return torch.tril(torch.ones(n, n)).bool()


def places(n):
    return torch.arange(n).to(torch.int32)


def masked(x):
    mask = causal(x.shape[0])
    mask[0] = False
    return x * mask, places(x.shape[0])


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_a_cast_of_what_a_helper_makes_of_a_size(to: str) -> None:
    out: Any = tl.transpile(masked, (torch.ones(3, 3),), to=to)
    for n in (3, 5):
        x = torch.ones(n, n)
        for one, other in zip(out(convert(x.numpy(), to)), masked(x)):
            assert np.array_equal(to_numpy(one), other.numpy())
