"""Loops that begin with an int and go on with elements of small ints, which may not hold it: torch wraps it
round, NumPy and JAX do not.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from ways import agrees_or_raises

import tracelate as tl

SIZES = np.array([171, 206, 5, 206, 120, 131, 161, 73])


def greatest(x, start):
    best = start
    where = 0
    for i in range(len(x)):
        if x[i] > best:
            best = x[i]
            where = i
    return where


def falls(x, start):
    before = start
    n = 0
    for v in x:
        if v < before:
            n += 1
        before = v
    return n


def changes(x, start):
    before = start
    kept = []
    for v in x:
        kept.append(v != before)
        before = v
    return torch.stack(kept)


def climbs(x, start):
    high = start
    i = 0
    while i < len(x) and x[i] > high:
        high = x[i]
        i += 1
    return i


def beginning(fn: Any, start: int) -> Any:
    """The program with a number of its own."""
    written = {-1: lambda x: fn(x, -1), 256: lambda x: fn(x, 256), 40: lambda x: fn(x, 40)}
    return written[start]


@pytest.mark.covering
@pytest.mark.parametrize("dtype", ["uint8", "int16", "int64"])
@pytest.mark.parametrize("to", ["numpy", "jax"])
@pytest.mark.parametrize("start", [-1, 256, 40])
@pytest.mark.parametrize("fn", [greatest, falls, changes, climbs])
def test_numbers_of_the_program(fn: Any, start: int, to: str, dtype: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    program, given = beginning(fn, start), (SIZES.astype(dtype),)
    others = [(SIZES.astype(other),) for other in ("uint8", "int16", "int32")]
    if start not in range(256) and dtype == "uint8":
        with pytest.raises(tl.UnsupportedError, match=f"{start} beside arrays of uint8") as caught:
            agrees_or_raises(program, "torch", given, others, to)
        assert "test_begun_by_ints_not_held.py:" in str(caught.value)
        return
    agrees_or_raises(program, "torch", given, others, to)


@pytest.mark.parametrize("dtype", ["uint8", "int64"])
@pytest.mark.parametrize("to", ["numpy", "jax"])
@pytest.mark.parametrize("fn", [greatest, falls, changes, climbs])
def test_numbers_given(fn: Any, to: str, dtype: str) -> None:
    others = [(SIZES.astype(o), start) for o in (dtype, "int32") for start in (256, -1, 1000, 7)]
    agrees_or_raises(fn, "torch", (SIZES.astype(dtype), 100), others, to)
