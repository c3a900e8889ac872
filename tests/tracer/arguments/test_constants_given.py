"""What a text has as a constant is of the example's type too: 1.0 is no 1, and 1 no True."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from ways import agrees_or_raises

X = np.array([3, 1, 2, 0], np.int32)
MASK = X > 1


def in_steps(n, s):
    return np.arange(0, n, s)


def down(x, s):
    return np.arange(len(x), 0, s)


def in_steps_of_torch(n, s):
    return torch.arange(0, n, s)


def real(x, s):
    return x * s.real


def imaginary(x, s):
    return x + s.imag


def conjugate(x, s):
    return x * s.conjugate()


def built_in(x, s):
    return chosen(x, s)


def chosen(x, s):
    return x * {1: 2, 2: s}[s.real]


def flagged(x, flags):
    return x * flags[0]


def named(x, flags):
    return x * flags["on"][1]


CASES = [
    ("numpy", in_steps, (5, 1), [(5, 1.0), (5.0, 1)]),
    ("torch", in_steps_of_torch, (5.0, 1.0), [(5, 1), (5.0, 1)]),
    ("numpy", down, (X, -1), [(X, -1.0)]), ("torch", in_steps_of_torch, (5, 1), [(5, 1.0)]),
    ("jax", real, (X, 2), [(X, 2.0)]), ("numpy", real, (X, 2), [(X, 2.0), (X, True)]),
    ("numpy", imaginary, (X, 2), [(X, 2.0)]), ("numpy", conjugate, (X, 2), [(X, 2.0)]),
    ("torch", conjugate, (X, 2.0), [(X, 2)]), ("numpy", built_in, (X, 2), [(X, 2.0)]),
    ("numpy", flagged, (MASK, (True, False)), [(MASK, (1, 0)), (MASK, (1.0, False))]),
    ("numpy", flagged, (MASK, [True]), [(MASK, [1])]),
    ("numpy", named, (MASK, {"on": [False, True]}), [(MASK, {"on": [False, 1]})]),
]  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(("source", "fn", "example", "others"), CASES)
def test_constants_of_another_type(source: str, fn: Any, example: Any, others: Any, to: str) -> None:
    agrees_or_raises(fn, source, example, others, to)
