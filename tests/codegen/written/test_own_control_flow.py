"""Functions that JAX's control flow calls keep the user's names in JAX, scans stay scans, and what they begin
with stays as it is written.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays


def newton(a):
    def unsure(state):
        _, err = state
        return err > 1e-5

    def improved(state):
        x, _ = state
        new = 0.5 * (x + a / x)
        return new, abs(new - x).max()

    x, _ = lax.while_loop(unsure, improved, (a, jnp.inf))
    return x


def rnn(xs, h):
    def cell(h, x):
        h = jnp.tanh(x + h)
        return h, h

    h, outs = lax.scan(cell, h, xs)
    return h, outs


def chosen(xs, h):
    def up(v):
        y = v * 2
        return y + y.sum()

    def down(v):
        y = v / 2
        return y - y.sum()

    return lax.cond(h.sum() > 0, up, down, xs)


def power(x, n):
    def multiply(i, acc):
        return acc * x + i

    return lax.fori_loop(0, n, multiply, jnp.ones_like(x))


def discounted(rewards):
    def discount(acc, r):
        acc = r + 0.9 * acc
        return acc, acc

    _, returns = lax.scan(discount, 0.0, rewards, reverse=True)
    return returns


def backwards_by_two(xs, ys):
    def step(carry, item):
        x, y = item
        carry = carry * 0.5 + x * y
        return carry, (carry, x + carry)

    last, (a, b) = lax.scan(step, jnp.zeros(xs.shape[1:]), (xs, ys), reverse=True)
    return last, a, b


def backwards_and_on(xs):
    """What is collected is read in the order of the turns as well."""

    def step(c, x):
        return c + x, c * x

    last, out = lax.scan(step, 0.0, xs, reverse=True)
    return last, out, out[::-1] * xs


def many_times(x):
    def step(c, _):
        return c * 1.5 + 1, None

    c, _ = lax.scan(step, x, None, length=5)
    return c


def as_often(x, n):
    def step(c, _):
        return c * 0.5 + 1, None

    c, _ = lax.scan(step, x, length=n)
    return c


def counted(xs):
    def count(n, x):
        return n + (x > 0), None

    return lax.scan(count, 0, xs)[0]


def summed(xs):
    def add(i, s):
        return s + xs[i]

    return lax.fori_loop(0, xs.shape[0], add, 0)


def of_lambdas(x):
    y = lax.fori_loop(0, 3, lambda i, v: v + i, x)
    return lax.cond(x.sum() > 0, lambda v: v * 2 + v.sum(), lambda v: v - v.sum(), y)


def helper(c, x):
    return c + x, c * x


def of_a_helper(xs):
    return lax.scan(helper, 0.0, xs)


def name_is_taken(xs):
    def total(total, x):
        total = total + x
        return total, total

    total, out = lax.scan(total, 0.0, xs)
    return total, out


XS = np.array([0.5, 2.0, -1.5, 3.0], np.float32)
PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...], list[str]]] = [
    (newton, (np.abs(XS),), ["while_loop(unsure, improved, (a, jnp.inf))", "_, err = state", "x, _ = state"]),
    (rnn, (XS, XS[0]), ["def cell(h, x):", "lax.scan(cell, h, xs)"]),
    (chosen, (XS, XS), ["def up():", "def down():", "up, down)"]),
    (power, (XS, 3), ["def multiply(i, acc):", "lax.fori_loop(0, n, multiply, jnp.ones_like(x))"]),
    (discounted, (XS,), ["_, returns = jax.lax.scan(discount, 0.0, rewards, reverse=True)"]),
    (backwards_by_two, (XS[:, None], XS[:, None] + 1), ["(xs, ys), reverse=True)"]),
    (backwards_and_on, (XS,), ["reverse=True)", "return last, out, out[::-1] * xs"]),
    (many_times, (XS,), ["c, _ = jax.lax.scan(step, x, length=5)"]),
    (as_often, (XS, 3), ["c, _ = jax.lax.scan(step, x, length=n)"]),
    (counted, (XS,), ["def count(n, x):", "lax.scan(count, 0, xs)"]),
    (summed, (XS,), ["lax.fori_loop(0, xs.shape[0], add, 0)"]),
    (of_lambdas, (XS,), ["def step("]),
    (of_a_helper, (XS,), ["lax.scan(helper, 0.0, xs)"]),
    (name_is_taken, (XS,), ["lax.scan(", "return total, out"]),
]  # fmt: skip
IDS = [fn.__name__ for fn, _, _ in PROGRAMS]


@pytest.mark.parametrize(("fn", "args", "wanted"), PROGRAMS, ids=IDS)
def test_the_text_has_it(fn: Callable[..., Any], args: tuple[Any, ...], wanted: list[str]) -> None:
    text = tl.symbolic_trace(fn, map_arrays(args, jnp.asarray)).source("jax")
    assert all(each in text for each in wanted), text


def others(args: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    made = [args]
    for change in (
        lambda x: np.concatenate([x, x + 1]) if x.ndim else x,
        lambda x: x[:1] if x.ndim else x,
        lambda x: x.astype(np.float64),
        lambda x: x.astype(np.float16),
        lambda x: np.round(x).astype(np.int32),
    ):
        made.append(map_arrays(args, change))
    return made


@pytest.mark.covering(("fn", "args", "wanted"), "to", "x64")
@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("to", ["jax", "numpy", "torch"])
@pytest.mark.parametrize(("fn", "args", "wanted"), PROGRAMS, ids=IDS)
def test_it_gives_the_same(fn: Any, args: tuple[Any, ...], wanted: list[str], to: str, x64: bool) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    with jax.enable_x64(x64):
        out = tl.symbolic_trace(fn, map_arrays(args, jnp.asarray)).to(to, x64=x64 if to == "jax" else None)
        for number, given in enumerate(others(args)):
            try:
                expected = fn(*map_arrays(given, jnp.asarray))
            except (TypeError, ValueError):  # carries change their dtype
                continue
            given = map_arrays(given, lambda a: np.asarray(jnp.asarray(a)))
            try:
                found = out(*map_arrays(given, lambda a: convert(a, to)))
            except (AssertionError, TypeError, ValueError, RuntimeError):
                assert number, out.source
                continue
            assert not [*compare(expected, found)], (number, out.source)
