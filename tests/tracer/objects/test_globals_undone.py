"""Globals that a program binds anew and puts back before it ends: in between they are state as well."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracelate as tl

X = np.array([1.0, 2.0, 3.0], np.float32)
OTHERS = (-X, X[::-1].copy(), X[:2], np.array([3.0, 0.5, 0.7, 0.1], np.float32), 0 * X)
COUNT = 1


def put(n):
    global COUNT
    COUNT = n


def counts():
    global COUNT
    COUNT += 1


def forgets():
    global COUNT
    del COUNT


def is_there():
    try:
        return COUNT > 0
    except NameError:
        return False


def in_a_branch(x):
    if x.sum() > 3:
        put(3)
    y = x * COUNT
    put(1)
    return y


def in_a_branch_by_size(x):
    if len(x) > 2:
        put(3)
    y = x * COUNT
    put(1)
    return y


def in_an_expression(x):
    def three():
        put(3)
        return 1

    k = three() if x.sum() > 3 else 2
    y = x * COUNT * k
    put(1)
    return y


def forgotten(x):
    if x.sum() > 3:
        forgets()
    y = x * (2 if is_there() else 1)
    put(1)
    return y


def in_a_while(x):
    y = abs(x) + 1
    put(0)
    while y.sum() < 50:
        y = y * 2
        counts()
    y = y * COUNT
    put(1)
    return y


def in_turns(x):
    put(0)
    for i in range(20):
        x = x * 0.9
        counts()
    x = x * COUNT
    put(1)
    return x


def in_some_turns(x):
    put(0)
    for i in range(20):
        if i > 5:
            counts()
        x = x * 0.9
    x = x * COUNT
    put(1)
    return x


def broken_off(x):
    for v in x:
        put(3)
        if v > 1:
            break
        put(1)
    y = x * COUNT
    put(1)
    return y


def continued(x):
    for v in x:
        put(3)
        if v > 1:
            continue
        put(1)
    y = x * COUNT
    put(1)
    return y


def returned(x):
    def go(y):
        put(3)
        if y.sum() > 3:
            return y
        put(1)
        return y * 2

    y = go(x) * COUNT
    put(1)
    return y


def returned_by_size(x):
    def go(y):
        put(3)
        if len(y) > 2:
            return y
        put(1)
        return y * 2

    y = go(x) * COUNT
    put(1)
    return y


def put_back_on_the_way_out(x):
    def go(y):
        put(3)
        try:
            if y.sum() > 3:
                return y * COUNT
        finally:
            put(1)
        return y * 2

    return go(x) * COUNT


def put_back_before(x):
    for v in x:
        put(3)
        put(1)
        if v > 1:
            break
    return x * COUNT


def without_a_way(x):
    put(3)
    y = x * COUNT
    put(1)
    return y


KEPT = {
    in_a_branch_by_size, in_turns, in_some_turns, returned_by_size, put_back_on_the_way_out, put_back_before,
    without_a_way,
}  # fmt: skip
PROGRAMS = [
    in_a_branch, in_an_expression, forgotten, in_a_while, broken_off, continued, returned,
    *sorted(KEPT, key=lambda fn: fn.__name__),
]  # fmt: skip


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_a_global_is_state_in_between(fn: Callable[..., Any]) -> None:
    try:
        out: Any = tl.transpile(fn, source="numpy", to="numpy", args=(X,))
    except tl.UnsupportedError as error:
        assert fn not in KEPT
        assert "test_globals_undone.py" in str(error)
        assert COUNT == 1
        return
    assert fn in KEPT
    for x in (X, *OTHERS):
        try:
            found = out(x)
        except AssertionError:
            assert x is not X
            continue
        np.testing.assert_allclose(found, fn(x), rtol=1e-6)


def compiled(x):
    @jax.jit
    def step(c):
        counts()
        return c

    y = step(x) * COUNT
    put(1)
    return y


def looped(x):
    def body(i, c):
        counts()
        return c + i

    y = jax.lax.fori_loop(0, 3, body, x) * COUNT
    put(1)
    return y


def only_read(x):
    return jax.lax.fori_loop(0, 3, lambda i, c: c + COUNT, x)


@pytest.mark.parametrize("fn", [compiled, looped, only_read], ids=lambda fn: fn.__name__)
def test_a_global_under_jax(fn: Callable[..., Any]) -> None:
    x = jnp.asarray(X)
    if fn is only_read:
        np.testing.assert_allclose(tl.transpile(fn, to="numpy", args=(x,))(X), fn(x))
        return
    with pytest.raises(tl.UnsupportedError, match="changing `COUNT` under"):
        tl.transpile(fn, to="numpy", args=(x,))
    assert COUNT == 1
