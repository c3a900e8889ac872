"""`try` around what the form of the example decides: how many axes, items and keys there are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate import UnsupportedError

X = np.array([[2.0, 1.0], [0.5, 3.0]])


def without_a_key(p):
    try:
        b = p["b"]
    except KeyError:
        b = 1.0
    return p["a"] * b


def of_no_matrix(x):
    try:
        _, m = x.shape
    except ValueError:
        m = 1
    return x * m


def of_two_axes(x):
    try:
        n = x.shape[2]
    except IndexError:
        n = 1
    return x * n


def of_an_axis_given(x, axis=1):
    try:
        n = x.shape[axis]
    except IndexError:
        n = 1
    return x * n


def without_length(x):
    try:
        n = len(x[0, 0])
    except TypeError:
        n = 1
    return x * n


@pytest.mark.parametrize(
    ("program", "example"),
    (
        (without_a_key, {"a": X}), (of_no_matrix, X[0]), (of_two_axes, X), (of_an_axis_given, X[0]),
        (without_length, X),
    ),
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_the_form_of_the_example_raises_is_refused(program: Any, example: Any) -> None:
    with pytest.raises(UnsupportedError, match="an exception that is caught .* the form of the example"):
        tl.symbolic_trace(program, (example,))


def test_an_index_in_a_try_holds_for_the_size_of_the_example() -> None:
    def third(x):
        try:
            return x[2]
        except IndexError:
            return x[0]

    assert "x.shape" in tl.symbolic_trace(third, (np.ones(3),)).source("jax", x64=True)


def test_what_a_way_that_is_not_taken_raises() -> None:
    def checked(x):
        if x.shape[0] == 4:
            raise ValueError(f"{x.shape[1]} columns")
        return x * 2

    def deciding(x):
        return x + x.shape[1] if x.sum() > 100 else x

    assert "2" in tl.transpile(checked, (np.ones(3),), to="numpy").source
    with pytest.raises(UnsupportedError, match="a way on which IndexError is raised"):
        tl.symbolic_trace(deciding, (np.ones(3),))
