"""Classes made of property, functools.cached_property and their kin: what such a class says of how it answers
counts, and what it does not say is as Python's own have it.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc,override"
from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tracelate as tl

X = np.array([1.0, 2.0, 3.0])


def doubled(value):
    """Twice as much; of what is large ten times."""
    if value.sum() > 8:
        value = value * 5
    return value * 2


class Twice(property):
    def __get__(self, obj, kind=None):
        return doubled(super().__get__(obj, kind))


class ByName(property):
    def __get__(self, obj, kind=None):
        return doubled(property.__get__(self, obj, kind))


class OfFunction(property):
    def __get__(self, obj, kind=None):
        return doubled(self.fget(obj))


class Further(Twice):
    pass


class Set(property):
    def __set__(self, obj, value):
        super().__set__(obj, value * 2)

    def __delete__(self, obj):
        super().__delete__(obj)
        obj.value = obj.value + 7


class Bare(property):
    pass


class Lying(property):
    @property
    def fget(self):
        return lambda obj: 100


class Cached(functools.cached_property):
    def __get__(self, obj, kind=None):
        return doubled(super().__get__(obj, kind))


class Renamed(functools.cached_property):
    def __set_name__(self, owner, name):
        super().__set_name__(owner, name + "_")


class BareCached(functools.cached_property):
    pass


class Dispatching(functools.singledispatchmethod):
    def __get__(self, obj, kind=None):
        method = super().__get__(obj, kind)
        return lambda *args: method(*args) * 2


class BareDispatching(functools.singledispatchmethod):
    pass


class Static(staticmethod):
    def __get__(self, obj, kind=None):
        function = super().__get__(obj, kind)
        return lambda *args: function(*args) * 2


class OfClass(classmethod):
    def __get__(self, obj, kind=None):
        method = super().__get__(obj, kind)
        return lambda *args: method(*args) * 2


def large(self):
    """A function with a branch, which is seen where it is rewritten."""
    found = self.value + 1
    if found.sum() > 5 and isinstance(found, np.ndarray):
        found = found * 3
    return found


class Thing:
    def __init__(self, value):
        self.value = value

    twice, by_name, of_function, further = Twice(large), ByName(large), OfFunction(large), Further(large)
    bare, lying = Bare(large), Lying(large)
    cached, renamed, bare_cached = Cached(large), Renamed(large), BareCached(large)

    def stored(self):
        return self.value

    def store(self, value):
        self.value = value

    def drop(self):
        self.value = self.value * 0

    stored = Set(stored, store, drop)

    @Dispatching
    def by_kind(self, other):
        return self.value + other

    @by_kind.register
    def _(self, other: int):
        return self.value * other

    @BareDispatching
    def by_bare(self, other):
        return self.value + other

    @Static
    def fixed(value):
        return value + 1

    @OfClass
    def made(cls, value):
        return cls(value).value


READ = [
    "twice", "by_name", "of_function", "further", "bare", "lying", "cached", "renamed", "bare_cached",
]  # fmt: skip


@dataclass
class Given:
    value: Any

    twice = Twice(large)


def stored(x):
    thing = Thing(x)
    thing.stored = x
    setattr(thing, "stored", thing.stored + 1)  # noqa: B010
    return thing.stored


def deleted(x):
    thing = Thing(x)
    del thing.stored
    return thing.value + x


def of_super(x):
    class Other(Thing):
        @property
        def twice(self):
            return super().twice + 1

    return Other(x).twice


def remembered(x):
    class Kept(functools.cached_property):
        def __get__(self, obj, kind=None):
            obj.count = obj.count + 1
            return super().__get__(obj, kind)

    class Holder:
        def __init__(self) -> None:
            self.count = 0

        part = Kept(lambda self: x * 2)

    holder = Holder()
    return holder.part + holder.part + holder.count


def made_inside(x):
    class Own(property):
        def __get__(self, obj, kind=None):
            return super().__get__(obj, kind) * 2

        def __set__(self, obj, value):
            obj.value = value * 3

        def __delete__(self, obj):
            obj.value = 7

    class Holder:
        part = Own(lambda self: self.value)

    holder = Holder()
    holder.part = x
    found = holder.part
    del holder.part
    return found + holder.value


PROGRAMS: list[Callable[..., Any]] = [
    stored,
    deleted,
    of_super,
    remembered,
    made_inside,
    lambda x: Thing(x).by_kind(x) + Thing(x).by_kind(3),
    lambda x: Thing(x).by_bare(x),
    lambda x: Thing(x).fixed(x) + Thing.fixed(x),
    lambda x: Thing.made(x),
    lambda x: vars(Thing)["twice"].fget(Thing(x)),
]


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize(
    "read",
    [
        lambda o, name: getattr(o, name) + getattr(o, name),
        lambda o, name: operator.attrgetter(name)(o),
        lambda o, name: o.value + hasattr(o, name) + getattr(o, name, 0),
        lambda o, name: sum(getattr(o, name) for _ in range(2)),
    ],
)
def test_what_is_read_is_what_the_class_answers(read: Callable[..., Any], name: str) -> None:
    def program(x):
        return read(Thing(x), name)

    holds(program)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_a_class_made_of_one_of_pythons_counts(program: Callable[..., Any]) -> None:
    holds(program)


def holds(program: Callable[..., Any]) -> None:
    out = tl.transpile(program, source="numpy", to="numpy", args=(X,))
    for given in (X, -X, X[:2]):
        np.testing.assert_array_equal(out(given), program(given))


def test_an_argument_of_another_class_is_refused() -> None:
    @dataclass
    class Other:
        value: Any
        twice: Any = 3

    def program(o):
        return o.twice + o.value

    out = tl.transpile(program, source="numpy", to="numpy", args=(Given(X),))
    np.testing.assert_array_equal(out(Given(-X)), program(Given(-X)))
    with pytest.raises(AssertionError, match="Other"):
        out(Other(X))
