"""A number on one way out of a function and an array on another: JAX has an array of one dtype on both."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert
from tracelate.ir.values.tree import leaves


def one(x):
    s = x.sum()
    if s > 1:
        return 1
    return s


def either(x):
    s = x.sum()
    if s > 1:
        return s, 1
    return 2, s


def nested(x):
    s = x.sum()
    if s > 1:
        return (1, s), {"a": 2}
    return (s, 3), {"a": s}


def of_a_helper(x):
    return one(x), x * 1


def three_ways(x):
    s = x.sum()
    if s > 1:
        return 1
    if s < -1:
        return 0.5
    return s


def at_most(v, limit=2):
    if v > limit:
        return limit
    return v


def a_parameter(x):
    return at_most(x[0]), at_most(x.sum(), 1)


def items(x):
    return [at_most(v) for v in x]


def an_argument(x, n=2):
    s = x.sum()
    if s > n:
        return n
    return s


def out_of_a_loop(x):
    for v in x:
        if v > 2:
            return 2
    return x.sum()


def with_its_item(x, n=2):
    for v in x:
        if v > n:
            return n, v
    return x.sum(), n


def multiplied(x):
    return x * three_ways(x)


VALUES = ([5, 0, 0], [0, 0, 0], [-3, 0, 0], [-(2**53) - 1, 0, 0])


@pytest.mark.covering
@pytest.mark.parametrize("to", ["jax", "torch", "numpy"])
@pytest.mark.parametrize("example", ["float32", "int32"])
@pytest.mark.parametrize(
    "fn",
    [
        one, either, nested, of_a_helper, three_ways, a_parameter, items, an_argument, out_of_a_loop,
        with_its_item, multiplied,
    ],
)  # fmt: skip
def test_other_dtypes_agree_or_are_refused(fn, example, to):
    """Of the cases those that have all pairs of values, see covering.py."""
    with jax.enable_x64(True):
        try:
            out = tl.transpile(fn, (np.array([0.5, -2, 1]).astype(example),), to=to, x64=True)
            out.source  # noqa: B018
        except tl.UnsupportedError:
            return
        for dtype in ("float16", "float32", "float64", "int8", "int32", "int64", "bool"):
            for values in VALUES[: 4 if dtype == "int64" else 3]:
                x = np.array(values).astype(dtype)
                try:
                    found = out(convert(x, to))
                except AssertionError:
                    assert dtype != example, out.source
                    continue
                for a, b in zip(leaves(fn(x)), leaves(found), strict=True):
                    assert np.array_equal(a, b), (dtype, values, out.source)
                    whole = x.dtype.kind != "f" and not isinstance(a, float)
                    assert not whole or not jnp.issubdtype(np.asarray(b).dtype, jnp.inexact), out.source
