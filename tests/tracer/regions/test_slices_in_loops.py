"""Slices that move with a loop, and values of which a branch says the size: as in the example, and at all
other small sizes right or refused.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl

TARGETS = ("numpy", "torch", "jax")


def numbers(*shape: int) -> Any:
    return torch.arange(1, 1 + int(np.prod(shape)), dtype=torch.float32).reshape(shape) / 8


def masked(x, mask):
    h = x.new_zeros(x.shape[0])
    for t in range(x.shape[1]):
        m = mask[:, t : t + 1]
        h = (m * x[:, t : t + 1] + (1 - m) * h[:, None])[:, 0]
    return h


def backwards(x, mask):
    h = x.new_zeros(x.shape[0])
    for t in reversed(range(x.shape[1])):
        h = (h[:, None] * mask[:, t : t + 1] + x[:, t : t + 1]).sum(1)
    return h


def of_two(x, mask):
    h = x[:, 0]
    for t in range(1, x.shape[1]):
        h = h + (mask[:, t - 1 : t] * x)[:, t]
    return h


def same(theirs: Any, mine: Any) -> bool:
    return theirs.shape == tuple(mine.shape) and np.allclose(theirs.numpy(), np.asarray(mine), rtol=1e-5)


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("fn", [masked, backwards, of_two])
def test_one_column_a_turn(fn: Any, to: str) -> None:
    out = tl.transpile(fn, (numbers(3, 4), numbers(3, 4)), to=to)
    held = 0
    for rows, columns, other, longer in itertools.product((1, 2), (0, 1, 4, 6), (1, 2), (0, 1, 3, 4, 5, 7)):
        x, mask = numbers(rows, columns), numbers(other, longer)
        try:
            theirs = fn(x, mask)
        except (RuntimeError, IndexError):
            continue
        try:
            mine = out(*(a if to == "torch" else a.numpy() for a in (x, mask)))
        except Exception:
            assert longer < columns or rows != other or columns == 0, (x.shape, mask.shape)
            continue
        held += 1
        assert same(theirs, mine), (x.shape, mask.shape, theirs, mine)
    assert held >= 10


def attended(x, context=None, mask=None):
    source = x if context is None else context
    scores = x @ source.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask[:, None, :], -1.0)
    return scores


def counted(x, context=None):
    source = x if context is None else context
    return source.sum(1) / source.shape[1] + torch.ones(source.shape[1]).sum()


def statement(x, context=None):
    if context is None:
        source = x
    else:
        source = context * 2
    return source.reshape(source.shape[0], -1)


def by_a_number(x, y, n):
    first = x if n < 0 else y
    return (first.T @ first).sum() + first.shape[0], first.reshape(-1)


@pytest.mark.parametrize("to", TARGETS)
def test_a_size_behind_a_branch_is_that_of_the_way_of_the_example(to: str) -> None:
    x, context, mask = numbers(2, 5, 4), numbers(2, 7, 4), torch.arange(14).reshape(2, 7) % 3 > 0
    cases: list[tuple[Any, tuple[Any, ...], list[tuple[Any, ...]]]] = [
        (attended, (x, context, mask), [(x,), (x, numbers(2, 3, 4)), (x, None, mask[:, :5]), (x, x, None)]),
        (attended, (x, None, mask[:, :5]), [(x, context, mask), (x, context)]),
        (counted, (x, context), [(x,), (context, x)]),
        (statement, (x, context), [(x,), (context, x)]),
        (by_a_number, (x[0], context[0], 1), [(x[0], context[0], -1), (context[0], x[0], 0)]),
    ]
    for fn, example, others in cases:
        out = tl.transpile(fn, example, to=to)
        for given in (example, *others):
            theirs = fn(*given)
            own = [a.numpy() if to != "torch" and isinstance(a, torch.Tensor) else a for a in given]
            try:
                mine = out(*own)
            except AssertionError:
                assert given is not example
                continue
            pairs = zip(theirs, mine) if isinstance(theirs, tuple) else [(theirs, mine)]
            assert all(same(a, b) for a, b in pairs), (fn.__name__, [getattr(a, "shape", a) for a in given])
