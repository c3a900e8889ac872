"""Shapes that a loop carries from turn to turn, or that a branch chooses: one array's stays that, and of what
is several sizes become numbers.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

MAKE: dict[str, Any] = {"numpy": np.float32, "jax": jnp.array, "torch": torch.tensor}


def left(x):
    held = [x.shape]
    for v in x:
        held[0] = (3,)
        if v > 1:
            break
        held[0] = x.shape
    return x * (len(held[0]) * held[0][0])


def gone_on(x):
    held = [x.shape]
    for v in x:
        held[0] = (3,)
        if v > 1:
            continue
        held[0] = x.shape
    return x * (len(held[0]) * held[0][0])


def while_left(x):
    held = [x.shape]
    i = 0
    while i < 2:
        held[0] = (3,)
        i += 1
        if x[i - 1] > 1:
            break
        held[0] = x.shape
    return x * (len(held[0]) * held[0][0])


def within(x):
    held = [(1, x.shape)]
    for v in x:
        held[0] = (1, (3,))
        if v > 1:
            break
        held[0] = (1, x.shape)
    return x * (len(held[0][1]) * held[0][1][0])


def with_else(x):
    held = [x.shape]
    for v in x:
        held[0] = (3,)
        if v > 1:
            break
        held[0] = x.shape
    else:
        held[0] = x.shape
    return x * (len(held[0]) * held[0][0])


def a_name(x):
    held = x.shape
    for v in x:
        held = (3,)
        if v > 1:
            break
        held = x.shape
    return x * (len(held) * held[0])


def a_key(x):
    held = {"a": x.shape}
    for v in x:
        if v > 1:
            held["a"] = (3,)
        else:
            held["a"] = x.shape
    return x * held["a"][0]


def an_attribute(x):
    held = types.SimpleNamespace(size=x.shape)
    for v in x:
        held.size = (3,)
        if v > 1:
            break
        held.size = x.shape
    return x * held.size[0], held.size


def nested(x):
    held = [x.shape]
    for v in x:
        for w in x:
            held[0] = (3,)
            if w > 1:
                break
            held[0] = x.shape
        if v > 2:
            break
    return x * (len(held[0]) * held[0][0])


def other_sizes(x):
    held = [x.shape]
    for v in x:
        held[0] = (3,)
        if v > 1:
            break
        held[0] = (4,)
    return x * held[0][0]


def of_another(x):
    held = x.shape
    for v in x:
        if v > 1:
            break
        held = x[1:].shape
    return x * held[0]


def a_part(x):
    held = [x.shape]
    for v in x:
        held[0] = x.shape[:1]
        if v > 1:
            break
        held[0] = x.shape
    return x.reshape(held[0])


def the_same(x):
    held = x.shape
    for v in x:
        if v > 1:
            break
        held = x.shape
    return x * held[0], held, len(held)


def the_same_held(x):
    held = [x.shape]
    for v in x:
        held[0] = x.shape
        if v > 1:
            break
    return x * held[0][0]


def chosen(x):
    held = x.shape if x[0] > 0 else x.shape
    return x * held[0]


def shrinking(x):
    held = x.shape
    for _ in range(2):
        x = x[1:]
        held = x.shape
    return x * held[0]


SAME: list[Callable[..., Any]] = [the_same, the_same_held, chosen]
ALL = [left, gone_on, while_left, within, with_else, a_name, a_key, an_attribute, nested, other_sizes,
       of_another, a_part, shrinking, *SAME]  # fmt: skip


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("source", ["numpy", "jax"])
@pytest.mark.parametrize("program", ALL, ids=lambda p: p.__name__)
def test_a_shape_is_carried(program: Callable[..., Any], source: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    if to == "jax" and program is a_part:
        with pytest.raises(tl.UnsupportedError, match="reshape"):
            holds(program, source, to)
    else:
        holds(program, source, to)


@pytest.mark.parametrize("program", SAME, ids=lambda p: p.__name__)
def test_one_arrays_stays_that_in_torch(program: Callable[..., Any]) -> None:
    holds(program, "torch", "torch")


@pytest.mark.parametrize("program", [left, a_name])
def test_one_of_several_is_no_shape_of_torchs(program: Callable[..., Any]) -> None:
    with pytest.raises(tl.UnsupportedError, match="from turn to turn"):
        tl.transpile(program, source="torch", to="torch", args=(torch.tensor([1.0, 2.0, 3.0]),))


def test_the_rank_of_a_shape_that_may_be_another_is_checked() -> None:
    out = tl.transpile(a_name, source="numpy", to="numpy", args=(np.array([1.0, 2.0, 3.0]),))
    with pytest.raises(AssertionError):
        out(np.ones((3, 1)))


def holds(program: Callable[..., Any], source: str, to: str) -> None:
    example = MAKE[source]([1.0, 2.0, 3.0])
    out = tl.transpile(program, source=source, to=to, args=(example,))
    for numbers in ([1.0, 2.0, 3.0], [-1.0, -2.0, -3.0], [1.0, 0.0, 0.0, 4.0]):
        want = program(MAKE[source](numbers))
        try:
            found = out(MAKE[to](numbers))
        except AssertionError:
            assert len(numbers) != 3  # of which the loop may have been written out
            continue
        wants, founds = (v if isinstance(v, tuple) else (v,) for v in (want, found))
        for one, other in zip(wants, founds, strict=True):
            np.testing.assert_array_equal(np.asarray(other), np.asarray(one))
