"""What an argument held before it was written into, read afterwards; arrays that no argument is behind."""

from __future__ import annotations

from typing import Any

import helper_programs as helpers
import numpy as np
import pytest
import torch
from tracing import text

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy


def multiplied(x: Any, y: Any) -> Any:
    a = x * 1
    x[0] = 5.0
    return x, a, y


def parts(x: Any, y: Any) -> Any:
    a = x * 1
    v, w = a[1:], a + 1
    x[0] = 5.0
    a[1] = 3.0
    return x, v, w, a


def swapped(x: Any, y: Any) -> Any:
    t = x * 1
    x[:] = y
    y[:] = t
    return x, y


def on_two_ways(x: Any, y: Any) -> Any:
    a = x * 1
    if x.sum() > 3:
        x[0] = 5.0
    else:
        x[1:] = 2.0
    return x, a


def in_a_loop(x: Any, y: Any) -> Any:
    a = x * 1
    for _ in range(9):
        x[0] = x[0] + a.sum()
    return x, a


def two_of_one(x: Any, y: Any) -> Any:
    a = x * 1
    b = y * 1
    helpers.bump(b)
    helpers.bump(y[1:])
    if y.sum() > 3:
        a[::-1][0] = 7.0
        x[1] = 4.0
    return x, y, a, b


def one_way_of_another(x: Any, y: Any) -> Any:
    a = x * 1
    for _ in range(9):
        x[1:] = 3.0
    if y.sum() > 1:
        a += 1
    else:
        helpers.bump(a)
    return x, a


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", [
    multiplied, parts, swapped, on_two_ways, in_a_loop, two_of_one, one_way_of_another,
])  # fmt: skip
def test_what_an_argument_held_is_read_before_it_is_written(program: Any, to: str) -> None:
    for sign in (1.0, -1.0):
        x, y = sign * np.array([1.0, 2.0, 3.0]), sign * np.array([4.0, 0.5, 6.0])
        out = tl.transpile(program, args=(x.copy(), y.copy()), to=to)
        mine = convert(x, to), convert(y, to)
        got = out(*mine)
        for one, other in zip((*program(x, y), x, y), (*got, *mine), strict=True):
            np.testing.assert_array_equal(one, np.asarray(other))


def test_a_copy_stands_where_the_old_value_is_lost() -> None:
    body = text(swapped, np.ones(3, np.float32), np.ones(3, np.float32))
    assert body.endswith("    t = x * 1\n    x[:] = y\n    y[:] = t\n    return x, y\n")


TABLE = np.ones(3)
TENSOR = torch.ones(3)


def item(x: Any) -> Any:
    TABLE[0] = 3.0
    return x + TABLE


def whole(x: Any) -> Any:
    table = TABLE
    table += 1
    return x + table


def part(x: Any) -> Any:
    TABLE[1:][0] = 3.0
    return x + TABLE


def by_a_method(x: Any) -> Any:
    TABLE.fill(0)
    return x + TABLE


def by_a_helper(x: Any) -> Any:
    helpers.bump(TABLE)
    return x + TABLE


def of_torch(x: Any) -> Any:
    TENSOR[0] = 3.0
    return x + TENSOR


@pytest.mark.parametrize("program", [item, whole, part, by_a_method, by_a_helper, of_torch])
def test_arrays_from_outside_stay_as_they_are(program: Any) -> None:
    example = torch.ones(3) if program is of_torch else np.ones(3)
    with pytest.raises(tl.UnsupportedError, match="made outside the traced function"):
        tl.symbolic_trace(program, (example,))
    assert (TABLE == 1).all() and (TENSOR == 1).all()


def copied(x: Any) -> Any:
    table = TABLE.copy()
    table[0] = 3.0
    table += 1
    table[1:].fill(7.0)
    return x + table


def copied_and_decided(x: Any) -> Any:
    table = TABLE.copy()
    if x.sum() > 0:
        table[0] = 9.0
    return x + table


def test_what_is_made_of_a_constant_may_be_written_into() -> None:
    tl.transpile(copied, args=(np.ones(3),), to="torch", verify=True)
    for to in ("numpy", "torch"):
        translated = tl.transpile(copied_and_decided, args=(np.ones(3),), to=to)
        for x in (np.ones(3), -np.ones(3), np.ones(3)):
            np.testing.assert_array_equal(to_numpy(translated(convert(x, to))), copied_and_decided(x))
    assert (TABLE == 1).all()
