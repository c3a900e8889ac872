"""Numbers that Python's loops carry into what torch.export compiles, which knows arrays and ints only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl


def counted(x: Any) -> Any:
    k = 1
    for i in range(4):
        if x.sum() > i:
            x = x * 0.5
            k += 1
    return x, k


def flagged(x: Any) -> Any:
    done = False
    for i in range(4):
        if not done:
            x = x * 0.5
            if x.sum() < i:
                done = True
    return x, done


def scaled(x: Any) -> Any:
    s = 0.0
    for i in range(4):
        if x.sum() > i:
            x = x * 0.5
            s += 1.5
    return x * s


def summed(x: Any) -> Any:
    s = 0.0
    for i in range(4):
        if x.sum() > i:
            x = x * 0.5
            s = s + x.sum()
    return x, s


def in_two_loops(x: Any) -> Any:
    k = 1
    for i in range(3):
        for j in range(2):
            if x.sum() > i:
                x = x * 0.5
                k += j
    return x, k


def bumped(x: Any, k: int) -> Any:
    if x.sum() > 1:
        x = x * 0.5
        k = k + 1
    return x, k


def by_helper(x: Any) -> Any:
    k = 1
    for _ in range(3):
        x, k = bumped(x, k)
    return x, k


def through_list(x: Any) -> Any:
    k = 1
    for w in [x, x + 1]:
        if x.sum() > 1:
            x = x * w
            k += 1
    return x, k


def the_last_item(x: Any) -> Any:
    for i in range(20):
        x = x + i
    return x, i


class Whole(torch.nn.Module):
    """A function as a module, which is what torch.export takes."""

    def __init__(self, fn: Callable[..., Any]) -> None:
        super().__init__()
        self.fn = fn

    def forward(self, *args: Any) -> Any:
        return self.fn(*args)


PROGRAMS = [counted, flagged, scaled, summed, in_two_loops, by_helper, through_list, the_last_item]


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_begins_as_a_number(program: Callable[..., Any]) -> None:
    """It is an array from the start where a turn makes one of it; what has no value yet is a number."""
    x = torch.arange(3.0)
    out = tl.transpile(program, x, to="torch", control="export")
    exported = torch.export.export(Whole(out), (x,), strict=False).module()
    for given in (x, x * 5, x - 3):
        wanted = program(given)
        for found in (out(given), exported(given)):
            for mine, theirs in zip(found, wanted, strict=True):
                np.testing.assert_allclose(np.asarray(mine), np.asarray(theirs), err_msg=out.source)


def to_the_last(x: Any, n: int) -> Any:
    for i in range(n):
        x = x + i
    return x, i


def test_the_last_item_of_turns_that_an_argument_says() -> None:
    x = torch.arange(3.0)
    out = tl.transpile(to_the_last, (x, 3), to="torch", control="export", verify=True)
    for n in (1, 3, 7):
        found, wanted = out(x, n), to_the_last(x, n)
        assert torch.equal(found[0], wanted[0]) and found[1] == wanted[1]


def without_branches(x: Any) -> Any:
    k = 1.0
    for w in [x, x + 1]:
        k = k + w.sum()
    return x * k


def test_what_nothing_compiled_takes_is_a_number() -> None:
    out = tl.transpile(without_branches, torch.arange(3.0), to="torch", control="export", verify=True)
    assert "k = 1.0\n" in out.source


def chosen(x: Any) -> Any:
    k = 1.5 if x[0] > 0 else 2.5
    return x * k


def averaged(x: Any) -> Any:
    y = 0.0
    for v in x:
        y = 0.8 * y + 0.2 * v
    return y


def left_early(x: Any) -> Any:
    n = x[0] * 0
    for _ in range(20):
        x = x * 0.5
        n = x.sum()
        if n < 0.25:
            return 0.0
    return n


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.int64, torch.int8])
@pytest.mark.parametrize("fn", [chosen, averaged, left_early], ids=lambda fn: fn.__name__)
def test_numbers_that_are_arrays_there_have_no_say_in_dtypes(fn: Callable[..., Any], dtype: Any) -> None:
    x = torch.tensor([1.0, 2.0, 3.0])
    out = tl.transpile(fn, to="torch", args=(x,), control="export")
    try:
        found = out(x.to(dtype))
    except (AssertionError, torch._dynamo.exc.TorchDynamoException):  # which is loud, too
        assert dtype is not torch.float32
        return
    expected = fn(x.to(dtype))
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=1e-3)
    if isinstance(expected, torch.Tensor):
        assert found.dtype == expected.dtype
