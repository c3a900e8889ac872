"""Programs in which branches meet arrays that have two names, and writes; each once translated wrongly
or not at all. What is not translated must be refused.
"""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: F821, F841
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from arguments import XM, XMN, XN, XY, XYM, XYN


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


def collect_alias(x, n: int):
    outs = []
    for i in range(n):
        outs.append(x)
    return np.stack(outs).sum(0)


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


def flag_alias(x, y):
    y = y.copy()
    b = x.sum() > 1.0
    if b:
        v = y
    if b:
        v *= -0.5
    return y


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


def ternary_alias(x, y):
    x, y = x.copy(), y.copy()
    v = x if x.sum() > 0 else y
    v[0] = 9.0
    return x, y, v


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


def size_of_what_was_written(x, y):
    y = abs(y)
    c = 1
    if x.sum() > -1.0:
        y[0] *= -0.5
        c = len(y)
    else:
        return c, y
    return c, y


PROGRAMS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (alias_out_of_cond, XY),
    (alias_out_of_cond2, XY),
    (collect_alias, XN),
    (for_break_write, XM),
    (flagged_write, XY),
    (nested_if_alias, XYM),
    (break_write, XYM),
    (break_write_2, XYM),
    (continue_write, XYM),
    (return_write, XYM),
    (branch_return_write, XM),
    (flag_alias, XY),
    (rebound_then_written, XYN),
    (old_kept, XN),
    (old_kept_alias, XN),
    (collected_then_written, XN),
    (ternary_alias, XY),
    (helper_write, XY),
    (write_cond_in_inner, XMN),
    (number_under_two_names, XY),
    (alias_out_of_nested_if, XYN),
    (item_kept_then_written, XYM),
    (number_out_of_if_then_written, XY),
    (argument_or_new_then_written, XYN),
    (new_then_argument_then_written, XYN),
    (two_names_then_rebound, XY),
    (fresh_in_branch_then_written, XYN),
    (size_of_what_was_written, XY),
]
