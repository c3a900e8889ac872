"""What a helper gives decides what Python does: the check of it calls the helper, by whatever name it has."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert
from tracelate.ir.values.tree import leaves


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


def value(d, name):
    return d[name]


def compared(x, d):
    return x * (value(d, "a") in [value(d, "b")])


def in_order(x, d):
    return x * sorted([value(d, "a"), value(d, "b")])[0]


def in_a_set(x, d):
    return x * len({value(d, name) for name in ("a", "b")})


def counted(x, d):
    return x, len({d["a"]}), len({value(d, "a"): 0})


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [compared, in_order, in_a_set, counted])
def test_calls_that_differ_by_a_word(fn, to: str) -> None:
    x = np.arange(3, dtype=np.float32)
    for example in ({"a": 1, "b": 1}, {"a": 1.0, "b": 2.0}):
        try:
            out = tl.transpile(fn, [x, dict(example)], to=to)
        except tl.UnsupportedError:
            continue
        for other in (example, {"a": 1.0, "b": 1}, {"a": True, "b": 1}, {"a": 2, "b": 1}):
            try:
                found = out(convert(x, to), dict(other))
            except AssertionError:
                assert other is not example, out.source
                continue
            for one, two in zip(leaves(fn(x, dict(other))), leaves(found), strict=True):
                assert isinstance(one, np.ndarray) or type(one) is type(two), out.source
                np.testing.assert_allclose(np.asarray(two), np.asarray(one), err_msg=out.source)


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


def how_many(x, k):
    return x, len({k}), len({value({"a": k}, "a"): 0})


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_a_parameter_is_no_name_for_how_many_there_are(to: str) -> None:
    x = np.arange(3, dtype=np.float32)
    out = tl.transpile(how_many, [x, 1], to=to)
    for k in (1, 1.0, True):
        assert [type(each) for each in out(convert(x, to), k)[1:]] == [int, int], out.source
