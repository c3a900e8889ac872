"""Indices that a test before them keeps in range: the example's number says nothing about that way."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ways import agrees_or_raises

A = np.float32([1, 5, 3, 4, 2, 0, 7, 8])


def children_of(a):
    i = 3
    for _ in range(3):
        if a[i] < 0:
            break
        if i < 3 and a[2 * i + 2] > 0:
            a[0] = 1
        i = 1
    return a


def next_one(a):
    found, i = 0, 0
    if a[0] > 0:
        i = 7
    if i + 1 < 8 and a[i + 1] > 0:
        found = 1
    return a * found


def sifted_down(a):
    a = a * 1
    n, i = len(a), 0
    while True:
        left, right, big = 2 * i + 1, 2 * i + 2, i
        if left < n and a[left] > a[big]:
            big = left
        if right < n and a[right] > a[big]:
            big = right
        if big == i:
            break
        t = a[i] * 1
        a[i] = a[big]
        a[big] = t
        i = big
    return a


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", [children_of, next_one, sifted_down])
def test_a_guarded_index_is_not_refused(fn: Any, to: str) -> None:
    agrees_or_raises(fn, "numpy", (A,), [(-A,), (A[::-1].copy(),)], to)
