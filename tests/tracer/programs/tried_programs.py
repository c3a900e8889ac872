"""Programs with `try` and `with` that catch nothing of what arrays decide."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import torch


def another_exception(x):
    try:
        y = np.linalg.inv(x)
        if y[0, 0] > 0:
            y = -y
    except KeyError:
        y = x
    return y


def a_module_that_is_missing(x):
    try:
        import no_module_has_this_name

        y = no_module_has_this_name.inv(x)
    except ImportError:
        y = np.linalg.inv(x)
    return y


def finally_too(x):
    y = x * 0
    try:
        if x.sum() > 0:
            y = x + 1
    finally:
        y = y + 1
    return y


def quietly(x):
    with np.errstate(all="ignore"), contextlib.suppress(ImportError):
        return x / np.linalg.det(x)


@contextlib.contextmanager
def counted(names):
    names.append("begun")
    try:
        yield len(names)
    finally:
        names.append("ended")


def in_a_context_of_ones_own(x):
    names: list[str] = []
    with counted(names) as n:
        x = np.linalg.inv(x) * n
    return x * len(names)


def or_without_it(x, params):
    try:
        return x + params["bias"]
    except KeyError:
        return x


def with_an_else(x, n=2):
    try:
        k = [1, 2, 3][n]
    except IndexError:
        k = 5
    else:
        x = x * 2
    return x * k


def t_without_gradients(x):
    with torch.no_grad():
        y = torch.linalg.det(x) * x if x.sum() > 2 else x.sin()
    return y


def suppressed_elsewhere(x):
    with contextlib.suppress(ZeroDivisionError):
        x = x * (10 // (x.shape[0] - x.shape[1] + 1))
    return x


M = [np.array([[2.0, 1.0], [0.5, 3.0]]), np.array([[-2.0, 1.0], [0.5, -3.0]])]
PROGRAMS: list[tuple[Any, list[tuple[Any, ...]]]] = [
    (another_exception, [(m,) for m in M]),
    (a_module_that_is_missing, [(m,) for m in M]),
    (finally_too, [(m,) for m in M]),
    (quietly, [(m,) for m in M]),
    (in_a_context_of_ones_own, [(m,) for m in M]),
    (or_without_it, [(m, {"bias": m}) for m in M]),
    (with_an_else, [(m,) for m in M]),
    (t_without_gradients, [(torch.from_numpy(m),) for m in M]),
    (suppressed_elsewhere, [(m,) for m in M]),
]
