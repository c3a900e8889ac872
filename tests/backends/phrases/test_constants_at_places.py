"""Numbers that are joined to the places of index arrays: the dtype in which torch has them is checked."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl


def multiplied(x, i):
    return x.at[i].multiply(2)


def added(x, i):
    return x.at[i].add(1)


def bounded(x, i):
    return x.at[i].max(0.5)


def added_twice(x, i):
    x = x.at[i].add(x[i] * 0.5)
    return x.at[i].add(1.0)


@pytest.mark.parametrize("fn", [multiplied, added, bounded, added_twice])
def test_other_floats_agree_or_are_refused(fn: Any) -> None:
    with jax.enable_x64(True):
        places = np.array([0, 2, 0])
        out: Any = tl.transpile(fn, (jnp.arange(5, dtype=jnp.float32), jnp.asarray(places)), to="torch")
        for dtype in (np.float32, np.float64, np.float16):
            x = np.arange(5).astype(dtype)
            try:
                found = out(torch.tensor(x), torch.tensor(places))
            except AssertionError:
                assert dtype is not np.float32
                continue
            assert np.array_equal(found.numpy(), np.asarray(fn(jnp.asarray(x), jnp.asarray(places))))
