"""Constructs of Python, each with arrays deciding in it, with arguments that take every way.

The first arguments are the example that each is traced with.
"""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: E731
from __future__ import annotations

import contextlib
import functools
from typing import Any

import numpy as np

X = [np.array([1.0, 2.0, -0.5]), np.array([-1.0, -2.0, 3.0]), np.array([5.0, 5.0, 5.0])]


def try_inside(x):
    try:
        if x.sum() > 1:
            y = x * 2
        else:
            y = x - 1
    except ValueError:
        y = x
    finally:
        z = y + 1
    return z


def with_inside(x):
    with np.errstate(divide="ignore"):
        if x.sum() > 1:
            y = x / 2
        else:
            y = x
    return y


def starred(x):
    a, *b, c = x * 1, x * 2, x * 3, x * 4
    if x.sum() > 1:
        a, c = c, a
    return a - c + b[0] * b[1]


def starred_array(x):
    a, *rest = x
    return a + rest[0]


def dels(x):
    y = x + 1
    if x.sum() > 1:
        z = y * 2
        del y
        y = z
    return y


def gen(x):
    def rows():
        for i in range(3):
            yield x * i
    t = x * 0
    for r in rows():
        if r.sum() > 1:
            t = t + r
    return t


def compr(x):
    ys = [v * 2 if v.sum() > 1 else v for v in (x, x + 1, x - 1)]
    return sum(ys)


def deco(f):
    @functools.wraps(f)
    def inner(x):
        y = f(x)
        if y.sum() > 1:
            return y * 2
        return y
    return inner


@deco
def decorated(x):
    if x.max() > 1:
        x = x + 1
    return x


def match_(x):
    match x.shape[0]:
        case 3:
            y = x + 1
        case _:
            y = x
    return y


def fstr(x):
    name = f"{x.shape[0]}"
    return x * float(name)


def chained(x):
    if 0 < x.sum() < 5:
        return x
    return -x


def chained_value(x):
    return (0 < x.sum() <= 2.5) * x


def andor(x):
    a = x.sum() > 1 and x.max() < 4
    b = x.sum() > 1 or x.min() < -1
    if not a and b:
        return x * 2
    return x


def value_or(x, n: int):
    k = n or 5
    return x * k


def lambda_(x):
    f = lambda v: v * 2 if v.sum() > 1 else v
    return f(x) + f(x - 1)


def nested_fn(x):
    scale = 2.0
    def inner(v):
        if v.sum() > 1:
            return v * scale
        return v
    return inner(x) + inner(-x)


def partial_(x):
    def inner(k, v):
        if v.sum() > k:
            return v * k
        return v
    return functools.partial(inner, 2.0)(x)


def map_(x):
    def g(v):
        return v * 2 if v.sum() > 1 else v
    return sum(map(g, (x, x + 1)))


def while_walrus(x):
    while (s := np.abs(x).sum()) > 0.5:
        x = x * 0.5
    return x, s


def ctx_own(x):
    @contextlib.contextmanager
    def c():
        yield 2.0
    with c() as k:
        if x.sum() > 1:
            x = x * k
    return x


def return_in_with(x):
    with np.errstate(all="ignore"):
        if x.sum() > 1:
            return x * 2
    return x


def none_before_the_first(x):
    best = None
    for i in range(3):
        v = (x * i).sum()
        if best is None or v > best:
            best = v
    return best


def float_acc(x, n: int):
    t = 0.0
    for i in range(n):
        t += (x * i).max()
    return t


def int_acc(x, n: int):
    t = 0
    for i in range(n):
        t = t + x * i
    return t


def minmax(x):
    m = max(x.sum(), 1.0)
    return min(m, x.max())


def enum_break(x, n: int):
    for i, v in enumerate(x):
        if v < 0:
            break
    else:
        i = -1
    return i


def assert_msg(x):
    assert x.shape[0] == 3, "three"
    return x


def raise_guard(x):
    if x.sum() > 100:
        raise ValueError("too big")
    return x


def dict_get(x):
    d = {"a": x}
    return d.get("b", x * 2) + d["a"]


def multi_ret(x):
    for i in range(3):
        for j in range(3):
            if x[i] > x[j] + 2:
                return i * 10 + j
    return -1


def zip_rev(x):
    t = 0.0
    for a, b in zip(x, reversed(x)):
        if a > b:
            t = t + a * b
    return t


def growing(x, n: int):
    hs = [x]
    for i in range(n):
        hs.append(hs[-1] * 0.5 + i)
    return np.stack(hs)


def last_of(x, n: int):
    hs = []
    h = x
    for i in range(n):
        h = h * 0.5
        hs.append(h)
    return hs[-1], len(hs), hs[0]


def double_buf(x, n: int):
    old, new = x, x * 0
    for i in range(n):
        new = old * 0.5 + i
        if np.abs(new - old).max() < 1:
            break
        old, new = new, old
    return old, new


def a_number_has_no_other_name(x):
    s = x.sum()
    old = s
    s += 1
    return old, s


def an_element_is_a_number(x):
    s = x[0]
    old = s
    s += 1
    return old, s, x


def an_array_without_axes(x):
    s = np.zeros(())
    old = s
    s += 1
    return old, s


def a_part_without_axes(x):
    s = x[..., 0]
    old = s
    s += 1
    return old, s, x


def an_argument_without_axes(x, s):
    old = s
    s += 1
    return old, s


def what_ufuncs_give_is_a_number(x):
    s = np.array(2.0)
    t = s * 2
    old = t
    t += 1
    return old, t


def what_where_gives_is_an_array(x):
    s = np.where(x[0] > 0, x[0], x[1])
    old = s
    s += 1
    return old, s


def a_product_is_a_number(x):
    s = x @ x
    old = s
    s += 1
    return old, s


ONCE = [(x,) for x in X]
COUNTED = [(x, n) for x in X for n in (3, 1, 5)]
PROGRAMS: list[tuple[Any, list[tuple[Any, ...]]]] = [
    (try_inside, ONCE),
    (with_inside, ONCE),
    (starred, ONCE),
    (starred_array, ONCE),
    (dels, ONCE),
    (gen, ONCE),
    (compr, ONCE),
    (decorated, ONCE),
    (match_, ONCE),
    (fstr, ONCE),
    (chained, ONCE),
    (chained_value, ONCE),
    (andor, ONCE),
    (value_or, COUNTED),
    (lambda_, ONCE),
    (nested_fn, ONCE),
    (partial_, ONCE),
    (map_, ONCE),
    (while_walrus, ONCE),
    (ctx_own, ONCE),
    (return_in_with, ONCE),
    (none_before_the_first, ONCE),
    (float_acc, COUNTED),
    (int_acc, COUNTED),
    (minmax, ONCE),
    (enum_break, COUNTED),
    (assert_msg, ONCE),
    (raise_guard, ONCE),
    (dict_get, ONCE),
    (multi_ret, ONCE),
    (zip_rev, ONCE),
    (growing, COUNTED),
    (last_of, COUNTED),
    (double_buf, COUNTED),
    (a_number_has_no_other_name, ONCE),
    (an_element_is_a_number, ONCE),
    (an_array_without_axes, ONCE),
    (a_part_without_axes, ONCE),
    (an_argument_without_axes, [(X[0], np.float64(3.0))]),
    (an_argument_without_axes, [(X[0], np.array(3.0))]),
    (what_ufuncs_give_is_a_number, ONCE),
    (what_where_gives_is_an_array, ONCE),
    (a_product_is_a_number, ONCE),
]
