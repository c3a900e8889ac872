"""A pattern takes what it takes of whatever is given, a type is the very type, and arithmetic that does
nothing to an int does something to other numbers.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays

A = np.float32([1, 2])
B = np.float32([[1, 2], [3, 4]])


def pair(p):
    match p:
        case [a, b]:
            return a + b
    return p


def with_bias(p):
    match p:
        case (w, b):
            return A @ w + b
        case w:
            return A @ w


def starred(p):
    match p:
        case [a, *_]:
            return a
    return p


def within(p):
    match p:
        case [a, [b, c]]:
            return a + b * c
        case [a, b]:
            return a - b
    return p


class Derived(list):  # type: ignore[type-arg]
    """One of the user's."""


def very_list(p):
    return p[1] if type(p) is list else p[0]


def very_class(p):
    return p[1] if p.__class__ is list else p[0]


def one_of(p):
    return p[1] if type(p) in (list, tuple) else p[0]


SEQUENCES: list[Any] = [
    [A, A], (A, A), Derived([A, A * 2]), B, {0: A, 1: A}, [A], [A, [A, A]], [A, B], [B, A],
]  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", [pair, with_bias, starred, within, very_list, very_class, one_of])
def test_what_a_pattern_or_a_type_tells_is_told_of_that_kind(program, to):
    for example in SEQUENCES:
        try:
            program(copy.deepcopy(example))
            out = tl.transpile(program, to=to, source="numpy", args=(copy.deepcopy(example),))
        except (ValueError, TypeError, KeyError, IndexError, tl.TraceError):
            continue
        for given in SEQUENCES:
            try:
                expected = program(copy.deepcopy(given))
            except (ValueError, TypeError, KeyError, IndexError):
                continue
            try:
                found = out(map_arrays(copy.deepcopy(given), lambda v: convert(v, to)))
            except (AssertionError, ValueError, TypeError, KeyError, IndexError, RuntimeError):
                continue
            assert type(found) is type(expected) or not isinstance(found, list)
            assert not [*compare(expected, found, kind="reduction")], out.source


DOING_NOTHING = {
    "floor": lambda n: n // 1,
    "times an array": lambda n: (n // 1) * A,
    "sum": lambda n: n // 1 + n // 2,
    "once": lambda n: n * 1,
    "and nothing": lambda n: (n + 0, 0 + n, n - 0),
    "summed": lambda n: sum([n]),
    "product": lambda n: math.prod([n]),
    "divmod": lambda n: divmod(n, 1)[0],
    "rest": lambda n: (n // 1 % 2, (n + 1) // 1, n * 2 // 2),
    "asked": lambda n: n // 1 if isinstance(n, int) else n,
}


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("does", DOING_NOTHING)
def test_arithmetic_that_does_nothing_to_an_int(does, to):
    program = DOING_NOTHING[does]
    out = tl.transpile(program, to=to, source="numpy", args=(3,))
    for n in (3, 2.5, True, False, -0.0, 7):
        try:
            found = out(n)
        except AssertionError:
            continue
        expected = program(n)
        assert type(found) is type(expected) or not isinstance(expected, (int, float))
        assert not [*compare(expected, found)], out.source
