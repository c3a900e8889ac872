"""An `if` between numbers that are there already is `jnp.where`; any other is a `cond`."""

from __future__ import annotations

import itertools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays, to_numpy

X = np.array([1, 2, 3])


def of_numbers(x: Any) -> Any:
    if x.sum() > 0:
        s = 1
    else:
        s = -1
    return x * s


def of_a_value_and_a_number(x: Any) -> Any:
    m = x.max()
    if x.sum() > 0:
        s = m
    else:
        s = 0
    return x * s


def of_values(x: Any) -> Any:
    a, b = x[0], x[1]
    if x.sum() > 0:
        a, b = b, a
    return x + a, x * b


def of_flags(x: Any) -> Any:
    ok = True
    if x.sum() > 0:
        ok = False
    return x * ok


def of_an_argument(x: Any, k: int) -> Any:
    if x.sum() > 0:
        s = k
    else:
        s = 0
    return x * s


CHOICES = (of_numbers, of_a_value_and_a_number, of_flags, of_an_argument)


@pytest.mark.parametrize("x64", [True, False])
@pytest.mark.parametrize("source", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", CHOICES)
def test_other_dtypes_agree_or_are_refused(fn: Any, source: str, x64: bool) -> None:
    more = (2,) if fn is of_an_argument else ()
    for example, given in itertools.product(("float32", "int8"), ("float32", "int8", "int64", "uint8")):
        with jax.enable_x64(x64 or source != "jax"):
            out = tl.transpile(fn, (convert(X.astype(example), source), *more), to="jax", x64=x64)
            assert "cond(" not in out.source
        for sign in (1, -1):
            array = (X * sign).astype(given)
            with jax.enable_x64(x64):
                try:
                    got = out(jnp.array(array), *more)
                except (AssertionError, OverflowError):
                    continue
                expected = map_arrays(fn(convert(array, source), *more), to_numpy)
            found = list(compare(expected, map_arrays(got, to_numpy), narrowed=not x64))
            assert not found, (example, given, found, out.source)


def test_arrays_with_axes_are_not_chosen_from_since_that_would_broadcast() -> None:
    def pick(x: Any, y: Any) -> Any:
        if x.sum() > 0:
            z = x
        else:
            z = y
        return z * 2

    out = tl.transpile(pick, (np.ones(3, np.float32), np.ones(3, np.float32)), to="jax")
    assert "jax.lax.cond(" in out.source
    with pytest.raises(TypeError):
        out(jnp.ones(3), jnp.ones(1))


def test_two_values_are_not_chosen_from_since_that_would_promote_them() -> None:
    out = tl.transpile(of_values, (X.astype(np.float32),), to="jax")
    assert "jax.lax.cond(" in out.source


def test_gradients_at_the_edge_are_those_of_a_cond() -> None:
    def edge(x: Any) -> Any:
        root = jnp.sqrt(x)
        if x > 0:
            y = root
        else:
            y = 0.0
        return y

    out = tl.transpile(edge, (jnp.array(4.0, dtype=jnp.float32),), to="jax")
    assert "jnp.where(" in out.source

    def by_cond(x: Any) -> Any:
        root = jnp.sqrt(x)
        return jax.lax.cond(x > 0, lambda: root, lambda: jnp.zeros_like(root))

    for value in (4.0, 0.25, -1.0, 0.0):
        given = jnp.array(value, dtype=jnp.float32)
        np.testing.assert_array_equal(jax.grad(out)(given), jax.grad(by_cond)(given))


def test_what_is_computed_on_one_side_alone_is_not_chosen() -> None:
    def safe(x: Any) -> Any:
        if x > 0:
            y = jnp.sqrt(x)
        else:
            y = x
        return y

    out = tl.transpile(safe, (jnp.array(4.0),), to="jax")
    assert "jax.lax.cond(" in out.source and float(jax.grad(out)(jnp.array(0.0))) == 1.0
