"""What NumPy's functions give of Python's numbers has a dtype of its own, which counts beside arrays."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from ways import agrees_or_raises

import tracelate as tl

FUNCTIONS = {name: f for name in dir(np) if isinstance(f := getattr(np, name), np.ufunc) and f.nout == 1}
SOON = ("absolute", "cos", "maximum", "floor", "square")
DTYPES = ("int8", "uint8", "int32", "int64", "float16", "float32", "float64")


def program(f: Any) -> Any:
    if f.nin == 1:
        return lambda x, k: x * f(k)
    return lambda x, k: x * f(k, 2)


def takes(fn: Any, x: Any, k: Any) -> bool:
    """Whether a program takes numbers of this kind."""
    try:
        with np.errstate(all="ignore"):
            fn(x, k)
    except (TypeError, ValueError):
        return False
    return True


def picked(x, k):
    limit = np.maximum(k, 0)
    return np.where(x > limit, limit, x)


def joined(x, k):
    return x + np.stack([np.sin(k), np.cos(k), 1.0])


def of_a_constant(x, k):
    return x * np.cos(0.5)


def in_a_loop(x, k):
    for _ in range(3):
        x = x * np.abs(k)
    return x


def chosen(x, k):
    return x * np.where(x > 1, k, 2)


FORMS = [picked, joined, of_a_constant, in_a_loop, chosen]
CASES = [
    pytest.param(program(f), id=name, marks=() if name in SOON else pytest.mark.slow)
    for name, f in FUNCTIONS.items()
]
CASES += [pytest.param(f, id=f.__name__) for f in FORMS]


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("k", [3, 0.5])
@pytest.mark.parametrize("fn", CASES)
def test_it_counts_beside_arrays_as_in_numpy(fn: Any, k: Any, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    example = np.array([1, 2, 3], np.int64 if type(k) is int else np.float64)
    numbers = (3, 300, 0.25, True) if type(k) is int else (0.25, float("nan"), 3, True)
    others = [(np.array([100, 2, 3], d), n) for d in DTYPES for n in numbers if takes(fn, np.ones(3, d), n)]
    if not takes(fn, example, k):
        return  # no function of such numbers
    with jax.enable_x64(True), np.errstate(all="ignore"):
        try:
            agrees_or_raises(fn, "numpy", (example, k), others, to, x64=True)
        except tl.UnsupportedError:
            pass
