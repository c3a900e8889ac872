"""A helper that gives memory that it was given is put inline where that is written into: its views are known
then. Elsewhere its call stays a call.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.arange(1, 7, dtype=np.float32)


def crop(x, n):
    return x[:n]


def crop_through(x):
    return crop(x, 3)


def row(m, i):
    return m[i]


def one_or_new(x, flag):
    return x if flag else x * 2


def halves(x):
    return x[:3], x[3:]


def last(xs):
    return xs[-1]


def weights(d):
    return d["w"][:2]


class Box:
    def __init__(self, data):
        self.data = data

    def part(self, n):
        return self.data[:n]


def writes_an_argument(x, n=2):
    p = crop(x, n)
    p -= p.mean()
    return x


def writes_a_part(x):
    y = x * 1
    p = crop(y, 2)
    p[0] = 7
    return y, p


def writes_the_whole(x):
    y = x * 1
    p = crop(y, 2)
    y[0] = 7
    return y, p


def writes_beside(x):
    y = x * 1
    p = one_or_new(y, True)
    q = y[1:]
    q[0] = 3
    return y, p, q


def writes_what_another_gives(x):
    y = x * 1
    q = crop_through(y)
    q *= 2
    return y.sum(), q


def writes_rows(x):
    m = x.reshape(2, 3) * 1
    for i in range(len(m)):
        r = row(m, i)
        r /= r.sum()
    return m


def writes_both_halves(x):
    y = x + 0
    left, right = halves(y)
    left += 1
    right *= 2
    return y


def writes_what_a_method_gives(x):
    box = Box(x * 1)
    p = box.part(2)
    p += 5
    return box.data, p


def writes_into_a_dict(x):
    d = {"w": x * 1, "b": x + 1}
    w = weights(d)
    w[:] = 0
    return d["w"], w, d["b"]


def writes_an_item(x):
    xs = [x * 1, x * 2]
    z = last(xs)
    z[0] = 100
    return xs[0], xs[1]


def writes_in_turns(x):
    y = x * 1
    for t in range(3):
        p = crop(y, 2)
        p += t
    return y


def writes_in_a_branch(x):
    y = x * 1
    if x.sum() > 0:
        p = crop(y, 2)
        p[0] = 9
    return y


PROGRAMS = [value for name, value in list(globals().items()) if name.startswith("writes_")]


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: str(fn.__name__))
def test_it_is_written_into_as_in_the_program(fn: Any, source: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    out = tl.transpile(fn, (convert(X.copy(), source),), to=to)
    for example in (X, -3 * X, X + 0.5):
        mine, theirs = convert(example.copy(), source), convert(example.copy(), to)
        assert not list(compare(fn(mine), out(theirs))), out.source
        if to != "jax":
            assert not list(compare(mine, theirs)), out.source


def test_others_stay_calls() -> None:
    def reads(x):
        y = x * 1
        return crop(y, 2) + crop(y, 3)[:2]

    def reads_and_writes(x):
        y = x * 1
        p = crop(y, 2)
        p += 1
        return y, one_or_new(x, False)

    assert "def crop" in tl.transpile(reads, (X,), to="torch").source
    text = tl.transpile(reads_and_writes, (X,), to="torch").source
    assert "def crop" not in text and "def one_or_new" in text


def test_which_of_two_an_array_decides_is_refused() -> None:
    def larger(x, y):
        return x if x.sum() > y.sum() else y

    def writes_the_larger(x):
        u, v = x * 1, x * 2
        z = larger(u, v)
        z[0] = 100
        return u, v

    with pytest.raises(tl.UnsupportedError, match="it may share memory with another array"):
        tl.transpile(writes_the_larger, (X,), to="torch")
