"""Numbers of Python's that a loop or a branch computes, handed to helpers in containers: in JAX they are
arrays by then, which count for nothing in dtypes, as numbers do.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays

TARGETS = ("numpy", "jax", "torch")


@dataclasses.dataclass
class State:
    a: Any
    k: Any


def scaled(a, t):
    return a * t[0]


def stepped(t):
    a, k = t
    return a * k, k / 2


def stepped_dict(p):
    return {"a": p["a"] * p["k"], "k": p["k"] + 1}


def nested(t):
    (a, (k, m)), more = t
    return (a * k + m, (k * 2, m - 1)), more


def asks(t):
    a, k = t
    return (a * k if isinstance(k, float) else a + k), k


def inner(t):
    return scaled(t["a"], t["ks"])


def outer(p):
    return inner(p) + p["ks"][0]


def returned(k):
    return {"k": (k, k * 2)}


def of_a_tuple(a, n):
    s = 1.0
    for _ in range(n):
        a = scaled(a, (s,))
        s = s * 0.5
    return a


def of_a_list(a, n):
    s = 1.0
    for _ in range(n):
        a = scaled(a, [s, 2])
        s = s * 0.5
    return a


def of_a_branch(a, n):
    s = 1.0
    if a.sum() > 0:
        s = 2.0
    return scaled(a, (s, n))


def carried(a, n):
    t = (a, 1.0)
    for _ in range(n):
        t = stepped(t)
    return t[0]


def carried_int(a, n):
    p = {"a": a, "k": 1}
    for _ in range(n):
        p = stepped_dict(p)
    return p["a"]


def carried_while(a, n):
    p = {"a": a, "k": 1}
    while abs(p["a"]).max() < 20:
        p = stepped_dict(p)
    return p["a"] + n


def carried_deep(a, n):
    t = ((a, (1.0, 2)), n)
    for _ in range(n):
        t = nested(t)
    return t[0][0]


def asked(a, n):
    k = 1.0
    if a.sum() > n:
        k = 2.0
    return asks((a, k))[0]


def handed_on_whole(a, n):
    k = 1.0
    for _ in range(n):
        a = outer({"a": a, "ks": [k, 1]})
        k = k * 0.5
    return a


def given_back(a, n):
    k = 1
    for _ in range(n):
        a = a * returned(k)["k"][1]
        k = k + 1
    return a


def both_ways(a, n):
    a = scaled(a, (3.0,))
    k = 1.0
    for _ in range(n):
        a = scaled(a, (k,))
        k = k * 0.5
    return scaled(a, (2,))


def in_an_object(a, n):
    k = 1.0
    for _ in range(n):
        a = of_object(State(a, k))
        k = k * 0.5
    return a


def of_object(state):
    return state.a * state.k


def mixed(x, s):
    return x + s[0], tuple(v * 2 for v in s)


def swapped(a, n):
    k, m = 1, 2
    if a.sum() > n:
        k, m = m, k
    a, s = mixed(a, (k, m))
    return mixed(a, s)


def mixed_apart(x, k, m):
    return x + k, k * 2, m * 2


def swapped_apart(a, n):
    k, m = 1, 2
    if a.sum() > n:
        k, m = m, k
    a, k, m = mixed_apart(a, k, m)
    return mixed_apart(a, k, m)[0]


PROGRAMS: list[Callable[..., Any]] = [
    of_a_tuple, of_a_list, of_a_branch, carried, carried_int, carried_while, carried_deep, asked,
    handed_on_whole, given_back, both_ways, in_an_object, swapped, swapped_apart,
]  # fmt: skip
A = np.array([1.0, 2.0, -0.5], np.float32)
CALLS = [(A, 3), (A, 0), (-A, 3), (A, 1), (A.astype(np.float64), 3), (np.array([1, 2, 3]), 3)]
CALLS += [(np.array([1, 2, 3]).astype(dtype), 3) for dtype in ("int8", "int32", "uint8", "float16")]


@pytest.mark.parametrize("written_for", ["numpy", "torch"])
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_they_count_for_nothing(fn: Callable[..., Any], written_for: str) -> None:
    given = lambda args, to: map_arrays(args, lambda array: convert(array, to))  # noqa: E731
    with jax.enable_x64(True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for to in TARGETS:
            traced = tl.symbolic_trace(fn, given(CALLS[0], written_for))
            out = traced.to(to, x64=True if to == "jax" else None)
            for number, args in enumerate(CALLS):
                expected = fn(*given(args, written_for))
                try:
                    found = out(*given(args, to))
                except (AssertionError, TypeError):
                    assert number, out.source
                    continue
                assert not list(compare(expected, found)), (to, args, out.source)
