"""Shapes that a program compares, `a.shape == b.shape`: wherever the arrays stand, and whoever compares them,
the text answers for arrays of other sizes and ranks as the program does, or raises.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert
from tracelate.ir.values.tree import map_leaves

SHAPES = ((3,), (4,), (3, 1), (3, 2), (2, 3), (1, 3), ())
EXAMPLES = ((3,), (3, 2), (1, 3))


def same(a, b):
    return a.shape == b.shape


def checked(a, b):
    if a.shape != b.shape:
        raise ValueError("no")


def multiplied(a, b):
    if a.shape != b.shape:
        raise ValueError("no")
    return a * b


def as_long(a, b):
    return len(a.shape) == len(b.shape)


def twice_removed(a, b):
    return same(a, b)


def asserted(a, b):
    assert a.shape == b.shape


def plainly(a, b):
    return a.sum() + 1.0 if a.shape == b.shape else a.sum() + 2.0


def by_a_helper(a, b):
    return a.sum() + 1.0 if same(a, b) else a.sum() + 2.0


def by_a_helper_of_a_helper(a, b):
    return a.sum() + 1.0 if twice_removed(a, b) else a.sum() + 2.0


def by_one_that_raises(a, b):
    checked(a, b)
    return a.sum() + b.sum()


def by_one_that_asserts(a, b):
    asserted(a, b)
    return a.sum() + b.sum()


def by_one_whose_result_is_left(a, b):
    multiplied(a, b)
    return a.sum() + b.sum()


def of_what_is_computed(a, b):
    return a.sum() + 1.0 if same(a * 2, b * 2) else a.sum() + 2.0


def ranks_by_a_helper(a, b):
    return a.sum() + 1.0 if as_long(a, b) else a.sum() + 2.0


def answered(a, b):
    return same(a, b)


def in_a_list(a, b):
    ws = [a, b]
    if ws[0].shape != ws[1].shape:
        raise ValueError("no")
    return ws[0].sum() + ws[1].sum()


def under_sizes(a, b):
    if a.ndim == 1 and a.shape[0] == 3 and a.shape == b.shape:
        return a.sum() + b.sum()
    return a.sum()


def behind_sizes(a, b):
    if a.shape[0] != b.shape[0]:
        raise ValueError("no")
    if a.shape != b.shape:
        return a.sum()
    return a.sum() + b.sum()


def on_one_way(a, b):
    total = a.sum()
    if total > 0:
        total = total + (1.0 if a.shape == b.shape else 2.0)
    return total


def turn_by_turn(a, b):
    total = a.sum()
    for _ in range(2):
        if a.shape == b.shape:
            total = total + b.sum()
    return total


def items(ws):
    if ws[0].shape != ws[1].shape:
        raise ValueError("no")
    return ws[0].sum() + ws[1].sum()


def items_by_a_helper(ws):
    return 1.0 if same(ws[0], ws[1]) else 2.0


def all_of_them(ws):
    return all(w.shape == ws[0].shape for w in ws)


def chosen(ws):
    return [w for w in ws if w.shape == ws[0].shape]


def counted(ws):
    return sum(w.shape == ws[0].shape for w in ws)


def pairs(ws):
    total = 0.0
    for p, g in zip(ws, ws[::-1]):
        assert p.shape == g.shape
        total = total + p.sum() + g.sum()
    return total


def of_a_dict(d):
    if d["a"].shape != d["b"].shape:
        return None
    return d["a"] + d["b"]


TWO = (
    plainly, by_a_helper, by_a_helper_of_a_helper, by_one_that_raises, by_one_that_asserts,
    by_one_whose_result_is_left, of_what_is_computed, ranks_by_a_helper, answered, in_a_list, under_sizes,
    behind_sizes, on_one_way, turn_by_turn,
)  # fmt: skip
LISTS = (items, items_by_a_helper, all_of_them, chosen, counted, pairs)


def given(fn: Any, a: Any, b: Any) -> tuple[Any, ...]:
    return (a, b) if fn in TWO else ([a, b],) if fn in LISTS else ({"a": a, "b": b},)


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [*TWO, *LISTS, of_a_dict])
@pytest.mark.usefixtures("wide")
def test_other_shapes_are_compared_as_the_program_does(fn: Any, source: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    for shape, other in itertools.product(EXAMPLES, repeat=2):
        arrays = given(fn, np.ones(shape), np.ones(other))
        example = map_leaves(arrays, lambda leaf: convert(leaf, source))
        try:
            fn(*example)
        except (ValueError, AssertionError, IndexError):
            continue
        out = tl.transpile(fn, example, source=source, to=to)
        for one, two in itertools.product(SHAPES, repeat=2):
            arrays = given(fn, np.ones(one), np.ones(two))
            try:
                found = out(*map_leaves(arrays, lambda leaf: convert(leaf, to)))
            except (AssertionError, ValueError, IndexError, TypeError, RuntimeError):
                assert {one, two} != {shape, other} or shape != one
                continue
            expected = fn(*map_leaves(arrays, lambda leaf: convert(leaf, source)))
            assert not list(compare(expected, found)), (one, two, out.source)
