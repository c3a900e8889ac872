"""Iterators over containers of the arguments: who takes of one learns how many items there are."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl


def the_rest(x: Any, ws: list[Any]) -> Any:
    it = iter(ws)
    x = x + next(it)
    for w in it:
        x = x * w
    return x


def by_two_loops(x: Any, ws: list[Any]) -> Any:
    it = iter(ws)
    for w in it:
        x = x + w
        break
    for w in it:
        x = x * w
    return x


def listed(x: Any, ws: list[Any]) -> Any:
    it = iter(ws)
    for w in it:
        x = x + w
        break
    return x + sum(list(it))


def told_of_the_end(x: Any, ws: list[Any]) -> Any:
    it = iter(ws)
    for _ in range(3):
        x = x + next(it)
    v = next(it, None)
    return x if v is None else x * v


def in_pairs(x: Any, ws: list[Any]) -> Any:
    it = iter(ws)
    for w in it:
        v = next(it, None)
        x = x + w if v is None else x + w * v
    return x


def until_it_stops(x: Any, ws: list[Any]) -> Any:
    it = iter(ws)
    try:
        while True:
            x = x + next(it)
    except StopIteration:
        return x


def take(it: Any) -> Any:
    return next(it)


def helped(x: Any, ws: list[Any]) -> Any:
    it = iter(ws)
    return x * take(it) + sum(it)


def zipped_with_itself(x: Any, ws: list[Any]) -> Any:
    it = iter(ws)
    for a, b in zip(it, it):
        x = x + a * b
    return x


def in_groups(x: Any, ws: list[Any]) -> Any:
    for a, b in zip(*[iter(ws)] * 2):
        x = x + a * b
    return x


def mapped(x: Any, ws: list[Any]) -> Any:
    return sum(map(next, [iter(ws), iter(ws)])) + x


def by_method(x: Any, ws: list[Any]) -> Any:
    it = iter(ws)
    return x + it.__next__() * it.__next__()


def how_many_are_left(x: Any, ws: list[Any]) -> Any:
    return x * operator.length_hint(iter(ws))


def each(it: Iterator[Any]) -> Iterator[Any]:
    while True:
        try:
            yield next(it)
        except StopIteration:
            return


def by_generator(x: Any, ws: list[Any]) -> Any:
    for w in each(iter(ws)):
        x = x + w
    return x


def unpacked(x: Any, ws: list[Any]) -> Any:
    first, *rest = iter(ws)
    return x + first * len(rest)


def chained(x: Any, ws: list[Any]) -> Any:
    for w in itertools.chain(iter(ws), iter(ws)):
        x = x + w
    return x


def held_by_a_partial(x: Any, ws: list[Any]) -> Any:
    taken = functools.partial(next, iter(ws))
    return x + taken() * taken()


def of_an_iterator(x: Any, ws: list[Any]) -> Any:
    it = iter(iter(ws))
    return x * next(it) + sum(it)


PROGRAMS = [
    the_rest, by_two_loops, listed, told_of_the_end, in_pairs, until_it_stops, helped, zipped_with_itself,
    in_groups, mapped, by_method, how_many_are_left, by_generator, unpacked, chained, held_by_a_partial,
    of_an_iterator,
]  # fmt: skip


def given(framework: str, count: int) -> tuple[Any, list[Any]]:
    make = {"numpy": np.array, "torch": torch.tensor}[framework]
    return make([1.0, 2.0]), [make([i + 1.0, i + 2.0]) for i in range(count)]


@pytest.mark.parametrize("framework", ["numpy", "torch"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_lists_of_other_lengths(program: Callable[..., Any], framework: str) -> None:
    out = tl.transpile(program, given(framework, 3), to=framework, verify=True)
    for count in (1, 2, 4, 5):
        with pytest.raises(AssertionError):
            out(*given(framework, count))


def the_rest_of_keys(x: Any, ps: dict[str, Any]) -> Any:
    it = iter(ps)
    x = x + ps[next(it)]
    for key in it:
        x = x * ps[key]
    return x


def test_other_keys() -> None:
    x, (first, second, third) = given("numpy", 3)
    out = tl.transpile(the_rest_of_keys, (x, {"a": first, "b": second}), to="numpy", verify=True)
    for other in ({"a": first}, {"b": second, "a": first}, {"a": first, "b": second, "c": third}):
        with pytest.raises(AssertionError):
            out(x, other)


def whether_there_are_items(x: Any, ws: list[Any]) -> Any:
    try:
        iter(ws)
    except TypeError:
        return x
    for w in ws:
        x = x + w
    return x


def test_an_iterator_that_nobody_uses_asks_nothing() -> None:
    out = tl.transpile(whether_there_are_items, given("numpy", 3), to="numpy", verify=True)
    for count in (0, 1, 5):
        arguments = given("numpy", count)
        np.testing.assert_array_equal(out(*arguments), whether_there_are_items(*arguments))


def of_inner(x: Any, groups: list[list[Any]]) -> Any:
    for group in groups:
        it = iter(group)
        x = x * next(it) + sum(it)
    return x


def test_lists_in_lists() -> None:
    x, ws = given("numpy", 3)
    out = tl.transpile(of_inner, (x, [ws, ws]), to="numpy", verify=True)
    np.testing.assert_array_equal(out(x, [ws] * 4), of_inner(x, [ws] * 4))
    for others in ([ws, ws[:2]], [ws, [*ws, x]]):
        with pytest.raises(AssertionError):
            out(x, others)
