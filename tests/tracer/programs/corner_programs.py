"""Programs in which control flow and lists meet, each once translated wrongly or not at all. What is not
translated must be refused.
"""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: F821, F841
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from arguments import ONLY_X, XM, XN, XY, XYM, XYMN, XYN, YX


def dict_in_loop(x, y, n: int):
    d = {"s": x}
    for _ in range(n):
        d["s"] = y
    return d["s"]


def for_else(x):
    c = 1
    for a in x:
        c = 2
    else:
        s = x + 1
    return s


def for_else_2(x, y):
    for a in x:
        m = y * a
    else:
        s = abs(x)
        t = s
    return s


def unbound_in_branch(x, n: int):
    d = {"v": x + 1}
    if x.shape[0] > 2:
        d["v"] += z if x.sum() > 1 else x
    z = x
    return d["v"]


def stack_of_min(x, n: int):
    s = x.sum()
    outs = [s]
    for i in range(n):
        outs.append(s + 1)
    return np.stack(outs).sum()


def stack_in_stack(x, m):
    outs = [x]
    for r in m:
        outs.append(x if x.sum() > r.sum() else r)
    return np.stack(outs).sum(0)


def while_if_test(x, y):
    x, y = x.copy(), y.copy()
    t = 0
    while t < 3 and x.sum() > (0.0 if (y > -0.5).all() else 3.0):
        t = t + 1
        x[1] = -9.0
    return x


def while_if_test2(x, y):
    t = 0
    while x.sum() > (0.0 if y.sum() > 0 else 3.0) and t < 4:
        t = t + 1
    return t


def while_test_static_and_array(x, y):
    t = 0
    while t < 3 and x.sum() > -0.5:
        t = t + 1
        y = x
    return y


def if_with_for_else_lists(x, y, n: int):
    s = x.sum()
    v = y * 0.5
    if s > 1.0:
        for a, b in zip(x, v):
            s = a
    return s


def three_tests(v, y):
    for a in v:
        if v.sum() > a + 5:
            y = y * 0.5
            break
        elif a > 3.0:
            z = y
    return y


def for_ret(x, y, n: int):
    for i in range(1, n):
        if x.sum() + i > 100.0:
            return x
        y = y + x
    return y


def for_while(y, x):
    s = y.sum()
    for a in y:
        t = 0
        while t < 3 and -x.sum() > a + s:
            t = t + 1
            s = a
    return s


def loop_unread_then_while(x, y, n: int):
    y = y.copy()
    for i in range(n):
        y[1] += x.sum()
    return y


def list_in_loop(x, y, n: int):
    v = y * 0.5
    for i in range(n):
        outs = [v]
        for j in range(n):
            outs.append(abs(y))
            v[:2] = 1.0
        v = np.stack(outs).sum(0)
    return v


def collected_copy(x, n: int):
    v = x.copy()
    outs = []
    for i in range(n):
        outs.append(v.copy())
        v[0] += 1.0
    return np.stack(outs), v


def number_in_loop(x, n: int):
    total = x.sum()
    best = total
    for i in range(n):
        best = total
        total += x[0]
    return total, best


def list_with_first_item(x, n: int):
    outs = [x]
    for i in range(n):
        outs.append(x + i)
    return np.stack(outs)


def lists_of_no_items(x, y, n: int):
    outs = []
    for i in range(n):
        outs.append(y * i)
    t = x * 0
    for o in outs:
        t = t + o
    return t, len(outs)


def return_in_static_if(x, n: int):
    if x.sum() > 0:
        if n > 1:
            c = 0.5
        else:
            return x
    return x + 1


def returned_together(x, y, n: int):
    c = 1
    if n % 2 == 0:
        for i in range(n):
            if y.sum() > 0:
                y[1] += 1
                break
        return x, y
    if x.sum() > 0.3:
        c += 1
    elif y[1] > -1.0:
        x = y + 1
        return x, y
    return x, y


def parts_into_the_whole(x, y, m):
    m = m.copy()
    m += m[:, 1]
    x = x.copy()
    x -= x[0]
    y = y.copy()
    y[1:] += y[:-1]
    m[0] *= m[:, 1]
    m += m.T
    return m, x, y


def sizes_joined(x, y, m, n: int):
    v = x * 2
    if x.sum() > 0:
        v = y + 1
    for i in range(n):
        v = y * i
        if v.sum() > 3:
            break
    if v.sum() > 2:
        return m[0]
    return m[:, 0]


def at_a_mask(x, y, m):
    x = x.copy()
    x[x > 0.5] *= 0.5
    y = y.copy()
    y[x < 0] -= x.sum()
    y[y > 1] = y.max()
    m = m.copy()
    m[m > 0] += 1
    return x, y, m


def ranges_of_a_count(x, n: int):
    s = x.sum()
    for i in range(n):
        for j in range(i, -1, -1):
            s = s + j * x[0]
        for j in range(1, i + 3, 2):
            s = s - j
        for j in reversed(range(i)):
            s = s * 0.5 + j
    return s


PROGRAMS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (dict_in_loop, XYN),
    (for_else, ONLY_X),
    (for_else_2, XY),
    (unbound_in_branch, XN),
    (stack_of_min, XN),
    (stack_in_stack, XM),
    (while_if_test, XY),
    (while_if_test2, XY),
    (while_test_static_and_array, XY),
    (if_with_for_else_lists, XYN),
    (three_tests, XY),
    (for_ret, XYN),
    (for_while, YX),
    (loop_unread_then_while, XYN),
    (list_in_loop, XYN),
    (collected_copy, XN),
    (number_in_loop, XN),
    (list_with_first_item, XN),
    (lists_of_no_items, XYN),
    (return_in_static_if, XN),
    (returned_together, XYN),
    (parts_into_the_whole, XYM),
    (sizes_joined, XYMN),
    (at_a_mask, XYM),
    (ranges_of_a_count, XN),
]
