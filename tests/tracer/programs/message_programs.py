"""Programs that raise exceptions with values in their messages."""

from __future__ import annotations

from typing import Any

import numpy as np


def positive(x, n: int):
    if n < 1:
        raise ValueError(f"n must be at least 1, not {n}")
    for _ in range(n):
        x = np.tanh(x)
    return x


def narrow(x):
    if x.shape[1] > 5:
        raise ValueError(f"at most 5 columns, not {x.shape[1]} of {len(x)}")
    return x * 2


def rate(x, alpha: float):
    assert 0 < alpha, f"alpha={alpha:.2f}"
    if alpha > 1:
        raise ValueError(f"alpha is {alpha!r}", 7)
    return x * alpha


def between(x, n: int):
    if n > 3:
        if n > 5:
            raise ValueError(f"{n} > 5")
        else:
            raise KeyError(f"{n} > 3")
    return x + n


def inner(x, n: int):
    def check(n):
        if n > 3:
            raise ValueError(f"{n} > 3")

    if n > 2:
        check(n)
    return x + n


X = np.arange(6.0).reshape(2, 3)
PROGRAMS: list[tuple[Any, list[tuple[Any, ...]]]] = [
    (positive, [(X, 2), (X, 5), (X, 0)]),
    (narrow, [(X,), (np.ones((2, 4)),), (np.ones((3, 7)),)]),
    (rate, [(X, 0.5), (X, 0.7), (X, 1.5), (X, -1.0)]),
    (between, [(X, 1), (X, 2), (X, 4), (X, 7)]),
    (inner, [(X, 1), (X, 2), (X, 3), (X, 4)]),
]
