"""What outlives the call is after a trace what it was before, and a program that changes it is refused."""

from __future__ import annotations

import argparse
import array
import collections
import functools
import heapq
import io
import itertools
import math
import os
import pickle
import random
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl

X = np.array([1.0, 2.0, 3.0])
T = torch.ones(3)


class Bare:
    shared: dict[str, int] = {}
    n = 0


class Slotted:
    __slots__ = ("n",)


class Counting:
    n = 0

    def __call__(self, x: Any) -> Any:
        self.n += 1
        return x * self.n


BARE, SLOTTED, COUNTING = Bare(), Slotted(), Counting()
BARE.n = SLOTTED.n = 0  # type: ignore[attr-defined]
SPACE, OPTIONS = types.SimpleNamespace(n=0), argparse.Namespace(n=0)
LIST: list[int] = [3, 4]
DICT: dict[str, Any] = {}
QUEUE: collections.deque[Any] = collections.deque(maxlen=2)
COUNTER: collections.Counter[str] = collections.Counter()
SEEN: set[str] = set()
BYTES, ARRAY, NUMBERS = bytearray(b"ab"), array.array("d", [1.0]), np.ones(3)
FILE = io.StringIO()
GENERATOR, RANDOM = np.random.default_rng(3), random.Random(3)
LEGACY = np.random.RandomState(3)


def helper(holder: Any, value: Any) -> None:
    holder.kept = value


def default(x: Any, seen: list[int] = []) -> Any:
    seen.append(1)
    return x * len(seen)


def inner_default(x: Any) -> Any:
    return default(x)


def named(x: Any) -> Any:
    named.n = getattr(named, "n", 0) + 1  # type: ignore[attr-defined]
    return x


def put(holder: Any, key: Any, value: Any) -> None:
    holder[key] = value


def setting(name: str) -> Any:
    """A program that adds 1 to the `n` of a global."""
    holder = globals()[name]

    def program(x: Any) -> Any:
        holder.n += 1
        return x * holder.n

    return program


def closing() -> Any:
    count, held = 0, [0]

    def program(x: Any) -> Any:
        nonlocal count
        count += 1
        held[0] += 1
        return x * count

    return program


def failing(x: Any) -> Any:
    BARE.kept = x  # type: ignore[attr-defined]
    DICT["x"] = x
    raise ValueError("after that")


PROGRAMS: list[Callable[..., Any]] = [
    *(setting(name) for name in ("BARE", "SLOTTED", "SPACE", "OPTIONS", "COUNTING", "Bare")),
    COUNTING, default, inner_default, named, closing(),
    lambda x: helper(BARE, x) or x,
    lambda x: setattr(BARE, "kept", x) or x,
    lambda x: put(vars(BARE), "kept", x) or x,
    lambda x: put(BARE.shared, "a", x) or x,
    lambda x: put(DICT, "k", x) or x,
    lambda x: put(globals(), "NEW", 1) or x,
    lambda x: put(os.environ, "TRACELATE_TEST", "1") or x,
    lambda x: put(BYTES, 0, 1) or x,
    lambda x: put(ARRAY, 0, 3.0) or x,
    lambda x: put(NUMBERS, 0, 3.0) or x * NUMBERS,
    lambda x: NUMBERS.fill(4) or x * NUMBERS,
    lambda x: setattr(math, "kept", x) or x,
    lambda x: setattr(x, "kept", x) or x,
    lambda x: QUEUE.append(x) or x,
    lambda x: LIST.append(1) or x * len(LIST),
    lambda x: heapq.heappush(LIST, 1) or x,
    lambda x: RANDOM.shuffle(LIST) or x,
    lambda x: random.shuffle(LIST) or x,
    lambda x: x * COUNTER.update("a") if COUNTER["a"] else COUNTER.update("a") or x,
    lambda x: SEEN.add("a") or x if "a" not in SEEN else x * 2,
    lambda x: FILE.write("a") and x,
    lambda x: sys.stdout.write("") or x,
    lambda x: x * RANDOM.random(),
    lambda x: x * RANDOM.gauss(0, 1),
    lambda x: x * random.random(),
    lambda x: x * GENERATOR.normal(size=3),
    lambda x: x * LEGACY.normal(size=3),
    failing,
]  # fmt: skip


def everything() -> Any:
    held = [BARE, SPACE, OPTIONS, COUNTING, LIST, DICT, COUNTER, SEEN, BYTES, ARRAY, NUMBERS, FILE.getvalue()]
    more = [SLOTTED.n, list(QUEUE), vars(named), vars(math), default.__defaults__, Bare.shared, Bare.n]
    drawn = [GENERATOR.bit_generator.state, RANDOM.getstate(), LEGACY.get_state(), random.getstate()]
    rest = [*more[:3], sorted(more[3]), *more[4:], drawn, sorted(globals()), dict(os.environ)]
    return pickle.dumps([*held, *rest])


@pytest.mark.parametrize("fn", PROGRAMS)
def test_what_outlives_the_call_is_what_it_was(fn: Any) -> None:
    before = everything()
    with pytest.raises((tl.TraceError, ValueError)) as error:
        tl.symbolic_trace(fn, (X,), source="numpy")
    assert isinstance(error.value, tl.TraceError) or "after that" in str(error.value)
    assert everything() == before


def numbered() -> Iterator[int]:
    yield from (1, 2, 3)


ITERATORS: list[Callable[[], Any]] = [
    itertools.count, lambda: iter([1, 2, 3]), lambda: zip([1, 2], [3, 4]), numbered, lambda: map(abs, [1, 2]),
    lambda: (i for i in range(3)), lambda: io.StringIO("a\nb"),
]  # fmt: skip


def loop(x: Any, items: Any) -> Any:
    for _ in items:
        x = x * 2
        break
    return x


TAKING: list[Callable[[Any, Any], Any]] = [
    lambda x, items: next(items) and x,
    lambda x, items: [*itertools.islice(items, 1)] and x,
    lambda x, items: [v for v in zip([1], items)] and x,
    lambda x, items: x * 2 if 1 in items else x,
    lambda x, items: len(list(map(str, itertools.islice(items, 1)))) * x,
    loop,
]


@pytest.mark.parametrize("take", TAKING)
def test_an_iterator_from_outside_is_not_advanced(take: Any) -> None:
    for make in ITERATORS:
        ours, theirs = make(), make()
        for fn, args in ((lambda x: take(x, ours), (X,)), (take, (X, ours))):
            with pytest.raises(tl.UnsupportedError, match="outlives the call"):
                tl.symbolic_trace(fn, args)
        first = [list(itertools.islice(items, 3)) for items in (ours, theirs)]
        assert first[0] == first[1]


@functools.lru_cache
def doubled(n: Any) -> Any:
    return n * 2


@functools.cache
def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


class Table:
    @functools.lru_cache  # noqa: B019
    def ones(self, n: int) -> Any:
        return np.ones(n)


TABLE = Table()


def caching(x: Any) -> Any:
    if "k" not in DICT:
        DICT["k"] = 5
    return x * DICT["k"]


def local(x: Any) -> Any:
    items, holder = iter([1, 2]), Bare()
    holder.n = next(items)  # type: ignore[attr-defined]

    def count() -> int:
        count.n += 1  # type: ignore[attr-defined]
        return count.n + next(items)  # type: ignore[attr-defined]

    count.n = holder.n  # type: ignore[attr-defined]
    return x * count()


KEPT: list[Callable[[Any], Any]] = [
    lambda x: x * doubled(x.shape[0]), lambda x: x * fibonacci(60), caching, local,
    lambda x: x * TABLE.ones(3), lambda x: x * sum(i for i in range(3)),
    lambda x: x * random.Random(1).random(),
]  # fmt: skip


@pytest.mark.parametrize("fn", KEPT)
def test_caches_and_what_the_call_makes_itself(fn: Any) -> None:
    before = everything()
    for _ in range(2):
        out = tl.transpile(fn, (X,), to="numpy")
        assert (DICT, doubled.cache_info().currsize, Table.ones.cache_info().currsize) == ({}, 0, 0)
        assert everything() == before
    np.testing.assert_array_equal(out(X), fn(X))
    for cache in (doubled, Table.ones, fibonacci):
        cache.cache_clear()
    DICT.clear()


def test_a_cached_function_itself() -> None:
    assert tl.symbolic_trace(doubled, (T,)).source(to="numpy").endswith("return n * 2\n")
    assert doubled.cache_info().currsize == 0
    with pytest.raises(TypeError, match="unhashable"):
        tl.symbolic_trace(lambda x: doubled(x), (X,))


def test_an_object_without_methods_is_changed_in_a_branch() -> None:
    def f(x: Any) -> Any:
        held = Bare()
        held.n = x  # type: ignore[attr-defined]
        if x.sum() > 0:
            held.n = held.n + 1  # type: ignore[attr-defined]
        return held.n  # type: ignore[attr-defined]

    out = tl.transpile(f, (X,), to="numpy")
    for x in (X, -X):
        np.testing.assert_array_equal(out(x), f(x))
