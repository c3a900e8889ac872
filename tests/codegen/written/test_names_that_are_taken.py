"""Names of the user that a text cannot have as they are: `_` is what nobody reads, F may be a module of the
file, an argument that is bound to something else is no argument any more.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays


def module(p, x):
    F, H = p["F"], p["H"]
    n = F.shape[0]
    return x * n + H


def argument(p, x):
    y = x.sum()
    w, x = p["w"], p["x"]
    n = x.shape[0]
    return y * n + w


def argument_alone(p, x):
    y = x.sum()
    x = p["x"]
    n = x.shape[0]
    return y * n + p["w"]


def one_after_another(p, x):
    F = p["F"]
    G = F.T
    n, m = G.shape
    return x * n + m


@jax.jit
def ignored_in_one_function(x):
    def unfinished(state):
        y, error, n = state
        return error > 1e-3

    def step(state):
        y, _, n = state
        z = 0.5 * (y + x / y)
        return z, jnp.max(jnp.abs(z - y)), n - 1

    return jax.lax.while_loop(unfinished, step, (jnp.ones_like(x), jnp.inf, 0))


@jax.jit
def read_all_the_same(x):
    def body(state, row):
        _, n = state
        return (row * 2, n + 1), _ * 2

    out = jax.lax.scan(body, (x, 0.0), jnp.stack([x, x * 2]))
    return out


def counted(x):
    _ = x * 2
    for i in range(3):
        _ = _ + x * i
    return _


def swapped(x):
    _ = x
    y = x * 2
    for i in range(3):
        _, y = y, _ + i
    return _, y


def unfinished(x):
    _ = x * 0
    while _.sum() < 10:
        _ = _ + x
    return _


def decided(x):
    _ = x * 3
    if x.sum() > 100:
        _ = _ - x
    return _


P = {"F": np.arange(4.0).reshape(2, 2), "H": np.ones(2), "w": np.ones(2), "x": np.arange(3.0)}
X = np.array([2.0, 3.0, 4.0])
CASES = [
    (module, (P, X[:2])), (argument, (P, X)), (argument_alone, (P, X)), (one_after_another, (P, X)),
    (ignored_in_one_function, (jnp.asarray(X),)), (read_all_the_same, (jnp.asarray(X),)), (counted, (X,)),
    (swapped, (X,)), (unfinished, (X,)), (decided, (X,)),
]  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(("fn", "args"), CASES)
def test_the_numbers_are_the_same(fn, args, to):
    out = tl.transpile(fn, args, to=to)
    found = jax.tree.leaves(jax.tree.map(np.asarray, out(*map_arrays(args, lambda a: convert(a, to)))))
    for mine, theirs in zip(found, jax.tree.leaves(fn(*args)), strict=True):
        np.testing.assert_allclose(mine, np.asarray(theirs), rtol=1e-5)


def test_nobody_reads_what_is_called_so():
    text = tl.symbolic_trace(ignored_in_one_function, (jnp.asarray(X),)).source("jax")
    assert "_ >" not in text and "_, _, _" not in text
