"""Python's own floats have 64 bits: what loops decide by them is kept by JAX without x64, or refused."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

X = torch.tensor([2.0, 3.0, 7.0])


def newton(x):
    r, n = 1.0, 0
    while True:
        new = 0.5 * (r + 2.0 / r)
        n += 1
        if abs(new - r) < 1e-12 or n > float(x[0]) * 100:
            break
        r = new
    return x * r, n


def bisected(x):
    low, high = 0.0, float(x.max())
    for _ in range(30):
        middle = 0.5 * (low + high)
        if (x > middle).sum() > 1:
            low = middle
        else:
            high = middle
    return x * low


def clocked(x):
    t, y = 0.0, x * 1
    for _ in range(20):
        y = y + t * x
        t = t + 0.1
    return y


def floored(x):
    y, k = x * 1, 0
    for _ in range(30):
        y = y * 0.9
        k = k + int(float(y[0]) * 10)
    return y, k


def asked(x, tol=1e-3):
    err, y = 1.0, x * 1
    while err > tol:
        z = 0.5 * (y + x / y)
        err, y = abs(z - y).max().item(), z
    return y


@pytest.mark.parametrize("fn", [newton, bisected, clocked, floored, asked])
def test_what_64_bits_decide_is_refused(fn: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match="Python computes it in 64 bits, and JAX without x64 in 32"):
        tl.transpile(fn, args=(X,), to="jax")
    tl.symbolic_trace(fn, (X,)).source(to="jax", x64=True)
    tl.transpile(fn, args=(X,), to="numpy", verify=True)


def taken(x):
    err, y = 1.0, x * 1
    while err > 1e-3:
        z = 0.5 * (y + x / y)
        err, y = abs(z - y).max().item(), z
    return y


def largest(x):
    best = 0.0
    for v in x:
        f = v.item()
        if f > best:
            best = f
    return x / best


def beside_an_array(x):
    y = x * 1
    for i in range(20):
        y = y + (i * 0.1) * x
        if y.max() > 1e3:
            break
    return y


@pytest.mark.parametrize("fn", [taken, largest, beside_an_array])
def test_what_32_bits_hold_is_not(fn: Any) -> None:
    out = tl.transpile(fn, args=(X,), to="jax")
    assert np.allclose(np.asarray(out(jnp.asarray(X.numpy()))), fn(X).numpy(), rtol=1e-5)


def counted(x):
    n = 0
    for v in x:
        if v.item() > 0.1:
            n += 1
        if 0.7 >= v.item():
            n += 10
    return x, n


def test_numbers_between_two_floats_compare_as_they_do_in_64_bits() -> None:
    """float32's 0.1 is more than 0.1, and its 0.7 less: to compare with them would count otherwise."""
    x = torch.tensor([0.1, 0.7, 0.5])
    out = tl.transpile(counted, args=(x,), to="jax")
    assert int(out(jnp.asarray(x.numpy()))[1]) == counted(x)[1]
