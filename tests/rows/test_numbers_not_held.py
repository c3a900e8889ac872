"""Ints that only the running program knows, beside small integers that do not hold them: NumPy takes a bound
for the nearest that is held and refuses most others, torch wraps unsigned ones round, JAX all that it traces.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import itertools
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

NUMPY = [
    lambda x, k: np.clip(x, k, None),
    lambda x, k: np.clip(x, None, k),
    lambda x, k: x.clip(k, k + 40),
    lambda x, k: np.clip(x, min=k * 2 - k),
    lambda x, k: np.maximum(x, k),
    lambda x, k: np.where(x > 2, x, k),
    lambda x, k: x < k,
    lambda x, k: (x == k) | (x >= k),
    lambda x, k: np.full_like(x, k),
    lambda x, k: x + k,
    lambda x, k: k - x,
    lambda x, k: x // k,
    lambda x, k: x % k,
    lambda x, k: x & k,
    lambda x, k: np.isin(x, k),
]
JAX = [
    lambda x, k: jnp.clip(x, k, None),
    lambda x, k: jnp.clip(x, None, k),
    lambda x, k: jnp.maximum(x, k),
    lambda x, k: jnp.where(x > 2, x, k),
    lambda x, k: x < k,
    lambda x, k: x + k,
    lambda x, k: x // k,
]
TORCH = [
    lambda x, k: torch.clamp(x, min=k),
    lambda x, k: torch.clamp(x, max=k),
    lambda x, k: x.clip(k, k + 40),
    lambda x, k: torch.clamp_min(x, k),
    lambda x, k: torch.clamp(x, -k, k),
    lambda x, k: torch.where(x > 2, x, k),
    lambda x, k: x < k,
    lambda x, k: torch.full_like(x, k),
    lambda x, k: x + k,
    lambda x, k: k - x,
    lambda x, k: torch.remainder(x, k),
    lambda x, k: x & k,
    lambda x, k: x.masked_fill(x > 2, k),
    lambda x, k: torch.add(x, x, alpha=k),
]
ARRAYS = {"numpy": np.array, "jax": lambda a: jnp.asarray(np.array(a)), "torch": torch.tensor}
PROGRAMS = {"numpy": NUMPY, "jax": JAX, "torch": TORCH}
#: What is given where the example has small integers.
OTHERS = ("uint8", "int8", "int16", "int32", "float32")
CASES = [(source, number) for source, programs in PROGRAMS.items() for number in range(len(programs))]


@pytest.mark.covering(("origin", "number"), "to", "dtype")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["uint8", "int8"])
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(("origin", "number"), CASES)
def test_they_are_taken_as_the_source_takes_them(origin: str, number: int, to: str, dtype: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    program = PROGRAMS[origin][number]
    given = np.array([1, 5, 100], dtype)
    try:
        out = tl.transpile(program, (ARRAYS[origin](given), 3), to=to)
    except tl.UnsupportedError:
        pytest.skip(f"{to} has no such operation of {dtype}")
    right = 0
    for k, other in itertools.product((3, -1, -3, 20, 130, 200, 300, -200, 300.0, -1.0), (dtype, *OTHERS)):
        array = given.astype(other)
        try:
            expected: Any = program(ARRAYS[origin](array), k)
        except Exception:
            continue
        try:
            found = out(ARRAYS[to](array), k)
        except (AssertionError, OverflowError, RuntimeError, TypeError):
            assert k not in (3, 20) or other != dtype, out.source  # what is held is not refused
            continue
        found, expected = np.asarray(found), np.asarray(expected)
        np.testing.assert_array_equal(found, expected, err_msg=f"{k}, {other}\n{out.source}")
        assert found.dtype == expected.dtype or "jax" in (origin, to), f"{k}, {other}\n{out.source}"
        right += 1
    assert right > 1


def clamped(x, n):
    for i in range(n):
        x = np.clip(x, -i * 100, i * 100)
    return x


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_bounds_that_a_loop_computes(to: str) -> None:
    given = np.array([-100, 50, 127], np.int8)
    out = tl.transpile(clamped, (ARRAYS["numpy"](given), 2), to=to)
    for n in range(5):
        try:
            found = out(ARRAYS[to](given), n)
        except AssertionError:
            continue
        np.testing.assert_array_equal(np.asarray(found), clamped(given, n))


def test_a_negative_number_of_classes_is_found_out_by_torch_alone() -> None:
    labels = torch.tensor([1, 0, 2])
    out = tl.transpile(lambda t, k: torch.nn.functional.one_hot(t, k), (labels, 3), to="numpy")
    with pytest.raises(AssertionError, match="-1"):
        out(labels.numpy(), -1)
    with pytest.raises(tl.UnsupportedError, match="num_classes"):
        tl.transpile(lambda t, k: torch.nn.functional.one_hot(t, k), (labels, -1), to="numpy")
