"""What the user calls what control flow gives: the names of his statement, however that binds them."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert

X = jnp.arange(6.0).reshape(2, 3)


def chosen(x):
    m = x * 2
    y = jax.lax.cond(x.max() > 0, lambda: m / 2, lambda: m)
    return y, y > 1


def chosen_again(x):
    m = x * 2
    m = jax.lax.cond(x.max() > 0, lambda v: v / 2, lambda v: v, m)
    return m, m > 1


def two_chosen(x):
    a, b = jax.lax.cond(x.max() > 0, lambda: (x, x * 2), lambda: (x * 3, x))
    return a * b


def expression(x):
    m = x * 2
    y = m / 3 if x.max() > 0 else m
    return y, y > 1


def counted(x):
    m = x * 2
    m = jax.lax.fori_loop(0, 3, lambda i, v: v / 2, m)
    return m, m > 1


def scanned(x):
    out, ys = jax.lax.scan(lambda c, r: (c + r, c * r), x[0], x)
    return out, ys


def nested(x):
    def body(state, r):
        h, n = state
        return (h + r, n + 1), h * 2

    (a, b), hs = jax.lax.scan(body, (x[0], 0), x)
    return a * b, hs


def backwards(x):
    out, ys = jax.lax.scan(lambda c, r: (c + r, c * r), x[0], x, reverse=True)
    return out, ys


def unfinished(x):
    final = jax.lax.while_loop(lambda s: s.sum() < 100, lambda s: s * 2, x + 1)
    return final, final > 1


def within(x):
    def body(state, r):
        out = jnp.tanh(state)
        return out + r, out

    out, ys = jax.lax.scan(body, x[0], x)
    return out, ys


#: What stands in the text for JAX, of the statement that binds the results.
SAID = {
    chosen: "y = jax.lax.cond(",
    chosen_again: "m = jax.lax.cond(",
    two_chosen: "a, b = jax.lax.cond(",
    expression: "y = jax.lax.cond(",
    counted: "m = jax.lax.fori_loop(",
    scanned: "out, ys = jax.lax.scan(",
    nested: "(a, b), hs = jax.lax.scan(",
    backwards: "out, ys = jax.lax.scan(",
    unfinished: "final = jax.lax.while_loop(",
    within: "out, ys = jax.lax.scan(",
}


@pytest.mark.parametrize("fn", SAID)
def test_results_have_the_names_that_the_statement_binds(fn):
    out = tl.transpile(fn, (X,), to="jax")
    assert SAID[fn] in out.source, out.source
    for mine, theirs in zip(jax.tree.leaves(out(X)), jax.tree.leaves(fn(X))):
        assert jnp.array_equal(mine, theirs)


def test_what_a_turn_gives_has_the_name_of_its_own_function():
    """And none of the statement that calls the loop, which does not stand in it."""
    text = tl.symbolic_trace(scanned, (X,)).source("jax")
    assert "return c + r, c * r" in text and "ys = c" not in text
    inner = tl.symbolic_trace(within, (X,)).source("jax")
    assert "out = jnp.tanh(state)" in inner and "return out + r, out" in inner


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [scanned, nested, backwards])
def test_a_list_has_the_name_of_what_is_collected(fn, to):
    out = tl.transpile(fn, (X,), to=to)
    name = "hs" if fn is nested else "ys"
    assert f"{name} = []" in out.source and f"{name}.append(" in out.source, out.source
    found = jax.tree.leaves(jax.tree.map(jnp.asarray, out(convert(X, to))))
    assert all(map(jnp.allclose, found, jax.tree.leaves(fn(X))))
