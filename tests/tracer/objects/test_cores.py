"""What a program may change and is no container: kinds of objects, ways of changing them, and where. In a
branch or loop a translation agrees on every way, or is refused with the line; what is from outside is as
it was.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import array
import collections
import contextvars
import ctypes
import decimal
import functools
import gc
import hashlib
import hmac
import operator
import random
import struct
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare
from tracelate.tracer.proxy import is_proxy

EXAMPLES = [np.array(row) for row in ([-1.0, 0.0, -2.0], [1.0, 2.0, 3.0], [0.0, 5.0, -1.0])]


class One:
    n = 1


class Two:
    n = 2


class Failed(Exception):
    pass


class Even:
    """All of these are equal."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Even)

    def __hash__(self) -> int:
        return 1


class Own(bytearray):
    pass


def named():
    def inner(k=1):
        return k

    inner.n = 0
    return inner


def variable():
    made: contextvars.ContextVar[int] = contextvars.ContextVar("made", default=0)
    made.set(1)
    return made


def first(held):
    held[0] = 3


def removes(held):
    del held[0]


def extends(held):
    held += b"cd"


def halves(held):
    held *= 0


def value(held):
    held.value = 5


def arguments(held):
    held.args = ("b", "c")


def factory(held):
    held.default_factory = set


def kind(held):
    held.__class__ = Two


def tag(held):
    held.n = 4


def tags(held):
    held.__dict__["n"] = 4


def default(held):
    held.__defaults__ = (5,)


def precise(held):
    held.prec = 7


def exchanged(held):
    held.discard(1.0)
    held.add(True)


def even(held):
    held.remove(Even(2))
    held.add(Even(3))


#: How an object is made, what changes it, and what tells of it without changing it.
CHANGING: list[tuple[Callable[[], Any], Callable[[Any], Any], Callable[[Any], Any]]] = [
    (lambda: bytearray(b"abc"), first, sum), (lambda: bytearray(b"abc"), removes, sum),
    (lambda: bytearray(b"abc"), extends, sum), (lambda: bytearray(b"abc"), halves, sum),
    (lambda: bytearray(b"abc"), lambda b: b.append(1), sum),
    (lambda: bytearray(b"abc"), lambda b: bytearray.append(b, 1), sum),
    (lambda: bytearray(b"abc"), lambda b: operator.setitem(b, 0, 1), sum),
    (lambda: bytearray(b"abcdefgh"), lambda b: struct.pack_into("i", b, 0, 3), sum),
    (lambda: bytearray(b"abcdef"), lambda b: random.Random(1).shuffle(b), lambda b: b[0]),
    (lambda: Own(b"abc"), first, sum),
    (lambda: array.array("d", [1.0, 2.0]), first, sum),
    (lambda: array.array("d", [1.0]), lambda a: a.extend([1.0, 2.0]), sum),
    (lambda: memoryview(bytearray(b"abc")), first, sum),
    (lambda: hashlib.md5(b"a"), lambda h: h.update(b"abc"), lambda h: h.copy().digest()[0]),
    (lambda: hmac.new(b"a", b"b", "md5"), lambda h: h.update(b"a"), lambda h: h.copy().digest()[0]),
    (variable, lambda c: c.set(5), lambda c: c.get()),
    (threading.Lock, lambda e: e.acquire(blocking=False), lambda e: int(e.locked())),
    (lambda: decimal.Context(prec=3), precise, lambda c: c.prec),
    (lambda: ctypes.c_int(3), value, lambda c: c.value),
    (lambda: (ctypes.c_int * 3)(1, 2, 3), first, sum),
    (lambda: ValueError("a"), arguments, lambda e: len(e.args)),
    (lambda: Failed("a"), arguments, lambda e: len(e.args)),
    (lambda: Failed("a"), tag, lambda e: getattr(e, "n", 0)),
    (lambda: collections.defaultdict(list), factory, lambda d: len(d.default_factory.__name__)),
    (One, kind, lambda o: o.n), (One, lambda o: object.__setattr__(o, "__class__", Two), lambda o: o.n),
    (named, tag, lambda f: f.n), (named, tags, lambda f: f.n), (named, default, lambda f: f()),
    (named, lambda f: setattr(f, "n", 4), lambda f: f.n),
    (named, lambda f: vars(f).update(n=4), lambda f: f.n),
    (lambda: functools.partial(max, 1), lambda p: p.__setstate__((max, (4,), {}, None)), lambda p: p(2)),
    (lambda: {1.0}, exchanged, lambda s: len(type(next(iter(s))).__name__)),
    (lambda: {Even(1)}, even, lambda s: next(iter(s)).n),
    (lambda: np.random.RandomState(0), lambda r: r.rand(), lambda r: r.get_state()[2]),
    (lambda: random.Random(0), lambda r: r.random(), lambda r: r.getstate()[1][-1]),
    (lambda: torch.nn.Dropout(0.5), lambda m: m.eval(), lambda m: m.training),
    (lambda: torch.nn.Sequential(torch.nn.Dropout(0.5)), lambda m: m.eval(), lambda m: m[0].training),
    (lambda: torch.nn.Sequential(torch.nn.ReLU()), lambda m: m.append(torch.nn.ReLU()), len),
]  # fmt: skip


def in_a_branch(make, change, read):
    def program(x):
        held = make()
        if x.sum() > 0:
            change(held)
        return x + read(held)

    return program


def on_the_other_way(make, change, read):
    def program(x):
        held = make()
        if x.sum() > 0:
            y = x
        else:
            change(held)
            y = x * 2
        return y + read(held)

    return program


def in_a_loop(make, change, read):
    def program(x):
        held = make()
        while x.sum() < 4:
            change(held)
            x = x + 1
        return x + read(held)

    return program


def where_a_row_says(make, change, read):
    def program(x):
        held = make()
        for v in x:
            if v > 0:
                change(held)
        return x + read(held)

    return program


def in_every_turn(make, change, read):
    def program(x):
        held = make()
        for _ in range(3):
            change(held)
            x = x + 1
        return x + read(held)

    return program


def asked_of_items(make, change, read):
    def program(x):
        held = make()
        if any([change(held) is None and v > 0 for v in x]):
            x = x * 2
        return x + read(held)

    return program


def asked_one_by_one(make, change, read):
    def program(x):
        held = make()
        found = any(change(held) is None and v > 0 for v in x)
        return x + read(held) + found

    return program


def in_a_helper(make, change, read):
    def program(x):
        held = make()

        def helper(y):
            change(held)
            if y.sum() > 0:
                return y * 2
            return y

        return helper(x) + read(held)

    return program


PLACES = [in_a_branch, on_the_other_way, in_a_loop, where_a_row_says, in_every_turn, in_a_helper,
          asked_of_items, asked_one_by_one]  # fmt: skip


def agrees(program: Any) -> None:
    """A translation gives what the source gives, or is refused with the user's line."""
    try:
        out = tl.transpile(program, (EXAMPLES[0],), to="numpy", source="numpy")
    except tl.UnsupportedError as error:
        assert "test_cores.py" in str(error)
        return
    for x in (x for x in EXAMPLES for _ in range(2)):
        try:
            expected = program(x)
        except Exception:
            continue  # the text of it may not
        wrong = list(compare(expected, out(x)))
        assert not wrong, f"{wrong[0]}\n{out.source}"


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("make, change, read", CHANGING)
def test_on_the_way(make: Any, change: Any, read: Any, place: Any) -> None:
    agrees(place(make, change, read))


@pytest.mark.parametrize("make, change, read", CHANGING)
def test_from_outside(make: Any, change: Any, read: Any) -> None:
    held = make()
    before = read(held)

    def program(x):
        change(held)
        return x + read(held)

    def undone(x):
        if x.sum() > 0:
            change(held)
        return x

    for each in (program, undone):
        with pytest.raises(tl.UnsupportedError) as error:
            tl.symbolic_trace(each, (EXAMPLES[0],), source="numpy")
        assert "test_cores.py" in str(error.value)
        assert read(held) == before
    assert not any(map(is_proxy, gc.get_referents(held, getattr(held, "__dict__", None))))


UNCHANGED: list[tuple[Callable[[], Any], Callable[[Any], Any]]] = [
    (lambda: bytearray(b"aba"), lambda b: b.count(b"a")),
    (lambda: bytearray(b"aba"), lambda b: b[0] + len(b)),
    (lambda: array.array("d", [1.0, 2.0]), lambda a: a.index(2.0)),
    (lambda: ValueError("a"), lambda e: len(e.args)), (lambda: "abc", lambda s: s.find("c")),
    (lambda: decimal.Decimal("2.5"), lambda d: int(d.to_integral_value())),
    (lambda: functools.partial(max, 1), lambda p: p(2)), (named, lambda f: f() + f.n),
    (lambda: np.random.RandomState(0), lambda r: r.get_state()[2]),
    (threading.Lock, lambda e: e.acquire() + 0 * (e.release() is None)),
    (lambda: torch.nn.Dropout(0.5), lambda m: m.p + m.training),
]  # fmt: skip


@pytest.mark.parametrize("make, read", UNCHANGED)
def test_what_only_reads_is_not_refused(make: Any, read: Any) -> None:
    def program(x):
        held = make()
        if x.sum() > 0:
            x = x + read(held)
        for v in x:
            if v > 0:
                x = x * read(held)
        return x

    out = tl.transpile(program, (EXAMPLES[1],), to="numpy", source="numpy")
    for x in EXAMPLES:
        assert not list(compare(program(x), out(x)))


def test_what_a_loop_does_in_every_turn_is_done_by_python() -> None:
    def program(x):
        sums, held = hashlib.md5(), bytearray(3)
        for i in range(20):
            held[i % 3] = i
            sums.update(held)
            x = x + sums.digest()[0]
        return x * sum(held)

    out = tl.transpile(program, (EXAMPLES[0],), to="numpy", source="numpy")
    np.testing.assert_array_equal(out(EXAMPLES[1]), program(EXAMPLES[1]))


def test_an_iterator_that_is_assigned_to_a_slice() -> None:
    def program(x):
        items, held = iter([1.0, 2.0]), []
        if x.sum() > 0:
            held[0:0] = items
        else:
            held[0:0] = [4.0, 5.0]
        return x + len(list(items))

    with pytest.raises(tl.UnsupportedError, match="taking items from an iterator in a branch"):
        tl.symbolic_trace(program, (EXAMPLES[0],), source="numpy")
    outside = iter([1.0, 2.0])

    def other(x):
        held: list[float] = []
        held[0:0] = outside
        return x + len(held)

    with pytest.raises(tl.UnsupportedError, match="outlives the call"):
        tl.symbolic_trace(other, (EXAMPLES[0],), source="numpy")
    assert [*outside] == [1.0, 2.0]


def test_the_context_of_decimals_in_a_branch() -> None:
    def program(x):
        with decimal.localcontext():
            if x.sum() > 0:
                decimal.getcontext().prec = 2
            return x + float(decimal.Decimal(1) / decimal.Decimal(3))

    agrees(program)
