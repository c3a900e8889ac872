"""State that outlives the call and is named by none but the functions that are called: each kind of it, in
each place that is traced and taken back. It ends as it began, so that the program is no other's business.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import collections
import contextlib
import contextvars
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

X = np.array([1.0, 2.0, 3.0], np.float32)
OTHERS = (-X, np.array([0.5, 2.0, 0.0], np.float32), np.array([-1.5, 2.0, 0.0, 1.0], np.float32))


class Shared:
    held = [0]


class Failure(Exception):
    pass


class Holder:
    def __init__(self) -> None:
        self.n = 0


HOLDER = Holder()
SPACE = types.SimpleNamespace(n=0)
LIST = [0]
DICT = {"n": 0}
DEQUE = collections.deque([0])
VARIABLE: contextvars.ContextVar[list[int]] = contextvars.ContextVar("variable", default=[0])
FAILURE = Failure([0])


def in_class(by: int, clear: bool = False) -> int:
    Shared.held[0] = 0 if clear else Shared.held[0] + by
    return Shared.held[0]


def in_object(by: int, clear: bool = False) -> int:
    HOLDER.n = 0 if clear else HOLDER.n + by
    return HOLDER.n


def in_namespace(by: int, clear: bool = False) -> int:
    SPACE.n = 0 if clear else SPACE.n + by
    return SPACE.n


def in_list(by: int, clear: bool = False) -> int:
    LIST[0] = 0 if clear else LIST[0] + by
    return LIST[0]


def in_dict(by: int, clear: bool = False) -> int:
    DICT["n"] = 0 if clear else DICT["n"] + by
    return DICT["n"]


def in_deque(by: int, clear: bool = False) -> int:
    DEQUE[0] = 0 if clear else DEQUE[0] + by
    return DEQUE[0]


def in_default(by: int, clear: bool = False, held: list[int] = [0]) -> int:  # noqa: B006
    held[0] = 0 if clear else held[0] + by
    return held[0]


def in_variable(by: int, clear: bool = False) -> int:
    VARIABLE.get()[0] = 0 if clear else VARIABLE.get()[0] + by
    return VARIABLE.get()[0]


def in_exception(by: int, clear: bool = False) -> int:
    FAILURE.args[0][0] = 0 if clear else FAILURE.args[0][0] + by
    return FAILURE.args[0][0]


STORES = (
    in_class, in_object, in_namespace, in_list, in_dict, in_deque, in_default, in_variable, in_exception,
)  # fmt: skip


def in_a_branch(store):
    def fn(x):
        y = x
        if x.sum() > 0:
            store(1)
        else:
            y = y + 1
        count = store(0)
        store(0, True)
        return y * (count + 1)

    return fn


def in_a_loop(store):
    def fn(x):
        y = x
        for v in x:
            y = y + v * store(1)
        count = store(0)
        store(0, True)
        return y * (count + 1)

    return fn


def in_a_while(store):
    def fn(x):
        y = abs(x)
        while y.sum() < 20:
            y = y + store(1)
        count = store(0)
        store(0, True)
        return y * (count + 1)

    return fn


def in_a_call_that_returns_early(store):
    def fn(x):
        def add(y):
            if y.shape[0] > 3:
                return y
            store(1)
            return y + 1

        y = add(add(x))
        count = store(0)
        store(0, True)
        return y * (count + 1)

    return fn


def in_a_way_that_returns(store):
    def fn(x):
        def add(y):
            if y.sum() > 0:
                store(1)
                return y
            return y + 1

        y = add(x)
        count = store(0)
        store(0, True)
        return y * (count + 1)

    return fn


WAYS = (in_a_branch, in_a_loop, in_a_while, in_a_call_that_returns_early, in_a_way_that_returns)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("store", STORES, ids=lambda store: store.__name__)
def test_it_is_put_back(store: Callable[..., int], way: Callable[..., Any]) -> None:
    """Right everywhere, or refused; and what was counted is nothing, before and after."""
    fn = way(store)
    expected = [fn(x) for x in (X, *OTHERS)]
    try:
        traced = tl.symbolic_trace(fn, (X,), source="numpy")
    except tl.UnsupportedError as error:
        assert error.span is not None
        assert store(0) == 0
        return
    assert store(0) == 0
    for target in ("numpy", "torch"):
        made = traced.to(target)
        for x, right in zip((X, *OTHERS), expected):
            try:
                got = made(convert(x, target))
            except AssertionError:  # which says which sizes it is for
                assert x.shape != X.shape
                continue
            np.testing.assert_array_equal(to_numpy(got), right)


def test_most_are_kept() -> None:
    """Of these programs only such are refused as decide in a region what they return, or change a default,
    which the caller sees.
    """
    refused = []
    for store in STORES:
        for way in WAYS[:4]:
            try:
                tl.symbolic_trace(way(store), (X,), source="numpy")
            except tl.UnsupportedError:
                refused.append(f"{store.__name__} {way.__name__}")
    assert not refused


class Counted:
    def __init__(self) -> None:
        self.n = 0

    @property
    def next(self) -> int:
        self.n = self.n + 1
        return self.n

    def __class_getitem__(cls, counted: Any) -> int:
        return int(counted.next)

    @classmethod
    def of(cls, counted: Any) -> int:
        counted.n = counted.n + 1
        return int(counted.n)

    @staticmethod
    def by(counted: Any) -> int:
        counted.n = counted.n + 1
        return int(counted.n)


class Further(Counted):
    def of_base(self) -> int:
        return super().next


#: What runs code of the user's class without a call of it in sight.
ASKED: dict[str, Callable[[Any], Any]] = {
    "hasattr": lambda counted: hasattr(counted, "next"),
    "super": lambda counted: counted.of_base(),
    "class_getitem": lambda counted: Counted[counted],  # type: ignore[misc]
    "getattr": lambda counted: getattr(counted, "next", 0),
    "object": lambda counted: object.__getattribute__(counted, "next"),
    "fget": lambda counted: Counted.next.fget(counted),  # type: ignore[attr-defined]
    "get": lambda counted: vars(Counted)["next"].__get__(counted),
    "classmethod": lambda counted: vars(Counted)["of"].__get__(None, Counted)(counted),
    "staticmethod": lambda counted: vars(Counted)["by"].__func__(counted),
    "map": lambda counted: list(map(Counted.of, [counted])),
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_what_a_property_changes_in_a_call(asked: Callable[[Any], Any]) -> None:
    """A function that returns before its end by a size is traced twice: what it asks of an object, once."""

    def fn(x):
        counted = Further()

        def add(held, y):
            if y.shape[0] > 3:
                return y
            asked(held)
            return y + 1

        y = add(counted, x)
        return y * (counted.n + 1)

    traced = tl.symbolic_trace(fn, (X,), source="numpy").to("numpy")
    for x in (X, -X):
        np.testing.assert_array_equal(traced(x), fn(x))


def test_classes_are_what_they_were() -> None:
    before = dict(vars(Counted))
    tl.symbolic_trace(lambda x: x * Counted.by(Counted()), (X,), source="numpy")
    assert all(vars(Counted)[name] is value for name, value in before.items())


def test_the_program_sees_its_own_properties() -> None:
    def fn(x):
        held = vars(Counted)
        mine = Counted.next.fget.__qualname__ == "Counted.next"  # type: ignore[attr-defined]
        return x * (type(held["next"]) is property) * (type(held["of"]) is classmethod) * mine

    np.testing.assert_array_equal(tl.symbolic_trace(fn, (X,), source="numpy").to("numpy")(X), X)


def test_any_and_all_bind_names() -> None:
    """Python stops where the answer is clear: the name then holds that item."""

    def bound_by_all(x):
        if all((last := v) > 0 for v in x):
            return x
        return x * last

    def bound_by_any(x):
        if any((last := v) > 1 for v in x):
            return x * last
        return x

    for fn in (bound_by_all, bound_by_any):
        with pytest.raises(tl.UnsupportedError, match="of items that print or change something"):
            tl.symbolic_trace(fn, (X,), source="numpy")


def test_any_and_all_leave_the_rest() -> None:
    """What they have not taken of an iterator, others may."""

    def of_a_generator(x):
        items = (v > 1 for v in x)
        return x * any(items) + len(list(items))

    def of_an_iterator(x):
        items = iter([x.sum() > 0, x.max() > 2])
        return x * all(items) + len(list(items))

    def beside_another(x):
        numbers = iter([1, 2, 3, 4, 5])
        return x * any(v * k > 3 for v, k in zip(x, numbers)) + next(numbers)

    def of_a_map(x):
        items = map(lambda v: v > 1, x)
        return x * any(items) + len(list(items))

    for fn in (of_a_generator, of_an_iterator, beside_another, of_a_map):
        with pytest.raises(tl.UnsupportedError):
            tl.symbolic_trace(fn, (X,), source="numpy")


def test_a_module_that_the_program_made() -> None:
    made = types.ModuleType("made")
    vars(made)["held"] = []

    def fn(x):
        def go(y):
            made.held.append(1)
            if y.shape[0] > 2:
                return y * len(made.held)
            return y

        y = go(go(x))
        made.held.clear()
        return y

    np.testing.assert_array_equal(tl.symbolic_trace(fn, (X,), source="numpy").to("numpy")(X), fn(X))


def test_a_manager_is_entered_once() -> None:
    """A function that returns early is traced again: what was entered on the way cannot be again."""

    @contextlib.contextmanager
    def manager():
        yield 2.0

    def fn(x):
        def go(y, given):
            with given as scale:
                y = y * scale
            if y.shape[0] > 2:
                return y
            return y + 1

        return go(x, manager())

    try:
        made = tl.symbolic_trace(fn, (X,), source="numpy").to("numpy")
    except tl.UnsupportedError as error:
        assert error.span is not None
        assert not isinstance(error, tl.InternalError)
    else:
        np.testing.assert_array_equal(made(X), fn(X))


class Answering:
    """Knows the attributes that it has of its own, and no others."""

    def __init__(self) -> None:
        self.scale = 3

    def __getattribute__(self, name: str) -> Any:
        return object.__getattribute__(self, "__dict__")[name]


def test_nobody_asks_an_object_for_its_class() -> None:
    def fn(x):
        return x * Answering().scale

    np.testing.assert_array_equal(tl.symbolic_trace(fn, (X,), source="numpy").to("numpy")(X), fn(X))


def test_what_a_variable_of_a_context_holds() -> None:
    def fn(x):
        held: contextvars.ContextVar[list[Any]] = contextvars.ContextVar("held")
        held.set([])
        for row in x:
            held.get().append(row * 2)
        return sum(held.get())

    made = tl.symbolic_trace(fn, (X,), source="numpy").to("numpy")
    for x in (X, *OTHERS[:2]):
        np.testing.assert_array_equal(made(x), fn(x))
