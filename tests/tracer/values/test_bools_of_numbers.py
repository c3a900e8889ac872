"""Numbers among the arguments, given as numbers or arrays of a framework: `bool(k > 1)` is one of Python's,
what Python raises by 0 or by an array with axes is raised, and one that is not equal to itself is asked so.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert
from tracelate.ir.values.tree import leaves

X = np.float32([1, 2, 3])


def added(x, k):
    n = bool(k > 1) + bool(k < 5)
    return x * n, n


def added_items(x, k):
    return x * sum(bool(each > 1) for each in [k, k + 1])


def twice(x, k):
    fits = bool(k > 1)
    return x * (fits + fits)


def converted(x, k):
    try:
        k = int(k)
    except TypeError:
        k = 5
    return x * k


def divided(x, k):
    try:
        return x / k, 1 / k
    except ZeroDivisionError:
        return x, math.inf


def left_over(x, k):
    try:
        return x * (7 % k)
    except ZeroDivisionError:
        return x


def truth(x, k):
    try:
        fine = bool(k)
    except (ValueError, RuntimeError):
        fine = False
    return x * 2 if fine else x


PROGRAMS = [added, added_items, twice, converted, divided, left_over, truth]
GIVEN = [
    2, 0, 0.0, True, np.float32(2), np.int64(2), np.float32(0), np.float32([2.0])[0:1], np.array([[0]]),
    np.array(2.0, np.float32), np.array(0, np.int32), np.array(2, np.complex64),
]  # fmt: skip


def attempted(fn: Any, *args: Any) -> Any:
    try:
        with np.errstate(all="ignore"):
            return fn(*args)
    except Exception as error:
        return error


def number(given: Any, framework: str) -> Any:
    return torch.tensor(given) if framework == "torch" and isinstance(given, np.ndarray) else given


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("example", [2, 0, 0.0, 2.5, np.array(2.0, np.float32), np.float32([2.0]), None])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_a_number_may_be_one_of_a_framework(program: Any, example: Any, source: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    given = None if example is None else (convert(X, source), number(example, source))
    try:
        out = tl.transpile(program, given, to=to, source=source)
    except tl.TraceError:
        return
    for value in GIVEN:
        want = attempted(program, convert(X, source), number(value, source))
        got = attempted(out, convert(X, to), number(value, to))
        if isinstance(want, Exception) or isinstance(got, Exception):
            continue
        for one, other in zip(leaves(got), leaves(want), strict=True):
            np.testing.assert_allclose(np.asarray(one), np.asarray(other), err_msg=f"{value!r}\n{out.source}")


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_a_number_that_is_none_is_asked_so(to: str) -> None:
    def program(x, k):
        try:
            n = int(k)
        except (ValueError, OverflowError):
            n = 0
        return x * n

    out = tl.transpile(program, (torch.tensor(X), math.nan), to=to)
    assert "assert math.isnan(k), k" in out.source
    np.testing.assert_array_equal(np.asarray(out(convert(X, to), math.nan)), X * 0)
    with pytest.raises(AssertionError):
        out(convert(X, to), 2.0)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_powers_of_ints_by_a_modulus(to: str) -> None:
    out = tl.transpile(lambda x, a: x * pow(a, 2, 7), (X, 3), to=to)
    np.testing.assert_allclose(np.asarray(out(convert(X, to), 4)), X * pow(4, 2, 7))


def test_keywords_of_math_are_refused() -> None:
    def program(x, a):
        return x if math.isclose(a, 1.0, abs_tol=0.5) else x * 2

    with pytest.raises(tl.UnsupportedError, match="math.isclose with abs_tol="):
        tl.symbolic_trace(program, (X, 1.2))
