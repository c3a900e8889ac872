"""PyTorch's tensors without axes, written in place: numbers in NumPy, which nobody can write into."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from ways import agrees_or_raises

import tracelate as tl
from tracelate.backends.arrays import convert
from tracelate.ir.values.tree import leaves

X = np.float32([1, -2, 3, 0.5])


def copied(a):
    best = a[0].clone()
    if best > 0:
        best.copy_(a[1])
    return best


def emptied(a):
    best = a[0].clone()
    if best > 0:
        best.zero_()
    else:
        best.neg_()
    return best


def greatest(a):
    best = a[0].clone()
    for v in a:
        if v > best:
            best.copy_(v)
    return best


def assigned(a):
    best = a[0].clone()
    for v in a:
        if v > best:
            best[...] = v
    return best


def greatest_sum(a):
    now, best = torch.zeros(()), torch.zeros(())
    for v in a:
        now += v
        if now < 0:
            now.zero_()
        if now > best:
            best.copy_(now)
    return best


def by_another_name(a):
    best = a.sum()
    other = best
    best[()] = a[1]
    other += 1
    return best


def clamped(a):
    best = a.sum()
    other = best
    best.clamp_(0, 0.1)
    other += 1
    return best, other


PROGRAMS = [copied, emptied, greatest, assigned, greatest_sum, by_another_name, clamped]


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", PROGRAMS)
def test_what_has_no_axes_is_written(fn: Any, to: str) -> None:
    agrees_or_raises(fn, "torch", (X,), [(-X,), (X[:2],)], to)


@pytest.mark.parametrize("take", [np.flip, lambda x: np.unstack(x)[0]], ids=["flip", "unstack"])
def test_a_number_that_would_be_a_view_with_axes_stays_what_it_was(take: Any) -> None:
    def f(x: Any) -> Any:
        y = take(x)
        x[...] = 5
        return y

    shapes = [(), (3,), (2, 3)]
    for example in shapes[take is not np.flip :]:
        out = tl.transpile(f, (np.arange(6.0)[: int(np.prod(example))].reshape(example),), to="numpy")
        for shape in shapes:
            given = [np.arange(6.0)[: int(np.prod(shape))].reshape(shape) for _ in range(2)]
            try:
                found = out(given[1])
            except AssertionError:
                assert shape != example
                continue
            np.testing.assert_array_equal(found, f(given[0]))


def test_a_copy_that_is_asked_for_is_none_of_the_array() -> None:
    def f(x: Any) -> Any:
        y = np.reshape(x, (-1,), copy=True)
        x[0] = 5
        return y

    assert tl.check(f, (np.arange(4.0).reshape(2, 2),), to="numpy").ok


def summed(x):
    y = x
    for _ in range(2):
        y = y.sum(axis=-1)
        z = y
        z += 1
    return y


def averaged(x, n=2):
    y = x
    for _ in range(n):
        y = y.mean(axis=-1)
        z = y
        z += 1
    return y, z


def in_a_dict(x):
    y = x
    for _ in range(x.ndim):
        y = y.max(axis=0)
        d = {"m": y}
        d["m"] *= 2
    return y


def picked(x):
    y = x * 1
    for _ in range(2):
        y = y[0]
        h = [y]
        h[0] += 1
    return y, h[0]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("shape", [None, (2, 3), (2, 3, 4)])
@pytest.mark.parametrize("fn", [summed, averaged, in_a_dict, picked])
def test_a_loop_whose_last_turn_makes_a_number_of_it(fn: Any, shape: Any, to: str) -> None:
    try:
        out = tl.transpile(fn, shape and (np.ones(shape, np.float32),), to=to, source="numpy")
    except tl.TraceError:
        return
    for other in ((2, 3), (3,), (2, 3, 4)):
        x = np.arange(1, np.prod(other) + 1, dtype=np.float32).reshape(other)
        try:
            want = fn(x.copy())
            got = out(convert(x, to))
        except Exception:
            continue
        for one, two in zip(leaves(got), leaves(want), strict=True):
            np.testing.assert_allclose(np.asarray(one), np.asarray(two), rtol=1e-6)
