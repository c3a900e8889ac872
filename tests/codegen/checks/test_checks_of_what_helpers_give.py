"""What a helper gives decides what Python does: the check of it calls the helper, by whatever name it has."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert


def big(x, n=2):
    return x.shape[0] > n


def pair(w):
    return [w, w + 1]


def index(x):
    return (x, -x)[big(x)]


def key(x):
    return {True: x, False: -x}[big(x)]


def either(x):
    return x * (big(x) or 3)


def both(x, w=2.0):
    return x * (big(x) and w)


def skipped(x, w=2.0):
    for v in pair(w):
        if v == 0:
            continue
        x = x * v
    return x


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", [index, key, either, both, skipped])
def test_the_check_calls_it(fn, to: str) -> None:
    x = np.arange(1.0, 7.0, dtype=np.float32).reshape(3, 2)
    out = tl.transpile(fn, [x], to=to)
    np.testing.assert_allclose(np.asarray(out(convert(x, to))), fn(x), err_msg=out.source)
    try:
        found = out(convert(x[:1], to))
    except AssertionError:
        return
    np.testing.assert_allclose(np.asarray(found), fn(x[:1]), err_msg=out.source)
