"""`max(y[0], y[1])` is one of the two elements, of which a write takes one along."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ways import agrees_or_raises

import tracelate as tl

FRAMEWORKS = ("numpy", "torch", "jax")


def shortest_ways(w):
    d = w * 1
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                d[i, j] = min(d[i, j], d[i, k] + d[k, j])
    return d


def running_max(x):
    y = x[0] * 1
    for i in range(1, y.shape[0]):
        y[i] = max(y[i - 1], y[i])
    return y


def larger_of_two(x):
    y = x[0] * 1
    y[1] = max(y[0], y[1])
    return y


def by_an_if(x):
    y = x[0] * 1
    for i in range(1, y.shape[0]):
        before, here = y[i - 1], y[i]
        y[i] = here if here > before else before
    return y


def into_all(x):
    y = x[0] * 1
    y[:] = min(y[2], y[1])
    return y


@pytest.mark.parametrize("to", FRAMEWORKS)
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [shortest_ways, running_max, larger_of_two, by_an_if, into_all])
def test_one_of_several_elements_is_written(fn: Any, source: str, to: str) -> None:
    square = np.random.default_rng(0).standard_normal((4, 4)).astype(np.float32)
    agrees_or_raises(fn, source, (square,), [(-square,), (square[::-1],), (square[:3, :3],)], to)


def used_after(x):
    y = x[0] * 1
    m = max(y[0], y[1])
    y[0] = 9.0
    return y, m * 1


def handed_on_by_a_branch(x):
    y = x[0] * 1
    m = y[2] * 1
    if x[1].sum() > 0:
        m = max(y[0], y[1])
    y[0] = 9.0
    y[1] = 9.0
    return m * 1


def lost_in_a_branch(x):
    y = x[0] * 1
    m = y[2] * 1
    if x[1].sum() > 0:
        m = max(y[0], y[1])
        y[0] = 9.0
        y[1] = 9.0
    return m * 1


def handed_on_by_a_loop(x):
    y = x[0] * 1
    m = y[0] * 1
    for i in range(1, y.shape[0]):
        y[i - 1] = m
        m = max(y[i - 1], y[i]) if i % 2 else m
        y[i] = 3.0
    return y, m * 1


def of_the_turn_before(x):
    y = x[0] * 1
    m = y[0] * 1
    for i in range(1, y.shape[0]):
        y[i - 1] = 9.0
        y[i] = m + 1
        m = max(y[i - 1], y[i])
    return y, m * 1


def collected(x):
    y = x[0] * 1
    found = []
    for i in range(1, y.shape[0]):
        found.append(max(y[i - 1], y[i]))
        y[i] = 9.0
    return y, found[0] * 1


def of_a_helper(x):
    def larger(y, i):
        return max(y[i - 1], y[i])

    y = x[0] * 1
    m = larger(y, 1)
    y[0] = 9.0
    y[1] = 9.0
    return m * 1


def added_in_place(x):
    y = x[0] * 1
    y -= max(y[0], y[1])
    return y


def rows_in_place(x):
    y = x * 1
    y[1:] = y[:-1] if x.sum() > 0 else y[1:]
    return y


def one_and_the_other(x):
    y, z = x[0] * 1, x[1] * 1
    m = max(y[0], z[0])
    m = m if x[2, 0] > 0 else x[2, 1]
    z[0] = 9.0
    return y, z, m * 1


@pytest.mark.covering
@pytest.mark.parametrize("to", FRAMEWORKS)
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize(
    "fn",
    [
        used_after, handed_on_by_a_branch, lost_in_a_branch, handed_on_by_a_loop, of_the_turn_before,
        collected, of_a_helper, added_in_place, rows_in_place, one_and_the_other,
    ],
)  # fmt: skip
def test_what_may_be_an_element_is_not_used_after_a_write(fn: Any, source: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    square = np.random.default_rng(0).standard_normal((4, 4)).astype(np.float32)
    try:
        agrees_or_raises(fn, source, (square,), [(-square,), (square[::-1],), (np.abs(square),)], to)
    except tl.UnsupportedError as error:
        assert source == "torch" and ("memory" in str(error) or "reads elements" in str(error))
