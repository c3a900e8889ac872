"""What may change is looked at before it does, whoever changes it: code that no hook sees, a decorator, a
method written in C, a class without a text, an import, or what C takes items from.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import collections
import enum
import functools
import hashlib
import itertools
import operator
import types
from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tracelate as tl

X = np.array([1.0, 2.0, 3.0], np.float32)
OTHERS = (-X, np.array([0.5, -2.0, 4.0], np.float32))


class Registry:
    def __init__(self) -> None:
        self.held: list[Any] = []

    def on(self, fn: Any) -> Any:
        self.held.append(fn)
        return fn


class Tree(collections.defaultdict[Any, Any]):
    __getattr__ = collections.defaultdict.__getitem__


class Taking(list[Any]):
    __neg__ = list.pop
    last = property(list.pop)


class Setting(dict[Any, Any]):
    __getitem__ = dict.setdefault


class Cached:
    a = 5
    held = functools.cached_property(operator.attrgetter("a"))


class Kind(enum.Flag):
    A = 1
    B = 2


class Slot:
    def __init__(self) -> None:
        self.z = 1


WITHOUT_TEXT: dict[str, Any] = {"__name__": __name__}
exec(
    "class Silent:\n def __init__(s): s.n = []\n def __bool__(s):\n  s.n.append(1)\n  return True\n"
    " def __eq__(s, o):\n  s.n.append(1)\n  return True\n def __hash__(s):\n  s.n.append(1)\n  return 0\n"
    " def __str__(s):\n  s.n.append(1)\n  return 's'\n def __index__(s):\n  s.n.append(1)\n  return 0\n",
    WITHOUT_TEXT,
)


def decorator(held):
    @held.on
    def double(v):
        return v * 2


def decorator_written_in_c(held):
    @held.held.append
    def double(v):
        return v * 2


def annotation(held):
    def double(v: held.held.append(1)) -> held.held.append(2):  # type: ignore[valid-type]
        return v * 2


def proxy_of_a_dict(held):
    found = collections.defaultdict(lambda: held.held.append(1))
    types.MappingProxyType(found)["a"]
    return len(found)


def attribute_by_item(held):
    tree = Tree(lambda: held.held.append(1))
    return tree.bias


def imported(held):
    import colorsys

    held.held.append(colorsys.rgb_to_hsv(0, 0, 0)[2])


#: What they do to a registry, each in a function that nobody but the program calls.
DONE: dict[str, Callable[[Any], Any]] = {
    fn.__name__: fn
    for fn in (decorator, decorator_written_in_c, annotation, proxy_of_a_dict, attribute_by_item, imported)
}


@pytest.mark.parametrize("done", DONE.values(), ids=DONE)
def test_in_a_branch_and_in_a_call(done: Callable[[Any], Any]) -> None:
    def branch(x):
        held = Registry()
        if x.sum() > 0:
            done(held)
            y = x * 2
        else:
            y = x
        return y * (len(held.held) + 1)

    def early(x):
        held = Registry()

        def go(y):
            if y.shape[0] > 3:
                return y
            done(held)
            return y + 1

        return go(x) * (len(held.held) + 1)

    for fn in (branch, early):
        agrees(fn)


def agrees(fn: Callable[[Any], Any]) -> None:
    """Right for each, or refused with the user's line."""
    try:
        made = tl.symbolic_trace(fn, (X,), source="numpy").to("numpy")
    except tl.UnsupportedError as error:
        assert error.span is not None and not isinstance(error, tl.InternalError)
        return
    for x in (X, *OTHERS):
        np.testing.assert_array_equal(made(x), fn(x))


def of_an_object(make: Callable[[], Any], asked: Callable[[Any], Any], counted: Callable[[Any], int]) -> Any:
    def fn(x):
        held = make()
        if x.sum() > 0:
            asked(held)
            y = x * 2
        else:
            y = x
        return y * (counted(held) + 1)

    return fn


Silent = WITHOUT_TEXT["Silent"]
OBJECTS = {
    "unary": of_an_object(lambda: Taking([1, 2]), operator.neg, len),
    "unary of the user's": of_an_object(lambda: Taking([1, 2]), lambda held: -held, len),
    "property": of_an_object(lambda: Taking([1, 2]), lambda held: held.last, len),
    "item": of_an_object(lambda: Setting(a=1), lambda held: held["b"], len),
    "cached property": of_an_object(Cached, lambda held: held.held, lambda held: len(vars(held))),
    "mock": of_an_object(mock.Mock, lambda held: held.foo, lambda held: "foo" in held._mock_children),
    "truth": of_an_object(Silent, lambda held: 1 if held else 2, lambda held: len(held.n)),
    "not": of_an_object(Silent, lambda held: not held, lambda held: len(held.n)),
    "and": of_an_object(Silent, lambda held: held and 1, lambda held: len(held.n)),
    "equal": of_an_object(Silent, lambda held: held == 1, lambda held: len(held.n)),
    "hash": of_an_object(Silent, lambda held: {held: 1}, lambda held: len(held.n)),
    "text": of_an_object(Silent, lambda held: f"{held}", lambda held: len(held.n)),
    "index": of_an_object(Silent, lambda held: [1][held], lambda held: len(held.n)),
    "hashlib": of_an_object(
        hashlib.md5, lambda held: list(map(held.update, [b"a"])), lambda held: held.digest()[0]
    ),
}


@pytest.mark.parametrize("fn", OBJECTS.values(), ids=OBJECTS)
def test_of_an_object(fn: Callable[[Any], Any]) -> None:
    agrees(fn)


def any_of_what_c_pops(x):
    several = [x[0] > 0, x[1] > 0, x[-1] > 0]
    found = any(map(several.pop, (0, 0, 0)))
    return x * (2 if found else 1) * (len(several) + 1)


def round_robin(x):
    its = [iter([1, 2, 5]), iter([3, 4, 6])]
    y = x
    for v in x:
        y = y + v * sum(map(next, its))
    return y


def vocabulary(x):
    ids = collections.defaultdict(itertools.count(1).__next__)

    def go(x, word):
        if x.shape[0] > 2:
            return x * ids[word]
        return x

    return go(x, "a") + go(x, "b")


def next_of_each(x):
    its = [iter([1, 2]), iter([3, 4])]
    if x.sum() > 0:
        a, b = map(next, its)
        x = x * a + b
    return x * next(its[0])


def chained(x):
    its = [iter([1, 2]), iter([3, 4])]
    if x.sum() > 0:
        x = x * sum(itertools.chain.from_iterable(its))
    return x * len(list(its[0]))


def deleted_in_a_while(x):
    several = [Slot() for _ in range(9)]
    y, n = x, 0
    while n < len(x):
        del several[n].z
        y = y * 2
        n += 1
    return y * sum(1 for each in several if hasattr(each, "z"))


def a_class_in_a_while(x):
    held = Registry()
    y, n = x, 0
    while n < len(x):

        @held.on
        class Inner:
            pass

        y = y + 1
        n += 1
    return y * len(held.held)


def raised_from_another(x):
    error = ValueError("e")
    y = x
    if x.sum() > 0:
        try:
            raise error from KeyError("k")
        except ValueError:
            y = y * 2
    return y * (1 if error.__cause__ is None else 2)


def sorted_by_what_cannot_be(x):
    held: list[Any] = []
    try:
        sorted([1, 2], key=held.append)
    except TypeError:
        x = x * 2
    return x


def flags(x):
    if x.sum() > 0:
        return x * (~Kind.A).value
    return x


PROGRAMS = (
    any_of_what_c_pops, round_robin, vocabulary, next_of_each, chained, deleted_in_a_while,
    a_class_in_a_while, raised_from_another, sorted_by_what_cannot_be, flags,
)  # fmt: skip


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_programs(fn: Callable[[Any], Any]) -> None:
    agrees(fn)


def test_a_refusal_is_told_whatever_a_finally_makes_of_it() -> None:
    def fn(x):
        items = iter([1, 2, 3])
        try:
            if x.sum() > 0:
                y = x * next(items)
            else:
                y = x
        finally:
            y = y + 1
        return y

    with pytest.raises(tl.UnsupportedError, match="taking items from an iterator"):
        tl.symbolic_trace(fn, (X,), source="numpy")


def test_an_object_that_ends_by_itself_is_refused() -> None:
    class Ending:
        def __del__(self):
            pass

    def fn(x):
        held = Ending()
        return x * (held is not None)

    with pytest.raises(tl.UnsupportedError, match="which has a `__del__`"):
        tl.symbolic_trace(fn, (X,), source="numpy")
