"""Programs that return the lists that their loops append to."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch


def doubled_rows(x):
    out = []
    for row in x:
        out.append(row * 2)
    return out


def states(x):
    out = []
    h = np.tanh(x[0]) * 0
    for row in x:
        h = np.tanh(h + row)
        out.append(h)
    return h, out


def trajectory(x, n):
    out = [x]
    for _ in range(n):
        x = x * 0.5
        out.append(x)
    return out


def listed_and_stacked(x):
    out = [x[0]]
    for row in x:
        out.append(out[-1] * 0.5 + row)
    return out, np.stack(out)


def with_one_at_the_end(x):
    out = []
    for row in x:
        if row.sum() > 0:
            row = row * 2
        out.append(row)
    out.append(x[0])
    return out


def two_lists(x):
    a, b = [], []
    for row in x:
        a.append(row)
        b.append(row.max())
    return {"rows": a, "greatest": b, "n": len(a)}


def halved_while_large(x):
    out = []
    while x.sum() > 1:
        x = x / 2
        out.append(x)
    return out


def rows_until_large(x):
    out = []
    for row in x:
        if row.sum() > 1:
            break
        out.append(row * 2)
    return out


def doubled_by_a_helper(x):
    return np.stack(doubled_rows(x)).sum(0), doubled_rows(x)


def a_buffer_again_and_again(x):
    out = []
    buffer = np.zeros(3)
    for row in x:
        buffer[:] = row
        out.append(buffer.copy())
    return out, buffer


def t_states(x, h):
    outputs = []
    for row in x:
        h = torch.tanh(h + row)
        outputs.append(h)
    return outputs, h


def steps(x):
    total = 0.0
    for a, b in zip(x, x[1:]):
        total = total + (b - a).max() ** 2
    return total


def curvature(x):
    out = []
    for i, (a, b, c) in enumerate(zip(x, x[1:], x[2:])):
        out.append((a - 2 * b + c) * i)
    return out


def as_far_as_both_go(x, y):
    total = x[0] * 0
    for i, a, b in zip(range(3, 1000, 2), x, y):
        total = total + a * b * i
    return total


def steps_of_a_list(x):
    out = []
    for row in x:
        out.append(row * 2)
    total = 0.0
    for a, b in zip(out, out[1:]):
        total = total + (b - a).max()
    return total


X = [(np.random.default_rng(seed).normal(size=(n, 3)),) for seed, n in enumerate((12, 9, 1))]
LONGER = [*X[:2], (X[0][0][:4],)]
ROWS = [np.abs(x[0]) for x in X]
PROGRAMS: list[tuple[Any, list[tuple[Any, ...]]]] = [
    (doubled_rows, X),
    (states, X),
    (trajectory, [(X[0][0][0], n) for n in (12, 3, 1)]),
    (listed_and_stacked, X),
    (with_one_at_the_end, X),
    (two_lists, X),
    (halved_while_large, [(ROWS[0],), (ROWS[0] * 9,), (ROWS[0] * 0,)]),
    (rows_until_large, X),
    (doubled_by_a_helper, X),
    (a_buffer_again_and_again, X),
    (steps, LONGER),
    (curvature, LONGER),
    (as_far_as_both_go, [(X[0][0], X[1][0]), (X[1][0], X[2][0]), (X[1][0], X[1][0])]),
    (steps_of_a_list, LONGER),
    (t_states, [(torch.from_numpy(x), torch.zeros(3, dtype=torch.float64)) for (x,) in X]),
]
