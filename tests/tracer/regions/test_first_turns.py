"""Loops that go on until something is small: what is compared is a number at first, and an array then."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

pytestmark = pytest.mark.filterwarnings("ignore")


def infinite(x):
    err, y = np.inf, x * 1
    while err > 1e-3:
        z = 0.5 * (y + x / y)
        err, y = abs(z - y).max(), z
    return y


def one(x, tol=1e-3):
    err, y = 1.0, x * 1
    while err > tol:
        z = 0.5 * (y + x / y)
        err, y = abs(z - y).max(), z
    return y


def limited(x, tol=1e-3, most=20):
    err, y, n = float("inf"), x * 1, 0
    while err > tol and n < most:
        z = 0.5 * (y + x / y)
        err, y, n = abs(z - y).max(), z, n + 1
    return y, n


def limited_first(x, tol=1e-3, most=3):
    err, y, n = 1, x * 1, 0
    while n < most and tol < err:
        z = 0.5 * (y + x / y)
        err, y, n = abs(z - y).max(), z, n + 1
    return y, n


def before_and_after(x):
    last, now, y = 0.0, 1.0, x * 1
    while abs(now - last) > 1e-3:
        y = 0.5 * (y + x / y)
        last, now = now, y.sum()
    return y


def broken(x):
    last, y = np.inf, x * 1
    while True:
        y = 0.5 * (y + x / y)
        now = abs(y * y - x).max()
        if last - now < 1e-3:
            break
        last = now
    return y


X = np.array([2.0, 3.0], np.float32)
ARRAYS = {"numpy": X, "float64": X.astype(np.float64), "torch": torch.tensor(X), "jax": jnp.asarray(X)}


#: The others say the same of other spellings, framework by framework.
FEW = [
    (infinite, "numpy"), (limited, "torch"), (broken, "torch"), (before_and_after, "numpy"),
    (limited_first, "jax"),
]  # fmt: skip
ALL = [(f, k) for f in (infinite, one, limited, limited_first, before_and_after, broken) for k in ARRAYS]


@pytest.mark.parametrize(
    ("fn", "kind"), [c if c in FEW else pytest.param(*c, marks=pytest.mark.slow) for c in ALL]
)
def test_a_number_that_becomes_an_array(fn: Any, kind: str) -> None:
    x = ARRAYS[kind]
    wanted = fn(x)
    traced = tl.symbolic_trace(fn, (x,))
    for to in ("numpy", "torch") if kind == "float64" else ("numpy", "jax", "torch"):
        out = traced.to(to)
        assert "while" in out.source
        found = out(convert(to_numpy(x), to))
        pairs = zip(wanted, found) if isinstance(wanted, tuple) else [(wanted, found)]
        for mine, theirs in pairs:
            mine, theirs = np.asarray(to_numpy(mine)), np.asarray(to_numpy(theirs))
            assert np.allclose(mine, theirs) and mine.dtype.kind == theirs.dtype.kind, (to, out.source)


@pytest.mark.parametrize("kind", ARRAYS)
def test_a_loop_without_a_turn_agrees_or_is_refused(kind: str) -> None:
    x = ARRAYS[kind]
    out = tl.transpile(one, args=(x,), to="numpy")
    for tol in (0.5, 2.0):
        try:
            found = out(to_numpy(x), tol)
        except AssertionError:  # the first turn stands before the loop
            assert tol == 2.0 and "1.0 > tol" in out.source
            continue
        assert np.allclose(found, to_numpy(one(x, tol)))


def total(r):
    loss = 0.0
    for t in range(r.shape[0]):
        loss += r[t].sum()
    return loss


def discounted(r):
    out, R = torch.zeros_like(r), 0.0
    for t in range(r.shape[0]):
        R = r[t] + 0.5 * R
        out[t] = R
    return out


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", [total, discounted])
def test_a_number_that_later_turns_write_into_is_one_loop_after_the_first(fn: Any, to: str) -> None:
    r = torch.arange(12.0)
    out = tl.transpile(fn, (r,), to=to)
    assert len(out.source.splitlines()) < 30
    for given in (r, torch.ones(3), torch.ones(1)):
        wanted, found = fn(given), out(convert(given.clone(), to))
        assert np.allclose(to_numpy(wanted), to_numpy(found)), out.source
