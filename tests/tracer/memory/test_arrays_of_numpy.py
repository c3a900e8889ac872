"""NumPy's arrays in programs for JAX and PyTorch, and in NumPy's own where only they are asked."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

W = np.array([1.0, 2, 3], np.float32)


def adding(w, x):
    w += x
    return w


def given_to_a_helper_that_writes(x):
    a = np.array([1.0, 2, 3], np.float32)
    b = np.array(W)
    adding(a, x)
    adding(b, x)
    return a, b


PROGRAMS = [
    ("jax", lambda x: jnp.asarray(W) + x),
    ("jax", lambda x: jnp.array(W) * x),
    ("jax", lambda x: jnp.stack([x, W])),
    ("jax", lambda x: jnp.concatenate([W, x, W * 2])),
    ("jax", lambda x: jnp.array([x, W])),
    ("torch", lambda x: torch.as_tensor(W) + x),
    ("torch", lambda x: torch.tensor(W) + x),
    ("torch", lambda x: torch.asarray(W) - x),
    ("torch", lambda x: torch.from_numpy(W) * x),
    ("torch", lambda x: x + torch.as_tensor(W, dtype=torch.float32)),
    ("numpy", lambda x: np.asarray(W) + x),
    ("numpy", lambda x: x + np.shape(W)[0] + np.ndim(W) + np.size(W)),
    ("numpy", given_to_a_helper_that_writes),
]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_arrays_of_numpys_are_constants(number: int, to: str) -> None:
    source, program = PROGRAMS[number]
    example: Any = np.array([4.0, 5, 6], np.float32)
    translated = tl.transpile(program, (convert(example, source),), to=to, source=source)
    expected, found = program(convert(example, source)), translated(convert(example, to))
    for one, two in zip(expected, found) if isinstance(expected, tuple) else [(expected, found)]:
        np.testing.assert_allclose(to_numpy(one), to_numpy(two), rtol=1e-6)
    assert (np.array([1, 2, 3]) == W).all()
