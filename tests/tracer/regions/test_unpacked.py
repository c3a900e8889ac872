"""Names of the parts of what lax loops hand to functions that unpack it: `h, c = carry`."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections import namedtuple
from typing import Any

import jax
import jax.numpy as jnp
import pytest

import tracelate as tl

Body = namedtuple("Body", "pos vel")
X = jnp.arange(12.0).reshape(3, 4) / 7


def recurrent(xs):
    def step(carry, inp):
        h, c = carry
        x, m = inp
        h = jnp.where(m > 0, h + x, h)
        c = c * h
        return (h, c), h * m

    (h, c), out = jax.lax.scan(step, (xs[0], xs[1]), (xs, xs * 2))
    return out, h, c


def nested(xs):
    def step(carry, x):
        (a, b), total = carry
        a, b = b, a + x
        return ((a, b), total + a), a

    ((a, b), total), path = jax.lax.scan(step, ((xs[0], xs[1]), xs[2]), xs)
    return a, b, total, path


def of_records(xs):
    def step(state, row):
        pos, vel = state
        vel = vel + row
        return Body(pos + vel, vel), pos

    end, path = jax.lax.scan(step, Body(xs[0], xs[1]), xs)
    return end.pos, end.vel, path


def of_dicts(xs):
    def step(carry, x):
        p, m = carry
        return ({"w": p["w"] - m["w"] * x}, {"w": m["w"] * 0.5}), None

    (p, _), _ = jax.lax.scan(step, ({"w": xs[0]}, {"w": xs[1]}), xs)
    return p["w"]


def halved(xs):
    def body(state):
        i, y, t = state
        return i + 1, y * 0.5 + t, t

    i, y, _ = jax.lax.while_loop(lambda s: s[0] < 5, body, (0, xs, xs * 2))
    return i, y


def counted(xs):
    def body(i, state):
        best, where = state
        better = xs[i] > best
        return jnp.where(better, xs[i], best), jnp.where(better, i, where)

    return jax.lax.fori_loop(1, 3, body, (xs[0], jnp.zeros(4, int)))


def starred(xs):
    def step(carry, x):
        first, *rest = carry
        return (first + x, *rest), None

    (a, b), _ = jax.lax.scan(step, (xs[0], xs[1]), xs)
    return a, b


#: What of each program stands in its text for JAX.
SAID = {
    recurrent: ("h, c = state", "x, m = item"),
    nested: ("a, b, total = state",),
    of_records: ("pos, vel = state",),
    of_dicts: ("p_w, m_w = state",),
    halved: ("i, y = state", "t = xs * 2"),
    counted: ("best, where = state",),
    starred: ("def step(carry_0, x)",),
}


@pytest.mark.parametrize("program", SAID)
def test_parts_have_the_names_of_who_unpacks_them(program: Any) -> None:
    text = tl.transpile(program, (X,), to="jax").source
    assert all(said in text for said in SAID[program]), text
    assert program is starred or "carry" not in text and "state_" not in text, text


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("program", SAID)
def test_they_are_what_they_were(program: Any, to: str) -> None:
    assert tl.check(program, (X,), to=to)
