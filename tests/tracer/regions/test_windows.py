"""Slices that a loop moves, in JAX: dynamic ones where they surely lie within, else a loop of Python's."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
import window_programs as programs

import tracelate as tl
from tracelate.ir.errors import VAGUE, told

X = np.random.default_rng(0).normal(size=12).astype(np.float32)

CONVOLVED = """\
    h, w = k.shape
    out = jnp.zeros((img.shape[0] - h + 1, img.shape[1] - w + 1))

    def step_2(i, out):
        def step(j, out):
            return out.at[i, j].set(
                (jax.lax.dynamic_slice(img, (i, j), (h, w)) * k).sum()
            )

        return jax.lax.fori_loop(0, out.shape[1], step, out)

    return jax.lax.fori_loop(0, out.shape[0], step_2, out)
"""

CHOLESKY = """\
    n = a.shape[0]
    low = jnp.zeros_like(a)
    for j in range(n):
        low = low.at[j, j].set(jnp.sqrt(a[j, j] - (low[j, :j] ** 2).sum()))

        def step(i, low):
            return low.at[i, j].set((a[i, j] - low[i, :j] @ low[j, :j]) / low[j, j])

        low = jax.lax.fori_loop(j + 1, n, step, low)
    return low
"""


def text(fn, *args):
    return tl.symbolic_trace(fn, args).source("jax", x64=True)


def test_the_text() -> None:
    assert CONVOLVED in text(programs.convolved, np.ones((4, 3)), np.ones((2, 2)))
    assert CHOLESKY in text(programs.cholesky, np.eye(12, dtype=np.float32))
    assert "jax.lax.dynamic_slice_in_dim(x, i - 1, 3)" in text(programs.of_three, X)
    assert "jax.lax.dynamic_slice_in_dim(x, 2 * i, 2)" in text(programs.pooled, X)
    assert "for i in range(x.shape[0]):" in text(programs.of_prefixes, X)


def test_what_may_be_shorter_at_the_end_is_no_dynamic_slice() -> None:
    found = text(programs.epochs_of_batches, X.reshape(12, 1), np.ones(1, np.float32))
    assert "dynamic_slice" not in found
    assert "for i in range(0, x.shape[0], size):" in found
    assert "jax.lax.fori_loop(0, n_epochs, step, w)" in found


def test_only_the_loops_that_must_stay_pythons() -> None:
    def prefixes(x):
        total = 0.0
        for i in range(x.shape[0]):
            for j in range(x.shape[0]):
                total = total + x[: i + 1].sum() * x[j]
        return total

    found = text(prefixes, X)
    assert "for i in range(x.shape[0]):" in found
    assert "jax.lax.fori_loop(0, x.shape[0], step, total)" in found


def test_rows_columns_and_writes() -> None:
    def smeared(x):
        out = np.zeros_like(x)
        for i in range(x.shape[0] - 2):
            out[i : i + 3] += x[i]
            out[i, 1:3] = x[i + 2, 1:3]
            out[i : i + 2, 0] = 1.0
            out[i : i + 3, ::2] *= 0.5
        return out

    made = tl.transpile(smeared, (X.reshape(12, 1) * X[:4],), to="jax")
    assert "jax.lax.dynamic_update_slice_in_dim" in made.source
    for n in (12, 9, 3):
        x = X[:n].reshape(n, 1) * X[:4]
        assert np.allclose(made(jnp.asarray(x)), smeared(x), atol=1e-6)


@pytest.mark.parametrize("fn", [programs.of_three, programs.of_prefixes, programs.windows_collected])
def test_jit_vmap_and_grad(fn) -> None:
    def in_torch(x):
        y, out = x, []
        for i in range(x.shape[0] - 2):
            out.append((x[i : i + 3] ** 2).sum() + y[: i + 1].sum())
        return torch.stack(out)

    made = tl.transpile(fn, (X,), to="jax")
    batch = jnp.stack([jnp.asarray(X), jnp.asarray(X) * 2])
    assert np.allclose(jax.jit(made)(X), fn(X), atol=1e-5)
    assert np.allclose(jax.vmap(made)(batch)[1], fn(X * 2), atol=1e-5)
    squared = tl.transpile(in_torch, (torch.tensor(X),), to="jax")
    x = torch.tensor(X, requires_grad=True)
    in_torch(x).square().sum().backward()
    found = jax.grad(lambda v: (squared(v) ** 2).sum())(jnp.asarray(X))
    assert np.allclose(found, x.grad, rtol=1e-4)


def test_where_python_cannot_tell_how_often_it_turns_it_is_refused() -> None:
    def until(x):
        i = 0
        total = x[0] * 0
        while total < 3:
            total = total + x[i : i + 3].sum() + 1
            i = i + 1
        return total

    with pytest.raises(tl.UnsupportedError, match="a slice with bounds that only the running program knows"):
        tl.transpile(until, (X,), to="jax")


def test_sizes_stand_where_they_were_asked_for() -> None:
    def ordered(x):
        n = x.shape[0]
        y = np.zeros_like(x)
        m = x.shape[1]
        z = y * m
        return z + n

    lines = ["n = x.shape[0]", "y = np.zeros_like(x)", "m = x.shape[1]", "z = y * m", "return z + n"]
    text = tl.symbolic_trace(ordered, (X.reshape(4, 3),)).source("numpy")
    assert text.endswith("".join(f"    {line}\n" for line in lines))


def put_from(x, u, i):
    return jax.lax.dynamic_update_slice(x, u, (i, 0))


def put_at_the_end(x, u):
    return jax.lax.dynamic_update_slice(x, u, (x.shape[0] - 2, x.shape[1] - 3))


@pytest.mark.parametrize("target", ["numpy", "torch"])
def test_parts_of_a_matrix_from_where_a_number_or_a_size_says(target: str) -> None:
    x, u = np.zeros((5, 3)), np.ones((2, 1))
    to = {"numpy": np.asarray, "torch": torch.tensor}[target]
    put = tl.transpile(put_from, (jnp.asarray(x), jnp.asarray(u), 1), source="jax", to=target)
    for i in (-7, -5, -1, 0, 2, 3, 4, 9):
        expected = put_from(jnp.asarray(x), jnp.asarray(u), i)
        np.testing.assert_array_equal(np.asarray(expected), np.asarray(put(to(x), to(u), i)))
    put = tl.transpile(put_at_the_end, (jnp.asarray(x), jnp.asarray(u)), source="jax", to=target)
    for shape in (5, 3), (2, 3), (4, 2), (3, 1), (6, 6):
        x = np.zeros(shape)
        expected = put_at_the_end(jnp.asarray(x), jnp.asarray(u))
        np.testing.assert_array_equal(np.asarray(expected), np.asarray(put(to(x), to(u))))


def test_who_gave_examples_is_not_told_to_give_some() -> None:
    with pytest.raises(tl.UnsupportedError, match="cast them to one"), told(examples=True):
        raise tl.UnsupportedError("x + y", why=f"what NumPy computes depends on their dtypes: {VAGUE}")
    with pytest.raises(tl.UnsupportedError, match="give args="), told(examples=False):
        raise tl.UnsupportedError("x + y", why=f"what NumPy computes depends on their dtypes: {VAGUE}")
