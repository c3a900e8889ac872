"""Exceptions by which methods tell Python that there is no more. What sizes decide there is checked."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl

X = np.arange(5.0)


class Batches:
    def __init__(self, x, size):
        self.x, self.size, self.at = x, size, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.at >= len(self.x):
            raise StopIteration
        batch = self.x[self.at : self.at + self.size]
        self.at += self.size
        return batch


class Rows:
    def __init__(self, x):
        self.x = x

    def __getitem__(self, i):
        if i >= len(self.x):
            raise IndexError(i)
        return self.x[i] * 2


class Named:
    def __init__(self, x):
        self.x = x

    def __getattr__(self, name):
        if len(self.x) > 2:
            raise AttributeError(name)
        return self.x[0]


def by_a_loop(x):
    total = 0.0
    for batch in Batches(x, 2):
        total = total + batch.sum()
    return total


def by_zip(x):
    return [batch.sum() for batch, _ in zip(Batches(x, 2), range(4))]


def by_list(x):
    return list(Batches(x, 3))


def by_next(x):
    batches = Batches(x, 4)
    return next(batches), next(batches, None), next(batches, None)


def by_slices(x):
    return [batch[0] for batch in itertools.islice(Batches(x, 2), 2)]


def by_index(x):
    return [row + 1 for row in Rows(x)]


def by_a_default(x):
    return getattr(Named(x), "scale", 1.0) * x


def by_asking(x):
    return x * 2 if hasattr(Named(x), "scale") else x


PROGRAMS = (by_a_loop, by_zip, by_list, by_next, by_slices, by_index, by_a_default, by_asking)


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("made", [np.asarray, torch.asarray], ids=["numpy", "torch"])
@pytest.mark.parametrize("fn", PROGRAMS, ids=operator.attrgetter("__name__"))
def test_what_python_catches_is_as_in_the_example(fn: Callable[..., Any], made: Any, to: str) -> None:
    out = tl.transpile(fn, to=to, args=(made(X),))
    target = {"numpy": np.asarray, "torch": torch.asarray}[to]
    for given in (X, X * 2, X[:4], X[:3], X[:2], X[:1], np.arange(9.0)):
        try:
            found = out(target(given))
        except AssertionError:
            assert given.shape != X.shape
            continue
        expected = fn(made(given))
        several = isinstance(expected, (list, tuple))
        for one, other in zip(
            expected if several else [expected], found if several else [found], strict=True
        ):
            np.testing.assert_array_equal(other, one) if one is not None else None
            assert (one is None) == (other is None)


def stops(x, i):
    if i[0] >= len(x):
        raise StopIteration
    return x[i[0]]


def by_a_helper(x):
    at = [-1]

    def following():
        at[0] += 1
        return stops(x, at)

    return list(iter(following, 7.0))


def test_what_cannot_be_told_is_refused() -> None:
    with pytest.raises(tl.UnsupportedError):
        tl.transpile(by_a_helper, to="numpy", args=(X,))
