"""What NumPy computes of numbers alone: np.sqrt(x.shape[-1]), np.float32(n)."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

Q, K = np.ones((3, 4), np.float32), np.full((5, 4), 0.5, np.float32)
X = np.array([2.0, 3.0, 5.0, 7.0], np.float32)


def scores(q, k):
    return q @ k.T / np.sqrt(q.shape[-1])


def root(x):
    return np.sqrt(x.shape[0]) + np.sqrt(x.shape[0] // 2) * x


def test_the_root_of_a_size() -> None:
    """It is float64 in NumPy, and so is what it divides; beside torch's arrays it counts for nothing."""
    out = tl.transpile(scores, args=(Q, K), to="torch")
    assert "(q @ k.T).to(torch.float64) / math.sqrt(q.shape[-1])" in out.source
    found, wanted = out(torch.tensor(Q), torch.tensor(K)).numpy(), scores(Q, K)
    assert found.dtype == wanted.dtype == np.float64 and np.array_equal(found, wanted)
    wide = tl.transpile(scores, args=(Q.astype(float), K.astype(float)), to="torch")
    assert "return q @ k.T / math.sqrt(q.shape[-1])" in wide.source
    with pytest.raises(AssertionError, match="torch.float32"):
        wide(torch.tensor(Q), torch.tensor(K))


def test_the_root_of_a_size_among_others() -> None:
    out = tl.transpile(root, args=(X,), to="torch")
    assert np.array_equal(out(torch.tensor(X)).numpy(), root(X))


def by_math(x):
    return x * np.float32(math.sqrt(x.shape[0] // 4))


def by_size(x):
    return x * np.int16(x.shape[0]) + np.float64(x.shape[0])


def counted(x):
    for i in range(20):
        x = x + np.float32(i)
    return x


def whole(x):
    return x * np.int32(math.sqrt(x.shape[0] + 3))


def jaxs(x):
    return x * jnp.float32(math.sqrt(x.shape[0] // 4)) + jnp.int8(x.shape[0])


@pytest.mark.parametrize("fn", [by_math, by_size, counted, whole, jaxs])
def test_a_number_that_gets_a_dtype_is_an_array_of_it(fn: Any) -> None:
    """It has no .astype."""
    arrays = {"numpy": np.asarray, "jax": jnp.asarray, "torch": torch.tensor}
    x = jnp.asarray(X) if fn is jaxs else X
    for to in ("numpy", "torch", "jax"):
        if to == "jax" and fn in (by_size, whole):
            continue  # float64
        found = np.asarray(tl.transpile(fn, args=(x,), to=to)(arrays[to](X)))
        assert np.allclose(found, np.asarray(fn(x))) and found.dtype == np.asarray(fn(x)).dtype
