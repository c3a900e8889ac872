"""Programs in which control flow and writes meet, each once translated wrongly or not at all. What is not
translated must be refused.
"""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: F821, F841
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


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


def alias_of_arg_in_while(x, y):
    v = x * 0.5
    for a in x:
        v = y
    t = 0
    while True:
        t = t + 1
        y += x
        if x.sum() > 0.0 or t > 3:
            break
    return v, y


def alias_out_of_cond(x, y):
    x = x.copy()
    v = y * 0.5
    if y.sum() > 0:
        v = x
    if y.max() > 0:
        v += y
    return x, v


def alias_out_of_cond2(x, y):
    x = x.copy()
    v = y * 0.5
    if y.sum() > 0:
        v = x
    v += y
    return x, v


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


def write_into_alias_of_while_tuple(x, y, n: int):
    s = x.sum()
    st = (s, y)
    for _ in range(n):
        s1, v1 = st
        for a in x:
            if x.sum() > a + s1:
                y[1] = -1.0
                break
        st = (s1 * -0.5, v1)
    return st[0], st[1], y


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


def collect_alias(x, n: int):
    outs = []
    for i in range(n):
        outs.append(x)
    return np.stack(outs).sum(0)


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


def for_break_write(x, m):
    for r in m:
        v = x
        if x.sum() > 5.0:
            m *= -1.0
            break
    m[1][0] = x.sum()
    return m


def flagged_write(x, y):
    y, x = y.copy(), x.copy()
    b = (x > 3.0).any()
    if b:
        v = y * -0.5
    x[-1] = y[0]
    if b:
        y[0], x[1] = v.sum(), (v + v).sum()
    return x, y


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


def nested_if_alias(x, y, m):
    x, m = x.copy(), m.copy()
    v = y * 0.5
    if x.sum() > 2:
        v = m[1]
    m[:, 1] = -0.5
    return v, m


def break_write(x, y, m):
    for a in y:
        m[-1] += x
        if y.max() > 1.0:
            m[1, 0] += 0.25
            break
    return m


def break_write_2(x, y, m):
    for a, b in zip(y, x):
        if m[1].sum() > x.sum():
            m[:, 1] = (m + y).sum(0)
            break
    return m


def list_in_loop(x, y, n: int):
    v = y * 0.5
    for i in range(n):
        outs = [v]
        for j in range(n):
            outs.append(abs(y))
            v[:2] = 1.0
        v = np.stack(outs).sum(0)
    return v


def continue_write(x, y, m):
    m = m.copy()
    for a in y:
        if a > 1.0:
            m[1, 0] += 0.25
            continue
        m[0] *= 2
    return m


def return_write(x, y, m):
    for a in y:
        if a > 1.0:
            m[1, 0] += 0.25
            return m
        m[0] *= 2
    return m


def branch_return_write(x, m):
    if x.sum() > 0:
        m[0] = x
        return m
    m[1] = x
    return m


def while_write_break(x, y):
    t = 0
    while True:
        t = t + 1
        y[0] += x[0]
        if y[0] > 5.0 or t > 9:
            y[1] = -1.0
            break
        y[2] -= 1.0
    return t


def view_over_loop(x, m):
    m = m.copy()
    r = m[0]
    for a in x:
        r += a
        m[1] += r
    return r, m


def view_written_in_if(x, m):
    m = m.copy()
    r = m[0]
    if x.sum() > 0:
        r *= 2
    else:
        m[0] -= 1
    return r, m


def rows_written(x, m):
    for r in m:
        if r.sum() > 4:
            r *= 0.5
        r[0] = x[0]
    return m


def flag_alias(x, y):
    y = y.copy()
    b = x.sum() > 1.0
    if b:
        v = y
    if b:
        v *= -0.5
    return y


def dict_alias_in_loop(x, y, n: int):
    d = {"v": x + 1}
    e = d["v"]
    for a in y:
        d["v"] += a
    return d["v"], e


def swap_in_loop(x, y, n: int):
    a, b = x.copy(), y.copy()
    for i in range(n):
        a, b = b, a
        a[0] += 1.0
    return a, b


def rebound_then_written(x, y, n: int):
    v = x.copy()
    for i in range(n):
        v = v + 1
        v[0] = 0.0
        w = v
        w *= 2
    return v


def old_kept(x, n: int):
    v = x.copy()
    old = v
    for i in range(n):
        old = v
        v = v * 0.5
        v[0] = 1.0
    return old, v


def old_kept_alias(x, n: int):
    v = x.copy()
    old = v
    for i in range(n):
        old = v
        v[0] += 1.0
    return old, v


def collected_then_written(x, n: int):
    v = x.copy()
    outs = []
    for i in range(n):
        outs.append(v)
        v[0] += 1.0
    return np.stack(outs), v


def collected_copy(x, n: int):
    v = x.copy()
    outs = []
    for i in range(n):
        outs.append(v.copy())
        v[0] += 1.0
    return np.stack(outs), v


def list_of_rows(x, m):
    outs = []
    for r in m:
        outs.append(r)
        m[0, 0] += 1.0
    return np.stack(outs), m


def ternary_alias(x, y):
    x, y = x.copy(), y.copy()
    v = x if x.sum() > 0 else y
    v[0] = 9.0
    return x, y, v


def tuple_state_alias(x, y, n: int):
    x = x.copy()
    st = (x, y * 0)
    for _ in range(n):
        a, b = st
        st = (b + 1, a)
    st[0][0] = 5.0
    return x, st


def helper_write(x, y):
    def put(a, v):
        if v.sum() > 0:
            a[0] = v[0]
            return a
        a[1] = v[1]
        return v

    x = x.copy()
    z = put(x, y)
    return x, z


def view_in_while(x, m):
    m = m.copy()
    r = m.T[1]
    t = 0
    while r.sum() < 30 and t < 5:
        r += x
        m[0] += 1
        t += 1
    return m, r, t


def write_cond_in_inner(x, m, n: int):
    m = m.copy()
    for i in range(n):
        for j in range(m.shape[1]):
            if m[i, j] > x[j]:
                m[i, j] = x[j]
            elif j == 1:
                m[i] *= 0.5
                break
        else:
            m[i, 0] += 1
    return m


def number_under_two_names(x, y):
    a = x.sum()
    b = a
    a += 1
    c = y[0]
    d = c
    c *= 2
    return a, b, c, d


def number_in_loop(x, n: int):
    total = x.sum()
    best = total
    for i in range(n):
        best = total
        total += x[0]
    return total, best


def loop_over_what_it_writes(x, y):
    v = y * 0.5
    for j, s in enumerate(v):
        v -= s
    return v


def loop_over_view_of_what_it_writes(x, m):
    m = m.copy()
    for r in m.T:
        m[0, 1] += r.sum()
    return m


def alias_out_of_nested_if(x, y, n: int):
    v = y * 0.5
    if v.max() > 0.25:
        pass
    elif y.sum() > -0.5:
        x[:] = 0.0
    else:
        v = x
    for _ in range(n):
        v *= 0.25
    return v, x


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


def item_kept_then_written(x, y, m):
    for s in y:
        t = s
    y[-1] = 9.0
    m = m.copy()
    for r in m:
        last = r
    m[-1] = 7.0
    return t, last


def number_out_of_if_then_written(x, y):
    y = y.copy()
    s = x.sum()
    if s > 0:
        s = y[0]
    y[0] = 5.0
    return s, y


def row_collected_then_written(x, m):
    m = m.copy()
    outs = []
    for r in m:
        outs.append(r)
    m[0] = 9.0
    return np.stack(outs), m


def tuple_brings_a_view(x, y, m, n: int):
    s0 = x.sum()
    v0 = y * 0.5
    m0 = m + 1.0
    st = (s0, v0)
    for _ in range(n):
        s, v = st
        v[1:] = s
        st = (s0 - s, m0[:, 1])
    return m0, v0


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


def argument_or_new_then_written(x, y, n: int):
    v = x
    for i in range(n):
        if y.sum() > 0:
            v = -x
        v[0] = 2.0
    return v, x


def new_then_argument_then_written(x, y, n: int):
    w = y * 2
    for i in range(n):
        if y.sum() > 0:
            w = -x
        if x.sum() > 0:
            w[0] = 2.0
            w = y
    return w, y


def two_names_then_rebound(x, y):
    u = y * 2
    z = u
    for a in x:
        if a > 0:
            u = u * 2
        u[1] += a
    return z, u


def fresh_in_branch_then_written(x, y, n: int):
    v = y * 0.5
    for i in range(n):
        if (x > -0.5).any():
            v = -x
        if x.sum() > 1:
            v[0] = 0.0
    return v


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


def size_of_what_was_written(x, y):
    y = abs(y)
    c = 1
    if x.sum() > -1.0:
        y[0] *= -0.5
        c = len(y)
    else:
        return c, y
    return c, y


X, Y, M = np.array([1.0, 2.0, 3.0]), np.array([3.0, 4.0, 0.5]), np.arange(9.0).reshape(3, 3)

#: Arguments that take many ways; the first are the example.
XYN = [(X, Y, 2), (-X, -Y, 3), (2 * X, 0.1 * Y, 1), (X[:2], Y[:2], 2), (X, -Y, 0)]
ONLY_X = [(X,), (-X,), (2 * X,), (X[:2],), (X,)]
XY = [(X, Y), (-X, -Y), (2 * X, 0.1 * Y), (X[:2], Y[:2]), (X, -Y)]
XN = [(X, 2), (-X, 3), (2 * X, 1), (X[:2], 2), (X, 0)]
XM = [(X, M), (-X, M), (2 * X, -M), (X[:2], M[:2, :2]), (X, M)]
YX = [(Y, X), (-Y, -X), (0.1 * Y, 2 * X), (Y[:2], X[:2]), (-Y, X)]
XYM = [(X, Y, M), (-X, -Y, M), (2 * X, 0.1 * Y, -M), (X[:2], Y[:2], M[:2, :2]), (X, -Y, M)]
XMN = [(X, M, 2), (-X, M, 3), (2 * X, -M, 1), (X[:2], M[:2, :2], 2), (X, M, 0)]
XYMN = [(X, Y, M, 2), (-X, -Y, M, 3), (2 * X, 0.1 * Y, -M, 1), (X[:2], Y[:2], M[:2, :2], 2), (X, -Y, M, 0)]

PROGRAMS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (dict_in_loop, XYN),
    (for_else, ONLY_X),
    (for_else_2, XY),
    (alias_of_arg_in_while, XY),
    (alias_out_of_cond, XY),
    (alias_out_of_cond2, XY),
    (unbound_in_branch, XN),
    (stack_of_min, XN),
    (stack_in_stack, XM),
    (write_into_alias_of_while_tuple, XYN),
    (while_if_test, XY),
    (while_if_test2, XY),
    (while_test_static_and_array, XY),
    (collect_alias, XN),
    (if_with_for_else_lists, XYN),
    (three_tests, XY),
    (for_ret, XYN),
    (for_break_write, XM),
    (flagged_write, XY),
    (for_while, YX),
    (loop_unread_then_while, XYN),
    (nested_if_alias, XYM),
    (break_write, XYM),
    (break_write_2, XYM),
    (list_in_loop, XYN),
    (continue_write, XYM),
    (return_write, XYM),
    (branch_return_write, XM),
    (while_write_break, XY),
    (view_over_loop, XM),
    (view_written_in_if, XM),
    (rows_written, XM),
    (flag_alias, XY),
    (dict_alias_in_loop, XYN),
    (swap_in_loop, XYN),
    (rebound_then_written, XYN),
    (old_kept, XN),
    (old_kept_alias, XN),
    (collected_then_written, XN),
    (collected_copy, XN),
    (list_of_rows, XM),
    (ternary_alias, XY),
    (tuple_state_alias, XYN),
    (helper_write, XY),
    (view_in_while, XM),
    (write_cond_in_inner, XMN),
    (number_under_two_names, XY),
    (number_in_loop, XN),
    (loop_over_what_it_writes, XY),
    (loop_over_view_of_what_it_writes, XM),
    (alias_out_of_nested_if, XYN),
    (list_with_first_item, XN),
    (lists_of_no_items, XYN),
    (return_in_static_if, XN),
    (returned_together, XYN),
    (parts_into_the_whole, XYM),
    (item_kept_then_written, XYM),
    (number_out_of_if_then_written, XY),
    (row_collected_then_written, XM),
    (tuple_brings_a_view, XYMN),
    (sizes_joined, XYMN),
    (argument_or_new_then_written, XYN),
    (new_then_argument_then_written, XYN),
    (two_names_then_rebound, XY),
    (fresh_in_branch_then_written, XYN),
    (at_a_mask, XYM),
    (ranges_of_a_count, XN),
    (size_of_what_was_written, XY),
]
