"""Programs that take numbers out of arrays: float(x), int(x), bool(x), x.item()."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch


def scaled_by_its_sum(x):
    s = x.sum().item()
    return x * s


def signed_by_its_sum(x):
    if x.sum().item() > 0:
        return x * 2
    return -x


def below_the_lowest(x):
    best = float("inf")
    for v in x:
        if v < best:
            best = float(v)
    return x - best


def histogram(x, bins=5):
    h = np.zeros(bins)
    lo = x.min()
    hi = x.max()
    for v in x:
        k = int((v - lo) / (hi - lo + 1e-9) * bins)
        h[min(k, bins - 1)] += 1
    return h


def taken_before_a_write(x):
    x = x.copy()
    s = x[0].item()
    x[0] = 5
    return x, x * s


def t_taken_before_a_write(x):
    x = x.clone()
    s = x[0].item()
    u = float(x[1])
    x[0] = 5
    x[1] = x[1] * 2
    return x, x * s + u


def as_many_steps(x):
    n = int(abs(x.sum())) % 7 + 2
    for i in range(n):
        x = x * 0.5 + i
    return x


def until_it_settles(x, tol=1e-3):
    prev = float("inf")
    w = x
    for i in range(100):
        w = w * 0.7
        loss = (w * w).sum().item()
        if prev - loss < tol:
            break
        prev = loss
    return w, prev


def by_its_norm(x):
    return x * math.sqrt(float((x * x).sum()))


def all_or_sum(x):
    ok = bool((x > 0).all())
    return x if ok else x.sum() + x


def by_numbers(x):
    m = float(x.max())
    n = int(x.sum() * 10)
    return x / m + n


def by_truncated(x):
    return x + int(x.min()) - int(x.max())


def descended(A, b, lr=0.01):
    w = np.zeros(A.shape[1])
    best, wait = np.inf, 0
    for epoch in range(200):
        e = A @ w - b
        loss = float((e * e).mean())
        w = w - lr * (A * e[:, None]).sum(axis=0)
        if loss < best - 1e-4:
            best, wait = loss, 0
        else:
            wait += 1
            if wait >= 3:
                break
    return w, best, epoch


def as_many_as_positive(x):
    n = int((x > 0).sum())
    return x[:n].sum() + n


def ones_of_positive(x):
    n = int((x > 0).sum())
    return np.ones(n) * 2


def taken_into_a_list(x):
    x = x.copy()
    a = [x[0].item(), float(x[1])]
    x[0] = 9.0
    x[1:] *= 3
    return x * a[0] + a[1]


def t_taken_into_a_list(x):
    x = x.clone()
    a = [x[0].item(), float(x[1])]
    x[0] = 9.0
    x[1:] *= 3
    x += 1
    return x * a[0] + a[1]


def swapped_as_numbers(x):
    x = x.copy()
    for i in range(len(x) - 1):
        a, b = float(x[i]), float(x[i + 1])
        if a > b:
            x[i], x[i + 1] = b, a
    return x


def t_swapped_as_numbers(x):
    x = x.clone()
    for i in range(len(x) - 1):
        a, b = x[i].item(), x[i + 1].item()
        if a > b:
            x[i], x[i + 1] = b, a
    return x


def numbers_in_choices(x):
    out = np.zeros(3)
    for j in range(3):
        out[j] = float(x[j]) + (float(x[j + 1]) if x[j] > 0 else 0.0)
    return out


def taken_through_a_view(x):
    x = x.copy()
    v = x[1:3]
    s = float(v.sum())
    x[1] = 100.0
    t = float(v.sum())
    return x * s + t


def scaled_and_added(x):
    x = x.copy()
    s = float(x.sum())
    x *= s
    s += float(x.sum())
    return x, s


def taken_in_a_function(x):
    def helper(z):
        return z.sum().item() / len(z)

    return x - helper(x) + helper(x[:3])


def a_number_alone(x):
    return float(x.sum())


def left_with_a_number(x):
    total = 0.0
    for v in x:
        total += float(v)
        if total > 1.0:
            return total
    return -total


def told_in_a_message(x):
    s = float(x.sum())
    if s > 1e9:
        raise ValueError(f"too big: {s:.2f}")
    return x * s


def places_in_order(x):
    a, b = int(x.argmin()), int(x.argmax())
    if a > b:
        a, b = b, a
    return x[a] - x[b] + a - b


def picked(x):
    k = int(x.argmax())
    return x[k] * k


def t_placed(x):
    k = int(x.argmax())
    lo, hi = x.min().item(), float(x.max())
    return (x - lo) / (hi - lo) + x[k] * k + bool((x > 0).any())


R = np.random.default_rng(0)
X, Y = R.normal(size=12), R.normal(size=9)
N = [(X,), (Y,), (-X,), (np.abs(Y),), (-np.abs(Y) - 0.1,)]
T = [(torch.tensor(x),) for (x,) in N]
ANY = (
    signed_by_its_sum, picked, below_the_lowest, as_many_steps, until_it_settles, by_its_norm, all_or_sum,
    by_truncated, as_many_as_positive, taken_in_a_function, a_number_alone, left_with_a_number,
    places_in_order,
)  # fmt: skip
PROGRAMS: list[tuple[Any, list[tuple[Any, ...]]]] = [
    *((fn, N) for fn in ANY),
    *((fn, N) for fn in (scaled_by_its_sum, histogram, taken_before_a_write, by_numbers, ones_of_positive)),
    *((fn, N) for fn in (taken_into_a_list, swapped_as_numbers, numbers_in_choices, taken_through_a_view)),
    *((fn, N) for fn in (scaled_and_added, told_in_a_message)),
    *((fn, T) for fn in (t_taken_before_a_write, t_taken_into_a_list, t_swapped_as_numbers)),
    (t_placed, T),
    (descended, [(R.normal(size=(20, 3)), R.normal(size=20)), (R.normal(size=(10, 4)), R.normal(size=10))]),
]
