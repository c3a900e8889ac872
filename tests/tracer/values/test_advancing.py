"""`ks = itertools.count(); for v in x: ... next(ks)`: loops are tried and taken back, and what cannot be put
back must not have gone on meanwhile.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import io
import itertools
import random
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert


def counted(x):
    ks = itertools.count(1)
    t = 0.0
    for v in x:
        t = t + v * next(ks)
    return t


def listed(x):
    ks = iter([1, 2, 3, 4, 5, 6, 7, 8, 9])
    t = 0.0
    i = 0
    while i < len(x):
        t = t + x[i] * next(ks)
        i += 1
    return t


def scheduled(x):
    def lrs():
        lr = 1.0
        while True:
            yield lr
            lr *= 0.5

    g = lrs()
    best = None
    for v in x:
        y = v * next(g)
        best = y if best is None else best + y
    return best


def an_attribute(x):
    def g():
        return 1

    g.n = 0
    t = 0.0
    for v in x:
        g.n = g.n + 1
        t = t + v * g.n
    return t


def a_set(x):
    todo = {1, 2, 3, 4, 5}
    t = 0.0
    for v in x:
        t = t + v * todo.pop()
    return t


def bytes_popped(x):
    b = bytearray(b"12345")
    t = 0.0
    for v in x:
        t = t + v * b.pop()
    return t


def a_file(x):
    b = io.StringIO("123456")
    t = 0.0
    for v in x:
        t = t + v * int(b.read(1))
    return t


def random_numbers(x):
    b = random.Random(0)
    t = 0.0
    for v in x:
        t = t + v * b.randint(1, 9)
    return t


def sent(x):
    def gen():
        t = 0.0
        while True:
            v = yield t
            t = t + v

    g = gen()
    next(g)
    for v in x:
        t = g.send(v)
    return t


def one_at_a_time(x):
    ks = iter([1, 2, 3, 4, 5, 6])
    t = 0.0
    for v in x:
        for k in ks:
            t = t + v * k
            break
    return t


def zipped(x):
    ks = iter([1, 2, 3, 4, 5, 6])
    t = 0.0
    for v in x:
        for k, w in zip(ks, [1, 2]):
            t = t + v * k * w
    return t


def begun_anew(x):
    t = 0.0
    for v in x:
        ks = iter([1, 2, 3])
        for k in ks:
            t = t + v * k
    return t


def weighed(v, ks):
    return v * next(ks)


def in_a_helper(x):
    ks = itertools.count(1)
    t = 0.0
    for v in x:
        t = t + weighed(v, ks)
    return t


def helpers_in_turn(x):
    ks = itertools.count(1)
    return weighed(x, ks) + weighed(x, ks)


def on_one_way(x):
    ks = itertools.count(1)
    if x.sum() > 0:
        y = x * next(ks)
    else:
        y = x * 2
    return y * next(ks)


def in_a_generator(x):
    return sum(a * b for a, b in zip(x, itertools.count(1)))


def while_an_array(x):
    ks = itertools.cycle([1, 2, 3])
    t = 0.0
    while t < 10:
        t = t + x[0] * next(ks)
    return t


def nested(x):
    ks = itertools.cycle([1, 2, 3])
    n = 0
    for i, v in enumerate(x):
        for w in x:
            n = n + v * w * next(ks)
    return n


def collected(x):
    ks = itertools.count()
    out = []
    for v in x:
        out.append(v * next(ks))
    return out


ADVANCING = [
    counted, listed, scheduled, an_attribute, a_set, bytes_popped, a_file, random_numbers, sent,
    one_at_a_time, zipped, begun_anew, in_a_helper, helpers_in_turn, in_a_generator, nested, collected,
]  # fmt: skip


@pytest.mark.covering
@pytest.mark.parametrize("unroll", [None, True, False])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("fn", ADVANCING)
def test_every_turn_takes_the_next(fn: Any, source: str, unroll: bool | None) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    x = convert(np.arange(1, 6.0), source)
    options: Any = {} if unroll is None else {"unroll": unroll}
    for to in ("numpy", "torch"):
        out = tl.transpile(fn, (x,), to=to, **options)
        wrong = list(compare(fn(x), out(convert(x, to))))
        assert not wrong, f"{wrong[0]}\n{out.source}"


@pytest.mark.parametrize("fn", [on_one_way, while_an_array])
def test_how_often_an_array_decides_is_refused(fn: Any) -> None:
    with pytest.raises(
        tl.UnsupportedError, match="taking items from an iterator in a branch or loop"
    ) as error:
        tl.transpile(fn, (np.arange(1, 6.0),), to="numpy")
    assert "next(ks)" in str(error.value)
