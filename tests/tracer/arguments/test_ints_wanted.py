"""Numbers where Python wants ints: a float that equals one raises there, which a `try` may go on behind, and
by an array a list is not repeated but multiplied.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert
from tracelate.ir.values.tree import leaves

X = np.float32([1, 2, 3])
XS = [X, X * 2, X * 3]


def item(xs, k):
    try:
        x = xs[k]
    except IndexError:
        return None
    except TypeError:
        x = xs[0] * 7
    return x * 2


def some(xs, k):
    try:
        some = xs[:k]
    except TypeError:
        some = xs
    return [x * 2 for x in some]


def unpacked(xs, k):
    try:
        a, b = xs[:k]
    except (TypeError, ValueError):
        a, b = xs[0], xs[0] * 2
    return a + b


def repeated(xs, k):
    try:
        xs = [xs[0]] * k
    except TypeError:
        xs = [*xs, *xs]
    return sum(xs)


def letters(xs, k):
    try:
        line = "-" * k
    except TypeError:
        line = "none at all"
    return xs[0] * len(line)


def constant(xs, k):
    rate = 10
    with contextlib.suppress(TypeError):
        rate = (5, 6, 7)[k]
    return xs[0] * rate


def a_range(xs, k):
    try:
        found = [xs[i] for i in range(k)]
    except TypeError:
        found = xs
    return sum(found)


def times(xs, k):
    return xs * k


def times_of_numbers(xs, k):
    return xs[0], [0.5] * k


def shown(xs, k):
    return xs[0] * len(str(k * 1.0))


def formatted(xs, k):
    return xs[0] if k > 0 else xs[0] * len(f"{k}")


TAKEN = [item, some, unpacked, repeated, letters, constant, a_range, times, times_of_numbers, shown]
NUMBERS = [2, 1, 0, -1, 2.0, True, np.array(2), np.int64(2), np.float64(2.0)]


def attempted(fn: Any, *args: Any) -> Any:
    try:
        return fn(*args)
    except Exception as error:
        return error


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("program", TAKEN, ids=lambda f: f.__name__)
def test_what_is_no_int_is_refused_or_does_what_it_did(program: Any, to: str) -> None:
    out = tl.transpile(program, (XS, 2), to=to)
    for given in NUMBERS:
        want, got = attempted(program, XS, given), attempted(out, [convert(x, to) for x in XS], given)
        if isinstance(want, Exception) or isinstance(got, Exception):
            assert given is not NUMBERS[0], got
            continue
        assert type(want) is type(got) or not isinstance(want, list | tuple), (given, out.source)
        for one, other in zip(leaves(want), leaves(got), strict=True):
            np.testing.assert_allclose(np.asarray(one), np.asarray(other), err_msg=out.source)


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_zeros_of_either_sign_are_two_texts(zero: float, to: str) -> None:
    for program in (shown, formatted):
        out = tl.transpile(program, (XS, zero), to=to)
        np.testing.assert_array_equal(out([convert(x, to) for x in XS], zero), program(XS, zero))
        with pytest.raises(AssertionError, match=r"0\.0"):
            out([convert(x, to) for x in XS], -zero)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_the_real_part_of_a_number_is_one(to: str) -> None:
    def program(x, y):
        return y * np.real(x) + np.imag(x)

    for number in (2, 2.5):
        out = tl.transpile(program, (number, X), to=to)
        got = out(number, convert(X, to))
        assert str(got.dtype).endswith("float32")
        np.testing.assert_allclose(np.asarray(got), program(number, X))
