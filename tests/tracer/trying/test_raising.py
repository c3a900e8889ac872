"""Exceptions whose messages have values in them: nothing is asked for in a branch that may never be taken."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import message_programs as programs
import numpy as np
import pytest
import torch
from ways import agree, attempt, convert

import tracelate as tl

X = np.arange(6, dtype=np.float32).reshape(2, 3)

NAMES = [fn.__name__ for fn, _ in programs.PROGRAMS]


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("fn", "inputs"), programs.PROGRAMS, ids=NAMES)
def test_the_message_is_the_same(fn: Any, inputs: list[tuple[Any, ...]], to: str) -> None:
    inputs = [(x.astype(np.float32), *rest) for x, *rest in inputs]
    out = tl.symbolic_trace(fn, inputs[0]).to(to)
    for x, *rest in inputs:
        try:
            expected = fn(x, *rest)
        except Exception as error:
            with pytest.raises(type(error)) as caught:
                out(convert(x, to), *rest)
            assert caught.value.args == error.args
        else:
            assert np.allclose(np.asarray(out(convert(x, to), *rest)), expected)


def test_the_text() -> None:
    text = tl.symbolic_trace(programs.between, (X, 1)).source("numpy")
    assert (
        text
        == """\
def between(x, n: int):
    if n > 3:
        if n > 5:
            raise ValueError(f"{n} > 5")
        raise KeyError(f"{n} > 3")
    return x + n
"""
    )


def test_a_shape_in_a_message() -> None:
    def square(x: Any) -> Any:
        if x.shape[0] != x.shape[1]:
            raise ValueError(f"not square: {x.shape}")
        return x @ x

    out = tl.transpile(square, np.eye(3), to="numpy")
    assert np.array_equal(out(np.eye(4)), np.eye(4))
    with pytest.raises(ValueError, match=r"not square: \(2, 3\)"):
        out(X)


def test_values_of_arrays_in_a_message() -> None:
    def limited(x: Any) -> Any:
        total = x.sum()
        if total > 100:
            raise OverflowError(f"too large: {total:.1f}")
        return x + total

    for to in ("numpy", "torch"):
        with pytest.raises(OverflowError, match="too large: 615.0"):
            tl.transpile(limited, X, to=to)(convert(X + 100, to))
    with pytest.raises(
        tl.UnsupportedError, match="raising OverflowError where an array, or the turn of a loop, decides"
    ):
        tl.transpile(limited, X, to="jax")


def test_what_is_raised_while_tracing_says_what_is_known() -> None:
    def always(x: Any, n: int) -> Any:
        if n > 2:
            raise ValueError(f"{n} is more than 2, for {x.shape}")
        raise ValueError(f"{n} is too few")

    with pytest.raises(ValueError, match="is more than 2|is too few") as caught:
        tl.symbolic_trace(always, (X, 3))
    assert "\ue000" not in str(caught.value)


def test_a_message_that_is_read_is_known() -> None:
    def caught(x: Any, n: int) -> Any:
        if n > 2:
            try:
                raise ValueError(f"n is {n}")
            except ValueError as error:
                if str(error).endswith("5"):
                    x = x * 2
        return x + n

    for n in (1, 4, 5):
        out = tl.transpile(caught, (X, n), to="numpy")
        assert np.array_equal(out(X, n), caught(X, n))
        with pytest.raises(AssertionError, match=str(n + 1)):
            out(X, n + 1)


# A `raise` at the end, behind a way that returns.


def positive(x):
    if x.sum() > 0:
        return x
    raise ValueError("none")


def doubled_or_not(x):
    if x.sum() > 100:
        return x * 2
    if x.sum() > 0:
        y = x + 1
        return y
    size = x.shape[0]
    raise ValueError(f"none of {size}")


def by_a_helper(x):
    return positive(x) * 2


def by_elif(x):
    if x.sum() > 100:
        return x * 2
    elif x.sum() > 0:
        return x + 1
    raise ValueError("none")


def halved_until(x):
    for _ in range(20):
        if x.sum() < 1:
            return x
        x = x / 2
    raise ValueError("no convergence")


def first_positive(x):
    for v in x:
        if v > 0:
            return v
    assert False, "none is positive"  # noqa: B011, PT015


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize(
    "fn", [positive, doubled_or_not, by_a_helper, by_elif, halved_until, first_positive]
)
def test_a_raise_at_the_end_is_a_way_of_its_own(fn: Any, to: str) -> None:
    out = tl.transpile(fn, (np.array([3.0, 4.0]),), to=to)
    for x in (np.array([3.0, 4.0]), np.array([-3.0, -4.0]), np.array([300.0, 4.0])):
        expected, found = attempt(fn, (x,), "numpy", arguments=False), attempt(out, (x,), to, arguments=False)
        assert agree(expected, found), out.source


def of_fewer(x, k=2):
    s = np.zeros(1)
    for _ in range(x.shape[0]):
        s = np.concatenate([s, s])
        s = np.zeros(min(k, len(s)))
    return s


def test_sizes_that_a_loop_makes_are_compared() -> None:
    out = tl.transpile(of_fewer, (np.ones((2, 5)),), to="torch")
    assert tuple(out(torch.ones(3, 5)).shape) == of_fewer(np.ones((3, 5))).shape
