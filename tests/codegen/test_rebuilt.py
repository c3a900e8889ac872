"""Containers that JAX makes anew for what it compiles: what they were made of, where that is the same."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays


def layer(p, x):
    y = jnp.tanh(x @ p["w"] + p["b"])
    return y * p["b"]


def in_order(p, x):
    for _, v in p.items():
        x = x * 2 + v
    return x


def numbered(p, x):
    return x * 2 + sum(i * v for i, v in enumerate(p.values()))


def both(p, x):
    return layer(p, x) + in_order(p["in"], x)


def handed_on(p, x):
    y = layer(p["in"], x)
    return layer(p["in"], y)


def every(params, x):
    for p in params:
        x = layer(p, x)
    return x


def every_by_order(params, x):
    for p in params:
        x = in_order(p, x)
    return x


def last_of(params, x):
    for p in params:
        x = layer(p, x)
    return x * p["b"]


@jax.jit
def one(params, x):
    return layer(params[0], x) + layer(params[1], x)


@jax.jit
def looped(params, x):
    for p in params:
        x = layer(p, x)
    return x


@jax.jit
def in_a_helper(params, x):
    return every(params, x)


@jax.jit
def beside_numbers(params, x):
    for p, k in zip(params, (2.0, 3.0)):
        x = layer(p, x) * k
    return x


@jax.jit
def behind_the_loop(params, x):
    return last_of(params, x)


@jax.jit
def by_order(params, x):
    for p in params:
        x = in_order(p, x)
    return x


@jax.jit
def all_by_order(params, x):
    return every_by_order(params, x) + len(jax.tree.leaves(params))


@jax.jit
def by_number(params, x):
    return jax.lax.cond(x.sum() > 0, lambda: numbered(params[0], x), lambda: x)


@jax.jit
def some_by_order(params, x):
    return both({**params[0], "in": params[1]}, x)


@jax.jit
def some_of_all_by_order(params, x):
    for p in params:
        x = both({**p, "in": p}, x)
    return x


@jax.jit
def within(params, x):
    return handed_on({"in": params[0], "out": params[1]}, x)


@jax.jit
def changed(params, x):
    params[0]["b"] = params[1]["b"]
    return layer(params[0], x)


@jax.jit
def added(params, x):
    p = {**params[0], "c": x}
    return layer(p, x), len(p)


@jax.jit
def shorter(params, x):
    for p in params[:1]:
        x = layer(p, x)
    return x


@jax.jit
def given_back(params, x):
    return {"b": x, "a": layer(params[0], x), "p": params[1]}


P = {"w": jnp.eye(3) * 0.5 + 0.25, "b": jnp.array([1.0, 2.0, 3.0])}
Q = {"w": jnp.eye(3) * 0.3 - 0.5, "b": jnp.array([0.5, -2.0, 1.0])}
X = jnp.array([0.1, 0.2, -0.3])
PROGRAMS = [
    one, looped, in_a_helper, beside_numbers, behind_the_loop, by_order, by_number, some_by_order,
    some_of_all_by_order, all_by_order, within, changed, added, shorter, given_back,
]  # fmt: skip


def reordered(params):
    return [dict(reversed(p.items())) for p in params]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", PROGRAMS)
def test_every_order_of_keys_agrees_or_is_refused(fn, to):
    """Also one that is not the example's, and a list that is longer or shorter."""
    if fn in (by_order, all_by_order, some_by_order, some_of_all_by_order, by_number):
        example = [{"w": P["b"], "b": Q["b"]}] * 2 if fn in (by_order, all_by_order, by_number) else [P, P]
    else:
        example = [P, Q]
    if fn in (some_by_order, some_of_all_by_order):
        example = [{"w": P["w"], "b": P["b"]}, {"w": Q["w"], "b": Q["b"]}]
    for given in (example, reordered(example)):
        out = tl.transpile(fn, (given, X), to=to)
        for other in (example, reordered(example), [*example, example[0]], example[:1]):
            args = ([dict(p) for p in other], X)
            try:
                expected = fn(*args)
            except Exception:
                expected = None
            mine = map_arrays(([dict(p) for p in other], X), lambda a: convert(a, to))
            try:
                found = out(*mine)
            except Exception:
                assert [list(p) for p in other] != [list(p) for p in given]
                continue
            assert expected is not None, out.source
            wanted = [np.asarray(leaf) for leaf in jax.tree.leaves(expected)]
            got = [np.asarray(convert(leaf, "numpy")) for leaf in jax.tree.leaves(found)]
            for a, b in zip(got, wanted, strict=True):
                np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-6, err_msg=out.source)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(
    ("fn", "said"),
    [
        (one, "layer(params[0], x) + layer(params[1], x)"),
        (looped, "for p in params:"),
        (in_a_helper, "every(params, x)"),
    ],
)
def test_what_takes_by_keys_has_the_container_itself(fn, said, to):
    text = tl.symbolic_trace(fn, ([P, Q], X)).source(to)
    assert said in text and '{"b"' not in text, text


def test_what_goes_by_order_has_it_where_the_text_is_compiled_too():
    traced = tl.symbolic_trace(all_by_order, ([{"w": P["b"], "b": Q["b"]}] * 2, X))
    assert "every_by_order(params, x)" in traced.source("jax") and '{"b"' in traced.source("numpy")
