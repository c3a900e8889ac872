"""Sizes that would be wrong on a way that the example does not go: the way is left to other examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tracelate as tl


def rs2(x, n):
    if len(x) >= n:
        return x[:: len(x) // n]
    return x


def sp(x, n):
    if len(x) >= n:
        return np.split(x, len(x) // n)[0]
    return x


def stk(x, n):
    if len(x) >= n:
        return np.stack([x] * (len(x) // n))
    return x


def ar(x, n):
    if n >= len(x):
        return np.arange(9)[:: n // len(x)]
    return x


def tup(x, n):
    if len(x) >= n:
        return x * (1, 2, 3)[len(x) - n]
    return x


def rng(x, n):
    if len(x) >= n:
        return x * range(3)[len(x) - n + 7]
    return x


def dic(x, n):
    if len(x) >= n:
        return x * {5: 1}[len(x) - n]
    return x


def strg(x, n):
    if len(x) >= n:
        return x * int("12"[len(x) - n])
    return x


X = np.arange(5.0)


@pytest.mark.parametrize(
    ("fn", "n"), [(rs2, 7), (sp, 7), (stk, 7), (ar, 3), (tup, 7), (rng, 7), (dic, 7), (strg, 7)]
)
def test_the_example_s_way_is_taken_and_checked(fn: Callable[..., Any], n: int) -> None:
    for to in ("numpy", "torch"):
        report = tl.check(fn, (X, n), to=to, vary=12)
        assert report.ok, report


def spread(k, n=4):
    return np.arange(int(n * k))


def once(k):
    return np.arange(int(k * 1.0))


def default(x, scale=1.0):
    return sum(c * x for c in spread(scale))


def another_name(x, n, k):
    return sum(c * x for c in once(k * 2)) + n


def crossed(x, k, n):
    return sum(c * x for c in spread(n, k))


def to_the_power(k, n=2):
    return np.arange(k**n)


def raised(x, n):
    return sum(c * x for c in to_the_power(n))


def constant(x):
    return sum(c * x for c in spread(0.5, 6)) + once(3.5)[0]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(
    ("fn", "numbers"),
    [(default, (1.0,)), (another_name, (7, 1.5)), (crossed, (3, 0.5)), (raised, (2,)), (constant, ())],
)
def test_a_size_that_a_helper_computes_is_said_in_the_callers_words(fn, numbers, to) -> None:
    report = tl.check(fn, (np.arange(3.0), *numbers), to=to, vary=12)
    assert report, str(report)
