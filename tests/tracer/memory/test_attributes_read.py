"""Methods that return where an array decides: what they read of their objects, and give of it."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from itertools import product
from typing import Any

import jax
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.arange(4.0) + 1
OTHERS = [X, -X, np.arange(6.0), np.ones(1)]


class Held:
    def __init__(self, x):
        self.x, self.y = x * 2, x * 3


class Outer:
    def __init__(self, x):
        self.inner = Held(x)
        self.several = [x * 4, x * 5]

    def one_of_two(self, y):
        if y.sum() > 1:
            return self.inner.x
        return self.inner.y

    def one_of_several(self, y):
        if y.sum() > 1:
            return self.several[0]
        return self.several[1]

    def either(self, y):
        if y.sum() > 1:
            return self.inner.x
        return self.inner.x * 2

    def view(self, y):
        if y.sum() > 1:
            return self.inner.x[1:]
        return self.inner.x[:-1]

    def computed(self, y):
        if y.sum() > 1:
            return self.inner.x + y
        return self.inner.y - y

    def sized(self, y):
        if y.sum() > 1:
            return np.ones(self.inner.x.shape[0]) * y.sum()
        return self.inner.x * y.shape[0]

    def itself(self, y):
        if y.sum() > 1:
            return y
        return self.inner.x


class Layer:
    def __init__(self, w):
        self.w = w

    def __call__(self, y):
        if y.sum() > 3:
            return y * self.w
        return y - self.w


class Net:
    def __init__(self, w):
        self.a, self.b = Layer(w), Layer(w * 2)

    def __call__(self, y):
        y = self.a(y)
        if y.max() > 4:
            return self.b(y)
        return self.b(y * 2)


def reads(x):
    o = Outer(x)
    return o.computed(x), o.computed(x * 2), o.inner.x


def reads_sizes_of_a_name_that_its_caller_has(y):
    o = Outer(y)
    return o.sized(y[:2]), o.sized(y)


def gives(x):
    o = Outer(x)
    return o.one_of_two(x) + 1, o.view(x) * 2, o.inner.x


def of_a_closure(x):
    o = Outer(x)

    def f(y):
        if y.sum() > 1:
            return o.inner.x * y
        return o.inner.y

    return f(x), f(-x) + o.inner.y


def of_a_dict(x):
    def f(d, y):
        if y.sum() > 1:
            return d["o"].inner.x + y
        return d["o"].inner.y

    return f({"o": Outer(x)}, x), f({"o": Outer(x * 2)}, -x)


def of_layers(x):
    net = Net(x)
    return net(x), net(x * 2)


def of_a_layer_that_is_there_twice(x):
    net = Net(x)
    net.b = net.a
    return net(x)


def in_turns(x):
    net = Net(x)
    for _ in range(3):
        x = net(x)
    return x


def rebound_between(x):
    layer = Layer(x)
    first = layer(x)
    layer.w = x * 5
    return first, layer(x), layer.w


def written_between(x):
    net = Net(x * 1)
    net.b.w = net.a.w
    net.a.w[0] = 3
    return net(x), net.b.w


class Grid:
    def __init__(self, x, w):
        self.x, self.w, self.n = x, w, len(x)

    def filled(self, y):
        if y.sum() > 1:
            return np.zeros((self.n, len(y))) + self.x.sum()
        return np.ones((len(y), self.n)) * y.sum()


def one_is_not_read(x):
    w = x * 2
    return Grid(x, w).filled(x), Grid(x, w).filled(w)


# What is given of them is theirs.


def one_of_two_is_written(x):
    o = Outer(x)
    r = o.one_of_two(x)
    r[0] = 9
    return o.inner.x, o.inner.y, r


def one_of_several_is_written(x):
    o = Outer(x)
    r = o.one_of_several(x)
    r[0] = 9
    return o.several, r


def either_is_written(x):
    o = Outer(x)
    r = o.either(x)
    r[0] = 9
    return o.inner.x, r


def a_view_is_written(x):
    o = Outer(x)
    r = o.view(x)
    r[0] = 9
    return o.inner.x, r


def it_is_written_afterwards(x):
    o = Outer(x)
    r = o.one_of_two(x)
    o.inner.x[0] = 9
    return o.inner.x, r


def what_it_got_is_written(x):
    o = Outer(x)
    r = o.itself(o.inner.x)
    r[0] = 4
    return r, o.inner.x


def of_a_closure_is_written(x):
    o = Outer(x)

    def f(y):
        if y.sum() > 1:
            return o.inner.x
        return o.inner.y

    r = f(x)
    r[0] = 9
    return o.inner.x, o.inner.y, r


READ = [
    reads, reads_sizes_of_a_name_that_its_caller_has, gives, of_a_closure, of_a_dict, of_layers, in_turns,
    of_a_layer_that_is_there_twice, rebound_between, written_between, one_is_not_read,
]  # fmt: skip
GIVEN = [
    one_of_two_is_written, one_of_several_is_written, either_is_written, a_view_is_written,
    it_is_written_afterwards, what_it_got_is_written, of_a_closure_is_written,
]  # fmt: skip
NAMES = {"ids": lambda value: getattr(value, "__name__", None)}


def is_the_programs(program: Any, to: str) -> None:
    with jax.enable_x64(True):
        out = tl.transpile(program, (X.copy(),), to=to, x64=True if to == "jax" else None)
        for array in OTHERS:
            try:
                found = out(convert(array.copy(), to))
            except (AssertionError, ValueError, TypeError, RuntimeError, IndexError):
                assert array is not X
                continue
            wrong = [*compare(program(array.copy()), found, kind="reduction")]
            assert not wrong, f"{array}: {wrong[0]}\n{out.source}"


@pytest.mark.parametrize("program, to", product(READ, ["numpy", "jax", "torch"]), **NAMES)
def test_what_is_read_of_an_object(program: Any, to: str) -> None:
    is_the_programs(program, to)


@pytest.mark.parametrize("program, to", product(GIVEN, ["numpy", "jax", "torch"]), **NAMES)
def test_what_is_given_of_an_object_is_its_own(program: Any, to: str) -> None:
    try:
        is_the_programs(program, to)
    except tl.UnsupportedError:
        pass  # which of the arrays is written is not certain


def test_only_what_is_read_is_handed_in() -> None:
    source = tl.transpile(gives, (X,), to="numpy").source
    assert "def one_of_two(y, x, y_2):" in source
    assert "def view(y, x):" in source
