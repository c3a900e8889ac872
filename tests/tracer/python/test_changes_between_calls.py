"""What changes between two calls of one function, that share a graph only where they are alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from ways import agree_in_all

import tracelate as tl

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def scaled(x: Any, w: Any) -> Any:
    return x * w + 2.0


def cells(x: Any) -> Any:
    factor = 2.0

    def inner(value: Any) -> Any:
        return value * factor

    first = inner(x)
    factor = 3.0
    return first, inner(x)


def codes(x: Any) -> Any:
    def made(number: int) -> Any:
        if number:

            def inner(value: Any) -> Any:
                return value + 1
        else:

            def inner(value: Any) -> Any:
                return value * 2

        return inner

    return made(0)(x), made(1)(x), made(0)(x)


class Scale:
    def __init__(self, factor: float) -> None:
        self.factor = factor

    def __call__(self, value: Any) -> Any:
        return value * self.factor


def attributes(x: Any) -> Any:
    scale = Scale(2.0)
    first = scale(x)
    scale.factor = 3.0
    return first, scale(x), Scale(2.0)(x)


def by_object(x: Any, scale: Any) -> Any:
    return x * scale.factor


def objects(x: Any) -> Any:
    return by_object(x, Scale(2.0)), by_object(x, Scale(3.0)), by_object(x, Scale(2.0))


def kinds(x: Any) -> Any:
    return scaled(x, 2.0), scaled(x, np.float32(2.0)), scaled(x, np.array(2.0, np.float32)), scaled(x, x)


def defaults(x: Any) -> Any:
    def inner(value: Any, k: float = 2.0) -> Any:
        return value * k

    first = inner(x)
    inner.__defaults__ = (3.0,)
    return first, inner(x)


def items(x: Any) -> Any:
    table = {"k": 2.0}

    def inner(value: Any) -> Any:
        return value * table["k"]

    first = inner(x)
    table["k"] = 3.0
    return first, inner(x)


def rebound(x: Any) -> Any:
    global FACTOR
    first = x * FACTOR
    FACTOR = 3.0
    return first, by_factor(x)


FACTOR = 2.0


def by_factor(x: Any) -> Any:
    return x * FACTOR


@pytest.mark.complete
@pytest.mark.parametrize("program", [cells, codes, attributes, objects, kinds, defaults, items, rebound])
def test_what_changes_between_two_calls_counts(program: Any) -> None:
    global FACTOR
    try:
        agree_in_all(program, X)
    except tl.UnsupportedError as error:  # what is set outlives the call
        assert program in (defaults, rebound) and error.span is not None
    finally:
        FACTOR = 2.0


def test_draws_of_a_global_generator_are_no_two_alike() -> None:
    def drawn(value: Any) -> Any:
        return value + torch.rand(3)

    def program(x: Any) -> Any:
        return drawn(x) - drawn(x)

    try:
        out = tl.transpile(program, (torch.ones(3),), to="torch")
    except tl.UnsupportedError as error:
        assert error.span is not None
    else:
        assert (out(torch.ones(3)) != 0).any()
