"""`+=` and the methods that write into their array stay what they are in the text."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from named_texts import X

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

WIDE = np.array([1e-9, 1 / 3, 3.9999], np.float64)


def summed(x, w):
    out = np.zeros_like(x)
    for i in range(3):
        out += w[i] * x
    out += w
    return out


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_wider_floats_are_summed_as_such_and_cast_then(dtype: Any, to: str) -> None:
    x = (X * 1e4).astype(dtype)
    out: Any = tl.transpile(summed, (x, WIDE), to=to)
    found = to_numpy(out(convert(x, to), convert(WIDE, to)))
    assert found.dtype == dtype and np.array_equal(found, summed(x, WIDE))
    assert "        out += w[i] * x" in out.source and "    out += w\n" in out.source


def number(x, w, n=3):
    total = n * 0.5
    while total < n * 4:
        total += 2.0
        total *= 1.5
    return x * total * w.sum()


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_numbers_are_counted_as_the_user_does(to: str) -> None:
    out: Any = tl.transpile(number, (X, WIDE), to=to)
    assert "        total += 2.0\n        total *= 1.5\n" in out.source
    for n in (3, 5):
        given = convert(X, to), convert(WIDE, to), n
        np.testing.assert_allclose(to_numpy(out(*given)), number(X, WIDE, n))


def moved(p, g, m):
    m.mul_(0.9)
    m.add_(g, alpha=0.1)
    p.addcmul_(m, g, value=-0.5)
    p.lerp_(g, 0.25)
    return p, m


def test_methods_that_write_stay_such_methods() -> None:
    args = [convert(X * k, "torch") for k in (1, 2, 3)]
    out: Any = tl.transpile(moved, tuple(args), to="torch")
    for line in ("m.add_(g, alpha=0.1)", "p.addcmul_(m, g, value=-0.5)", "p.lerp_(g, 0.25)"):
        assert f"    {line}\n" in out.source
    mine, theirs = [a.clone() for a in args], [a.clone() for a in args]
    for one, other in zip(out(*mine), moved(*theirs)):
        torch.testing.assert_close(one, other)
    torch.testing.assert_close(mine[0], theirs[0])


def shifted(x, y):
    x = x + 1
    x *= y
    x -= 0.5
    return x


@pytest.mark.parametrize("source", ["numpy", "jax"])
def test_arrays_of_jax_are_bound_anew_either_way(source: str) -> None:
    given = convert(X, source)
    out: Any = tl.transpile(shifted, (given, given), source=source, to="jax")
    assert ("    x *= y\n" in out.source) == (source == "jax")  # it may be given arrays of NumPy's
    given = convert(X, "jax")
    np.testing.assert_allclose(to_numpy(out(given, given)), shifted(X, X), rtol=1e-6)
    assert np.array_equal(to_numpy(given), X)
