"""The `else` of loops, as it comes out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl

ROWS = np.random.default_rng(0).normal(size=(12, 10))
INPUTS = (ROWS, -np.abs(ROWS), np.full((12, 10), 0.1), np.abs(ROWS))


def largest(x):
    best = x[0]
    for row in x:
        best = np.maximum(best, row)
        if best.sum() > 3.0:
            break
    else:
        best = best * 2
    return best


def count(x):
    n = 0
    for row in x:
        if row.sum() > 3.0:
            break
        if row.sum() < -6:
            n = n + 5
            break
        n = n + 1
    else:
        return n + 100
    return n


def both(x):
    t = 0.0
    for row in x:
        for v in row:
            if v > 1.4:
                break
            t = t + v
        else:
            t = t * 2
            continue
        if t > 2:
            break
    else:
        t = -t
    return t


def doubled(x):
    while x.sum() < 50:
        x = x * 2 + 1
        if x.max() > 20:
            break
    else:
        x = -x
    return x


LARGEST = """\
import numpy as np


def largest(x):
    best = x[0]
    for row in x:
        best = np.maximum(best, row)
        if best.sum() > 3.0:
            break
    else:
        best = best * 2
    return best
"""


def test_the_text() -> None:
    assert tl.symbolic_trace(largest, ROWS).source("numpy") == LARGEST


@pytest.mark.parametrize("fn", [largest, count, both, doubled])
def test_no_flag_is_left(fn: Any) -> None:
    out = tl.transpile(fn, ROWS, to="numpy")
    assert "finished" not in out.source and "else:" in out.source
    for x in INPUTS:
        assert np.array_equal(out(x), fn(x))


def test_a_flag_of_the_users_own_stays() -> None:
    def found(x: Any) -> Any:
        fine = True
        for row in x:
            if row.sum() > 3.0:
                fine = False
                break
        if fine:
            x = x * 2
        return x

    out = tl.transpile(found, ROWS, to="numpy")
    assert "fine = False" in out.source and "else:" not in out.source
    for x in INPUTS:
        assert np.array_equal(out(x), found(x))
