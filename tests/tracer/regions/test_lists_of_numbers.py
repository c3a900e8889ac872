"""Lists that a loop fills with elements of an array on one way, and with numbers of Python's on another."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy


def by_expression(x):
    out = []
    for v in x:
        out.append(v if v < 3 else 3)
    return out


def by_float(x):
    out = []
    for v in x:
        out.append(v if v < 3 else 3.0)
    return out


def by_statement(x):
    out = []
    for v in x:
        if v < 3:
            out.append(v)
        else:
            out.append(3)
    return out


def by_max(x):
    out = []
    for i in range(x.shape[0]):
        out.append(max(x[i], 1))
    return out


def of_the_largest(x):
    out = []
    for v in x:
        out.append(x.max() if v < 3 else 3)
    return out


def in_pairs(x):
    out = []
    for v in x:
        out.append((v, v if v < 3 else 3))
    return out


LISTS = [by_expression, by_float, by_statement, by_max, of_the_largest, in_pairs]
VALUES: list[list[float]] = [[1, 5], [1, 1], [5, 5], [0, 5]]
#: 32 and 64 bits, and a kind in which no number of 32 bits is what a number of Python's is.
DTYPES = ["float32", "float64", "int32", "int64"]


def told(value: Any) -> Any:
    """What a list of NumPy's and Python's numbers holds, each with its type."""
    if isinstance(value, (list, tuple)):
        return type(value), [told(item) for item in value]
    return type(value), value


def flat(value: Any) -> list[float]:
    if isinstance(value, (list, tuple)):
        return [number for item in value for number in flat(item)]
    return [float(to_numpy(value))]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("fn", LISTS, ids=lambda fn: str(fn.__name__))
def test_the_items_are_what_the_source_has(fn, dtype):
    for example in VALUES:
        try:
            traced = tl.symbolic_trace(fn, args=(np.array(example, dtype),))
        except tl.UnsupportedError:
            assert dtype.startswith("int") and fn is by_float  # numbers of two kinds
            continue
        out = traced.to("numpy")
        for values in VALUES:
            x = np.array(values, dtype)
            assert told(out(x)) == told(fn(x)), out.source


@pytest.mark.covering
@pytest.mark.parametrize("to", ["torch", "jax"])
@pytest.mark.parametrize("source", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize("fn", LISTS, ids=lambda fn: str(fn.__name__))
def test_the_numbers_are_those_of_the_source(fn, dtype, source, to):
    """Of the cases those that have all pairs of values, see covering.py."""
    for example in VALUES:
        try:
            traced = tl.symbolic_trace(fn, args=(convert(np.array(example, dtype), source),), source=source)
            out = traced.to(to)
        except tl.UnsupportedError:
            assert dtype == "int32" and fn is by_float
            continue
        for values in VALUES:
            x = np.array(values, dtype)
            assert flat(out(convert(x, to))) == flat(fn(x)), out.source


def as_an_array(x):
    return np.array(by_expression(x))


def stacked(x):
    return np.stack(by_expression(x))


@pytest.mark.parametrize("example", [[1, 5], [1, 1]])  # on the second no number is among them
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", [as_an_array, stacked])
def test_an_array_of_them_is_refused_where_it_would_be_of_another_dtype(fn, example, to):
    with pytest.raises(tl.UnsupportedError, match="one dtype on every way"):
        tl.transpile(fn, to=to, args=(np.array(example, np.float32),), x64=True if to == "jax" else None)
