"""Programs with a `try` whose body may raise for numbers that it divides by or indices that it is given, each
with arguments for which it does not raise, and some for which it does.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from attempted_programs import SINGULAR, B


def taken_before(x, y):
    q = float(x[0])
    d = float(y[0])
    s = 0.0
    try:
        s = q / d
        t = 1
    except ZeroDivisionError:
        t = s + 5
    return x * s, t


def one_of_two_kinds(x, i):
    try:
        v = x[i]
    except (IndexError, TypeError):
        v = x[-1]
    return v * 2


def counted_on(x, idx):
    out = 0.0
    for j in range(12):
        try:
            out = out + x[idx[j]]
        except IndexError:
            out = out - 1
    return out


def numbers_in_turn(x):
    try:
        y = float(x[0]) + 1
        z = y / float(x[1])
    except ZeroDivisionError:
        z = 5.0
    return x * z


def of_an_argument(x, n):
    try:
        k = 10 // n
    except ZeroDivisionError:
        k = -1
    return x * k


def at_a_number(x):
    try:
        i = int(x[0])
        r = x[i]
    except (IndexError, ValueError):
        r = x[0]
    return r


def swapped(x, i):
    a, b = x[0], x[1]
    try:
        a, b = b, x[i]
    except IndexError:
        a = a + 10
    return a, b


def both_names(x, i):
    v = w = 0
    try:
        v = w = x[i]
    except IndexError:
        w = 3
    return v, w


def with_else(x, i):
    try:
        v = x[i]
    except IndexError:
        v = x[0]
    else:
        v = v + 1
    return v


COUNT = np.arange(12)

#: Each with the example, and arguments for which its handler runs.
NUMBERS: tuple[tuple[Callable[..., Any], tuple[Any, ...], tuple[Any, ...]], ...] = (
    (taken_before, (B, B), (B, SINGULAR[0])),
    (one_of_two_kinds, (B, 1), (B, 7)),
    (one_of_two_kinds, (B, 1), (B, -3)),
    (counted_on, (COUNT * 1.0, COUNT), (COUNT * 1.0, COUNT * 2)),
    (numbers_in_turn, (B,), (B * np.array([1, 0]),)),
    (of_an_argument, (B, 3), (B, 0)),
    (at_a_number, (B,), (B * 5,)),
    (at_a_number, (B,), (B * np.nan,)),
    (swapped, (B, 1), (B, 5)),
    (both_names, (B, 1), (B, 5)),
)
