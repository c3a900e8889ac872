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


def sorted_numbers(a, b, x):
    lo, hi = sorted((a, b))
    return x * lo + hi


def sorted_sizes(a, b, x):
    lo, hi = sorted(x.shape)
    return x / hi * lo


def least(a, b, x):
    v, i = min((a * 2, 0), (b * 2, 1))
    return x * v + i


def looked_up(a, b, x):
    s, t = {True: (x, 1), False: (x * 2, b)}[a * 2 > 2]
    return s + t


def starred(a, b, x):
    lo, _, hi = sorted((a, 2, 1))
    return x * hi - lo


def by_size(a, b, x):
    p, q = sorted([x[0], x[:, 0]], key=len)
    return p.sum() - q.sum() * b


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", [sorted_numbers, sorted_sizes, least, looked_up, starred, by_size])
def test_what_python_picks_by_comparing(fn, to):
    """A comparison is no statement of the names that take what was picked apart."""
    out = tl.transpile(fn, (1, 2, X), to=to)
    found = out(1, 2, convert(X, to))
    assert not list(compare(fn(1, 2, X), found, narrowed=True)), out.source


def collected(x, n):
    v, out = x * 2, []
    for _ in range(n):
        v = v + x
        out.append(v)
    return np.sum(np.stack([v] + out + [x]), axis=0)  # noqa: RUF005


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_a_list_between_others_may_be_empty(to):
    out = tl.transpile(collected, (X[0], 12), to=to, source="numpy")
    for n in (12, 3, 0):
        assert not list(compare(collected(X[0], n), out(convert(X[0], to), n), narrowed=True)), out.source


def sift(h, i, n):
    while True:
        j = 2 * i + 1
        if j >= n or h[i] >= h[j]:
            break
        h[i], h[j] = h[j], h[i]
        i = j


def heapified(h):
    n = len(h)
    for i in range(n // 2 - 1, -1, -1):
        sift(h, i, n)
    return h


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_a_helper_is_given_what_a_loop_counts(to):
    rng = np.random.default_rng(0)
    out = tl.transpile(heapified, (rng.random(9, np.float32),), to=to, source="numpy")
    for size in (9, 30, 1):
        h = rng.random(size, np.float32)
        assert not list(compare(heapified(h.copy()), out(convert(h.copy(), to)), narrowed=True)), out.source
