"""What turns and branches make of an argument: an op behind them says nothing of what it is given as."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
import torch
import torch.nn.functional as F

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy


def halved(x, n=12):
    for _ in range(n):
        x = x * 0.5
    return x.mean()


def soft(x, n=12):
    for _ in range(n):
        x = x * 0.5
    return F.softmax(x, 0), x.std()


def counted(x, n=3):
    while n > 0:
        x = x * 0.5
        n -= 1
    return F.gelu(x)


def on_one_way(x):
    if x.sum() > 0:
        x = x * 0.5
    return x.mean()


def chosen(x):
    z = x
    for i in range(3):
        z = torch.where(x > i, z, z * 0.5)
    return z.mean()


def half(x, deep):
    if deep > 1:
        x = x * 0.5
    return x


def by_a_helper(x):
    return half(x, 1) + 0, half(x, 2).mean()


def mean_of_halves(v, n):
    for _ in range(n):
        v = v * 0.5
    return v.mean()


def in_a_helper(x, n=12):
    return mean_of_halves(x, n), mean_of_halves(x + 1, 3)


def of_a_list(xs):
    y = xs[0]
    for x in xs:
        y = y * 0.5 + x
    return y.mean(), F.elu(y)


def with_another(x, y):
    s = x
    for _ in range(12):
        s = s * 0.5 + y
    return s.mean()


X = torch.linspace(1.0, 4.0, 3)
CASES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "halved": (halved, (X,)),
    "soft": (soft, (X,)),
    "counted": (counted, (X,)),
    "on one way": (on_one_way, (X,)),
    "chosen": (chosen, (X,)),
    "by a helper": (by_a_helper, (X,)),
    "in a helper": (in_a_helper, (X,)),
    "of a list": (of_a_list, ([X, X + 1],)),
    "with another": (with_another, (X, X)),
}


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("case", CASES)
def test_other_dtypes_agree_or_are_refused(case: str, to: str) -> None:
    fn, args = CASES[case]
    with jax.enable_x64(True):
        out: Any = tl.transpile(fn, args, to=to, x64=True if to == "jax" else None)
        for dtype in (torch.int64, torch.int32, torch.float64, torch.float32):
            given = jax.tree.map(lambda a: a.to(dtype), args)  # noqa: B023
            wanted = fn(*given)
            try:
                found = out(*jax.tree.map(lambda a: convert(a.numpy(), to), given))
            except AssertionError:
                assert dtype not in (torch.float32, torch.float64)
                continue
            for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
                assert to_numpy(one).dtype == to_numpy(other).dtype
                np.testing.assert_allclose(to_numpy(one), to_numpy(other), rtol=1e-5)
