"""A parameter that is a number in the example, called with a part of the array that is written: it is read
where the program reads it, or the text refuses arrays.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import numpy as np
import pytest
import torch

import tracelate as tl


def twice(a, v):
    a[0] = v
    a += 1
    a[1] = v
    return a


def in_parts(a, v):
    a[0, :] = v
    a[1:] *= 2
    a[2, ...] = v
    a[1] = v
    return a


def in_a_loop(a, v):
    for i in range(3):
        a[i] = v
        a += 1
    return a


def computed(a, v):
    w = v * 2
    a[0] = w
    a += 1
    a[1] = w
    a[2] = v * 2
    return a


def inside(a, v):
    a[1] = v
    a -= 1


def by_a_helper(a, v):
    a[0] = v
    inside(a, v)
    a[2] = v
    return a


def kept_in_a_list(a, v):
    parts = [v, v + 1]
    a[0] = v
    a += 1
    a[2] = parts[1]
    return a


def kept_over_a_loop(a, v):
    scales = {"rows": 1 - v, "whole": v * 2}
    for i in range(3):
        a[i] = a[i] * scales["rows"]
    return a, a + scales["whole"]


def kept_in_a_loop(a, v):
    for i in range(2):
        parts = [1 - v, v * 2]
        a[i] = a[i] * parts[0]
        a[i + 1] = parts[1]
    return a


def of_a_helper(a, v):
    def both(k):
        return k - 1, (k + 1) / 2

    parts = both(v)
    a[0] = 7.0
    return a, a * parts[0] + parts[1]


def by_a_choice(a, v, high=True):
    parts = [v * 3 if high else v, abs(v)]
    a *= 2
    return a, a + parts[0] - parts[1]


KEPT = [kept_in_a_list, kept_over_a_loop, kept_in_a_loop, of_a_helper, by_a_choice]
PROGRAMS = [twice, in_parts, in_a_loop, computed, by_a_helper, *KEPT]


def pair(results):
    return results if isinstance(results, tuple) else (results,)


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("place", [0, 1, 2, (slice(None), 0)])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_a_number_is_read_where_the_program_reads_it(program, place, source, to):
    """Of the cases those that have all pairs of values, see covering.py."""
    made = {"numpy": np.asarray, "torch": torch.from_numpy}
    example = np.arange(9.0).reshape(3, 3)
    out = tl.transpile(program, args=(made[source](example.copy()), 2.5), to=to, source=source)
    if to == "jax":  # a number is one there where it is written, and no array is a part of another
        assert "type(v) is float" in out.source or program in KEPT
        return
    for value in (3.5, place):
        there, here = made[source](example.copy()), made[to](example.copy())
        expected = program(there, value if isinstance(value, float) else there[value])
        try:
            got = out(here, value if isinstance(value, float) else here[value])
        except AssertionError:
            assert not isinstance(value, float)
            continue
        for one, other in zip(pair(got), pair(expected), strict=True):
            assert np.array_equal(np.asarray(one), np.asarray(other)), out.source


def test_a_number_is_written_as_one():
    source = tl.transpile(twice, args=(np.ones((3, 3)), 2.0), to="numpy").source
    assert "a[0] = v\n    a += 1\n    a[1] = v" in source
