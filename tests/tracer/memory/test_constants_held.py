"""Constants as their arrays hold them: `torch.tensor(0.1)` is no 0.1 of 64 bits; two of them are arrays."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy
from tracelate.ir.values import dtypes

VALUES = np.array([1.7, 2.5, 0.1])


def t_compared(x):
    return x == torch.tensor(0.1)


def t_half(x):
    return torch.tensor(0.1, dtype=torch.float16) * x


def t_brain(x):
    return torch.tensor(0.1, dtype=torch.bfloat16) + x


def t_scaled(x):
    return torch.tensor(0.1) * x


def t_divided(x):
    return x / torch.tensor(3.3)


def t_truth(x):
    return torch.tensor(2.7, dtype=torch.bool) * x


def t_in_place(x):
    x = x * 1
    x *= torch.tensor(0.1)
    return x


def t_two(x):
    return (torch.tensor(1) + torch.tensor(2)) * x


def t_two_floats(x):
    return (torch.tensor(0.1) + torch.tensor(0.2)) * x


def t_largest(x):
    return torch.maximum(x, torch.tensor(0.1))


def n_compared(x):
    return x == np.array(0.1, dtype=np.float32)


def n_half(x):
    return np.array(0.1, dtype=np.float16) * x


def n_listed(x):
    return np.array([0.1, 0.2, 0.3], np.float32) * x


def n_chosen(x):
    return np.where(x > 1, np.array(0.1, np.float32), x)


def n_two(x):
    return (np.array(0.1) + np.array(0.2)) * x


def n_two_ints(x):
    return np.array(3) // np.array(2) * x


PROGRAMS = [
    ("torch", fn)
    for fn in (
        t_compared,
        t_half,
        t_brain,
        t_scaled,
        t_divided,
        t_truth,
        t_in_place,
        t_two,
        t_two_floats,
        t_largest,
    )
] + [("numpy", fn) for fn in (n_compared, n_half, n_listed, n_chosen, n_two, n_two_ints)]


@pytest.mark.covering(("source", "fn"), "dtype", "to")
@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize(("source", "fn"), PROGRAMS, ids=lambda v: getattr(v, "__name__", v))
def test_a_constant_is_what_its_array_holds(source: str, fn: Any, dtype: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    x = convert(VALUES.astype(dtype), source)
    try:
        expected = fn(x)
    except Exception as error:
        pytest.skip(f"{source} refuses it: {error}")
    out = tl.transpile(fn, (x,), to=to)
    for other in ("float32", "float64", "int32"):
        given_ = convert(VALUES.astype(other), source)
        try:
            found = out(convert(VALUES.astype(other), to))
        except AssertionError:
            assert other != dtype
            continue
        except RuntimeError:
            with pytest.raises(RuntimeError):
                fn(given_)
            continue
        expected = fn(given_)
        one, two = to_numpy(expected), to_numpy(found)
        assert one.dtype == two.dtype, out.source
        np.testing.assert_array_equal(one, two, err_msg=out.source)


@given(st.floats(allow_nan=False))
def test_floats_are_rounded_as_arrays_round_them(value: float) -> None:
    for name in ("float16", "float32", "float64"):
        with np.errstate(over="ignore"):
            assert dtypes.held(value, dtypes.DTYPES[name]) == np.dtype(name).type(value)
    if abs(value) < 3e38:
        assert dtypes.held(value, dtypes.bfloat16) == float(jnp.asarray(np.float32(value), jnp.bfloat16))


def test_common_constants_stay_as_they_are_written() -> None:
    def normalised(x):
        return (x - torch.tensor([0.485, 0.456, 0.406])) / torch.tensor([0.229, 0.224, 0.225])

    for to in ("numpy", "torch", "jax"):
        assert "[0.485, 0.456, 0.406]" in tl.transpile(normalised, (torch.ones(2, 3),), to=to).source
