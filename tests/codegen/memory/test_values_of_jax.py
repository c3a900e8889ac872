"""JAX's arrays are values: what was read before a write is what it was, also where it is a number in the
example, and a row of what has more axes in the call.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import tracelate as tl
from tracelate.backends.arrays import compare, convert


def first_and_rest(x):
    s = x + 1
    first = s[0]
    s = s.at[0].set(0.0)
    return first, s


def used_later(x):
    s = x + 1
    first = s[0]
    return first * 2, s.at[0].set(0.0), first


def bubble_pass(x):
    for i in range(2):
        a, b = x[i], x[i + 1]
        x = x.at[i].set(jnp.minimum(a, b)).at[i + 1].set(jnp.maximum(a, b))
    return x


def differences(x):
    out = []
    c = x * 0
    prev = c[0]
    for i in range(3):
        c = c.at[0].add(x[i])
        out.append(c[0] - prev)
        prev = c[0]
    return out


def carried(x):
    def body(i, state):
        s, t = state
        return s.at[i].set(0.0), s[i]

    s = x + 1
    return lax.fori_loop(0, 3, body, (s, s[0]))


def whole(x):
    q = x * 2
    head = q[0]
    q = q.at[:].set(0.0)
    return head, q


def swapped(x):
    y = x * 1.0
    t = y[0]
    y = y.at[0].set(y[1])
    return y.at[1].set(t)


def kept_in_a_list(x):
    y, seen = x * 1.0, []
    for i in range(3):
        seen.append(y[i])
        y = y.at[i].set(-1.0)
    return seen, y


def conditional(x):
    y = x * 1.0
    t = y[0]
    y = y.at[0].set(5.0) if x.sum() > 0 else y.at[1].set(5.0)
    return t + 0.0, y


def by_a_helper(x):
    y = x * 1.0
    t = element(y)
    return t, y.at[0].set(7.0)


def element(y):
    return y[0]


PROGRAMS = (
    first_and_rest, used_later, bubble_pass, differences, carried, whole, swapped, kept_in_a_list,
    conditional, by_a_helper,
)  # fmt: skip
ARRAYS = (np.array([3.0, 1, 2]), np.array([[3.0, 4], [1, 2], [2, 9]]), np.arange(12.0).reshape(3, 2, 2))


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", PROGRAMS)
def test_what_was_read_is_what_it_was(fn: Any, to: str) -> None:
    held = 0
    for example in ARRAYS:
        out = tl.transpile(fn, (jnp.asarray(example, jnp.float32),), to=to)
        for array in ARRAYS:
            given = array.astype(np.float32)
            try:
                found = out(convert(given, to))
            except AssertionError:
                assert array.ndim != example.ndim, out.source
                continue
            assert not list(compare(fn(jnp.asarray(given)), found)), out.source
            held += 1
    assert held >= len(ARRAYS)


def at_a_key(x, k):
    s = x + 1
    t = s[k]
    s = s.at[k].set(0.0)
    return t, s


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_so_it_is_at_keys_of_other_kinds(to: str) -> None:
    x = np.array([3.0, 1, 2], np.float32)
    out = tl.transpile(at_a_key, (jnp.asarray(x), 1), to=to)
    for key in (0, -1, None, slice(0, 2), ..., (), (1,)):
        try:
            found = out(convert(x, to), key)
        except (AssertionError, TypeError, IndexError):
            assert type(key) is not int
            continue
        assert not list(compare(at_a_key(jnp.asarray(x), key), found)), (key, out.source)
