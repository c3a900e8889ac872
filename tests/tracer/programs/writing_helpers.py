"""Helpers that write into what they are given, and those beside them: for helper_programs.py. They name no
framework.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations


def bump(x):
    x[0] = 5.0


def total(x):
    x[0] = 7.0
    return x.sum()


def bumped_too(x):
    x[0] = 5.0
    return x


def both(x, y):
    x += y
    y -= x


def filled_both(x, y):
    x[0] = 1.0
    y[:2] = 2.0
    x *= y.sum()


def added(x, y):
    x += y
    return y * 2


def pair(x):
    x += 1
    return x.sum(), x.max()


def named(x):
    x[0] = 1.0
    return {"x": x, "sum": x.sum()}


def listed(x):
    x[0] = 1.0
    return [x.sum(), x.max()]


def ends(x):
    bump(x)
    bump(x[1:])


def inner_view(m):
    turned = m.T
    turned[0] = 3.0


def anew(x):
    x = x * 2
    x[0] = 1.0
    return x


def partly_anew(x):
    x[0] = 1.0
    x = x + 1
    x[1] = 3.0
    return x


def masked(x):
    x[x > 2] = 0.0


def filled(buffer, x):
    buffer[:] = x * 2
    buffer[0] = 1.0


def keyed(x, *, value=2.0):
    x[0] = value


def tail(x):
    return x[1:]


def written_tail(x):
    x[0] = 3.0
    return x[1:]


def every(*arrays):
    for array in arrays:
        array[0] = 2.0


def at_key(d):
    d["a"][0] = 5.0


def at_index(arrays):
    for array in arrays:
        array[0] = 3.0


def printing(x):
    print("writing")
    x[0] = 3.0


def counted_down(x, k):
    x[k] = k
    if k > 0:
        counted_down(x, k - 1)


class Held:
    def __init__(self, array):
        self.array = array

    def go(self):
        bump(self.array)
        return self
