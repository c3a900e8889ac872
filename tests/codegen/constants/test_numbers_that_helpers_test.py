"""Numbers that a helper computes with, and tests: they stay its parameters, and it checks what it tested."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import tracelate as tl
from tracelate.backends.arrays import convert
from tracelate.ir.values.tree import leaves

X = np.linspace(-1, 2, 8, dtype=np.float32)


def embedded(t, dim=16, period=100.0):
    half = dim // 2
    freqs = torch.arange(half) / half * period
    args = t.unsqueeze(-1) * freqs
    embedded = torch.cat([torch.cos(args), torch.sin(args)], dim=-1)
    if dim % 2 == 1:
        embedded = F.pad(embedded, (0, 1))
    return embedded


def by_default(t):
    return embedded(t)


def twice(t):
    return embedded(t) + embedded(t, dim=32).sum(), embedded(t, 8)


def scaled(t, n):
    if n > 3:
        t = F.pad(t, (0, 1))
    return t * n


def of_an_argument(t, n=4):
    return scaled(t, n) + scaled(t, n + 2)


def on_both_ways(t, n=2):
    return scaled(t, n).sum() + scaled(t, 2 * n)


def through_another(t, n=4):
    return of_an_argument(t, n) - of_an_argument(t, 2 * n)


def of_a_length(t, items):
    return [scaled(t, len(items)) for t in items]


def of_a_size(t):
    return scaled(t, t.shape[0])


def in_a_loop(t, n=4):
    for i in range(3):
        t = scaled(t, n)[:8]
    return t


def in_a_while(t, n=5):
    while t.sum() < 100:
        t = scaled(t, n)[:8] + 1
    return t


def in_a_branch(t, n=4):
    if t.sum() > 3:
        t = scaled(t, n)[:8]
    return t


def powers(t, n):
    if n <= 0:
        return t
    return powers(t * n, n - 1)


def recursive(t, n=3):
    return powers(t, n)


CALLS = {
    by_default: [{}],
    twice: [{}],
    embedded: [{}, {"dim": 8}, {"dim": 7}, {"dim": 8.0}],
    of_an_argument: [{}, {"n": 5}, {"n": 1}, {"n": 3}, {"n": -4}, {"n": 4.5}],
    on_both_ways: [{}, {"n": 1}, {"n": 3}, {"n": 4}, {"n": 0}],
    through_another: [{}, {"n": 6}, {"n": 2}, {"n": 1}],
    of_a_length: [{"items": [X]}, {"items": [X, X]}, {"items": [X] * 4}],
    of_a_size: [{}],
    in_a_loop: [{}, {"n": 5}, {"n": 2}],
    in_a_while: [{}, {"n": 7}, {"n": 2}],
    in_a_branch: [{}, {"n": 9}, {"n": 3}],
    recursive: [{}, {"n": 2}, {"n": 0}, {"n": 4}],
}


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", CALLS)
def test_other_numbers_agree_or_are_refused(fn, to):
    first, *others = CALLS[fn]

    def given(kwargs, framework):
        items = {"items": [convert(v, framework) for v in kwargs["items"]]} if "items" in kwargs else {}
        return convert(X, framework), {**kwargs, **items}

    x, kwargs = given(first, "torch")
    out = tl.transpile(fn, (x,), kwargs, to=to)
    for each in (first, *others):
        (mine, mine_too), (theirs, theirs_too) = given(each, "torch"), given(each, to)
        try:
            wanted = fn(mine, **mine_too)
        except (TypeError, RuntimeError):  # of what is no int to it
            continue
        try:
            found = out(theirs, **theirs_too)
        except AssertionError:
            assert each is not first, out.source
            continue
        for a, b in zip(leaves(wanted), leaves(found), strict=True):
            np.testing.assert_allclose(np.asarray(b), np.asarray(a), rtol=1e-4, err_msg=out.source)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_the_helper_keeps_its_parameter(to):
    text = tl.symbolic_trace(by_default, (torch.from_numpy(X),)).source(to)
    assert "dim=16" in text and "half = dim // 2" in text and "assert dim % 2 != 1" in text, text
    text = tl.symbolic_trace(twice, (torch.from_numpy(X),)).source(to)
    assert text.count("def embedded") == 1 and "embedded(t, dim=32)" in text, text
    text = tl.symbolic_trace(through_another, (torch.from_numpy(X),)).source(to)
    assert "assert n > 3" in text and "scaled(t, n + 2)" in text and "n == " not in text, text
