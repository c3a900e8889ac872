"""Functions of the user's that return the shape of an array."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from ways import agrees_or_raises

import tracelate as tl

X = np.arange(6, dtype=np.float32).reshape(2, 3) - 2


def shape_of(m):
    return m.shape


def lead(m):
    return m.shape[:1]


def with_twice(m):
    return m.shape, m * 2


def named(m):
    return {"s": m.shape, "m": m}


def through(m):
    return with_twice(m)[0]


def size(m):
    return m.size()


def unpacked(x):
    a, b = shape_of(x)
    return x.reshape(b, a)


def flattened(x):
    shape, twice = with_twice(x)
    return twice.reshape(-1, shape[0])


def in_a_loop(x):
    for _ in range(3):
        x = x * through(x)[1]
    return x


def of_one_of_two(x):
    return x * (shape_of(x) if x.sum() > 0 else shape_of(x.T))[0]


PROGRAMS = [
    lambda x: x * 3 if shape_of(x) == (2, 3) else x,
    lambda x: x * 2 if lead(x) == (2,) else x,
    lambda x: x * len(shape_of(x)),
    lambda x: x.reshape(shape_of(x)),
    lambda x: x * shape_of(x)[0],
    lambda x: x.reshape(shape_of(x)[::-1]),
    lambda x: x.reshape(-1) if 2 in shape_of(x) else x,
    lambda x: x * sum(shape_of(x)),
    lambda x: x * named(x)["s"][-1],
    lambda x: (shape_of(x), x),
    unpacked, flattened, in_a_loop,
]  # fmt: skip


@pytest.mark.parametrize(("source", "to"), [("numpy", "torch"), ("torch", "numpy"), ("jax", "numpy")])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_shape_is_the_callers(program: Any, source: str, to: str) -> None:
    agrees_or_raises(program, source, (X,), [(X[:1],), (-X,)], to)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_one_of_two_shapes(to: str) -> None:
    agrees_or_raises(of_one_of_two, "numpy", (X,), [(X[:1],), (-X,), (X + 5,)], to)


def test_a_size_of_torch() -> None:
    agrees_or_raises(lambda x: x.size(0) * x if size(x) == (2, 3) else x, "torch", (X,), [(X[:1],)], "numpy")


def test_one_of_two_shapes_of_torch_is_refused() -> None:
    with pytest.raises(tl.UnsupportedError, match="a Shape of 2 or another"):
        tl.transpile(of_one_of_two, (torch.tensor(X),), to="numpy")
