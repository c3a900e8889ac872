"""Loops whose turns look alike and are not what a loop would do: names that mean something else, values of
the turn before, tests of which a part is left, items under another name.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays


def one_turn_late(params, g):
    vel = g
    for p in params:
        new = 0.9 * vel + p
        p -= 0.1 * (new - vel)
        vel = new
    return params, vel


def swapped(params, g):
    prev = g * 1
    for p in params:
        cur = p.copy()
        p[:] = prev
        prev = cur
    return params, prev


def counted_up(params, g):
    c = g.sum()
    for p in params:
        n = c + p.sum()
        p /= n - c + 1
        c = n
    return params, c


def decay(params, p0):
    for k, p in params.items():
        if k != "b":
            p *= p0


def helpers_name(params, g):
    p = np.exp(-g).mean()
    decay(params, p)
    return params, g * 2


def in_a_block(params, g):
    p = g.mean()
    if p > -5:
        decay(params, 0.5)
    return p


def each_by(params, fn):
    for k, p in params.items():
        p[:] = fn(p)


def closure(params, g):
    p = g.max()
    each_by(params, lambda a: a * p)
    return params


def twice_named(params, a, b):
    for k, p in params.items():
        q = a[k]
        p += q
        q = b[k]
        p *= q
        q -= 1
    return params, a, b


def half_decided(params, clip):
    for k, p in params.items():
        if k != "b" and (np.abs(p).max() > clip and p.mean() > -9):
            p *= clip
    return params


def last_item(params):
    for p in params:
        while p.sum() > 1:
            p *= 0.5
    return p * 2


def last_key(params):
    for k, p in params.items():
        p += 1
    return k, p.mean()


def skipped(params, state):
    for name, p in params.items():
        if name.endswith("b"):
            continue
        m = state[name]
        m += p
        p -= 0.1 * m
    return params, state


def but_the_last(params, deltas):
    for i, p in enumerate(params):
        if i == len(params) - 1:
            continue
        d = deltas[i]
        p += d
    return params


def dict_of(*names: str) -> dict[str, Any]:
    return {n: np.random.default_rng(len(n) + ord(n[0])).normal(size=3) for n in names}


def list_of(count: int) -> list[Any]:
    return [np.random.default_rng(n).normal(size=3) + 1 for n in range(count)]


G = np.array([0.5, -1.0, 2.0])
CASES = [
    (one_turn_late, (list_of(3), G)), (swapped, (list_of(3), G)), (counted_up, (list_of(3), G)),
    (helpers_name, (dict_of("a", "b", "c"), G)), (in_a_block, (dict_of("a", "b", "c"), G)),
    (closure, (dict_of("a", "b"), G)), (twice_named, (dict_of("a", "b"),) * 3),
    (half_decided, (dict_of("a", "b", "c"), 0.1)), (half_decided, (dict_of("a", "b", "c"), 10.0)),
    (last_item, (list_of(3),)), (last_key, (dict_of("a", "b", "c"),)),
    (skipped, (dict_of("wa", "wb", "vc"), dict_of("wa", "vc"))), (but_the_last, (list_of(3), list_of(2))),
]  # fmt: skip


def given(args: Any, framework: str) -> Any:
    return map_arrays(copy.deepcopy(args), lambda array: convert(array, framework))


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize(("fn", "args"), CASES, ids=lambda v: getattr(v, "__name__", ""))
def test_they_do_what_the_turns_do(fn: Any, args: Any, to: str) -> None:
    out = tl.transpile(fn, given(args, "numpy"), to=to)
    more = map_arrays(args, lambda array: array * 3 - 1)
    for each in (args, more):
        mine, theirs = given(each, "numpy"), given(each, to)
        problems = [*compare(fn(*mine), out(*theirs)), *compare(mine, theirs)]
        assert not problems, f"{problems[0]}\n{out.source}"


def test_what_may_be_numbers_of_numpys_is_written_into_by_name() -> None:
    def computed(ws):
        new = [w * 2 for w in ws]
        for v in new:
            v += 1.0
        return new

    def negated(ws):
        new = {"a": -ws[0], "b": -ws[1]}
        for name in new:
            v = new[name]
            v *= 3.0
        return new

    for fn in (computed, negated):
        out = tl.transpile(fn, to="numpy", args=([torch.ones(3), torch.ones(3)],))
        for given in ([1.0, [1.0, 2.0]], [1.0, 2.0], [[[1.0]], 4.0]):
            expected = fn([torch.tensor(each) for each in given])
            try:
                found = out([np.array(each, np.float32) for each in given])
            except AssertionError:
                continue
            assert not list(compare(expected, found)), out.source
