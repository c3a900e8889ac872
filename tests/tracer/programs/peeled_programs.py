"""Programs whose loops begin with something else than they go on with: None, a number, another shape."""

from __future__ import annotations

from typing import Any

import numpy as np


def best_row(x):
    best = None
    for row in x:
        if best is None:
            best = row
        else:
            best = np.maximum(best, row)
    return best


def added_to_a_number(x):
    total = 0
    for row in x:
        total = total + row
    return total


def differences(x):
    previous = None
    out = []
    for i, row in enumerate(x):
        if previous is not None:
            out.append((row - previous) * i)
        previous = row
    return np.stack(out)


def first_by_its_number(x):
    for i in range(x.shape[0]):
        s = x[i] if i == 0 else s * 0.5 + x[i]  # noqa: F821
    return s


def back_over_indices(x):
    h = None
    for t in reversed(range(len(x))):
        h = x[t] if h is None else h * 0.5 + x[t]
    return h


def two_at_once(x):
    h, c = None, None
    for t in range(x.shape[0]):
        if h is None:
            h, c = np.tanh(x[t]), x[t]
        else:
            h, c = np.tanh(x[t] + h), c + h
    return h, c


def until_large(x):
    best = None
    for row in x:
        if best is not None and best.sum() > 3.0:
            break
        best = row if best is None else np.maximum(best, row)
    return best


def large_or_else(x):
    best = None
    for row in x:
        best = row if best is None else np.maximum(best, row)
        if best is not row and best.sum() > 3.0:
            break
    else:
        best = best * 2
    return best


def known_by_key(x):
    state = {"mean": None, "count": 0}
    for row in x:
        state["count"] += 1
        mean = state["mean"]
        state["mean"] = row if mean is None else mean + (row - mean) / state["count"]
    return state["mean"], state["count"]


def narrow_at_first(x):
    h = np.zeros((1,))
    for row in x:
        h = np.tanh(h + row)
    return h


def whole_at_first(x):
    k = np.zeros(3, dtype=np.int64)
    for row in x:
        k = k + row
    return k


def whole_until(x):
    k = np.zeros(3, dtype=np.int64)
    for row in x:
        if row.sum() > 2.5:
            break
        k = k + row
    return k


def each_in_its_row(x):
    out = []
    for row in x:
        far = None
        for i in range(12):
            far = row if far is None else np.sin(far) + i
        out.append(far)
    return np.stack(out)


def copied_at_first(x):
    a = None
    for row in x:
        if a is None:
            a = row.copy()
        else:
            a += row
    return a


def written_from_the_second_on(x):
    a = 0
    for row in x:
        a += row
    return a


def passed_over(x):
    h = None
    for i, row in enumerate(x):
        if i == 0:
            continue
        h = row if h is None else h * row
    return h


def counted_from_five(x):
    h = None
    for i, row in enumerate(x, 5):
        h = row * i if h is None else h + row * i
    return h


X = [np.random.default_rng(seed).normal(size=(n, 3)) for seed, n in enumerate((12, 9, 3))]
PROGRAMS: list[tuple[Any, list[tuple[Any, ...]]]] = [
    (best_row, [(x,) for x in X]),
    (added_to_a_number, [(x,) for x in X]),
    (differences, [(x,) for x in X]),
    (first_by_its_number, [(x,) for x in X]),
    (back_over_indices, [(x,) for x in X]),
    (two_at_once, [(x,) for x in X]),
    (until_large, [(x,) for x in X]),
    (large_or_else, [(x,) for x in X]),
    (known_by_key, [(x,) for x in X]),
    (narrow_at_first, [(x,) for x in X]),
    (whole_at_first, [(x,) for x in X]),
    (whole_until, [(x,) for x in X]),
    (each_in_its_row, [(x,) for x in X]),
    (copied_at_first, [(x,) for x in X]),
    (written_from_the_second_on, [(x,) for x in X]),
    (passed_over, [(x,) for x in X]),
    (counted_from_five, [(x,) for x in X]),
]
