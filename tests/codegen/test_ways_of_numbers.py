"""Branches that give an int on some ways and a float on others, however nested: JAX wants one dtype."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert


def after_a_float(x, k):
    v = x.sum()
    if v < 1:
        r = v
    elif v < 3:
        r = 0
    else:
        r = 1
    return r + 1


def before_a_float(x, k):
    v = x.sum()
    if v > 0:
        if v > 1:
            r = 0
        else:
            r = 1
    else:
        r = v
    return r * 2


def in_expressions(x, k):
    v = x.sum()
    return (v if v < 1 else (0 if v < 3 else 1)) + 1


def pairs(x, k):
    v = x.sum()
    if v > 1:
        a, b = 1, v
    elif v > 0:
        a, b = v, 2
    else:
        a, b = 0, 0
    return a + b * 2


def given(x, k):
    v = x.sum()
    return (v if v < 1 else k) + 1


def sized(x, k):
    v = x.sum()
    r = v if v < 1 else x.shape[0]
    return r + 1


def counted(x, k):
    v, n = x.sum(), 0
    for i in range(3):
        if x[0] > i:
            n = n + 1
    r = v if v < 1 else n
    return r + 1


PROGRAMS = [after_a_float, before_a_float, in_expressions, pairs, given, sized, counted]


@pytest.mark.parametrize("to", ["jax", "numpy", "torch"])
@pytest.mark.parametrize("fn", PROGRAMS)
def test_a_number_is_of_the_dtype_of_the_other_way(fn, to):
    values = [[0.5, 2.0], [0.1, 0.2], [3.0, 4.0], [-1.0, 0.0]]
    try:
        out = tl.transpile(fn, (jnp.array(values[0]), 2), to=to)
    except tl.UnsupportedError:
        assert to != "jax"
        return
    for value in values:
        x = np.array(value, np.float32)
        expected = fn(jnp.asarray(x), 2)
        found = out(convert(x, to), 2)
        assert np.allclose(np.asarray(expected), np.asarray(found)), out.source
        if to == "jax" and not isinstance(expected, int):
            assert not list(compare(expected, found)), out.source
