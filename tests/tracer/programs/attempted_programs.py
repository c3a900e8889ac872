"""Programs with a `try` whose body may raise for the elements of its matrices, each with arguments for which
it does not raise, and some for which it does.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch


def definite(A):
    try:
        np.linalg.cholesky(A)
        return True
    except np.linalg.LinAlgError:
        return False


def flags(A, b):
    ok = False
    n = 0
    try:
        x = np.linalg.solve(A, b)
        ok = True
    except ValueError:
        x = b * 0
        n = 1
    return x, ok, n


def over_itself(x, b):
    try:
        x = np.linalg.solve(x @ x.T, b)
    except np.linalg.LinAlgError:
        x = x[0] + b
    return x


def reads_before(x, b):
    y = b + 1
    try:
        y = np.linalg.solve(x, y) * 2
    except np.linalg.LinAlgError:
        y = y - 1
    return y


def in_steps(x, b):
    try:
        c = x @ x.T + 0.0
        L = np.linalg.inv(c)
        M = np.linalg.inv(x)
        z = L @ M @ b
    except np.linalg.LinAlgError:
        z = b
    return z


def filled(x, b):
    out = np.zeros((3, 2))
    for i in range(3):
        try:
            out[i] = np.linalg.solve(x - i * np.eye(2), b)
        except np.linalg.LinAlgError:
            out[i] = -1.0
    return out


def filled_by_a_loop(x, b):
    out = np.zeros((12, 2))
    n = 0
    for i in range(12):
        try:
            out[i] = np.linalg.solve(x - i * np.eye(2), b)
        except np.linalg.LinAlgError:
            n += 1
    return out, n


def into_an_argument(x, b):
    try:
        b[:] = np.linalg.solve(x, b)
    except np.linalg.LinAlgError:
        b[0] = 7.0
    return b.sum()


def two_at_once(x, b):
    a = b * 3
    try:
        a, c = np.linalg.inv(x)[0], np.linalg.inv(x + 1)[1]
    except np.linalg.LinAlgError:
        c = a + 1
    return a, c


def helper(A):
    L = np.linalg.cholesky(A)
    return L @ L.T


def uses_helper(A):
    try:
        return helper(A)
    except np.linalg.LinAlgError:
        return A * 0


def bumps(y, A):
    y += np.linalg.inv(A)[0]


def calls_writer(A, b):
    y = b * 1
    try:
        bumps(y, A)
    except np.linalg.LinAlgError:
        y = y - 100
    return y


def outer_and_inner(A, b):
    try:
        x = np.linalg.solve(A, b)
    except np.linalg.LinAlgError:
        try:
            x = np.linalg.solve(A + np.eye(2), b)
        except np.linalg.LinAlgError:
            x = b * 0
    return x


def under_a_flag(A, b, flag):
    if flag:
        try:
            b = np.linalg.solve(A, b)
        except np.linalg.LinAlgError:
            b = b + 1
    return b * 2


def under_an_if(A, b):
    if b.sum() > 0:
        try:
            b = np.linalg.solve(A, b)
        except Exception:
            b = b + 1
    return b * 2


def read_by_the_handler(A, b):
    t = b * 2
    u = t.sum()
    try:
        v = A @ A.T
        w = np.linalg.inv(v)
        r = w @ np.linalg.inv(A + v) @ b
    except np.linalg.LinAlgError:
        r = t
    return r + u


def in_a_dict(A):
    cache = {"r": A}
    try:
        cache["r"] = np.linalg.inv(A)
    except np.linalg.LinAlgError:
        pass
    return cache


def until_definite(A):
    n = 0
    while True:
        try:
            L = np.linalg.cholesky(A)
        except np.linalg.LinAlgError:
            A = A + np.eye(2) * 0.5
            n += 1
            continue
        break
    return L, n


def of_none(x, t):
    try:
        m = x[x > t].max()
    except ValueError:
        m = t
    return x - m


def written_then_tried(y, A):
    y[0] = 5.0
    y += np.linalg.inv(A)[0]


def in_a_helper(A, b):
    y = b * 1
    try:
        written_then_tried(y, A)
    except np.linalg.LinAlgError:
        y = y - 100
    return y


class Acc:
    def __init__(self):
        self.n = 0

    def add(self, A):
        self.n += 1
        return np.linalg.inv(A)


def in_an_object(A):
    acc = Acc()
    try:
        r = acc.add(A)
    except np.linalg.LinAlgError:
        r = A
    return r * acc.n


def in_a_list(A):
    seen = []

    def go(M):
        seen.append(M)
        return np.linalg.inv(M)

    try:
        r = go(A)
    except np.linalg.LinAlgError:
        r = A
    return r * len(seen)


def in_a_variable(A):
    k = 0

    def go(M):
        nonlocal k
        k = k + 1
        return np.linalg.inv(M)

    try:
        r = go(A)
    except np.linalg.LinAlgError:
        r = A
    return r * k


def read_error(A):
    try:
        B = np.linalg.inv(A)
    except np.linalg.LinAlgError as e:
        print("singular:", e)
        B = A
    return B


def by_the_base(A, b):
    try:
        x = torch.linalg.solve(A, b)
    except RuntimeError:
        x = torch.zeros_like(b)
    return x


def by_its_name(A, b):
    try:
        x = torch.linalg.solve(A, b)
    except torch.linalg.LinAlgError:
        x = torch.zeros_like(b)
    return x


REGULAR = np.array([[2.0, 1.0], [1.0, 3.0]])
SINGULAR = np.zeros((2, 2))
B = np.array([1.0, 2.0])

#: Each with the example, and arguments for which its handler runs.
MATRICES: tuple[tuple[Callable[..., Any], tuple[Any, ...], tuple[Any, ...]], ...] = (
    (definite, (REGULAR,), (SINGULAR,)),
    (flags, (REGULAR, B), (SINGULAR, B)),
    (over_itself, (REGULAR, B), (SINGULAR, B)),
    (reads_before, (REGULAR, B), (SINGULAR, B)),
    (in_steps, (REGULAR, B), (SINGULAR, B)),
    (filled, (REGULAR, B), (np.eye(2), B)),
    (filled_by_a_loop, (REGULAR, B), (np.diag([3.0, 5.0]), B)),
    (into_an_argument, (REGULAR, B), (SINGULAR, B)),
    (two_at_once, (REGULAR, B), (SINGULAR - 1, B)),
    (uses_helper, (REGULAR,), (SINGULAR,)),
    (calls_writer, (REGULAR, B), (SINGULAR, B)),
    (outer_and_inner, (REGULAR, B), (SINGULAR, B)),
    (outer_and_inner, (REGULAR, B), (-np.eye(2), B)),
    (under_a_flag, (REGULAR, B, True), (SINGULAR, B, True)),
    (under_an_if, (REGULAR, B), (SINGULAR, B)),
    (read_by_the_handler, (REGULAR, B), (SINGULAR, B)),
    (in_a_dict, (REGULAR,), (SINGULAR,)),
    (until_definite, (REGULAR,), (-REGULAR,)),
    (of_none, (B, 0.5), (B, 9.0)),
)
