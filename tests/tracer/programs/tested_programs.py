"""Programs whose tests do more than compare: they assign, or ask a number for its truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch


def until_small_or_often(x):
    n = 0
    while (m := np.abs(x).max()) > 0.1 and (n := n + 1) < 20:
        x = x * (1 - 0.3 * m / (1 + m))
    return x, n, m


def until_small_and_often(x):
    n = 0
    while np.abs(x).max() > 0.5 or (n := n + 1) < 5:
        x = x * 0.7
    return x, n


def small_or_else(x):
    n = 0
    while (m := np.abs(x).max()) > 0.1:
        x = x * 0.5
        n += 1
        if n > 4:
            break
    else:
        x = x + 100
    return x, n, m


def small_often_or_else(x):
    n = 0
    while (m := np.abs(x).max()) > 0.1 and (n := n + 1) < 8:
        x = x * 0.5
        if x.sum() > 2:
            break
    else:
        x = x + 100
    return x, n, m


def by_what_was_found(x):
    s = 0.0
    if x[0] > 0 and (s := x.sum()) > 1:
        x = x / s
    elif x[1] > 0 or (s := x.max()) > 0.2:
        x = x - s
    else:
        x = x * 2
    return x, s


def steps_up(x):
    best = x[0]
    for row in x:
        if row > best and (d := row - best) > 0.1:
            best = best + d / 2
        else:
            continue
        best = best + 0.01
    return best


def some_and_one_of(x, k):
    if x.any() and (k or (x.min()) < -1):
        return x + 1
    else:
        return x - 1


def greatest_common_divisor(a, b):
    while b:
        a, b = b, a % b
    return a


def down_together(a, b):
    while a and b:
        a, b = a - 1, b - 2
    return a, b


def down_until_zero(x):
    while not x.sum() == 0 and x[0]:
        x = x - 1
    return x


def unless_zero(a, b):
    if not b:
        a = a - 1
    return a if b else -a


def while_one(x):
    while x:
        x = x // 2
    return x


X = [
    np.random.default_rng(0).normal(size=4),
    np.array([3.0, 2.5, 0.1, 4.0]),
    np.array([-3.0, -2.5, -0.1, -4.0]),
    np.array([0.01, 0.02, 0.0, -0.01]),
    np.array([1.0, -2.0, 0.3, 0.1]),
    np.array([1.0, 2.0, -0.3, 0.1]),
    np.zeros(4),
]
INTS = [(np.array(a), np.array(b)) for a, b in ((12, 18), (7, 0), (1071, 462), (0, 3))]
PROGRAMS: list[tuple[Any, list[tuple[Any, ...]]]] = [
    (until_small_or_often, [(x,) for x in X]),
    (until_small_and_often, [(x,) for x in X]),
    (small_or_else, [(x,) for x in X]),
    (small_often_or_else, [(x,) for x in X]),
    (by_what_was_found, [(x,) for x in X]),
    (steps_up, [(x,) for x in X]),
    (some_and_one_of, [(x, np.array(k)) for x in X[::2] for k in (0, 2)]),
    (greatest_common_divisor, [(torch.tensor(a), torch.tensor(b)) for a, b in INTS]),
    (down_together, [(np.array(a), np.array(b)) for a, b in ((8, 8), (2, 8), (0, 2))]),
    (down_until_zero, [(torch.tensor(x),) for x in ([3, 3], [1, 5], [0, 4], [2, -2])]),
    (unless_zero, INTS),
    (while_one, [(np.array([x]),) for x in (9, 0, 2)]),
]
