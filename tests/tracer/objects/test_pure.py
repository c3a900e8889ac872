"""What functions that JAX compiles, or its control flow calls, do to Python's own things."""

from __future__ import annotations

import functools
import random
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import tracelate as tl

X = jnp.array([1.0, 2.0, 3.0])
KNOWN: dict[str, int] = {}


class Holder:
    n = 0

    @functools.cached_property
    def three(self) -> int:
        return 3


def by_cell() -> Any:
    n = 0

    def act() -> None:
        nonlocal n
        n += 1

    return act


def by_list() -> Any:
    held: list[int] = []
    return lambda: held.append(1)


def by_dict() -> Any:
    held: dict[str, int] = {}
    return lambda: held.update(a=1)


def by_attribute() -> Any:
    held = Holder()

    def act() -> None:
        held.n += 1

    return act


def by_iterator() -> Any:
    items = iter([1, 2, 3])
    return lambda: next(items)


def by_random() -> Any:
    drawn = random.Random(1)
    return drawn.random


CHANGING = [by_cell, by_list, by_dict, by_attribute, by_iterator, by_random]


def under_jit(x: Any, act: Any) -> Any:
    @jax.jit
    def f(v: Any) -> Any:
        act()
        return v * 2

    return f(f(x))


def under_cond(x: Any, act: Any) -> Any:
    return lax.cond(x.sum() > 0, lambda v: (act(), v)[1], lambda v: -v, x)


def under_known_cond(x: Any, act: Any) -> Any:
    return lax.cond(True, lambda v: v, lambda v: (act(), -v)[1], x) + lax.cond(
        True, lambda v: (act(), v)[1], lambda v: -v, x
    )


def under_scan(x: Any, act: Any) -> Any:
    return lax.scan(lambda c, v: (act(), (c + v, v))[1], 0.0, x)


def under_fori_loop(x: Any, act: Any) -> Any:
    return lax.fori_loop(0, 3, lambda i, v: (act(), v * 2)[1], x)


def under_while_loop(x: Any, act: Any) -> Any:
    return lax.while_loop(lambda v: v.sum() < 9, lambda v: (act(), v * 2)[1], x)


def under_its_test(x: Any, act: Any) -> Any:
    return lax.while_loop(lambda v: (act(), v.sum() < 9)[1], lambda v: v * 2, x)


UNDER = [under_jit, under_cond, under_known_cond, under_scan, under_fori_loop, under_while_loop,
         under_its_test]  # fmt: skip


@pytest.mark.parametrize("under", UNDER)
@pytest.mark.parametrize("change", CHANGING)
def test_a_change_of_what_was_there_before_is_refused(under: Any, change: Any) -> None:
    def f(x: Any) -> Any:
        return under(x, change())

    with pytest.raises(tl.UnsupportedError) as error:
        tl.transpile(f, (X,), to="numpy")
    assert error.value.span is not None and error.value.hint


@jax.jit
def as_a_whole(x: Any) -> Any:
    made = [x]
    made.append(x * 2)
    return jnp.stack(made)


def of_its_own(x: Any) -> Any:
    @jax.jit
    def f(v: Any) -> Any:
        made, held, n = [v], Holder(), 0
        made.append(v * 2)
        held.n += 2

        def count() -> None:
            nonlocal n
            n += 1

        count()
        return sum(made) * held.n * n

    return f(f(x))


def of_what_it_is_given(x: Any) -> Any:
    given = {"a": x}

    @jax.jit
    def f(p: Any) -> Any:
        p["a"] = p["a"] * 2
        return p["a"]

    return f(given), given["a"]


def in_a_turn(x: Any) -> Any:
    def step(c: Any, v: Any) -> Any:
        made = [c]
        made.append(v)
        return c + v, sum(made)

    return lax.scan(step, 0.0, x)


def remembering(x: Any) -> Any:
    held = Holder()

    @jax.jit
    def f(v: Any) -> Any:
        if "k" not in KNOWN:
            KNOWN["k"] = 2
        return v * held.three * KNOWN["k"]

    return f(f(x))


@pytest.mark.parametrize("fn", [as_a_whole, of_its_own, of_what_it_is_given, in_a_turn, remembering])
def test_what_it_makes_itself_or_only_remembers_is_not(fn: Any) -> None:
    found = jax.tree.leaves(tl.transpile(fn, (X,), to="numpy")(np.asarray(X)))
    for ours, theirs in zip(found, jax.tree.leaves(fn(X)), strict=True):
        np.testing.assert_allclose(ours, theirs)
    KNOWN.clear()
