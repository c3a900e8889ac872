"""Programs written for JAX: what its loops, its indices and its arguments mean elsewhere."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

X = jnp.arange(5, dtype=jnp.float32)


def scanned(x: Any) -> Any:
    def body(carry: Any, v: Any) -> Any:
        return carry + 1, v * carry

    return jax.lax.scan(body, 0, x)


def counted(x: Any) -> Any:
    return jax.lax.fori_loop(0, 20, lambda i, c: (c[0] + i, c[1] * 1.5), (0, x))


def whiled(x: Any) -> Any:
    return jax.lax.while_loop(lambda c: c[0] < 10, lambda c: (c[0] + 3, c[1] + x), (0, x))


def chosen(x: Any) -> Any:
    return jax.lax.cond(x.sum() > 0, lambda: 1, lambda: 2)


@pytest.mark.parametrize("fn", (scanned, counted, whiled, chosen))
def test_numbers_that_a_loop_carries_are_arrays_of_jaxs_default(fn: Any) -> None:
    traced = tl.symbolic_trace(fn, (X,))
    for to, x in (("numpy", np.asarray(X)), ("torch", torch.from_numpy(np.array(X)))):
        found = jax.tree.leaves(traced.to(to)(x))
        for one, want in zip(found, jax.tree.leaves(fn(X)), strict=True):
            np.testing.assert_allclose(np.asarray(one), want, rtol=1e-6)
            assert np.asarray(one).dtype == want.dtype


@pytest.mark.parametrize("how", ("max", "min", "multiply"))
def test_an_index_that_is_no_place_is_never_another(how: str) -> None:
    out = tl.symbolic_trace(lambda x, i: getattr(x.at[i], how)(9.0), (X, jnp.array([1, 2]))).to("torch")
    for good in ([1, 2], [-5, 4], [-1, -1]):
        want = getattr(X.at[jnp.array(good)], how)(9.0)
        found = out(torch.from_numpy(np.array(X)), torch.tensor(good, dtype=torch.int32))
        np.testing.assert_array_equal(found, want)
    for index in (5, 7, -6, -9):
        with pytest.raises((IndexError, RuntimeError)):
            out(torch.from_numpy(np.array(X)), torch.tensor([1, index], dtype=torch.int32))


def test_arrays_of_numpys_are_arguments() -> None:
    def f(x: Any, ys: Any) -> Any:
        return jnp.sin(x) + ys["a"]

    args = (np.arange(3, dtype=np.float32), {"a": np.ones(3, np.float32)})
    out = tl.transpile(f, args, to="torch", source="jax")
    found = out(torch.zeros(3), {"a": torch.full((3,), 4.0)})
    np.testing.assert_array_equal(found, np.full(3, 4.0))


@jax.custom_vjp
def clipped(x: Any) -> Any:
    return jnp.clip(x, 0, 1)


clipped.defvjp(lambda x: (clipped(x), x), lambda x, g: (g,))


def test_a_derivative_of_ones_own_is_not_lost() -> None:
    with pytest.raises(tl.UnsupportedError, match="custom_vjp of clipped.*derivative") as error:
        tl.symbolic_trace(lambda x: clipped(x) * 2, (X,))
    assert "clipped(x) * 2" in str(error.value)
    assert tl.symbolic_trace(lambda x: clipped.__wrapped__(x) * 2, (X,)).source(to="torch")
