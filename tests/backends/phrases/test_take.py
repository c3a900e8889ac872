"""jnp.take of one position: beyond the ends it gives nan, or the least number, where x[i] gives the last
element.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert

POSITIONS = [0, 1, -1, 3, 9, -9]


@pytest.mark.parametrize(
    "example", [jnp.arange(4.0), jnp.arange(4), jnp.arange(6.0).reshape(3, 2)], ids=["1d", "ints", "2d"]
)
@pytest.mark.parametrize(
    "program",
    [
        lambda x, i: jnp.take(x, i),
        lambda x, i: x.take(i),
        lambda x, i: jnp.take(x, i, axis=0),
        lambda x, i: jnp.take(x, i, axis=-1),
        lambda x, i: jnp.take(x, i, mode="fill"),
        lambda x, i: jnp.take(x, i + 1) + jnp.take(x, x.shape[0] - i),
        lambda x, i: x.sum() + sum(jnp.take(x, j) for j in range(3)),
    ],
)
def test_one_position_is_filled(program: Callable[..., Any], example: Any) -> None:
    out = tl.transpile(program, source="jax", to="jax", args=(example, 1))
    for i in POSITIONS:
        np.testing.assert_array_equal(out(example, i), program(example, i))


def test_so_is_a_constant_for_a_shorter_array() -> None:
    def program(x):
        return jnp.take(x, 4, axis=0)

    out = tl.transpile(program, source="jax", to="jax", args=(jnp.arange(6.0),))
    for size in (6, 3):
        np.testing.assert_array_equal(out(jnp.arange(float(size))), program(jnp.arange(float(size))))


def test_in_a_loop() -> None:
    def program(x):
        total = x[0]
        for i in range(20):
            total = total + jnp.take(x, i)
        return total

    out = tl.transpile(program, source="jax", to="jax", args=(jnp.arange(20.0),))
    for size in (20, 3):
        np.testing.assert_array_equal(out(jnp.arange(float(size))), program(jnp.arange(float(size))))


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_elsewhere_it_is_an_index_that_raises(to: str) -> None:
    out = tl.transpile(lambda x, i: jnp.take(x, i), source="jax", to=to, args=(jnp.arange(4.0), 1))
    given = convert(np.arange(4, dtype=np.float32), to)
    assert float(out(given, 2)) == 2
    with pytest.raises(IndexError):
        out(given, 9)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_numpys_stays_an_index(to: str) -> None:
    out = tl.transpile(lambda x, i: np.take(x, i), source="numpy", to=to, args=(np.float32([1, 2]), 1))
    assert "[i]" in out.source
