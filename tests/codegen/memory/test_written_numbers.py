"""What a text for NumPy writes into is an array, or a number, as it is for the ranks of the example."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare


def scale(v):
    v *= 2


def scale_inside(v):
    scale(v[0])


def renamed(v):
    w = v
    w.add_(1)
    return w * 2


def row(x):
    scale(x[0])
    return x


def row_of_a_copy(x):
    y = x.clone()
    z = renamed(y[0])
    return y, z


def total(x):
    y = x.sum(0)
    scale(y)
    return y


def most(x):
    y = x.max(0).values
    scale(y)
    return y


def within(x):
    scale_inside(x)
    return x


def in_a_loop(x):
    for i in range(x.shape[0]):
        scale(x[i])
    return x


def on_a_way(x):
    if x.sum() > 0:
        scale(x[0])
    return x


def of_elements(x):
    y = x * 2 + 1
    scale(y)
    return y


def of_a_copy(x):
    y = x.clone()
    scale(y)
    return y


def slice_of_it(x):
    scale(x[1:])
    return x


def once(x):
    y = x[0] * 1.0
    y.mul_(2)
    return y


def negated_twice(x):
    y = -(-x[0])
    scale(y)
    return y


def of_a_copys_row(x):
    z = x.clone()
    y = z[0] * 1
    y += 1
    return y, z


def selected(x):
    y = x.select(0, 0) / 1
    y += 1
    return y


PROGRAMS = [
    row, row_of_a_copy, total, most, within, in_a_loop, on_a_way, of_elements, of_a_copy, slice_of_it, once,
    negated_twice, of_a_copys_row, selected,
]  # fmt: skip
SHAPES = [(), (3,), (2, 2), (2, 3, 2)]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_write_stays_or_goes_for_arrays_of_all_ranks(program, to):
    arrays = [torch.arange(1.0, 1 + int(np.prod(shape))).reshape(shape) for shape in SHAPES]
    for example in arrays[1:]:
        out = tl.transpile(program, to=to, args=(example.clone(),))
        for array in arrays:
            theirs = array.clone()
            try:
                expected = program(theirs)
            except (IndexError, RuntimeError):
                continue
            mine = array.numpy().copy() if to == "numpy" else array.clone()
            try:
                found = out(mine)
            except (AssertionError, TypeError):
                assert array is not example
                continue
            assert not [*compare((expected, theirs), (found, mine))], out.source


def test_ranks_are_checked_only_where_they_count():
    example = (torch.ones(2, 2),)
    for program in of_a_copy, slice_of_it:
        assert "ndim" not in tl.transpile(program, to="numpy", args=example).source
    assert "assert x.ndim > 0" in tl.transpile(of_elements, to="numpy", args=example).source
    for program in row, total, in_a_loop:
        assert "assert x.ndim == 2" in tl.transpile(program, to="numpy", args=example).source
        assert "ndim" not in tl.transpile(program, to="torch", args=example).source


def computed_in_a_loop(x, n=2):
    y = x * 1
    for k in range(n):
        shift(y, k + 1)
    return y


def computed_in_a_branch(x):
    y = x + 1
    if x.sum() > 0:
        scale(y)
    return y


def computed_in_a_loop_and_a_branch(x):
    y = x + 1
    for k in range(2):
        if x.sum() > k:
            shift(y, k + 1)
    return y


def shift(v, k):
    v += k


HANDED = [computed_in_a_loop, computed_in_a_branch, computed_in_a_loop_and_a_branch]


@pytest.mark.parametrize("program", HANDED)
def test_what_a_region_hands_to_a_helper_has_axes(program):
    out = tl.transpile(program, (torch.ones(3),), to="numpy")
    assert "assert x.ndim > 0" in out.source
    x = np.array([1.0, 2.0, 3.0], np.float32)
    np.testing.assert_array_equal(out(x), program(torch.from_numpy(x)))
    with pytest.raises(AssertionError):
        out(np.float32(1))
