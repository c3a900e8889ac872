"""Programs that write into arrays, each with arguments; the first are the example that it is traced with."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch


def heat(u, alpha, steps: int):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += alpha * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


def fill(n: int):
    a = np.zeros(n)
    for i in range(n):
        a[i] = i * i
    return a


def fib(n: int):
    a = np.ones(n)
    for i in range(2, n):
        a[i] = a[i - 1] + a[i - 2]
    return a


def into_arg(x):
    x[0] = 5.0
    return x.sum()


def into_arg_returned(x):
    x *= 2
    x[1] = 0
    return x


def view_then_write(x):
    x = x + 1
    y = x[0]
    x[0] = 5
    return x, y + 0


def write_through_view(x):
    x = x + 1
    row = x[0]
    row[1] = 9
    row += 1
    return x, row


def view_of_view(x):
    a = x * 1
    b = a.T
    c = b[1]
    c[0] = 7
    return a, b, c


def saved_copy(x):
    y = x + 0
    old = y.copy()
    y[0] = 1
    return old, y


def masked(x):
    y = x.copy()
    y[y > 2] = 0
    return y


def bubble(a):
    a = a.copy()
    n = a.shape[0]
    for i in range(n):
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                t = a[j]
                a[j] = a[j + 1]
                a[j + 1] = t
    return a


def swap(a):
    a = a.copy()
    a[0], a[1] = a[1] + 0, a[0] + 0
    return a


def branch_write(x):
    y = x.copy()
    if x.sum() > 3:
        y[0] = 100
    else:
        y[1] = -100
    return y


def insertion(a):
    a = a.copy()
    for i in range(1, a.shape[0]):
        key = a[i] + 0
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j = j - 1
        a[j + 1] = key
    return a


def life(board, steps: int):
    for _ in range(steps):
        n = sum(
            np.roll(np.roll(board, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)
        )
        new = np.zeros_like(board)
        new[(n == 3) | ((board == 1) & (n == 2))] = 1
        board = new
    return board


def out_arg(x):
    y = np.empty_like(x)
    np.multiply(x, 2, out=y)
    np.add(y, 1, out=y)
    return y


def t_fill(x):
    y = torch.zeros_like(x)
    y[0] = x[1]
    y[1:] = 3
    y.add_(1)
    return y


def t_view(x):
    y = x.clone()
    v = y.view(-1)
    v[0] = 100.0
    y[1].mul_(2)
    return y, v


def t_arg(x):
    x.add_(1)
    x[0] = 7
    return x * 2


def t_loop(xs):
    out = torch.empty(xs.shape[0])
    for i in range(xs.shape[0]):
        out[i] = xs[i].sum()
    return out


def idx_write(x):
    y = x.copy()
    y[[0, 2]] = 5
    y[np.array([1])] += 2
    return y


def two(a):
    m = np.zeros((3, 3))
    m[1, :] = a
    m[:, 2] = a * 2
    m[0, 0] -= 4
    return m


def at_numbers(x, i):
    y = x.copy()
    k = i[0]
    y[k] = 5
    row = y[k]
    row += 1
    y[i[1], 2] *= 3
    y[y[:, 0].argmin()][1] = 8
    for j in i:
        y[j] += 1
    return y, row


def t_at_numbers(x, i):
    y = x.clone()
    k = i[0]
    y[k] = 5
    row = y[k]
    row += 1
    y[i[1], 2] *= 3
    y[y[:, 0].argmin()][1] = 8
    for j in i:
        y[j] += 1
    return y, row


PROGRAMS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (heat, [(np.array([0.0, 1.0, 2.0, 5.0, 3.0]), 0.1, 4), (np.array([0.0, 1.0, 2.0, 5.0, 3.0]), 0.1, 0)]),
    (fill, [(5,), (1,)]),
    (fib, [(7,), (12,)]),
    (into_arg, [(np.array([1.0, 2.0]),)]),
    (into_arg_returned, [(np.array([1.0, 2.0]),)]),
    (view_then_write, [(np.array([[1.0, 2.0], [3.0, 4.0]]),)]),
    (write_through_view, [(np.array([[1.0, 2.0], [3.0, 4.0]]),)]),
    (view_of_view, [(np.array([[1.0, 2.0], [3.0, 4.0]]),)]),
    (saved_copy, [(np.array([3.0, 2.0]),)]),
    (masked, [(np.array([1.0, 2.0, 3.0, 4.0]),)]),
    (bubble, [(np.array([3.0, 1.0, 2.0, 5.0, 4.0]),), (np.array([1.0, 2.0]),)]),
    (swap, [(np.array([3.0, 1.0, 2.0]),)]),
    (branch_write, [(np.array([3.0, 1.0, 2.0]),), (np.array([0.0, 1.0, 2.0]),)]),
    (insertion, [(np.array([3.0, 1.0, 2.0, 5.0, 4.0]),), (np.array([2.0, 1.0]),)]),
    (
        life,
        [
            (np.array([[0, 1, 0], [0, 1, 0], [0, 1, 0]]), 1),
            (np.array([[0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]]), 3),
        ],
    ),
    (out_arg, [(np.array([3.0, 1.0, 2.0]),)]),
    (t_fill, [(torch.tensor([1.0, 2.0, 3.0]),)]),
    (t_view, [(torch.tensor([[1.0, 2.0], [3.0, 4.0]]),)]),
    (t_arg, [(torch.tensor([1.0, 2.0, 3.0]),)]),
    (t_loop, [(torch.tensor([[1.0, 2.0], [3.0, 4.0]]),)]),
    (idx_write, [(np.array([3.0, 1.0, 2.0]),)]),
    (two, [(np.array([3.0, 1.0, 2.0]),)]),
    (at_numbers, [(np.ones((3, 4)), np.array([1, 0, 1])), (np.ones((3, 4)), np.array([-1, 2]))]),
    (t_at_numbers, [(torch.ones(3, 4), torch.tensor([1, 0, 1]))]),
]
