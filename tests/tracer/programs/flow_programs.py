"""Programs with control flow as people write it, each with arguments that take every way.

The first arguments are the example that it is traced with.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch


def collatz(n: int):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps = steps + 1
    return steps


def bisect(lo, hi):
    for _ in range(60):
        mid = 0.5 * (lo + hi)
        if mid * mid * mid - mid - 2 > 0:
            hi = mid
        else:
            lo = mid
    return lo


def power_iteration(a, tol):
    v = np.ones(a.shape[0])
    old = 0.0
    err = np.inf
    it = 0
    while err > tol and it < 500:
        w = a @ v
        lam = np.linalg.norm(w)
        v = w / lam
        err = np.abs(lam - old)
        old = lam
        it += 1
    return lam, v, it


def clip_grad(g, limit):
    norm = np.sqrt(np.sum(g * g))
    if norm > limit:
        g = g * (limit / norm)
    return g


def sign_name(x):
    if x.sum() > 0:
        return x
    elif x.sum() == 0:
        return x + 1
    else:
        return -x


def nested(x):
    total = np.float64(0)
    for i in range(12):
        row = x * i
        if row.sum() > 50:
            if row.max() > 1000:
                return total
            continue
        total = total + row.sum()
        if total > 300:
            break
    else:
        total = total * 2
    return total


def tern(x):
    y = x.max() if x.sum() > 0 else x.min()
    return y + 1


def find_first(x, v):
    for i in range(x.shape[0]):
        if x[i] == v:
            return i
    return -1


def running(xs):
    acc = np.zeros(xs.shape[1])
    outs = []
    for t, x in enumerate(xs):
        acc = 0.9 * acc + x * t
        outs.append(acc)
    return np.stack(outs)


def zips(a, b):
    s = np.float64(0.0)
    for x, y in zip(a, b):
        s = s + np.dot(x, y)
    return s


def asserted(x):
    assert x.sum() > 0, "must be positive"
    return np.log(x.sum())


def raising(x):
    if np.any(np.isnan(x)):
        raise ValueError("nan in the input")
    return x * 2


def chained(x):
    m = x.mean()
    if 0 < m < 1:
        return x
    return x / m


def defined_in_one(x):
    flag = x.sum() > 0
    if flag:
        y = x * 2
    z = x + 1
    if flag:
        z = z + y
    return z


def walrus(x):
    while (err := np.abs(x).max()) > 1:
        x = x / 2
    return x, err


def while_true(x):
    n = 0
    while True:
        x = x * 0.5
        n += 1
        if x.max() < 0.01:
            break
    return x, n


def static_range(x, n: int):
    for i in range(n):
        x = np.sin(x) + i
    return x


def downwards(x):
    total = np.float64(0)
    for i in range(8, -1, -2):
        if x.sum() > i:
            total = total + i
            x = x - 1
    return total, x


def collect_two(xs, limit):
    below, above = [], []
    for x in xs:
        if x.sum() < limit:
            low, high = x, x * 0
        else:
            low, high = x * 0, x
        below.append(low)
        above.append(high)
    return np.stack(above), np.stack(below)


def tuple_state(x):
    state = (x, x * 0)
    for _ in range(10):
        a, b = state
        state = (b + 1, a)
    return state


def dict_state(x):
    st = {"p": x, "v": x * 0}
    for _ in range(10):
        st = {"p": st["p"] + 0.1 * st["v"], "v": st["v"] - 0.1 * st["p"]}
    return st["p"], st["v"]


def norm_or(x, y):
    if x.sum() > 3 or y.sum() > 3:
        return x + y
    return x - y


def early_in_helper(x):
    def pick(a):
        if a.sum() > 0:
            return a
        return a * 10

    return pick(x) + pick(-x)


def torch_newton(a, tol=1e-6):
    x = a
    while torch.max(torch.abs(x * x - a)) > tol:
        x = 0.5 * (x + a / x)
    return x


def torch_gru(xs, h, w, u):
    hs = []
    for x in xs:
        z = torch.sigmoid(x @ w + h @ u)
        h = (1 - z) * h + z * torch.tanh(x @ w)
        hs.append(h)
    return torch.stack(hs, 1), h


def torch_relu_by_hand(x):
    if x.sum() > 0:
        y = torch.relu(x)
    else:
        y = torch.zeros_like(x)
    return y


def torch_best(x):
    best = x[0]
    for i in range(1, x.shape[0]):
        if x[i].sum() > best.sum():
            best = x[i]
    return best


PROGRAMS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (collatz, [(6,), (27,), (1,)]),
    (bisect, [(np.array(1.0), np.array(2.0)), (np.array(0.0), np.array(5.0))]),
    (
        power_iteration,
        [(np.array([[2.0, 1.0], [1.0, 3.0]]), 1e-9), (np.array([[5.0, 0.0], [0.0, 1.0]]), 1e-6)],
    ),
    (clip_grad, [(np.array([3.0, 4.0]), np.array(1.0)), (np.array([0.3, 0.4]), np.array(1.0))]),
    (sign_name, [(np.array([1.0, 2.0]),), (np.array([1.0, -1.0]),), (np.array([-1.0, -3.0]),)]),
    (
        nested,
        [
            (np.array([1.0, 2.0]),),
            (np.array([10.0, 20.0]),),
            (np.array([0.1, 0.2]),),
            (np.array([200.0, 0.2]),),
        ],
    ),
    (tern, [(np.array([1.0, 2.0]),), (np.array([1.0, -2.0]),)]),
    (
        find_first,
        [
            (np.array([1.0, 2.0, 5.0]), np.array(5.0)),
            (np.array([1.0, 2.0]), np.array(7.0)),
            (np.array([7.0, 2.0]), np.array(7.0)),
        ],
    ),
    (running, [(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),), (np.array([[1.0, 2.0]]),)]),
    (zips, [(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[1.0, 2.0], [3.0, 4.0]]))]),
    (asserted, [(np.array([1.0, 2.0]),), (np.array([-1.0, -2.0]),)]),
    (raising, [(np.array([1.0, 2.0]),), (np.array([-1.0, np.nan]),)]),
    (chained, [(np.array([1.0, 2.0]),), (np.array([0.1, 0.2]),)]),
    (defined_in_one, [(np.array([1.0, 2.0]),), (np.array([-1.0, -2.0]),)]),
    (walrus, [(np.array([10.0, 2.0]),), (np.array([0.1, 0.2]),)]),
    (while_true, [(np.array([10.0, 2.0]),), (np.array([0.1, 0.2]),)]),
    (static_range, [(np.array([10.0, 2.0]), 12), (np.array([10.0, 2.0]), 3), (np.array([10.0, 2.0]), 0)]),
    (downwards, [(np.array([10.0, 2.0]),), (np.array([0.1, 0.2]),), (np.array([2.0, 3.0]),)]),
    (collect_two, [(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array(4.0))]),
    (tuple_state, [(np.array([10.0, 2.0]),)]),
    (dict_state, [(np.array([10.0, 2.0]),)]),
    (
        norm_or,
        [
            (np.array([10.0, 2.0]), np.array([1.0, 2.0])),
            (np.array([1.0, 0.0]), np.array([9.0, 2.0])),
            (np.array([1.0, 0.0]), np.array([0.0, 2.0])),
        ],
    ),
    (early_in_helper, [(np.array([10.0, 2.0]),), (np.array([-10.0, 2.0]),)]),
    (torch_newton, [(torch.tensor([1.0, 2.0, 3.0]),), (torch.tensor([10.0, 0.2]),)]),
    (
        torch_gru,
        [
            (torch.ones(5, 3), torch.zeros(3), torch.eye(3), torch.ones(3, 3) * 0.1),
            (torch.ones(2, 3), torch.zeros(3), torch.eye(3), torch.ones(3, 3) * 0.1),
        ],
    ),
    (torch_relu_by_hand, [(torch.tensor([1.0, -2.0, 3.0]),), (torch.tensor([-10.0, 0.2]),)]),
    (
        torch_best,
        [(torch.tensor([[1.0, 2.0], [3.0, 4.0], [0.0, 9.0]]),), (torch.tensor([[5.0, 2.0], [3.0, 1.0]]),)],
    ),
]
