"""Programs in which loops and views meet arrays that have two names, and writes; each once translated
wrongly or not at all. What is not translated must be refused.
"""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: F821, F841
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from arguments import XM, XY, XYMN, XYN


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


def list_of_rows(x, m):
    outs = []
    for r in m:
        outs.append(r)
        m[0, 0] += 1.0
    return np.stack(outs), m


def tuple_state_alias(x, y, n: int):
    x = x.copy()
    st = (x, y * 0)
    for _ in range(n):
        a, b = st
        st = (b + 1, a)
    st[0][0] = 5.0
    return x, st


def view_in_while(x, m):
    m = m.copy()
    r = m.T[1]
    t = 0
    while r.sum() < 30 and t < 5:
        r += x
        m[0] += 1
        t += 1
    return m, r, t


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


PROGRAMS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (alias_of_arg_in_while, XY),
    (write_into_alias_of_while_tuple, XYN),
    (while_write_break, XY),
    (view_over_loop, XM),
    (view_written_in_if, XM),
    (rows_written, XM),
    (dict_alias_in_loop, XYN),
    (swap_in_loop, XYN),
    (list_of_rows, XM),
    (tuple_state_alias, XYN),
    (view_in_while, XM),
    (loop_over_what_it_writes, XY),
    (loop_over_view_of_what_it_writes, XM),
    (row_collected_then_written, XM),
    (tuple_brings_a_view, XYMN),
]
