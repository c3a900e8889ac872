"""A way that the example does not take may do what no look does: what decides between them is checked."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
# ruff: noqa: B018, F841
from __future__ import annotations

import collections
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays, to_numpy
from tracelate.ir.values.tree import leaves

X, Y = np.arange(3.0, dtype=np.float32), np.ones((2, 3), np.float32)


def bias_added(x, bias=None):
    y = x * 2
    if bias is not None:
        y.add_(bias)
    return y


def bias_added_in_a_condition(x, bias=None):
    y = x * 2
    z = bias is not None and y.add_(1)
    return y


def bias_added_alone(x, bias=None):
    y = x * 2
    bias is not None and y.add_(1)
    return y


def bias_added_inside(x, bias=None):
    y = x * 2
    if bias is not None:
        if y.add_(1) is None:
            pass
    return y


def added_or_not(x, k):
    y = x * 2
    if k > 1:
        y.add_(1)
    else:
        y.sub_(1)
    return y


def added_before_it_returns(x, k):
    y = x * 2
    if k > 1:
        y.add_(1)
        return y
    return y


def by_rank(x, k):
    y = x * 2
    if x.ndim == 2:
        y.add_(1)
    return y


def by_dtype(x, k):
    y = x * 2
    if x.dtype == torch.float32:
        y.add_(1)
    return y


def by_key(x, k):
    options = {"n": 1, "m": 2}
    if k > 1:
        options.pop("n")
    return x * len(options)


def by_item_made(x, k):
    seen = collections.defaultdict(int)
    if k > 1:
        if seen["n"]:
            pass
    return x * len(seen)


class Counted:
    def __init__(self):
        self.n = 1

    @property
    def bumped(self):
        self.n += 1
        return self.n


def by_a_property(x, k):
    c = Counted()
    if k > 1:
        c.bumped
    return x * c.n


def appended(x, k):
    found = [x]
    if k > 1:
        found.append(x)
    return found


def refused(x):
    if x.ndim != 1:
        raise ValueError("no vector")


def refused_by_a_helper(x, k):
    if k > 1:
        refused(x)
    return x * 2


WAYS = [
    bias_added, bias_added_in_a_condition, bias_added_alone, bias_added_inside, added_or_not,
    added_before_it_returns, by_rank, by_dtype, by_key, by_item_made, by_a_property, appended,
    refused_by_a_helper,
]  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("fn", WAYS)
def test_what_may_be_done_on_the_way_not_taken_is_no_look(fn: Any, to: str) -> None:
    x, y = (convert(a, "torch") for a in (X, Y))
    optional = "bias" in fn.__code__.co_varnames
    numbers: list[Any] = [(x, 1), (x, 2), (y, 1), (y, 2), (x.double(), 2)]
    given = [(x,), (x, x), (y, y)] if optional else numbers
    if fn is refused_by_a_helper:
        given = [args for args in given if args[1] == 1 or args[0].ndim == 1]
    for example in given:
        out = tl.transpile(fn, example, to=to)
        assert agree(out(*map_arrays(example, lambda a: convert(a, to))), fn(*example))
        for args in given:
            try:
                found = out(*map_arrays(args, lambda a: convert(a, to)))
            except (AssertionError, TypeError, ValueError):
                continue
            assert agree(found, fn(*args)), f"{example} {args}\n{out.source}"


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_what_a_helper_may_raise_is_raised(to: str) -> None:
    y = convert(Y, "torch")
    out = tl.transpile(refused_by_a_helper, (y, 1), to=to)
    with pytest.raises((AssertionError, ValueError)):
        out(convert(Y, to), 2)


def agree(one: Any, other: Any) -> bool:
    pairs = list(zip(leaves(one), leaves(other), strict=True))
    return all(np.array_equal(to_numpy(a), to_numpy(b)) for a, b in pairs)
