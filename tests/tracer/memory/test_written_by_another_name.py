"""Writes through a view whose place follows from the rank, and in place into what somebody else has as well,
where the next caller gives an array of another rank, or a number.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays, to_numpy

V = np.array([3.0, -1.0, 2.0])
SQUARE = np.arange(9.0).reshape(3, 3)
SHAPES = ((3, 3), (2, 3), (3, 3, 3), (2, 2, 2, 2))
OTHERS = tuple(np.arange(float(np.prod(shape))).reshape(shape) for shape in SHAPES)


def transposed(x):
    a = x.T
    a[0] = 0
    return x


def transposed_copy(x):
    y = x * 1
    a = np.transpose(y)
    a[a > 1] = 0
    return y


def transposed_backwards(x):
    a = x[::-1].T
    a[1:] = -1
    return x


def last_pieces(x):
    y = np.array_split(x, 2, axis=-1)[0]
    y[y > 1] = 0
    return x, y


def middle_piece(x):
    y = np.split(x, 3, axis=-1)[1]
    y += 1
    return x


VIEWS = (transposed, transposed_copy, transposed_backwards, last_pieces, middle_piece)


def right_or_refused(fn: Callable[..., Any], made: Any, target: str, given: tuple[Any, ...]) -> None:
    mine, theirs = copy.deepcopy(given), map_arrays(copy.deepcopy(given), lambda a: convert(a, target))
    try:
        right = fn(*mine)
    except Exception:
        return
    try:
        got = made(*theirs)
    except AssertionError:
        return
    for one, other in zip(leaves_of((right, mine)), leaves_of((got, theirs if target != "jax" else mine))):
        np.testing.assert_allclose(to_numpy(other), one)


def leaves_of(value: Any) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        return [value]
    return [leaf for each in value for leaf in leaves_of(each)]


@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("example", [V, SQUARE], ids=["vector", "square"])
@pytest.mark.parametrize("fn", VIEWS, ids=lambda fn: fn.__name__)
def test_views_of_other_ranks(fn: Callable[[Any], Any], example: Any, target: str) -> None:
    with jax.enable_x64(True):
        traced = tl.symbolic_trace(fn, (example.copy(),), source="numpy")
        made = traced.to(target, x64=target == "jax" or None)
        for x in (example, *OTHERS):
            right_or_refused(fn, made, target, (x,))
        made(convert(example.copy(), target))  # which is not refused


def descend(ps, g):
    for p in ps:
        p -= g
    return ps


def descend_by_name(ps, g):
    held = {"w": ps[0]}
    w = held["w"]
    w *= 2
    return g


def under_another_name(ps, g):
    p = ps[0]
    q = p
    q += g
    return p


def bumped(p, g):
    p -= g
    return p


def of_a_helper(ps, g):
    p = ps[0]
    q = bumped(p, g)
    return p, q


def of_a_copied_list(ps, g):
    ps = list(ps)
    p = ps[0]
    p += g
    return ps


NAMES = (descend, descend_by_name, under_another_name, of_a_helper, of_a_copied_list)


@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", NAMES, ids=lambda fn: fn.__name__)
def test_a_number_where_the_example_has_an_array(fn: Callable[[Any, Any], Any], target: str) -> None:
    with jax.enable_x64(True):
        try:
            traced = tl.symbolic_trace(fn, ([V.copy(), V * 2], V.copy()), source="numpy")
            made = traced.to(target, x64=target == "jax" or None)
        except tl.UnsupportedError:
            assert target == "jax"  # where no argument is written into
            return
        for given in (([V, V * 2], V * 3), ([2.5, V], V * 3), ([np.float64(2.5), V], 2.0), ([2.5, V], 2.0)):
            right_or_refused(fn, made, target, given)


def add(acc, w):
    acc += w
    return acc


def bump(acc, w):
    acc += w


def by_a_helper_in_a_loop(x, ws):
    y = x
    for w in ws:
        y = add(y, w)
    return y


def by_two_names_in_a_loop(x, ws):
    y = x
    for w in ws:
        y += w
    return x, y


def of_made_ones(x, ws):
    made = [x * 0 for _ in ws]
    for b, w in zip(made, ws):
        b += w
    return made


def of_a_made_one(x, ws):
    b = -x
    c = b
    b += ws[0]
    return c


def of_what_is_held(x, ws):
    held = {"a": abs(x), "b": x**2}
    for key in held:
        b = held[key]
        b += ws[0]
    return held["a"], held["b"]


def by_a_helper_that_gives_nothing(x, ws):
    y = x * 2 + 1
    bump(y, ws[0])
    bump(x, ws[1])
    return x, y


def by_a_helper_in_an_argument(x, ws):
    bump(x, ws[0])
    return x


def of_one_that_is_an_array(x, ws):
    b = abs(ws[0]) * x
    c = b
    b += ws[1]
    return c


MADE = (
    by_a_helper_in_a_loop, by_two_names_in_a_loop, of_made_ones, of_a_made_one, of_what_is_held,
    by_a_helper_that_gives_nothing, by_a_helper_in_an_argument, of_one_that_is_an_array,
)  # fmt: skip


@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("fn", MADE, ids=lambda fn: fn.__name__)
def test_what_operators_make_of_a_number(fn: Callable[[Any, Any], Any], source: str, target: str) -> None:
    make = torch.tensor if source == "torch" else np.array
    with jax.enable_x64(True):
        example = make([3.0, -1.0, 2.0]), [make([1.0, 2.0, 3.0]), make([0.0, 1.0, 2.0])]
        try:
            traced = tl.symbolic_trace(fn, copy.deepcopy(example), source=source)
            made = traced.to(target, x64=target == "jax" or None)
        except tl.UnsupportedError:
            assert target == "jax"  # where no argument is written into
            return
        for x in (example[0], 2.0, 2):
            right_or_refused(fn, made, target, (x, example[1]))


def test_what_is_an_array_whatever_is_given_needs_no_check() -> None:
    x, ws = torch.ones(3), [torch.ones(3), torch.ones(3)]
    made = tl.transpile(of_one_that_is_an_array, (x, ws), to="torch")
    assert torch.equal(made(2.0, ws), of_one_that_is_an_array(2.0, ws))


def test_arrays_that_change_places_are_refused() -> None:
    def fn(x, y):
        c = x.double()
        for i in range(len(x)):
            if y[0] > 0:
                x, c = c, x
            x[i] += 1
        return c

    with pytest.raises(tl.UnsupportedError, match="may share memory"):
        tl.symbolic_trace(fn, (torch.tensor([3, 1, 2]), torch.tensor([1, 2, 0])), source="torch")
