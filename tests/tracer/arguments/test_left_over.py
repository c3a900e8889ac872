"""A size of -1 that an argument says, or a part of one."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from ways import agrees_or_raises

import tracelate as tl

X = np.arange(6.0, dtype=np.float32).reshape(2, 3)


def reshaped(x, s):
    return x.reshape(s)


def of_the_library(x, s):
    return np.reshape(x, s)


def beside_a_constant(x, s):
    return x.reshape(s, 2) * s


def in_a_dict(x, p):
    return x.reshape(p["rows"], 3)


def computed(x, s):
    return x.reshape(-s)


def by_a_helper(x, s):
    return reshaped(x, s) + 1


def viewed(x, s):
    return x.view(s)


def expanded(x, s):
    return x.expand(s)


def broadcast(x, s):
    return torch.broadcast_to(x, s)


def unflattened(x, s):
    return x.unflatten(1, s)


def counted(x, s):
    y = x.reshape(s, 2)
    return y * y.shape[0]


CASES = [
    ("numpy", reshaped, -1, [6, -1]), ("numpy", reshaped, (2, -1), [(3, -1), (6, -1), (2, 3), (-1, 2)]),
    ("numpy", reshaped, [3, -1], [[2, -1], [3, 2]]), ("numpy", of_the_library, (-1,), [(6,)]),
    ("numpy", beside_a_constant, -1, [3]), ("numpy", in_a_dict, {"rows": -1}, [{"rows": 2}]),
    ("numpy", computed, 1, [-6]), ("numpy", by_a_helper, (-1, 2), [(-1, 3)]), ("numpy", counted, 3, [-1]),
    ("jax", reshaped, (2, -1), [(3, -1)]), ("torch", reshaped, -1, [6]),
    ("torch", viewed, (3, -1), [(2, -1)]), ("torch", expanded, (4, -1, 3), [(5, -1, 3), (4, 2, 3)]),
    ("torch", broadcast, (-1, 3), [(2, 3)]),
    ("torch", unflattened, (-1, 1), [(3, 1)]),
]  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(("source", "fn", "size", "others"), CASES)
def test_what_is_left_over(source: str, fn: Any, size: Any, others: Any, to: str) -> None:
    agrees_or_raises(fn, source, (X, size), [(X, other) for other in others], to)


def test_it_is_said_as_it_is() -> None:
    text = tl.transpile(reshaped, (X, (2, -1)), to="torch").source
    assert text.endswith("    assert s[1] == -1, s[1]\n    return x.reshape(s[0], -1)\n")
