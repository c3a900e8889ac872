"""What the first turn of a loop makes of another dtype: given others, the text does as the source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl

ARRAYS = {
    "bool": np.array([True, False, True]),
    "int8": np.array([3, 1, 2], np.int8),
    "int32": np.array([1, 2, 3], np.int32),
    "int64": np.array([2, 3, 4]),
    "float32": np.array([0.5, 2.75, 3], np.float32),
    "float64": np.array([0.5, 0.25, 3.0]),
}


def through_list(a: Any, b: Any) -> Any:
    for w in [b, b]:
        a = a + w
    return a


def through_given(a: Any, ws: list[Any]) -> Any:
    for w in ws:
        a = a + w
    return a


def of_turns(a: Any, b: Any) -> Any:
    for _ in range(3):
        a = a + b
    return a


def while_few(a: Any, b: Any) -> Any:
    k = 0
    while k < 3:
        a = a + b
        k += 1
    return a


def step(a: Any, w: Any) -> Any:
    return a + w


def by_helper(a: Any, ws: list[Any]) -> Any:
    for w in ws:
        a = step(a, w)
    return a


def numbered(a: Any, _: Any) -> Any:
    for i in range(3):
        a = a + i
    return a


def of_rows(a: Any, b: Any) -> Any:
    for row in b.reshape(3, 1):
        a = a + row * b
    return a


def summed(a: Any, b: Any) -> Any:
    for _ in range(2):
        a = a.sum() + b
    return a


def on_one_way(a: Any, b: Any) -> Any:
    if b.max() > 1:
        a = a + b
    return a * b


def of_flags(n: Any, ws: list[Any]) -> Any:
    for w in ws:
        n = n + w * 1
    return n


PROGRAMS = [
    through_list, through_given, of_turns, while_few, by_helper, numbered, of_rows, summed, on_one_way,
    of_flags,
]  # fmt: skip
LISTED = (through_given, by_helper, of_flags)


def given(fn: Callable[..., Any], framework: str, *names: str) -> tuple[Any, ...]:
    arrays = [ARRAYS[name].copy() for name in names]
    a, b = arrays if framework == "numpy" else map(torch.from_numpy, arrays)
    return (a, [b, b]) if fn in LISTED else (a, b)


@pytest.mark.parametrize("framework", ["numpy", "torch"])
@pytest.mark.parametrize("first", ["bool", "int32"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_of_other_dtypes(program: Callable[..., Any], first: str, framework: str) -> None:
    """The text casts nothing that it need not, and what it must cast is of the example's dtype."""
    other = "bool" if program is of_flags else "int64"
    out = tl.transpile(program, given(program, framework, first, other), to=framework, verify=True)
    for names in [(a, b) for a in ARRAYS for b in ARRAYS]:
        wanted = program(*given(program, framework, *names))
        try:
            found = out(*given(program, framework, *names))
        except AssertionError:
            assert program is of_flags  # whose `* 1` is said by a cast
            continue
        assert found.dtype == wanted.dtype, (names, out.source)
        np.testing.assert_allclose(np.asarray(found), np.asarray(wanted), err_msg=out.source)


@pytest.mark.parametrize("begins", [2, 2.5])
def test_of_numbers(begins: float) -> None:
    """A number of Python's has no method that would cast it."""
    ws = [ARRAYS["int64"]] * 2
    out = tl.transpile(through_given, (ARRAYS["int32"], ws), to="numpy")
    np.testing.assert_array_equal(out(begins, ws), through_given(begins, ws))
