"""An argument is written through its parts, between writes into another that may be the same array."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert
from tracelate.backends.copies import copied


def written_before_it_is_taken_anew(x, y):
    h = x[1:]
    x *= 2
    h[0] = 1
    y[1] = 100
    h[1] = 5
    return x


def read_after_a_write(x, y):
    h = x[:2]
    x *= 2
    h[0] = 2
    y[1] = 100
    return h, h * 2


def of_two_parts(x, y):
    low, high = x[:2], x[2:]
    x -= x.min()
    high /= 2
    y[:] = y / 4
    high += 1
    low -= 1
    return x * 1


def in_a_branch(x, y):
    h = x[1:]
    x *= 2
    if x[0] > 0:
        h[0] = 1
        y[1] = 100
        h[1] = 5
    return x * 1


def in_a_loop(x, y):
    h = x[1:]
    for i in range(10):
        x *= 0.5
        h[0] = i
        y[1] = 100
        h[1] += 5
    return x * 1


def in_a_dict(x, y):
    parts = {"low": x[:3], "high": x[1:]}
    for k in parts:
        parts[k] += 1
        y[1] = 7
        parts[k] *= 2
    return x * 1


def items(x, y):
    a, b = np.split(x, 2) if isinstance(x, np.ndarray) else torch.split(x, 2)
    a += 1
    y[0] = 50
    a *= 2
    b -= a
    return x * 1


def items_read_after_a_write(x, y):
    a, b = np.split(x, 2) if isinstance(x, np.ndarray) else torch.split(x, 2)
    a += 1
    y[0] = 50
    return a * 1


def items_written_in_place(x, y):
    a, b = np.split(x, 2) if isinstance(x, np.ndarray) else torch.split(x, 2)
    a[0] = b[0]
    y[1] = 50
    return a * 1


def items_only_read(x, y):
    a, b = np.split(x, 2) if isinstance(x, np.ndarray) else torch.split(x, 2)
    y[0] = 50
    y[3] = 8
    return a * 1, b * 1


def rows(x, y):
    for row in x.unbind(0) if isinstance(x, torch.Tensor) else np.split(x, 4):
        row += 1
        y[0] *= 2
        row *= 3
    return x * 1


def flipped(x):
    return x[::-1] if isinstance(x, np.ndarray) else x.flip(0)


def tail(x):
    return x[1:]


def tail_and_copy(x):
    return x[1:], x[:1] * 1


def either(x, n):
    if n > 3:
        return x[1:]
    return x[:1]


def flipped_by_a_helper(x, y):
    v = flipped(x)
    y[0] = 50
    return v * 1


def taken_by_a_helper(x, y):
    v = tail(x)
    y[1] = 50
    return v * 1


def several_of_a_helper(x, y):
    v, w = tail_and_copy(x)
    y[1] = 50
    y[0] = 20
    return v * 1, w * 1


def either_of_a_helper(x, y):
    v = either(x, 2)
    y[0] = 50
    return v * 1


def handed_on_by_helpers(x, y):
    v = tail(flipped(x))
    y[0] = 50
    y[1] = 20
    return v * 1


def chosen_by_the_program(x, y):
    v = flipped(x) if x[0] > 1 else x[1:]
    y[0] = 50
    y[3] = 20
    return v * 1


def of_the_last_turn(x, y):
    v = x
    for _ in range(9):
        v = flipped(v)
    y[0] = 50
    return v * 1


PROGRAMS = [
    written_before_it_is_taken_anew, read_after_a_write, of_two_parts, in_a_branch, in_a_loop, in_a_dict,
    items, items_read_after_a_write, items_written_in_place, items_only_read, rows,
    flipped_by_a_helper, taken_by_a_helper, several_of_a_helper, either_of_a_helper, handed_on_by_helpers,
    chosen_by_the_program, of_the_last_turn,
]  # fmt: skip


def arguments(source: str) -> Iterator[tuple[Any, Any]]:
    """Two arrays that are apart, one and the same, and two that overlap."""
    long = convert(np.arange(1, 6, dtype=np.float32), source)
    yield long[1:], convert(np.arange(4, 8, dtype=np.float32), source)
    yield long[1:], long[1:]
    yield long[1:], long[:-1]
    yield long[:-1], long[1:]


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("fn", PROGRAMS)
def test_what_shares_memory_agrees_or_is_refused(fn: Any, source: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    for i, example in enumerate(arguments(source)):
        try:
            out = tl.transpile(fn, copied(example), source=source, to=to)
        except tl.UnsupportedError:
            assert i > 0, "two arrays that are apart"
            continue
        for args in arguments(source):
            theirs, mine = copied(args, to), copied(args)
            try:
                found = out(*theirs)
            except AssertionError:
                assert args[0] is not example[0]
                continue
            expected = fn(*mine)
            wrong = [*compare((expected, mine), (found, theirs), kind="elementwise", narrowed=False)]
            assert not wrong, f"{wrong[0]}\n{out.source}"
