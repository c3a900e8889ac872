"""What is memory of its own in the program is so in the text, whatever hands it on: who gets it may write."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy
from tracelate.ir.values.tree import leaves

#: What NumPy and torch give of an array x where nothing changes: memory of its own, with the same numbers.
MADE = {
    "numpy": {
        "x * 1": lambda x: x * 1,
        "1.0 * x": lambda x: 1.0 * x,
        "x / 1": lambda x: x / 1,
        "x - 0": lambda x: x - 0,
        "x ** 1": lambda x: x**1,
        "-(-x)": lambda x: -(-x),
        "+x": lambda x: +x,
        "x.copy()": lambda x: x.copy(),
        "np.array(x)": np.array,
        "x.astype(np.float32)": lambda x: x.astype(np.float32),
        "x.reshape(-1) * 1": lambda x: x.reshape(-1) * 1,
        "x.flatten()": lambda x: x.flatten(),
        "np.where(True, x, x)": lambda x: np.where(True, x, x),
        "np.concatenate([x])": lambda x: np.concatenate([x]),
        "np.repeat(x, 1)": lambda x: np.repeat(x, 1),
    },
    "torch": {
        "x * 1": lambda x: x * 1,
        "x / 1": lambda x: x / 1,
        "x - 0": lambda x: x - 0,
        "-(-x)": lambda x: -(-x),
        "x.clone()": lambda x: x.clone(),
        "torch.clone(x)": torch.clone,
        "x.to(torch.float32, copy=True)": lambda x: x.to(torch.float32, copy=True),
        "x.reshape(-1) * 1": lambda x: x.reshape(-1) * 1,
        "torch.flip(x, (0,)).flip(0)": lambda x: torch.flip(x, (0,)).flip(0),
        "torch.cat([x])": lambda x: torch.cat([x]),
        "x.repeat(1)": lambda x: x.repeat(1),
    },
}


def alone(made):
    return lambda x, n: made(x)


def in_a_branch(made):
    def f(x, n):
        y = made(x)
        if n > 3:
            y = y * 2
        return y

    return f


def by_an_expression(made):
    return lambda x, n: made(x) if n < 4 else x * 2


def decided_by_an_array(made):
    def f(x, n):
        y = made(x)
        if x.sum() < 0:
            y = y + 1
        return y

    return f


def returned_early(made):
    def f(x, n):
        if x.sum() > 0:
            return made(x)
        return x + 1

    return f


def through_a_loop(made):
    def f(x, n):
        y = made(x)
        for i in range(n):
            y = y + i
        return y

    return f


def through_a_while(made):
    def f(x, n):
        y = made(x)
        while y.sum() > 100:
            y = y - 1
        return y

    return f


def through_a_helper(made):
    def later(v, n):
        if n > 3:
            v = v * 2
        return v

    return lambda x, n: later(made(x), n)


def of_a_helper(made):
    def given(v):
        return made(v)

    return lambda x, n: given(x) if n < 4 else x * 2


def in_a_list(made):
    def f(x, n):
        found = []
        for _ in range(n):
            found.append(made(x))
        return found

    return f


FORMS = [
    alone, in_a_branch, by_an_expression, decided_by_an_array, returned_early, through_a_loop,
    through_a_while, through_a_helper, of_a_helper, in_a_list,
]  # fmt: skip
SOON = ("x * 1", "x.astype(np.float32)", "x.clone()")
CASES = [
    pytest.param(source, name, marks=() if name in SOON else pytest.mark.slow)
    for source, calls in MADE.items()
    for name in calls
]


@pytest.mark.covering(("source", "name"), "form", "to")
@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("source", "name"), CASES)
def test_a_write_into_the_result_is_seen_by_no_argument(source: str, name: str, form: Any, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    fn = form(MADE[source][name])
    x = np.array([1.0, 2.0, 3.0], np.float32)
    for example in (2, 4):
        out = tl.transpile(fn, (convert(x, source), example), source=source, to=to)
        for n in (0, 1, 2, 4):
            given = convert(x, to)
            found = out(given, n)
            expected = [np.array(to_numpy(v)) for v in leaves(fn(convert(x, source), n))]
            for array, wanted in zip(leaves(found), expected, strict=True):
                assert np.array_equal(to_numpy(array), wanted)
                array += 100  # noqa: PLW2901
            assert np.array_equal(to_numpy(given), x), out.source
