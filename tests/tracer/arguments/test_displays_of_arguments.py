"""Loops over displays of arguments, `for d in [a, b]`, with helpers that ask what these hold: of what holds
something else the source's numbers come out, or a check refuses it.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays


def in_order(d):
    total = 0.0
    for value in d.values():
        total = total * 0.5 + value
    return total


def last(values):
    return values[-1] * 2 + values[0]


def by_kind(values):
    return values[0] * 2 if isinstance(values, tuple) else values[0] + values[1]


def first(d):
    return next(iter(d.values()))


def copy_of(d):
    return {**d, "z": d["m"] * 2}


def of_dicts(a, b):
    x = 0.0
    for d in [a, b]:
        x = x + in_order(d)
    return x


def counted(a, b):
    x = 0.0
    for i, d in enumerate((a, b)):
        x = x + in_order(d) * (i + 1)
    return x


def of_parts(p):
    x = 0.0
    for d in [p["a"], p["b"]]:
        x = x * 2 + in_order(d)
    return x


def reversed_(a, b):
    x = 0.0
    for d in reversed([a, b]):
        x = x * 2 + in_order(d)
    return x


def of_lists(a, b):
    x = 0.0
    for values in [a, b]:
        x = x + last(values)
    return x


def of_kinds(a, b):
    x = 0.0
    for values in (a, b):
        x = x + by_kind(values)
    return x


@jax.jit
def compiled(a, b):
    x = 0.0
    for d in [a, b]:
        x = x + in_order(d)
    return x


@jax.jit
def compiled_list(items):
    x = 0.0
    for d in items:
        x = x + first(d) * d["m"]
    return x


@jax.jit
def given_back(items):
    out = []
    for d in items:
        out.append(copy_of(d))
    return out


def dicts(*keys: str) -> dict[str, Any]:
    return {key: np.arange(2.0) + i for i, key in enumerate(keys)}


def arrays(count: int, kind: Any = list) -> Any:
    return kind(np.arange(2.0) + i for i in range(count))


MV, VM, MORE, LESS = dicts("m", "v"), dicts("v", "m"), dicts("m", "q", "v"), dicts("m")
PAIRS = [(MV, MV), (VM, VM), (MORE, MV), (MV, MORE), (LESS, LESS)]
LISTS = [(arrays(n), arrays(n)) for n in (2, 3, 1)] + [(arrays(2, tuple), arrays(2, tuple))]
CALLS: dict[Any, list[Any]] = {
    of_dicts: PAIRS, counted: PAIRS, reversed_: PAIRS, compiled: PAIRS,
    of_parts: [({"a": a, "b": b},) for a, b in PAIRS],
    of_lists: LISTS, of_kinds: LISTS,
    compiled_list: [([*pair],) for pair in PAIRS], given_back: [([*pair],) for pair in PAIRS],
}  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("example", range(2))
@pytest.mark.parametrize("fn", CALLS)
def test_what_else_is_given_agrees_or_is_refused(fn, example, to):
    calls = CALLS[fn]
    source = "jax" if fn in (compiled, compiled_list, given_back) else "numpy"
    own = lambda args, name: map_arrays(args, lambda a: convert(a, name))  # noqa: E731
    if to == "jax" and source == "numpy" and fn not in (of_lists, of_kinds):
        calls = [call for call in calls if in_the_order_of_keys(call)]  # as JAX has every dict
    with jax.enable_x64(True):
        out = tl.transpile(fn, own(calls[example], source), to=to)
        for call in calls:
            try:
                wanted = fn(*own(call, source))
                found = out(*own(call, to))
            except (AssertionError, KeyError, IndexError):
                assert call is not calls[example]
                continue
            mine, theirs = (jax.tree.leaves(jax.tree.map(np.asarray, each)) for each in (found, wanted))
            for a, b in zip(mine, theirs, strict=True):
                np.testing.assert_allclose(a, b, err_msg=out.source)


def in_the_order_of_keys(value: Any) -> bool:
    if isinstance(value, dict):
        return [*value] == sorted(value) and in_the_order_of_keys([*value.values()])
    return not isinstance(value, (list, tuple)) or all(map(in_the_order_of_keys, value))


def test_the_display_is_of_the_arguments():
    assert "for d in [a, b]:" in tl.symbolic_trace(of_dicts, (MV, MV)).source("torch")


@pytest.mark.parametrize("to", ["numpy", "jax"])
def test_weak_arrays_stay_weak_when_they_are_updated(to):
    def updated(x):
        return jnp.full((3,), -1.0).at[0].set(0.0) + x

    out = tl.transpile(updated, (jnp.ones(3, jnp.float32),), to=to)
    half = jnp.ones(3, jnp.float16)
    try:
        found = out(convert(half, to))
    except AssertionError:
        return
    assert str(found.dtype) == str(updated(half).dtype)
