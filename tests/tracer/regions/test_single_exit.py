"""A helper that changes what its caller has, and returns where an array decides: it is put inline as one that
returns at its end alone.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.array([1.0, 2.0, -0.5])
CALLS = [X, X * 0, X * 100, -X, X[:1], X.astype(np.float32)]


class Optimizer:
    def __init__(self, lr=0.1):
        self.lr, self.steps, self.skipped, self.seen, self.last = lr, 0, 0, [], None

    def step(self, g):
        self.steps += 1
        self.last = g * 2
        norm = np.sqrt((g**2).sum())
        if norm < 1e-3:
            return g
        return g / norm * self.lr * self.steps

    def notes(self, g):
        self.seen.append(g.sum())
        if g.sum() > 3:
            return g * 2
        elif g.sum() < -3:
            return -g
        return g

    def counts(self, g):
        if g.sum() < 0:
            self.skipped += 1
            return g
        self.steps += 1
        return g * self.steps

    def writes(self, g):
        g[0] = 5
        if g.sum() > 7:
            return g * 2
        g[1] = 1
        return g


def a_method(x):
    o = Optimizer()
    x = o.step(x)
    x = o.step(x * 3)
    return x, o.steps, o.last


def a_list(x):
    o = Optimizer()
    y = o.notes(x)
    z = o.notes(y)
    return z, o.seen


def on_some_ways(x):
    o = Optimizer()
    x = o.counts(x)
    x = o.counts(x - 1)
    return x, o.steps, o.skipped


def an_array(x):
    y = x * 1
    z = Optimizer().writes(y)
    return z, y


def an_argument(x):
    z = Optimizer().writes(x)
    return z * 1, x


def update(p, g, state):
    state["t"] += 1
    state["m"] = 0.9 * state["m"] + 0.1 * g
    if (g**2).sum() < 1e-6:
        return p
    return p - 0.1 * state["m"] / state["t"]


def a_dict(x):
    state, p = {"t": 0, "m": x * 0}, x
    for _ in range(3):
        p = update(p, p - 1, state)
    return p, state["t"], state["m"]


def several(x, log):
    log["calls"] = log["calls"] + 1
    if x.sum() > 3:
        return x, 1.0
    y = x * 2
    return y, 2.0


def a_tuple(x):
    log = {"calls": 0}
    y, k = several(x, log)
    return y * k, log["calls"]


def at_the_entry(x, box):
    box["n"] = box["n"] + 1
    if x.sum() > 3:
        return x * 2
    return x


result = 3.0


class Layer:
    def __init__(self):
        self.n, self.post = 0, None

    def run(self, x):
        self.n += 1

        def post(v):
            return v + result  # the module's

        self.post = post
        if x.sum() > 3:
            return x * 2
        return x - 1


def of_the_modules_names(x):
    layer = Layer()
    y = layer.run(x)
    return layer.post(y), layer.n


# What cannot be joined is refused as it was.


def out_of_a_loop(x, log):
    log["n"] = log["n"] + 1
    for i in range(3):
        x = x * 2
        if x.sum() > 10:
            return x
    return x - 1


def refused(x):
    log = {"n": 0}
    return out_of_a_loop(x, log), log["n"]


PROGRAMS = [a_method, a_list, on_some_ways, an_array, an_argument, a_dict, a_tuple, of_the_modules_names]
TAKEN = [a_method, a_list, a_dict, an_array, of_the_modules_names]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_it_is_what_the_program_gives(program: Any, to: str) -> None:
    with jax.enable_x64(True):
        try:
            out = tl.transpile(program, (X.copy(),), to=to, x64=True if to == "jax" else None)
        except tl.UnsupportedError:
            assert program not in TAKEN or to == "jax"
            return
        for x in CALLS:
            mine, theirs = x.copy(), convert(x.copy(), to)
            try:
                found = out(theirs)
            except (AssertionError, IndexError):
                assert x is not X, out.source
                continue
            try:
                expected = program(mine)
            except IndexError:
                continue
            wrong = [*compare(expected, found, kind="reduction")]
            wrong += [*compare(mine, theirs)] if to != "jax" else []
            assert not wrong, f"{x}: {wrong[0]}\n{out.source}"


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_an_entry_returns_at_its_end_too(to: str) -> None:
    out = tl.transpile(at_the_entry, (X.copy(), {"n": 1}), to=to)
    for x in (X, X * 10):
        mine, theirs = {"n": 4}, {"n": 4}
        assert not [*compare(at_the_entry(x, mine), out(convert(x, to), theirs))]
        assert mine == theirs


def test_what_returns_out_of_a_loop_is_refused() -> None:
    with pytest.raises(tl.UnsupportedError, match="changing `log` and returning, in a branch"):
        tl.transpile(refused, (X.copy(),), to="numpy")


def test_the_text() -> None:
    text = tl.transpile(a_list, (X.copy(),), to="numpy").source
    assert "    if x.sum() > 3:\n        result = x * 2\n" in text
    assert text.rstrip().endswith("[x.sum(), result.sum()]")
