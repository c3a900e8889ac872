"""What helpers give is taken apart as the program does it, wherever in a statement of several names."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.linspace(0.0, 1.0, 6, dtype=np.float32).reshape(2, 3)


def with_none(x):
    return np.tanh(x), None


def alone(x):
    return (np.tanh(x),)


def pair(s):
    return s[0] + 1.0, s[0] * 2.0


def of_one_that_gives_none_too(x):
    h, k = pair(with_none(x))
    return h + k


def in_a_lambda(x):
    h, k = (lambda s: (s[0], with_none(s[0])[0]))(with_none(x))
    return h + k


def of_ones(x):
    h, k = (lambda s: (s[0], alone(s[0])[0]))(alone(x))
    return h + k


def the_only_one(x):
    (h,) = alone(alone(x)[0])
    return h


def the_only_one_of_another(x):
    (h,) = ((lambda y: with_none(y))(x)[0],)
    return h


def by_map(x):
    h, k = map(lambda y: with_none(y)[0], [x, x + 1])
    return h, k


def in_a_comprehension(x):
    h, k = [alone(y)[0] for y in (x, x + 1)]
    return h, k


PROGRAMS = [
    of_one_that_gives_none_too,
    in_a_lambda,
    of_ones,
    the_only_one,
    the_only_one_of_another,
    by_map,
    in_a_comprehension,
]


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", PROGRAMS)
def test_what_a_helper_gives(fn, to):
    out = tl.transpile(fn, (X,), to=to)
    assert not list(compare(fn(X), out(convert(X, to)), narrowed=True)), out.source


def cell(h, x):
    return jnp.tanh(x + h), None


def scanned(xs, h):
    h, _ = lax.scan(lambda s, x: cell(s, x), h, xs)
    return h


def both_scanned(xs, h):
    h, ys = lax.scan(lambda s, x: cell(s, x), h, xs)
    return h, ys


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", [scanned, both_scanned])
def test_the_body_of_a_scan(fn, to):
    xs, h = jnp.asarray(X), jnp.zeros(3)
    out = tl.transpile(fn, (xs, h), to=to)
    found = out(*(convert(np.asarray(a), to) for a in (xs, h)))
    for mine, theirs in zip(jax.tree.leaves(fn(xs, h)), jax.tree.leaves(found), strict=True):
        assert not list(compare(mine, theirs, narrowed=True)), out.source


def test_complex_numbers_that_are_not_finite():
    def fn(x):
        return x * complex(float("nan"), 1.0) + np.array([complex(float("inf"), -float("inf")), 1j, -1j])

    for to in ("numpy", "torch"):
        out = tl.transpile(fn, (X,), to=to, source="numpy")
        assert not list(compare(fn(X), out(convert(X, to)))), out.source
