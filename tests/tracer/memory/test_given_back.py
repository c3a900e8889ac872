"""What a helper gives of the memory that it was given: a write into one shows in the other, or is refused."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from ways import agrees_or_is_refused

import tracelate as tl

#: Helpers, and what stands for the array among what they give.
HELPERS = {
    "it": ("def h(a, s=None):\n    return a", "h({})"),
    "a part": ("def h(a):\n    return a[1:]", "h({})"),
    "the whole": ("def h(a):\n    return a[:]", "h({})"),
    "where told": ("def h(a, s=None):\n    if s is not None:\n        a = a * s\n    return a", "h({})"),
    "in a tuple": ("def h(a):\n    return a, 0", "h({})[0]"),
    "in a dict": ("def h(a):\n    return {'a': a}", "h({})['a']"),
    "one of two": ("def h(a):\n    return a[:1], a[1:]", "h({})[1]"),
    "by another": ("def g(a):\n    return a[1:]\ndef h(a):\n    return g(a)", "h({})"),
    "beside what is new": ("def h(a):\n    return a.sum(), a", "h({})[1]"),
}
GIVEN = {"an argument": "y", "a row": "m[0]", "a part": "y[1:]", "a row that goes by": "r"}
WHERE = {
    "at once": "v = {}",
    "in a loop": "v = x * 0.5\nfor e in x:\n    v = {}",
    "in a branch": "v = x * 0.5\nif x[0] > -1:\n    v = {}",
    "in a list": "l = [{}]\nv = l[0]",
    "for each row": "l = []\nfor r in m:\n    l.append({})\nv = l[0]",
    "of each row": "l = [{} for r in m]\nv = l[0]",
}
WRITES = ("y[1] = 7", "y += 1", "m[0, 0] = 7", "m[0] *= 2", "y[y > 0] = 0")
RESULTS = ("v * 1", "v.sum(), y, m", "v")


def programs(helper: str, given: str, where: str):
    if (given == "a row that goes by") != ("each row" in where):
        return
    place = WHERE[where].format(HELPERS[helper][1].format(GIVEN[given]))
    for write, result in product(WRITES, RESULTS):
        yield "m = np.stack([x, y]) * 1", place, write, f"return {result}"


@pytest.mark.covering
@pytest.mark.parametrize(("helper", "given", "where"), [*product(HELPERS, GIVEN, WHERE)])
def test_what_a_helper_gives_of_what_it_was_given(helper, given, where) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    for parts in programs(helper, given, where):
        agrees_or_is_refused("numpy", "numpy", *parts, before=HELPERS[helper][0])


def ident(x, scale=None):
    if scale is not None:
        x = x * scale
    return x


def halves(a):
    return a[:2], a[2:]


def sums(a):
    return a * 2, a.sum()


def turned(q, k):
    for i in range(q.shape[0]):
        h = ident(q[i])
        q[i] += k[i]
        k[i] = h
    return q, k


def split_rows(m):
    total = 0.0
    for i in range(m.shape[0]):
        a, b = halves(m[i])
        m[i] *= 2
        total += a.sum() - b.sum()
    return total


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", [turned, split_rows])
def test_whole_programs(fn, to) -> None:
    args = [np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4) + i for i in range(fn.__code__.co_argcount)]
    try:
        report = tl.check(fn, args, to=to, vary=4)
    except tl.UnsupportedError:
        return
    assert report, str(report)


def test_what_a_helper_makes_new_may_be_used_after_a_write() -> None:
    def used(m):
        y, s = sums(m[0])
        m[0, 0] = 7
        return y, s, m

    assert tl.check(used, (np.ones((2, 3)),), to="torch")


def test_many_lines_that_use_an_array_twice_are_traced_in_time() -> None:
    """Each was looked at twice as often as the one after it."""

    def deep(x):
        for _ in range(60):
            x = x + np.tanh(x)
        return x.reshape(-1)

    assert tl.transpile(deep, (np.ones((4, 4)),), to="numpy", unroll=True)(np.ones((4, 4))).shape == (16,)


def noted(a, k):
    a[0] = 5
    a[1] = k
    return k


def test_a_helper_that_writes_and_gives_a_number_that_it_was_given() -> None:
    def counted(x, y):
        n = 0
        for _ in range(len(x)):
            n = n + noted(y, 2)
        return n, y

    for to in ("numpy", "torch"):
        assert tl.check(counted, (np.ones(4), np.ones(4)), to=to)
