"""Sizes have the names and the form that the user gives them: `b, t = x.shape[:2]`, `*x.shape[:-1]`."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert

X = np.arange(48, dtype=np.float32).reshape(2, 4, 6)


def behind_an_assert(x):
    assert x.shape[1] <= 5
    b, s = x.shape[:2]
    return np.zeros((b, s)) + x.sum() + b + s


def behind_a_size(x):
    n = x.shape[0] * 2
    b, s = x.shape[:2]
    return np.zeros((b, s)) + x.sum() + n


def in_a_loop(x):
    assert x.shape[1] <= 2 * x.shape[2]
    b, s = x.shape[:2]
    h = np.zeros((b, s))
    for t in range(s):
        h[:, t] = x[:, t].sum(-1)
    return h


def one_by_one(x):
    b, s = x.shape[0], x.shape[1]
    return np.zeros((b, s)) + b


def bound_again(x):
    n = x.shape[0] + 1
    b, s = x.shape[:2]
    y = np.zeros((b, s)) + n
    b = x.shape[2]
    return y + b + x.shape[0]


def starred(x):
    return x.reshape(*x.shape[:-1], 2, -1)


def of_a_variable(x):
    q = x * 2
    return q.reshape(*q.shape[:-1], 2, 3)


def added(x):
    return np.zeros(x.shape[:-1] + (3,)) + x.sum()


def whole(x):
    return np.zeros((*x.shape, 3)) + x.sum()


def from_the_second_on(x):
    return x.reshape((-1,) + x.shape[1:])


def of_two(x):
    y = x.sum(0)
    return np.ones(y.shape + x.shape[2:]) * 2


def in_the_middle(x):
    b = x.shape[0]
    return x.reshape(b, *x.shape[1:-1], 2, -1)


def alone(x):
    return np.zeros(x.shape) + x


def named(x):
    b, s = x.shape[:2]
    return x.reshape(b, s, 2, -1)


def said_one_by_one(x):
    return x.reshape(x.shape[0], x.shape[1], -1)


def gone_through(x):
    return [np.zeros((n, 2)) for n in x.shape[:2]]


#: What stands in the text for NumPy.
SAID: dict[Any, str] = {
    behind_an_assert: "b, s = x.shape[:2]",
    behind_a_size: "n = x.shape[0] * 2\n    b, s = x.shape[:2]",
    in_a_loop: "for t in range(s):",
    one_by_one: "    b, s = x.shape[0], x.shape[1]\n    return",
    bound_again: "b = x.shape[2]",
    starred: "x.reshape(*x.shape[:-1], 2, -1)",
    of_a_variable: "q.reshape(*q.shape[:-1], 2, 3)",
    added: "np.zeros((*x.shape[:-1], 3))",
    whole: "np.zeros((*x.shape, 3))",
    from_the_second_on: "x.reshape(-1, *x.shape[1:])",
    of_two: "np.ones((*y.shape, *x.shape[2:]))",
    in_the_middle: "x.reshape(b, *x.shape[1:-1], 2, -1)",
    alone: "np.zeros(x.shape)",
    named: "x.reshape(b, s, 2, -1)",
    said_one_by_one: "x.reshape(x.shape[0], x.shape[1], -1)",
    gone_through: "np.zeros((x.shape[0], 2)), np.zeros((x.shape[1], 2))",
}


@pytest.mark.parametrize("fn", SAID)
def test_the_words_of_the_user(fn):
    text = tl.symbolic_trace(fn, (X,)).source("numpy")
    assert SAID[fn] in text, text


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", SAID)
def test_the_numbers_are_the_same_for_other_sizes(fn, to):
    out = tl.transpile(fn, (X,), to=to)
    for x in (X, X[:1, :3], np.float32(np.ones((3, 1, 6)))):
        found, wanted = out(convert(x, to)), fn(x)
        for a, b in zip(found, wanted, strict=True) if isinstance(wanted, list) else ((found, wanted),):
            np.testing.assert_allclose(np.asarray(a), b, rtol=1e-5)


def pooled(x):
    return x.flatten(2).sum(-1)


def of_the_batch(x):
    return (x * 2).flatten(0, 1)


def of_the_last(x):
    return torch.flatten(x, -2)


def in_two(x):
    return x.unflatten(1, (2, -1))


def one_is_left(x):
    return x.flatten(1)


#: What a text says of an op of which NumPy and JAX have no word.
SAID_FOR_TORCH = {
    pooled: "x.reshape(*x.shape[:2], -1).sum(axis=-1)",
    of_the_batch: "product.reshape(-1, *product.shape[2:])",
    of_the_last: "x.reshape(*x.shape[:2], -1)",
    in_two: "x.reshape(x.shape[0], 2, -1, *x.shape[2:])",
    one_is_left: "x.reshape(x.shape[0], -1)",
}


@pytest.mark.parametrize("to", ["numpy", "jax"])
@pytest.mark.parametrize("fn", SAID_FOR_TORCH)
def test_sizes_that_stay_are_said_together(fn, to):
    out = tl.transpile(fn, (torch.ones(2, 4, 3, 5),), to=to)
    assert SAID_FOR_TORCH[fn] in out.source, out.source
    for shape in ((2, 4, 3, 5), (1, 2, 1, 1), (3, 6, 2, 7)):
        x = torch.arange(math.prod(shape), dtype=torch.float32).reshape(shape)
        np.testing.assert_allclose(np.asarray(out(convert(x, to))), fn(x).numpy(), rtol=1e-5)
