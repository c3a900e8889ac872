"""None in the place of an array is nothing to `jax.tree`: no leaf, and not counted."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert


def leaves_counted(t):
    return len(jax.tree.leaves(t))


def numbers_for_leaves(t):
    return jax.tree.map(lambda x: 1.0, t)


def made_like_leaves(t):
    return jax.tree.map(jnp.zeros_like, t)


def asked_of_leaves(t):
    return jax.tree.map(jnp.ndim, t)


def first_leaf(t):
    return jax.tree.leaves(t)[0]


def mean_of_leaves(t):
    found = jax.tree.leaves(t)
    return sum(x.sum() for x in found) / len(found)


PROGRAMS = (leaves_counted, numbers_for_leaves, made_like_leaves, asked_of_leaves, first_leaf, mean_of_leaves)


@pytest.mark.complete
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", PROGRAMS)
def test_none_is_no_leaf(fn: Any, to: str) -> None:
    out = tl.transpile(fn, ({"a": jnp.ones(2), "b": jnp.ones(2)},), to=to)
    with pytest.raises(AssertionError):
        out({"a": None, "b": convert(np.ones(2, np.float32), to)})
