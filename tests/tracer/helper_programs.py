"""Programs whose helpers write into what they are given, each with arguments; the first are the example that
it is traced with. The names of frameworks are left out, so that each is a program of NumPy's and of torch's.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def bump(x):
    x[0] = 5.0


def bumped(x):
    y = x * 1
    bump(y)
    return y * 2


def bumped_argument(x):
    bump(x)
    return x * 2, x


def bumped_part(x):
    y = x * 1
    bump(y[1:])
    return y


def bumped_part_of_argument(x):
    bump(x[1:])
    return x


def tail(x):
    return x[1:]


def tail_read(x):
    y = x + 1
    end = tail(y)
    return end * 2, y


X = np.array([1.0, -2.0, 3.0, 4.0])
ONE: list[tuple[Any, ...]] = [(X,), (-X,), (X[:2],)]

#: Each with arguments.
PROGRAMS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (bumped, ONE),
    (bumped_argument, ONE),
    (bumped_part, ONE),
    (bumped_part_of_argument, ONE),
    (tail_read, ONE),
]
