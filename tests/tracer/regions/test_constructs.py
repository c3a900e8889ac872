"""Constructs that hang on what is known when: recursion, loops that begin with plain numbers, objects that a
loop makes first.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from ways import agree, attempt

import tracelate as tl
from tracelate import UnsupportedError


def halved(x):
    if x.sum() > 1:
        return halved(x / 2)
    return x


def test_recursion_that_an_array_decides_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="recursion that an array decides") as caught:
        tl.symbolic_trace(halved, (np.ones(3),))
    span = caught.value.span
    assert span is not None and span.file == __file__
    assert linecache.getline(span.file, span.line).strip() in ("if x.sum() > 1:", "return halved(x / 2)")
    assert "try: write it as a loop" in str(caught.value)


def summed_in_halves(x):
    if len(x) == 1:
        return x[0]
    return summed_in_halves(x[: len(x) // 2]) + summed_in_halves(x[len(x) // 2 :])


def begins_with_a_number(x):
    bound, n = 8.0, 0
    while bound > 1 and n < 20:
        bound = bound / 2 if n < 2 else bound * x.mean()
        n += 1
    return bound, n


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("target", ("numpy", "torch", "jax"))
@pytest.mark.parametrize("fn", (summed_in_halves, begins_with_a_number))
def test_what_sizes_and_numbers_decide_first(fn: Callable[[Any], Any], target: str) -> None:
    """Recursion on sizes runs as Python runs it; a `while` is a loop from the turn on that asks an array."""
    x = np.linspace(0.1, 1, 8)
    made = tl.symbolic_trace(fn, (x,)).to(target, **({"x64": True} if target == "jax" else {}))
    for given in (x, x * 0.1, x * 0 + 0.9):
        expected = attempt(fn, (given,), "numpy", arguments=False)
        assert agree(expected, attempt(made, (given,), target, arguments=False))


@dataclass
class State:
    k: Any


def of_a_loop(x):
    for v in x:
        s = State(1)
        if v > 0.5:
            break
        s = State(2)
    return x * s.k


def of_a_loop_with_arrays(x):
    for v in x:
        s = State(v * 2)
        if v > 0.5:
            break
        s = State(v)
    return x * s.k


def of_a_class_made_there(x):
    @dataclass
    class Own:
        k: Any

    for v in x:
        s = Own({"a": v, "n": 1})
        if v > 0.5:
            break
        s.k["n"] = 2
    return x * s.k["n"] + s.k["a"]


@pytest.mark.parametrize("target", ("numpy", "torch", "jax"))
@pytest.mark.parametrize("fn", (of_a_loop, of_a_loop_with_arrays, of_a_class_made_there))
def test_what_a_loop_makes_first_and_is_left_with(fn: Callable[[Any], Any], target: str) -> None:
    x = np.linspace(0.1, 1, 8, dtype=np.float32)
    made = tl.symbolic_trace(fn, (x,)).to(target)
    for given in (x, -x, x[::-1].copy(), x[:1]):
        expected = attempt(fn, (given,), "numpy", arguments=False)
        assert agree(expected, attempt(made, (given,), target, arguments=False))


class Own(list[Any]):
    pass


def test_a_list_of_a_class_of_its_own_is_not_returned() -> None:
    with pytest.raises(tl.TraceError, match="a list of the class Own"):
        tl.symbolic_trace(lambda x, given: (x, given), (np.ones(3), Own([1.0])))
