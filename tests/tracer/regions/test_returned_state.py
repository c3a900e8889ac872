"""Loops that return what they carry, in JAX: nothing is carried twice, and no value made up where one is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays, to_numpy

rng = np.random.default_rng(3)
MATRIX, VECTOR = rng.random((3, 3)), rng.random(3)


def bisected(target: Any, low: Any, high: Any, tol: float = 1e-5) -> Any:
    for _ in range(100):
        middle = (low + high) / 2
        if (high - low).max() < tol:
            return middle
        low = torch.where(middle < target, middle, low)
        high = torch.where(middle < target, high, middle)
    return (low + high) / 2


def power(a: Any, v: Any, n: int = 200) -> Any:
    for i in range(n):
        w = a @ v
        w = w / torch.linalg.norm(w)
        if torch.linalg.norm(w - v) < 1e-5:
            return w, i
        v = w
    return v, n


def newton(x: Any, n: int = 50) -> Any:
    for _ in range(n):
        d = (x * x - 2) / (2 * x)
        x = x - d
        if np.abs(d).max() <= 1e-6:
            return x
    return x


def before_it(x: Any, n: int = 50) -> Any:
    for _ in range(n):
        new = x * 0.5 + 1
        if np.abs(new - x).max() < 1e-3:
            return x
        x = new
    return x


def swapped(a: Any, b: Any, n: int = 9) -> Any:
    for i in range(n):
        if (a > 4).any():
            return b, a
        a, b = b + i, a
    return a, b


def of_two(a: Any, b: Any, n: int = 9) -> Any:
    for i in range(n):
        if (a > 4).any():
            return b
        if (b > 6).any():
            return a
        a, b = a + b, b + i
    return a * b


def negated(x: Any, n: int = 9) -> Any:
    for _ in range(n):
        if (x > 4).any():
            return -x
        x = x + 1
    return x


def counted(x: Any, n: int = 9) -> Any:
    total = x * 0
    for i in range(n):
        total = total + x
        if (total > 3).any():
            return total, i, True
    return total, n, False


#: Functions, arguments, and what their texts for JAX have no need of.
PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...], tuple[str, ...]]] = [
    (bisected, (VECTOR, VECTOR * 0, VECTOR * 0 + 1), ("left",)),
    (power, (MATRIX, VECTOR), ("zeros", "left")),
    (newton, (VECTOR + 1,), ("zeros", "left", "result", "cond(")),
    (before_it, (VECTOR + 1,), ("left",)),
    (swapped, (VECTOR, VECTOR + 1), ("zeros", "left")),
    (of_two, (VECTOR, VECTOR + 1), ()),
    (negated, (VECTOR,), ()),
    (counted, (VECTOR,), ("zeros_like(total",)),
]
CASES = [pytest.param(*program, id=program[0].__name__) for program in PROGRAMS]


@pytest.mark.parametrize(("fn", "args", "idle"), CASES)
def test_a_loop_carries_what_it_returns_once(fn: Any, args: Any, idle: tuple[str, ...]) -> None:
    source = "torch" if fn in (bisected, power) else "numpy"
    own = map_arrays(args, lambda a: convert(a, source))
    with jax.enable_x64(True):
        out = tl.transpile(fn, own, to="jax")
        assert not [word for word in idle if word in out.source], out.source
        for scale in (1.0, 0.01, 10.0, 0.0):
            for n in (0, 1, 2, 30) if "n" in out.source.partition("(")[2].partition(")")[0] else (None,):
                given = [a * scale for a in args]
                last = () if n is None or fn is bisected else (n,)
                expected = fn(*map_arrays(given, lambda a: convert(a, source)), *last)
                got = map_arrays(out(*map(jnp.array, given), *last), to_numpy)
                found = list(compare(map_arrays(expected, to_numpy), as_numbers(got, expected)))
                assert not found, (scale, n, found, out.source)


def as_numbers(got: Any, expected: Any) -> Any:
    """Numbers that came out as arrays, as the numbers that they are."""
    if isinstance(expected, tuple):
        return tuple(map(as_numbers, got, expected))
    return got.item() if isinstance(expected, (bool, int)) and hasattr(got, "item") else got
