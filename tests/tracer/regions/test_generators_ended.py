"""A `return` in a generator ends the generator, and not the function that runs it."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

X = np.array([1.0, 2.0, 3.0], np.float32)
OTHERS = (-X, X[::-1].copy(), X[:2], X[:1], np.array([3.0, 0.5, 0.7, 0.1], np.float32))


def in_a_loop(x):
    def items():
        for v in x:
            if v > 1:
                return
            yield v

    return x + sum(items())


def used_up_by_a_loop(x):
    def items():
        for v in x:
            if v > 1:
                return
            yield v

    s = 0
    for v in items():
        s = s + v
    return x + s


def behind_a_yield(x):
    def items():
        yield x
        if x.sum() > 3:
            return
        yield x * 2

    return sum(items())


def before_a_yield(x):
    def items():
        if x.sum() > 3:
            return
        yield x * 2

    return x + sum(items())


def from_a_loop_without_a_yield(x):
    def items():
        yield x
        for v in x:
            if v > 1:
                return
        yield x * 2

    return sum(items())


def from_a_while(x):
    def items():
        y = x
        yield y
        while y.sum() < 20:
            y = y + 1
            if y[0] > 3:
                return
        yield y * 2

    return sum(items())


def with_a_result(x):
    def inner():
        yield x
        if x.sum() > 3:
            return 5
        yield x * 2
        return 3

    def outer():
        found = yield from inner()
        yield x * found

    return sum(outer())


def of_a_manager(x):
    @contextlib.contextmanager
    def entered():
        yield 1
        if x.sum() > 3:
            return
        x.sum()

    with entered() as k:
        y = x * 2
    return y * k


def of_a_method(x):
    class Rows:
        def __iter__(self):
            for v in x:
                if v > 1:
                    return
                yield v

    return x + sum(v for v in Rows())


def by_size(x):
    def items():
        for i in range(3):
            if len(x) <= i:
                return
            yield x[i]

    return x + sum(items())


def by_size_at_once(x):
    def items():
        if len(x) > 2:
            return
        yield x * 2

    return x + sum(items())


def of_a_function_in_it(x):
    def items():
        def doubled(v):
            if v > 1:
                return v * 2
            return v

        for v in x:
            yield doubled(v)

    return x + sum(items())


def branches_without_a_return(x):
    def items():
        yield x
        if x.sum() > 3:
            y = x * 3
        else:
            y = x
        yield y

    return sum(items())


KEPT = {by_size, by_size_at_once, of_a_function_in_it, branches_without_a_return}
PROGRAMS = [
    in_a_loop, used_up_by_a_loop, behind_a_yield, before_a_yield, from_a_loop_without_a_yield, from_a_while,
    with_a_result, of_a_manager, of_a_method, *sorted(KEPT, key=lambda fn: fn.__name__),
]  # fmt: skip


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
def test_a_return_ends_the_generator(fn: Callable[..., Any], target: str) -> None:
    try:
        out: Any = tl.transpile(fn, source="numpy", to=target, args=(X,))
    except tl.UnsupportedError as error:
        assert fn not in KEPT
        assert "ends a generator" in str(error)
        assert "test_generators_ended.py" in str(error)
        return
    assert fn in KEPT
    for x in (X, *OTHERS):
        try:
            found = to_numpy(out(convert(x, target)))
        except AssertionError:
            assert x is not X
            continue
        np.testing.assert_allclose(found, fn(x), rtol=1e-6)
