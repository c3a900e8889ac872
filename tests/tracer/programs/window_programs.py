"""Programs whose loops go through windows of an array: slices that move, grow or shrink from turn to turn."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch


def moving_average(x, w=3):
    n = x.shape[0] - w + 1
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[i : i + w].mean()
    return out


def convolved(img, k):
    h, w = k.shape
    out = np.zeros((img.shape[0] - h + 1, img.shape[1] - w + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = (img[i : i + h, j : j + w] * k).sum()
    return out


def batches(x, w, size=4):
    for i in range(0, x.shape[0], size):
        b = x[i : i + size]
        w = w - 0.1 * (b.T @ (b @ w)) / size
    return w


def pooled(x):
    out = np.zeros(x.shape[0] // 2)
    for i in range(x.shape[0] // 2):
        out[i] = x[2 * i : 2 * i + 2].max()
    return out


def overlapped(frames, hop=2):
    n, w = frames.shape
    out = np.zeros(hop * (n - 1) + w)
    for i in range(n):
        out[i * hop : i * hop + w] += frames[i]
    return out


def of_prefixes(x):
    out = np.zeros_like(x)
    for i in range(x.shape[0]):
        out[i] = x[: i + 1].mean()
    return out


def of_suffixes(x):
    s = np.zeros_like(x)
    for i in range(len(x)):
        s[i] = x[i:].sum()
    return s


def of_three(x):
    y = x.copy()
    for i in range(1, len(x) - 1):
        y[i] = x[i - 1 : i + 2].sum()
    return y


def epochs_of_batches(x, w, n_epochs=10, size=4):
    for e in range(n_epochs):
        for i in range(0, x.shape[0], size):
            b = x[i : i + size]
            w = w - 0.1 * (b.T @ (b @ w)) / size
    return w


def two_loops_one_prefix(x):
    s = 0.0
    for i in range(len(x)):
        p = x[: i + 1]
        for j in range(len(x)):
            s = s + p.sum() * x[j]
    return s


def first_large_window(x, c):
    n = x.shape[0]
    at = -1
    for i in range(n - 2):
        if x[i : i + 3].sum() > c:
            at = i
            break
    return at


def the_large_window(x, c):
    for i in range(x.shape[0] - 2):
        if x[i : i + 3].sum() > c:
            return x[i : i + 3]
    return x[:3] * 0


def windows_collected(x):
    out = []
    for i in range(x.shape[0] - 2):
        out.append(x[i : i + 3].max())
    return np.stack(out)


def this_side_or_that(x, c):
    s = 0.0
    for i in range(x.shape[0]):
        if x[i] > c:
            s = s + x[: i + 1].sum()
        else:
            s = s - x[i:].sum()
    return s


def in_turns(x):
    s = 0.0
    for i in range(x.shape[0]):
        if i % 2 == 0:
            s = s + x[i:].sum()
        else:
            s = s * x[:i].sum()
    return s


def while_there_is_room(x, size):
    i = 0
    s = 0.0
    while i + size <= x.shape[0]:
        s = s * 0.5 + x[i : i + size].sum()
        i += size
    return s


def as_many_ones(x):
    s = 0.0
    for i in range(1, len(x)):
        s = s + (np.ones(i) * x[i]).sum()
    return s


def shorter_and_shorter(x):
    n = x.shape[0]
    s = 0.0
    for _ in range(len(x) - 1):
        s = s + x[:n].sum()
        n = n - 1
    return s


def selection_sort(x):
    x = x.copy()
    for i in range(len(x)):
        j = i + np.argmin(x[i:])
        x[[i, j]] = x[[j, i]]
    return x


def cholesky(a):
    n = a.shape[0]
    low = np.zeros_like(a)
    for j in range(n):
        low[j, j] = np.sqrt(a[j, j] - (low[j, :j] ** 2).sum())
        for i in range(j + 1, n):
            low[i, j] = (a[i, j] - low[i, :j] @ low[j, :j]) / low[j, j]
    return low


def solved(a, b):
    a = a.copy()
    b = b.copy()
    n = len(b)
    for k in range(n):
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            a[i, k:] -= f * a[k, k:]
            b[i] -= f * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return x


def orthogonal(a):
    q = np.zeros_like(a)
    for j in range(a.shape[1]):
        v = a[:, j]
        v = v - q[:, :j] @ (q[:, :j].T @ v)
        q[:, j] = v / np.sqrt((v * v).sum())
    return q


def correlated(x, order=9):
    out = np.zeros(order)
    for k in range(order):
        out[k] = (x[: len(x) - k] * x[k:]).sum()
    return out


def unfolded(x):
    out = []
    for i in range(0, x.shape[0] - 3, 2):
        out.append(x[i : i + 4])
    return torch.stack(out)


def causal(q, k, v):
    out = torch.zeros_like(v)
    for t in range(q.shape[0]):
        w = torch.softmax(q[t] @ k[: t + 1].T, -1)
        out[t] = w @ v[: t + 1]
    return out


R = np.random.default_rng(0)
X = [R.normal(size=n) for n in (10, 12, 5)]
A = [R.normal(size=shape) for shape in ((10, 3), (9, 4))]
S = [m @ m.T + n * np.eye(n) for n in (9, 10, 3) for m in [R.normal(size=(n, n))]]
T = torch.tensor(A[1])
PROGRAMS: list[tuple[Any, list[tuple[Any, ...]]]] = [
    *((fn, [(x,) for x in X]) for fn in (moving_average, pooled, of_prefixes, of_suffixes, of_three)),
    *((fn, [(x,) for x in X]) for fn in (two_loops_one_prefix, windows_collected, in_turns, as_many_ones)),
    *((fn, [(x,) for x in X]) for fn in (shorter_and_shorter, selection_sort)),
    (correlated, [(X[0],), (X[1],)]),
    (convolved, [(A[0], np.ones((3, 2))), (A[1], A[0][:2, :2])]),
    (batches, [(A[0], np.ones(3)), (A[1], np.ones(4))]),
    (epochs_of_batches, [(A[0], np.ones(3)), (A[1], np.ones(4))]),
    (overlapped, [(A[0],), (A[1],)]),
    (first_large_window, [(X[0], 1.0), (X[1], 0.1), (X[1], 100.0)]),
    (the_large_window, [(X[0], 1.0), (X[1], 0.1), (X[1], 100.0)]),
    (this_side_or_that, [(X[0], 0.1), (X[1], -0.3)]),
    (while_there_is_room, [(X[1], 2), (X[0], 3)]),
    *((fn, [(s,) for s in S]) for fn in (cholesky, orthogonal)),
    (solved, [(S[0], X[1][:9]), (S[1], X[0])]),
    (unfolded, [(T[:, 0].repeat(3),), (T[:, 0].repeat(2),)]),
    (causal, [(T, T * 2, T - 1), (T[:4], T[:4] * 2, T[:4] - 1)]),
]
