"""A list that holds something before a loop appends to it: an item counted from the end may be that."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ways import agrees_or_raises

import tracelate as tl


def one_before(b, x):
    rows = [b * 0]
    for v in x:
        rows.append(rows[-1] + v)
    return np.stack(rows), rows[-2]


def two_before(b, x):
    rows = [b, b * 2]
    for v in x:
        rows.append(rows[-1] + v)
    return rows[-1], rows[-3]


def one_behind(b, x):
    rows = [b, b * 2]
    for v in x:
        rows.append(rows[-1] + v)
    rows.append(b * 3)
    return rows[3], rows[2], rows[-2]


def asked_first(b, ws):
    acts = [b]
    for w in ws:
        acts.append(np.tanh(acts[-1] * w))
    skip = acts[-2] if len(acts) > 1 else acts[0] * 100
    return acts[0] + skip.mean()


def residual(b, ws):
    acts = [b]
    for w in ws:
        acts.append(np.tanh(acts[-1] * w))
    return acts[-1] + acts[-2]


def of_a_while(b, x):
    rows = [b]
    while rows[-1].sum() < x.sum():
        rows.append(rows[-1] + 1)
    return rows[-1]


def rows_of(count: int) -> Any:
    return np.random.default_rng(0).normal(size=(count, 2)).astype(np.float32)


FIRST = np.array([0.5, -0.25], np.float32)
OVER_ROWS = [(one_before, 1), (two_before, 1), (one_behind, 1)]
OVER_LISTS = [(asked_first, 1), (residual, 1)]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("turns", [1, 3])
@pytest.mark.parametrize(("fn", "least"), OVER_ROWS)
def test_rows_of_an_array(fn: Any, least: int, turns: int, to: str) -> None:
    others = [(FIRST, rows_of(count)) for count in range(least, 6)]
    agrees_or_raises(fn, "numpy", (FIRST, rows_of(turns)), others, to)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(("fn", "least"), OVER_LISTS)
def test_items_of_a_list(fn: Any, least: int, to: str) -> None:
    others = [(FIRST, [*rows_of(count)]) for count in range(least, 6)]
    agrees_or_raises(fn, "numpy", (FIRST, [*rows_of(3)]), others, to)


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_turns_that_nobody_counts(to: str) -> None:
    agrees_or_raises(of_a_while, "numpy", (FIRST, FIRST * 40), [(FIRST, FIRST * n) for n in (-1, 9)], to)
    assert "stack(rows)[-1]" in tl.transpile(of_a_while, (FIRST, FIRST * 40), to=to).source


def test_enough_is_as_many_as_reach_back() -> None:
    text = tl.transpile(two_before, (FIRST, rows_of(4)), to="jax").source
    assert "assert x.shape[0] >= 3" in text
