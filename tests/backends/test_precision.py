"""What becomes of 64-bit numbers in JAX without x64: told once, narrowed as JAX does, or refused."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

X = np.linspace(0.5, 2.0, 6).reshape(2, 3)


@pytest.fixture(autouse=True)
def without_x64() -> Iterator[None]:
    with jax.enable_x64(False):
        yield


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def root(x: Any, tol: float = 1e-6) -> Any:
    while np.abs(x * x - 2).max() > tol:
        x = x - (x * x - 2) / (2 * x)
    return x


def scaled(x: Any, tol: float) -> Any:
    return root(x, tol * 2) + 1


def bounded(x: Any, tol: float = 1e-6, limit: int = 50) -> Any:
    for _ in range(limit):
        d = (x * x - 2) / (2 * x)
        x = x - d
        if np.abs(d).max() <= tol:
            return x
    return x


def relative(x: Any) -> Any:
    for _ in range(20):
        d = (x * x - 2) / (2 * x)
        x = x - d
        if np.linalg.norm(d) < 1e-9 * np.linalg.norm(x):
            break
    return x


def told(fn: Callable[..., Any], *args: Any, **options: Any) -> tuple[Any, list[str]]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        out = tl.transpile(fn, args or None, to="jax", **options)
    said = [w for w in found if w.category is tl.PrecisionWarning]
    assert all(w.filename == __file__ for w in said)
    return out, [str(w.message) for w in said]


def test_floats_are_narrowed_as_jax_does_and_that_is_told() -> None:
    out, (message,) = told(softmax, X)
    assert "the argument x has floats of 64 bits, which are floats of 32 in jax without x64" in message
    assert "x64=False" in message
    assert out.source.startswith("# 64-bit floats are 32-bit here, as everywhere in JAX without x64.\n")
    assert out.narrowed and not out.x64
    assert tl.check(softmax, (X,), to="jax")
    assert out(jnp.array(X)).dtype == jnp.float32
    np.testing.assert_allclose(out(jnp.array(X)), softmax(X), rtol=1e-6)


def test_the_warning_names_the_line_where_floats_of_64_bits_begin() -> None:
    def gelu(x: Any) -> Any:
        return x * (1 + np.tanh(np.sqrt(2 / np.pi) * x))

    _, (message,) = told(gelu, X.astype(np.float32))
    assert "return x * (1 + np.tanh(np.sqrt(2 / np.pi) * x))" in message
    assert "math.sqrt(2)" in message
    assert not told(lambda x: x * math.sqrt(2 / math.pi), X.astype(np.float32))[1]


def test_whoever_asks_for_no_64_bits_is_not_told() -> None:
    out, messages = told(softmax, X, x64=False)
    assert not messages and out.narrowed


def test_nothing_is_told_of_floats_of_32_bits_nor_without_an_example() -> None:
    for args in ((X.astype(np.float32),), ()):
        out, messages = told(softmax, *args)
        assert not messages and not out.narrowed and "64" not in out.source


def test_what_is_taken_follows_the_configuration_of_jax() -> None:
    with jax.enable_x64(True):
        out, messages = told(softmax, X)
        assert out.x64 and not out.narrowed and not messages
        assert "assert jax.config.jax_enable_x64" in out.source
        assert out(jnp.array(X)).dtype == jnp.float64
        assert not tl.transpile(softmax, (X,), to="jax", x64=False).x64


@pytest.mark.parametrize("fn", [relative, lambda x: root(x, 1e-10)])
def test_a_loop_that_32_bits_would_not_end_is_refused(fn: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match="a loop that ends by a comparison with 1e-") as caught:
        told(fn, X)
    assert caught.value.hint == "transpile(..., x64=True)" and caught.value.span is not None
    with jax.enable_x64(True):
        assert tl.check(fn, (X,), to="jax")


def test_a_tolerance_that_is_coarse_enough_must_stay_so() -> None:
    for fn, args in ((root, (X,)), (scaled, (X, 1e-6)), (bounded, (X,))):
        out, _ = told(fn, *args)
        np.testing.assert_allclose(out(*map(jnp.array, args[:1]), *args[1:]), fn(*args), rtol=1e-5)
        with pytest.raises(AssertionError):
            out(jnp.array(X), 1e-9)


def test_what_chooses_elements_may_be_as_small_as_it_likes() -> None:
    def clipped(x: Any) -> Any:
        for _ in range(12):
            x = np.where(x < 1e-12, 1e-12, x - 0.25)
        return x

    out, _ = told(clipped, X)
    np.testing.assert_allclose(out(jnp.array(X)), clipped(X), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("number", [1e-300, 1e300, -1e39, 1e-40, 1e39j])
def test_a_number_that_32_bits_do_not_hold_is_refused(number: complex) -> None:
    with pytest.raises(tl.UnsupportedError, match="beyond the floats of 32 bits"):
        told(lambda x: x + number, X)


def added(x: Any) -> Any:
    return torch.add(x, x, alpha=2**40)


def test_so_is_an_int_wherever_an_op_has_it() -> None:
    x = np.arange(3)
    numpys = (
        lambda x: x + np.array(2**40),
        lambda x: x + np.full(3, 2**40),
        lambda x: x + np.full_like(x, 2**40),
        lambda x: x + np.arange(2**40, 2**40 + 3),
        lambda x: np.pad(x, 1, constant_values=2**40),
    )
    for fn, given in (*((fn, x) for fn in numpys), (added, torch.asarray(x))):
        with pytest.raises(tl.UnsupportedError, match="is beyond the ints of 32 bits"):
            tl.transpile(fn, (given,), to="jax")


def test_integers_are_not_compared_with_floats_that_do_not_hold_them() -> None:
    n = np.arange(6).reshape(2, 3)
    for fn in (lambda x, n: x == n, lambda x, n: n < x):
        with pytest.raises(tl.UnsupportedError, match="floats of 32 bits do not hold the integers"):
            told(fn, X, n)
    told(lambda x, n: n.astype(np.float64) < x, X, n)
    told(lambda x, n: n > 0.5, X, n)


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: x == 16777216.5,
        lambda x: x > 16777216.0,
        lambda x: x < 1048576.01,
        lambda x: np.searchsorted(x, 16777216.5),
        lambda x: np.searchsorted(x, np.float32([16777216, 16777218])),
    ],
)
def test_integers_are_not_compared_with_numbers_that_32_bits_round(fn: Callable[..., Any]) -> None:
    x = np.array([2**24, 2**24 + 1, 2**24 + 2], np.int32)
    with pytest.raises(tl.UnsupportedError, match="floats of 32 bits"):
        tl.transpile(fn, to="jax", args=(x,))


@pytest.mark.parametrize(
    "fn", [lambda x: x == 0.5, lambda x: x > 1e6, lambda x: x < np.inf, lambda x: np.searchsorted(x, 2.5)]
)
def test_integers_are_compared_with_numbers_that_32_bits_hold(fn: Callable[..., Any]) -> None:
    x = np.array([0, 2, 3, 2**24 + 1], np.int32)
    found = told(fn, x)[0](jnp.asarray(x))
    assert np.array_equal(found, fn(x))


def test_the_least_of_several_elements_is_narrowed() -> None:
    def least(x: Any) -> Any:
        return min(x[0, 0], x[0, 1], x[0, 2]) + x

    found = told(least, X)[0](jnp.asarray(X))
    np.testing.assert_allclose(found, least(X), rtol=1e-6)


def test_infinities_and_zero_are_held() -> None:
    out, _ = told(lambda x: np.where(x > 1, np.inf, 0.0) - np.inf, X)
    assert out(jnp.array(X)).dtype == jnp.float32


def test_what_the_program_makes_is_narrowed() -> None:
    def made(n: int) -> Any:
        return np.linspace(0, 1, n) + np.zeros(n), np.arange(n, dtype=np.float64), np.ones(n) * 1j

    out, (message,) = told(made, 4)
    assert "np.linspace(0, 1, n)" in message
    assert [a.dtype.name for a in out(4)] == ["float32", "float32", "complex64"]


def test_doubles_of_torch_are_narrowed() -> None:
    out, (message,) = told(lambda x: torch.softmax(x.double(), -1), torch.ones(2, 3))
    assert "x.double()" in message and out(jnp.ones((2, 3))).dtype == jnp.float32


def of_two(x: Any, tol: float, scale: float) -> Any:
    while np.abs(x * x - 2).max() > tol * scale:
        x = x - (x * x - 2) / (2 * x)
    return x


def test_every_argument_that_a_tolerance_comes_of_must_stay_coarse() -> None:
    out, _ = told(of_two, X, 1e-3, 0.01)
    np.testing.assert_allclose(out(jnp.array(X), 1e-3, 0.01), of_two(X, 1e-3, 0.01), rtol=1e-5)
    for given in ((1e-9, 0.01), (1e-3, 1e-9)):
        with pytest.raises(AssertionError):
            out(jnp.array(X), *given)


def flagged(x: Any) -> Any:
    done, n = False, 0
    while not done and n < 600:
        new = 0.5 * (x + 2 / x)
        n += 1
        if np.abs(new - x).max() < 1e-12:
            done = True
        x = new
    return x, n


def close(x: Any) -> Any:
    n = 0
    while n < 600:
        new = 0.5 * (x + 2 / x)
        n += 1
        if np.isclose(new, x, rtol=1e-12, atol=0).all():
            break
        x = new
    return x, n


def enlarged(x: Any) -> Any:
    while np.abs(x * x - 2).max() * 1e10 > 1:
        x = 0.5 * (x + 2 / x)
    return x


def nearly_one(x: Any) -> Any:
    while (x * x).max() > 2 * 1.0000000001:
        x = 0.5 * (x + 2 / x)
    return x


@pytest.mark.parametrize("fn", [flagged, close, enlarged, nearly_one])
def test_a_loop_is_ended_by_less_in_other_words(fn: Callable[..., Any]) -> None:
    with pytest.raises(tl.UnsupportedError, match="floats of 32 bits"):
        told(fn, X)


def clipped_below_one(x: Any) -> Any:
    return -np.log(1 - np.clip(x, 1e-12, 1 - 1e-12))


def of_a_number(x: Any) -> Any:
    first = float(x[0, 0])
    return x * 2 if first * 1e40 > 1e39 else x


@pytest.mark.parametrize("fn", [clipped_below_one, of_a_number])
def test_a_number_that_would_be_another_is_refused(fn: Callable[..., Any]) -> None:
    with pytest.raises(tl.UnsupportedError, match=r"0.999999999999 is 1.0 in|1e\+40 is beyond"):
        told(fn, X)


def test_what_is_only_inexact_is_narrowed() -> None:
    out, _ = told(lambda x: x * 299792.458 + 149597870.7 + np.pi * 0.1, X)
    np.testing.assert_allclose(out(X), X * 299792.458 + 149597870.7 + np.pi * 0.1, rtol=1e-6)


def copied_if_of_64_bits(x: Any, y: Any) -> Any:
    made = x * 2
    single = made.astype(np.float32, copy=False)
    single += y
    return made, single


def doubled_if_of_64_bits(x: Any, y: Any) -> Any:
    return x * 2 if x.dtype == np.float64 else y


@pytest.mark.parametrize("fn", [copied_if_of_64_bits, doubled_if_of_64_bits])
def test_what_a_supposed_dtype_has_decided_is_refused(fn: Callable[..., Any]) -> None:
    with pytest.raises(tl.UnsupportedError, match="float64 was supposed for want of an example") as caught:
        tl.transpile(fn, to="jax", source="numpy")
    assert "args=" in str(caught.value)
    tl.transpile(fn, to="jax", source="numpy", x64=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tl.PrecisionWarning)
        tl.transpile(fn, to="jax", source="numpy", assume="float64")
    example = (X.astype(np.float32), X.astype(np.float32))
    for got, want in zip(tl.transpile(fn, example, to="jax")(*example), fn(*example), strict=True):
        np.testing.assert_allclose(got, want)
