"""What a helper gives may lie in the memory of its arguments on one way only: kept, or refused.

The programs were found by tests/hunting/random_memory.py, and cut down.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from ways import attempt

import tracelate as tl
from tracelate.backends.arrays import convert

X, Y = np.array([1.0, -2.0, 3.0]), np.array([0.25, 4.0, -1.0])


def early(a):
    if a[0] > 0.5:
        return a
    return a * 2


def early_part(a):
    if a[0] > 0.5:
        return a[:]
    return a * 2


def late(a):
    if a[0] < 0.5:
        return a * 2
    return a


def pair(a):
    t = a * 1
    return t, t


def pair_of_part(a):
    t = a * 1
    return t, t[1:]


def either_pair(a):
    t = a * 1
    if a[0] > 0.5:
        return t, t
    return t, a


def written_pair(a):
    a[0] = 3.0
    t = a * 1
    return t, t


def written_and_new(a):
    a[0] = 3.0
    return a * 1


def reads_after_a_write(x, y):
    v = early(x)
    x[1:] = 0.0
    return v, x


def reads_a_part_after_a_write(x, y):
    v = early_part(x)
    x[1:] = 0.0
    return v, x


def reads_late_after_a_write(x, y):
    v = late(x)
    x[1:] = 0.0
    return v, x


def writes_what_it_gave(x, y):
    v = early(x)
    v[1:] = 0.0
    return v, x


def writes_one_of_a_pair(x, y):
    a, b = pair(x)
    a[0] = 5.0
    return a, b


def writes_a_part_of_a_pair(x, y):
    a, b = pair_of_part(x)
    b[0] = 5.0
    return a, b


def writes_one_of_either_pair(x, y):
    a, b = either_pair(x)
    a[0] = 5.0
    return a, b, x


def writes_one_of_a_written_pair(x, y):
    a, b = written_pair(x)
    a[0] = 5.0
    return a, b, x


def writes_what_was_given(x, y):
    a = written_and_new(x)
    x[1] = 5.0
    return a, x


def copies_what_was_written(x, y):
    y[:2] *= 2
    v = y * 1
    x[:2] *= 2
    return v, x


def flips_what_was_written(x, y):
    v = early(y) * 1
    written_and_new(x)
    w = np.flip(x) if isinstance(x, np.ndarray) else x.flip(0)
    y += 1
    return v, w


def keeps_what_a_way_wrote(x, y):
    if x[0] > 0.5:
        written_and_new(y)
    v = +y
    x[:2] *= 2
    return v, x


PROGRAMS = [
    reads_after_a_write,
    reads_a_part_after_a_write,
    reads_late_after_a_write,
    writes_what_it_gave,
    writes_one_of_a_pair,
    writes_a_part_of_a_pair,
    writes_one_of_either_pair,
    writes_one_of_a_written_pair,
    writes_what_was_given,
    copies_what_was_written,
    flips_what_was_written,
    keeps_what_a_way_wrote,
]


def arguments(framework: str) -> list[tuple[Any, Any]]:
    """Two arrays, others on the other way, one array twice, and two that overlap."""

    def pairs() -> list[tuple[Any, Any]]:
        long = convert(np.array([1.0, -2.0, 3.0, 0.25]), framework)
        x, y = convert(X, framework), convert(Y, framework)
        return [(x, y), (y, x), (x, x), (long[1:], long[:-1]), (long[:-1], long[1:])]

    return [pairs()[i] for i in range(5)]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: str(fn.__name__))
def test_what_a_helper_gives_is_what_it_is(fn: Any, source: str, to: str) -> None:
    try:
        out = tl.transpile(fn, arguments(source)[0], to=to)
    except tl.UnsupportedError as error:
        assert "it may share memory with another array" in error.message, error
        return
    for mine, theirs in zip(arguments(source), arguments(to)):
        expected = attempt(fn, mine, source, arguments=True)
        found = attempt(out, theirs, to, arguments=True)
        if found is AssertionError:
            assert "may_share_memory" in out.source or "data_ptr" in out.source
            continue
        for one, other in zip(expected, found, strict=True):
            np.testing.assert_array_equal(one, other, err_msg=out.source)


@pytest.mark.parametrize("fn", [writes_what_was_given, copies_what_was_written, writes_one_of_a_written_pair])
def test_what_is_certain_is_kept(fn: Any) -> None:
    assert tl.transpile(fn, (X.copy(), Y.copy()), to="numpy").source
    assert tl.transpile(fn, (torch.tensor(X), torch.tensor(Y)), to="numpy").source
