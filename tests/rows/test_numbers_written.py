"""Numbers of Python's that are written into arrays: once or often, at masks, lists of places, in a choice. A
text made for one dtype of the array writes the same numbers into any other, or refuses it.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from running import quiet

import tracelate as tl
from tracelate.backends.arrays import convert


def copied(x):
    return x.copy() if isinstance(x, np.ndarray) else x.clone()


def twice(x, k):
    y = copied(x)
    y[0] = k
    y[-1] = k
    return y


def at_a_mask(x, k):
    y = copied(x)
    y[x > 0] = k
    return y


def at_a_mask_and_a_place(x, k):
    y = copied(x)
    y[x > 0] = k
    y[0] = k
    return y


def of_a_size(x, k):
    y = copied(x)
    t = 1 / len(x)
    y[x > 0] = t
    y[0] = t
    return y


def computed(x, k):
    y = copied(x)
    t = k / 3
    y[x < 0] = t
    y[1:] = t
    y[0] = t
    return y


def taken_out(x, k):
    y = copied(x)
    m, n = float(x[0]), int(x[3])
    y[x > 0] = m
    y[-1] = m
    y[x < -2] = n
    y[1] = n
    return y


def at_a_list(x, k):
    y = copied(x)
    y[[0, 1]] = k
    y[2] = k
    return y


def chosen(x, k):
    y = copied(x)
    i = 0
    while i < len(y):
        y[i] = k if y[i] < 0 else y[i] + k
        i += 2
    return y


def chosen_in_a_for(x, k):
    y = copied(x)
    for i in range(len(y)):
        y[i] = k if y[i] < 0 else -x[i]
    return y


def where_there_is_one(x, k):
    y = copied(x)
    if k is not None:
        y[y < k] = k
    y[1] = k
    return y + k


def constant(x, k):
    y = copied(x)
    y[x > 0] = 0.3
    y[0] = 0.3
    y[-1] = 0.1 if x[1] > 0 else x[1]
    return y


PROGRAMS = [
    twice, at_a_mask, at_a_mask_and_a_place, of_a_size, computed, taken_out, at_a_list,
    chosen, chosen_in_a_for, where_there_is_one, constant,
]  # fmt: skip
DTYPES = ("int32", "int64", "float16", "float32", "float64", "bool")
ELEMENTS = [1, -2, 3, -4]


def attempted(fn: Any, *args: Any) -> Any:
    try:
        return fn(*args)
    except Exception as error:
        return error


def agree_or_raise(expected: Any, found: Any, text: str, *, example: bool) -> None:
    """What a text gives, or raises for others than the example."""
    if isinstance(found, Exception):
        assert not example, text
    elif not isinstance(expected, Exception):
        want, got = np.asarray(expected), np.asarray(found)
        assert want.dtype == got.dtype and np.array_equal(want, got), text


@pytest.mark.covering
@pytest.mark.parametrize("own", ["numpy", "torch"])
@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("dtype", "k"), [("int32", 2), ("int64", 2), ("float32", 0.3), ("float64", 0.3)])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_numbers_are_written_as_they_are(program, dtype, k, target, own) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    def array(name: str, framework: str) -> Any:
        return convert(np.array(ELEMENTS).astype(name), framework)

    with quiet(True), jax.enable_x64(True):
        try:
            out = tl.transpile(program, (array(dtype, own), k), to=target, source=own)
        except tl.UnsupportedError:
            return
        for other in DTYPES:
            for number in (k, 0.3, 2, 2**40, True):
                expected = attempted(program, array(other, own), number)
                found = attempted(out, array(other, target), number)
                agree_or_raise(expected, found, out.source, example=(other, number) == (dtype, k))


def at_a_mask_of_jax(x, k):
    return x.at[x > 0].set(k)


@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("dtype", "k"), [("float32", 2), ("int32", 2), ("float32", 0.3)])
def test_a_number_that_jax_writes_at_a_mask_is_cut_or_refused(dtype, k, target) -> None:
    def array(name: str, framework: str) -> Any:
        return convert(np.array(ELEMENTS).astype(name), framework)

    out = tl.transpile(at_a_mask_of_jax, (array(dtype, "jax"), k), to=target, source="jax")
    for other in ("float32", "int32", "int8"):
        for number in (k, 2.5, 3):
            expected = attempted(at_a_mask_of_jax, array(other, "jax"), number)
            found = attempted(out, array(other, target), number)
            agree_or_raise(expected, found, out.source, example=(other, number) == (dtype, k))


def below_zero(x):
    x = copied(x)
    x[0] = -1
    x[2:] = -3
    return x


@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_an_int_below_zero_wraps_round_or_is_refused(dtype, target) -> None:
    def array(name: str, framework: str) -> Any:
        return convert(np.array([1, 7, 3, 2]).astype(name), framework)

    out = tl.transpile(below_zero, (array(dtype, "torch"),), to=target, source="torch")
    for other in ("float32", "int32", "int8", "uint8"):
        expected, found = below_zero(array(other, "torch")), attempted(out, array(other, target))
        if isinstance(found, Exception):
            assert other == "uint8", out.source
        else:
            assert np.array_equal(np.asarray(expected), np.asarray(found)), (other, out.source)
