"""What is joined to elements, `np.add.at(x, i, y)`: in which dtype, for arguments of all dtypes."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import itertools
import warnings
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert

DTYPES = ("uint8", "int8", "int32", "float16", "float32")


def added(x, y):
    return x.at[jnp.array([0, 0, 1])].add(y)


def added_what_is_computed(x, y):
    return x.at[jnp.array([0, 0, 1])].add(y * 1.0)


def added_of_itself(x, y):
    return x.at[jnp.array([0, 0, 1])].add(x[0] / 3)


def added_a_number(x, y):
    return x.at[jnp.array([0, 0, 1])].add(2.6)


def added_a_typed_number(x, y):
    return x.at[jnp.array([0, 0, 1])].add(jnp.float32(2.6))


def least(x, y):
    return x.at[jnp.array([0, 0, 1])].min(y)


def multiplied(x, y):
    return x.at[jnp.array([0, 0, 1])].multiply(y)


def added_by_numpy(x, y):
    copy = x.copy()
    np.add.at(copy, [0, 0, 1], y)
    return copy


def greatest_by_numpy(x, y):
    copy = x.copy()
    np.maximum.at(copy, [0, 0, 1], y)
    return copy


PROGRAMS = (
    added, added_what_is_computed, added_of_itself, added_a_number, added_a_typed_number, least, multiplied,
    added_by_numpy, greatest_by_numpy,
)  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize("fn", PROGRAMS)
def test_what_is_joined_counts_as_in_the_source(fn: Any, dtype: str, to: str) -> None:
    source = "numpy" if fn.__name__.endswith("numpy") else "jax"

    def given(x: str, y: str, framework: str) -> list[Any]:
        numbers = ((np.array([253, 71]), x), (np.array([2.6, 200, -3]), y))
        return [
            convert(
                values.astype("int32").astype(kind) if kind[0] in "iu" else values.astype(kind), framework
            )
            for values, kind in numbers
        ]

    held = 0
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            out = tl.transpile(fn, given(dtype, dtype, source), source=source, to=to)
        except tl.UnsupportedError:
            assert dtype == "int32"  # floats into ints
            return
        for x, y in itertools.product(DTYPES, DTYPES):
            try:
                found = out(*given(x, y, to))
            except (
                AssertionError,
                RuntimeError,
                TypeError,
            ):  # a check of ours, or of torch's and NumPy's own
                assert (x, y) != (dtype, dtype)
                continue
            assert not list(compare(fn(*given(x, y, source)), found)), (x, y, out.source)
            held += 1
    assert held
