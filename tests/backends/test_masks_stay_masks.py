"""Where a mask names elements that are joined to something, indices in its stead might name one twice."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.array([1.0, 2.0, 3.0, 4.0], np.float32)
M = np.array([True, False, True, True])
OTHERS = [M, ~M, np.array([1, 1, 0, 0]), np.array([1, 1, 3, 0], np.uint8), np.array([0, 0], np.int32)]


def at_add(x, m):
    return x.at[m].add(2)


def at_multiply(x, m):
    return x.at[m].multiply(x[0])


def at_neither(x, m):
    return x.at[~m].min(0)


def at_both(x, m):
    return x.at[m & (x > 1)].add(1)


def at_one_of_a_dict(x, m):
    return at_add({"m": m}["m"] * x, m)


def add_at(x, m):
    np.add.at(x, m, 1)
    return x


def subtract_at(x, m):
    np.subtract.at(x, m, x[0])
    return x


def put(x, m):
    return x.index_put((m,), torch.tensor(2.0), accumulate=True)


def plus(x, m):
    x[m] += 1
    return x


PROGRAMS = [
    ("jax", at_add), ("jax", at_multiply), ("jax", at_neither), ("jax", at_both), ("jax", at_one_of_a_dict),
    ("numpy", add_at), ("numpy", subtract_at), ("numpy", plus), ("torch", put), ("torch", plus),
]  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(("source", "fn"), PROGRAMS)
@pytest.mark.filterwarnings("ignore")
def test_indices_for_a_mask_count_as_in_the_source(source: str, fn: Any, to: str) -> None:
    try:
        out = tl.transpile(fn, (convert(X.copy(), source), convert(M, source)), to=to, source=source)
    except tl.UnsupportedError:
        return
    for other in OTHERS:
        try:
            expected = fn(convert(X.copy(), source), convert(other, source))
        except Exception:
            continue
        try:
            found = out(convert(X.copy(), to), convert(other, to))
        except AssertionError:
            assert other is not M
            continue
        wrong = [*compare(expected, found, narrowed="jax" in (source, to))]
        assert not wrong, f"{other}: {wrong[0]}\n{out.source}"


def test_a_mask_that_is_computed_needs_no_check() -> None:
    out = tl.transpile(lambda x: x.at[x > 1].add(2), (jnp.asarray(X),), to="jax")
    assert "bool" not in out.source
