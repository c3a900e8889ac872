"""Helpers that return in several places: who called them knows what they give on any way."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.float32([8, 3, 1])


def one_or_none(x):
    if x.sum() > 0:
        return 1
    return 0


def times(x):
    return x * one_or_none(x)


def halved(x):
    for _ in range(20):
        if x.max() < 1:
            return x, True
        x = x / 2
        if x.min() < -1:
            return x, False
    return x * 2, False


def by_a_flag(x):
    y, small = halved(x)
    if small:
        y = y + 1
    return y, small


def weight(x):
    if x.sum() > 1:
        return 2.5
    return 0.5


def summed(x):
    total = x * 0
    for row in x:
        total = total + weight(row * x)
    return total


def told(x):
    if x.sum() > 1:
        return {"ok": True, "x": x}
    return {"ok": False, "x": x * 2}


def by_a_dict(x):
    found = told(x)
    return found["x"] + 1 if found["ok"] else found["x"]


def sign(v):
    if v > 0:
        return 1
    elif v < 0:
        return -1
    else:
        return 0


def signs(x):
    return [sign(v) for v in x], sign(x[0]) == sign(x[1])


def is_large(x):
    if abs(x).sum() > 3:
        return True
    return False


def while_large(x):
    while is_large(x):
        x = x / 2
    return x


class Model:
    def gain(self, x):
        if x.sum() > 3:
            return 3
        return 4

    def __call__(self, x):
        return x * self.gain(x)


def by_a_method(x):
    return Model()(x)


PROGRAMS = [times, by_a_flag, summed, by_a_dict, signs, while_large, by_a_method]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("make", [np.float32, torch.tensor], ids=["numpy", "torch"])
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_what_a_helper_gives_depends_on_the_way(fn: Any, make: Any, to: str) -> None:
    out = tl.transpile(fn, (make(X.tolist()),), to=to)
    for given in (X, -X, X * 0, X / 100):
        wanted, found = fn(make(given.tolist())), out(convert(make(given.tolist()), to))
        assert not list(compare(wanted, found, narrowed=to == "jax")), out.source


def nothing_or_array(x):
    if x.sum() < 0:
        return None
    return x * 2


def word(x):
    if x.sum() < 0:
        return "low"
    return "high"


def pair_or_array(x):
    if x.sum() < 0:
        return x, x
    return x


@pytest.mark.parametrize(
    ("helper", "why"),
    [
        (nothing_or_array, "an array or None"),
        (word, "'high' or 'low'"),
        (pair_or_array, "an array or a tuple of 2"),
    ],
)
def test_what_is_no_one_thing_is_refused(helper: Any, why: str) -> None:
    def fn(x: Any) -> Any:
        return helper(x), x

    with pytest.raises(tl.UnsupportedError, match=why):
        tl.transpile(fn, (X,), to="numpy")


def none_or_count(x):
    for i in range(50):
        if x.max() < 1:
            return None
        x = x / 2
    return i


def named(x):
    if x.sum() > 0:
        return x, "a"
    return x * 2, "b"


def named_alike(x):
    if x.sum() > 0:
        return x, "a"
    return x * 2, "a"


def zero_or_array(x):
    if x.sum() > 3:
        return 0
    return x * 2


@pytest.mark.parametrize("fn", [none_or_count, named, zero_or_array], ids=lambda fn: fn.__name__)
def test_what_jax_cannot_choose_between_is_refused(fn: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match="an `if` with different results"):
        tl.transpile(fn, (X,), to="jax")
    assert tl.transpile(named_alike, (X,), to="jax")(X)[1] == "a"


def inverse(x, b):
    if b == 0:
        return x
    return x * (3 / b)


def test_a_way_that_raises_and_that_the_example_does_not_take_is_refused() -> None:
    with pytest.raises(tl.UnsupportedError, match="a way on which ZeroDivisionError is raised"):
        tl.transpile(inverse, (X, 0), to="numpy")
    out = tl.transpile(inverse, (X, 2), to="numpy")
    assert np.array_equal(out(X, 0), X) and np.array_equal(out(X, 4), inverse(X, 4))


def by_case(v, k):
    if k == 0:
        return None
    if v[0] > 0:
        return v
    return -v


def by_case_in_a_loop(v, k):
    for _ in range(12):
        if k > 3:
            return v, v
        v = v / 2
        if v[0] > 2:
            return v
    return v


def of_a_constant(x, k):
    return by_case(x, 1) * 2, by_case_in_a_loop(x, 2)


def of_a_size(x, k):
    return by_case(x, len(x) - 2) * 2


def of_an_argument(x, k):
    return by_case(x, k) * 2


def of_a_method_and_a_closure(x, k):
    def inner(v, c):
        if c:
            return "none"
        if v[0] > k:
            return v
        return v + 1

    return inner(x, 0) * 2


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", [of_a_constant, of_a_size, of_an_argument, of_a_method_and_a_closure])
def test_what_a_constant_excludes_is_no_way(fn: Any, to: str) -> None:
    out = tl.transpile(fn, (X, 1), to=to)
    for given in (X, -X, X * 9):
        assert not list(compare(fn(given, 1), out(convert(given, to), 1))), out.source
    if fn is of_an_argument:
        with pytest.raises(AssertionError):
            out(convert(X, to), 0)


def memoised(x, n):
    known = {}

    def f(k):
        if k < 2:
            return x * k
        if k not in known:
            known[k] = f(k - 1) + f(k - 2)
        return known[k]

    return f(n)


def memoised_by_an_array(x, n):
    known = {}

    def f(k):
        if x.sum() > k:
            return x * k
        known[k] = x
        return x + len(known)

    return f(n)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_a_helper_that_changes_something_and_returns_by_an_argument_is_that_of_the_example(to: str) -> None:
    out = tl.transpile(memoised, (X, 6), to=to)
    for given in (X, -X):
        assert not list(compare(memoised(given, 6), out(convert(given, to), 6))), out.source
    with pytest.raises(AssertionError):
        out(convert(X, to), 5)
    with pytest.raises(tl.UnsupportedError, match="array decides.*also changes `known` of its caller"):
        tl.transpile(memoised_by_an_array, (X, 6), to=to)


def into_what_is_collected(x):
    acc = x[0] * 0
    out = []
    while acc.sum() < 9:
        acc += x[0]
        out.append(acc)
    return out


def into_what_a_variable_has(x):
    first = x[0]
    while x.sum() < 99:
        x[1] += first
        first = x[1]
    return x


@pytest.mark.parametrize(
    ("fn", "shape", "why"),
    [
        (into_what_is_collected, (3, 3), "`out` has the same memory"),
        (into_what_a_variable_has, (3, 3), "`first` has the same memory"),
    ],
)
def test_what_certainly_shares_memory_is_named(fn: Any, shape: Any, why: str) -> None:
    with pytest.raises(tl.UnsupportedError, match=why):
        tl.transpile(fn, (torch.ones(shape),), to="numpy")
