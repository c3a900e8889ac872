"""Rounding: what the last bits decide is no difference, and what they do not decide is one."""

from __future__ import annotations

from typing import Any

import numpy as np

from tracelate.backends.arrays import Difference
from tracelate.varying.rounding import audible, explained

X = np.array([1.0, 2.0, 3.5])


def test_what_is_nothing_beside_the_arguments_is_noise() -> None:
    residual = Difference("", "values differ by up to 2e-16", 2e-16)
    large = Difference("", "values differ by up to 0.5", 0.5)
    shape = Difference("", "shape (1,) became ()")
    assert audible([residual, large, shape], (X, X)) == [large, shape]


def test_a_sum_that_should_be_zero_decides() -> None:
    def run(arguments: Any) -> Any:
        with np.errstate(divide="ignore"):
            return 1.0 / (arguments["x"].sum() - 6.5) + np.zeros(2)

    theirs = run({"x": X})
    assert explained(theirs, theirs * 0 + 3e15, {"x": X}, run)


def test_what_does_not_hang_on_the_last_bit_is_wrong() -> None:
    def run(arguments: Any) -> Any:
        return np.floor(arguments["x"]), arguments["x"] * 2

    given = {"x": X + 0.25}
    floor, twice = run(given)
    assert not explained((floor, twice), (floor + 1, twice), given, run)
    assert not explained((floor, twice), (floor, twice * 2), given, run)
    assert not explained((1, twice), (2, twice), given, lambda _: (1, twice))


def test_how_many_turns_a_solver_takes_may_hang_on_the_last_bit() -> None:
    def run(arguments: Any) -> Any:
        x, turns = arguments["x"], 0
        while x.sum() > 1.0:
            x, turns = x / 2, turns + 1
        return x, turns

    given = {"x": np.array([3.0, 1.0])}
    x, turns = run(given)
    assert turns == 2 and explained((x, turns), (x / 2, turns + 1), given, run)
    assert not explained((x, turns), (x, turns + 2), given, run)
    assert not explained((x, turns), (x, turns - 1), given, run)
