"""What the class of an argument says, and not the argument: its methods, properties and attributes, what
Python calls of it, what comes out as one of its class. It holds for arguments of that class.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import copy
import functools
import operator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays, to_numpy


@dataclass
class Scale:
    w: Any
    gain = 2.0

    def of(self, x):
        return x * self.w

    def __call__(self, x):
        return x * self.w

    @property
    def twice(self):
        return self.w * 2

    @classmethod
    def factor(cls):
        return 2

    @staticmethod
    def changed(x):
        return x * 2

    def __len__(self):
        return 2

    def __getitem__(self, i):
        return self.w * i

    def __iter__(self):
        return iter([self.w, self.w])

    def __contains__(self, v):
        return v == 2

    def __add__(self, other):
        return self.w + other

    __radd__ = __add__

    def __neg__(self):
        return -self.w

    def __iadd__(self, other):
        return self.w + other

    def __enter__(self):
        return self.w

    def __exit__(self, *error):
        return None


@dataclass
class Shift(Scale):
    gain = 3.0

    def of(self, x):
        return x + self.w

    def __call__(self, x):
        return x + self.w

    @property
    def twice(self):
        return self.w * 4

    @classmethod
    def factor(cls):
        return 3

    @staticmethod
    def changed(x):
        return x * 3

    def __len__(self):
        return 3

    def __getitem__(self, i):
        return self.w * i + 1

    def __iter__(self):
        return iter([self.w, self.w * 3])

    def __contains__(self, v):
        return v == 3

    def __add__(self, other):
        return self.w + other + 1

    __radd__ = __iadd__ = __add__

    def __neg__(self):
        return 1 - self.w

    def __enter__(self):
        return self.w + 1


class Pair(NamedTuple):
    w: Any
    b: Any

    def of(self, x):
        return x * self.w


class Twin(Pair):
    def of(self, x):
        return x + self.w


class Layers(list):
    def of(self, x):
        return x * self[0]


class Sums(Layers):
    def of(self, x):
        return x + self[0]


class Table(dict):
    def of(self, x):
        return x * self["w"]


class Sum(Table):
    def of(self, x):
        return x + self["w"]


def called_in_a_loop(x, m):
    for layer in [m]:
        x = layer(x)
    return x


def unpacked(x, m):
    a, b = m
    return x * a - b


def entered(x, m):
    with m as w:
        return x * w


def in_place(x, m):
    m += x
    return m


def chosen_before(x, m):
    n = m if x.sum() > 0 else m
    return n.of(x)


USES = {
    "method": lambda x, m: m.of(x),
    "bound": lambda x, m: list(map(m.of, [x])),
    "call": lambda x, m: m(x),
    "property": lambda x, m: x * m.twice,
    "attribute": lambda x, m: x * m.gain,
    "constant": lambda x, m: x * max(m.gain, 1.5),
    "classmethod": lambda x, m: x * m.factor(),
    "staticmethod": lambda x, m: m.changed(x),
    "len": lambda x, m: x * len(m),
    "item": lambda x, m: x * m[1],
    "sum": lambda x, m: x + sum(m),
    "in": lambda x, m: x if 2 in m else x + 1,
    "add": lambda x, m: m + x,
    "radd": lambda x, m: sum([x], m),
    "neg": lambda x, m: -m * x,
    "methodcaller": lambda x, m: operator.methodcaller("of", x)(m),
    "attrgetter": lambda x, m: x * operator.attrgetter("gain")(m),
    "reduce": lambda x, m: functools.reduce(lambda a, f: f(a), [m, m], x),
    "returned": lambda x, m: m,
    "replaced": lambda x, m: replace(m, w=x),
    "copied": lambda x, m: copy.copy(m),
    "loop": called_in_a_loop,
    "unpack": unpacked,
    "with": entered,
    "iadd": in_place,
    "branch": chosen_before,
}
X, W = np.float32([1, 2, 3]), np.float32([4, 5, 6])
OTHERS = {"named tuple": (Pair(W, X), Twin(W, X)), "list": (Layers([W]), Sums([W])),
          "dict": (Table(w=W), Sum(w=W))}  # fmt: skip


def holds_for_its_class(fn: Any, example: Any, other: Any, to: str) -> None:
    out = tl.transpile(fn, to=to, args=(X, example))
    expected, found = fn(X, copy.copy(example)), out(*map_arrays((X, example), lambda a: convert(a, to)))
    if isinstance(expected, np.ndarray):
        assert np.allclose(to_numpy(found), expected)
    else:
        assert type(found).__name__ == type(expected).__name__
    with pytest.raises(AssertionError):
        out(*map_arrays((X, other), lambda a: convert(a, to)))


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("use", USES)
def test_what_a_class_says_is_told_of_that_class(use: str, to: str) -> None:
    holds_for_its_class(USES[use], Scale(W), Shift(W), to)
    holds_for_its_class(USES[use], Shift(W), Scale(W), to)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("kind", OTHERS)
def test_so_it_is_for_classes_of_containers(kind: str, to: str) -> None:
    example, other = OTHERS[kind]
    holds_for_its_class(USES["method"], example, other, to)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_fields_are_of_any_class(to: str) -> None:
    out = tl.transpile(lambda x, m: x * m.w, to=to, args=(X, Scale(W)))
    given = map_arrays((X, Shift(W)), lambda a: convert(a, to))
    assert np.allclose(to_numpy(out(*given)), X * W) and "type(m)" not in out.source


@functools.singledispatch
def by_class(v, x):
    return x


@by_class.register
def _(v: int, x):
    return x * v


@by_class.register(list)
def _(v, x):
    return x + sum(v)


@by_class.register(Scale)
def _(v, x):
    return x * v.w


@by_class.register(Shift)
def _(v, x):
    return x + v.w


class Process:
    @functools.singledispatchmethod
    def by_class(self, v, x):
        return x

    @by_class.register
    def _(self, v: int, x):
        return x * v

    @by_class.register(list)
    def _(self, v, x):
        return x + sum(v)

    @by_class.register(Scale)
    def _(self, v, x):
        return x * v.w


def dispatched(x, v):
    return by_class(v, x)


def dispatched_by_a_method(x, v):
    return Process().by_class(v, x)


def dispatched_by_the_class(x, v):
    return Process.by_class(Process(), v, x)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", [dispatched, dispatched_by_a_method])
@pytest.mark.parametrize(("example", "others"), [
    (2, [2.0, [1], True]), ([1, 2], [(1, 2), 3]), ((1, 2), [[1, 2]]), (Scale(W), [Shift(W)]),
    (Shift(W), [Scale(W)]),
], ids=["int", "list", "tuple", "record", "derived"])  # fmt: skip
def test_implementations_are_chosen_by_class(fn: Any, example: Any, others: Any, to: str) -> None:
    out = tl.transpile(fn, to=to, args=(X, example))
    given = map_arrays((X, example), lambda a: convert(a, to))
    assert np.allclose(to_numpy(out(*given)), fn(X, example))
    for other in others:
        with pytest.raises(AssertionError):
            out(*map_arrays((X, other), lambda a: convert(a, to)))
