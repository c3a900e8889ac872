"""Programs whose statements take results out of what Python holds, by name: the framework, the function, and
what it is called with beside two arrays.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np
import torch

NEAR, FAR = 0.5, -6.0  # the planes
SCALE = NEAR * 2
LEFT = RIGHT = 1e-3
BASE = 3.5
ONE, TWO = 0.25, BASE * 2


def of_a_generator(x, y):
    q, k, v = (a * 2 for a in (x, y, x - y))
    return q @ k.T + v


def of_a_list(x, y):
    a, b = [np.tanh(t) for t in (x, y)]
    return a @ b


def of_map(x, y):
    a, b = map(np.exp, (x, y))
    return a @ b, a


def scaled(x, n):
    y = x / n
    return y * y


def of_calls(x, y, n):
    q, k = (scaled(a, n) for a in (x, y))
    return q @ k, scaled(x + y, n)


def swapped(x, y):
    a, b = x, y
    a, b = (np.tanh(t) for t in (b, a))
    return a @ b - a


def in_turn(x, y):
    a, b = x, y

    def make():
        nonlocal a
        a = a + 1
        yield a
        yield a * 2

    a, b = make()
    return a @ b + y


def of_too_many(x, y):
    a, b = (t * 2 for t in (x, y, x))
    return a @ b


def attribute(x, y):
    best = x.max(dim=1).values
    where = x.max(dim=1).indices
    return best * y[0] + where


def item(x, y):
    best = x.max(0)[0]
    return best * y


def later(x, y):
    found = torch.sort(x, dim=1)
    values, places = found.values, found.indices
    return values * y + places


def sides(x, y, flag):
    a, b = x * 2, y * 2
    if x.sum() > flag:
        a, b = b, a
    else:
        a, b = a + 1, b * 2
    return a - b


def side(x, y):
    a, b = x.sum(), y.sum()
    if a > b:
        a, b = a + b, a - b
    return a * b, b


def named_twice(x, y):
    first, second = (t for t in (x * 2,) * 2)
    return first @ y - second


def rebound(x, y):
    a, b = (t * 2 for t in (x, y))
    a, b = (t + 1 for t in (a, b))
    return a @ b


def counted(x, y, n):
    return (x > n) & (y != n) | (x <= len(x) * n)


def constants(x, y):
    return x * NEAR + FAR * y + SCALE / x + (LEFT - y) * RIGHT


def interleaved(x, y):
    return x * ONE + BASE + y * TWO


FUNCTIONS = {
    "of_a_generator": ("numpy", of_a_generator, ()),
    "of_a_list": ("numpy", of_a_list, ()),
    "of_map": ("numpy", of_map, ()),
    "of_calls": ("numpy", of_calls, (3.0,)),
    "swapped": ("numpy", swapped, ()),
    "in_turn": ("numpy", in_turn, ()),
    "of_too_many": ("numpy", of_too_many, ()),
    "attribute": ("torch", attribute, ()),
    "item": ("torch", item, ()),
    "later": ("torch", later, ()),
    "sides": ("numpy", sides, (1,)),
    "side": ("torch", side, ()),
    "named_twice": ("numpy", named_twice, ()),
    "rebound": ("numpy", rebound, ()),
    "counted": ("jax", counted, (3,)),
    "constants": ("numpy", constants, ()),
    "interleaved": ("numpy", interleaved, ()),
}
