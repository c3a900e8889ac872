"""Whatever a program reaches is looked at: changes of what outlives the call are refused."""

from __future__ import annotations

import dataclasses
import decimal
import functools
import itertools
import logging
import random
import threading
from typing import Any

import numpy as np
import pytest
from reach_programs import COUNT, QUEUE, REACHED, SAID, SEEN, UNHOOKED, USERS_LIST, VARIABLE, New

import tracelate as tl

X = np.array([1.0, 2.0])


def refused(fn: Any, *args: Any, match: str = "outlives the call") -> str:
    with pytest.raises(tl.UnsupportedError, match=match) as error:
        tl.symbolic_trace(fn, args or (X,), source="numpy")
    return str(error.value)


@pytest.mark.parametrize("reached", REACHED)
def test_what_objects_of_python_hold_is_reached(reached: Any) -> None:
    state: list[int] = []
    refused(reached(state), match="changing the|prints or changes something")
    assert state == []


@pytest.mark.parametrize("fn", UNHOOKED)
def test_what_python_runs_by_itself_is_reached(fn: Any) -> None:
    refused(fn, match="changing the")
    assert SEEN == [] and New.count == 0


@pytest.mark.parametrize("fn, words, line", SAID)
def test_an_error_names_what_is_changed_and_where(fn: Any, words: str, line: str) -> None:
    message = refused(fn)
    assert words in message and line in message
    assert (COUNT, VARIABLE.get(), USERS_LIST, QUEUE.qsize(), New.count) == (0, 0, [1], 0, 0)


class Plain:
    pass


@dataclasses.dataclass
class Settings:
    rate: float = 0.5
    seen: set[int] = dataclasses.field(default_factory=set)


def adds(x: Any, tags: Any) -> Any:
    tags.add("seen")
    return x


def counts(x: Any, tags: Any) -> Any:
    tags.add(3)
    return x * len(tags)


def gains(x: Any, holder: Any) -> Any:
    holder.z = 3
    return x


def fills(x: Any, holder: Any) -> Any:
    holder.seen.add(3)
    return x


def keeps(x: Any, held: Any) -> Any:
    held["k"] = 1
    return x


@pytest.mark.parametrize(
    "fn, make",
    [(adds, set), (counts, set), (gains, Plain), (fills, Settings), (keeps, dict), (adds, lambda: {"a"}),
     (lambda x, held: adds(x, held[0]), lambda: [set()]), (gains, Settings)],
)  # fmt: skip
def test_arguments_remember_nothing(fn: Any, make: Any) -> None:
    refused(fn, X, make())
    for run in (lambda given: tl.check(fn, to="numpy", args=(X, given)),
                lambda given: tl.transpile(fn, to="torch", args=(X, given), verify=True)):  # fmt: skip
        given = make()
        with pytest.raises(tl.UnsupportedError, match="outlives the call"):
            run(given)
        assert repr(given) == repr(make()) or vars(given) == {}


class Lazy:
    @functools.cached_property
    def factor(self) -> float:
        return 3.0

    @functools.cached_property
    def weights(self) -> Any:
        return np.ones(2)


LAZY = Lazy()


def test_properties_that_are_computed_once() -> None:
    lazy = Lazy()
    out = tl.transpile(lambda x, lazy: x * lazy.factor, (X, lazy), to="numpy")
    assert vars(lazy) == {} and np.array_equal(out(X, lazy), X * 3)
    assert "LAZY.weights" in refused(lambda x: x * LAZY.weights) and vars(LAZY) == {}
    assert LAZY.weights.sum() == 2
    assert np.array_equal(tl.transpile(lambda x: x * LAZY.weights, (X,), to="numpy")(X), X)


@dataclasses.dataclass
class Numbered:
    number: int = dataclasses.field(default_factory=itertools.count(1).__next__)


class Ticking:
    def __len__(self) -> int:
        return next(TICKS)


TICKS = itertools.count(1)


def test_iterators_that_are_advanced_unseen() -> None:
    refused(lambda x: x * Numbered().number, match="taking items from the iterator")
    assert Numbered().number == 1
    refused(lambda x: x * len(Ticking()), match="taking items from the iterator `TICKS`")


LOCK, EVENT, AGAIN = threading.Lock(), threading.Event(), threading.RLock()
HALF, VIEW = decimal.Decimal("1.5"), memoryview(bytearray(b"ab"))
HANDLERS: list[str] = []
LOG = logging.getLogger("tracelate.tests")


class Handler(logging.Handler):
    def emit(self, record: Any) -> None:
        HANDLERS.append(record.getMessage())


LOG.addHandler(Handler())
LOG.setLevel(logging.INFO)


def sets_precision(x: Any) -> Any:
    decimal.getcontext().prec += 1
    return x * decimal.getcontext().prec


def writes_a_view(x: Any) -> Any:
    VIEW[0] = VIEW[0] + 1
    return x * VIEW[0]


def test_states_that_are_no_containers() -> None:
    import hashlib

    digest = hashlib.md5()

    def hashes(x: Any) -> Any:
        digest.update(b"a")
        return x

    assert "getcontext().prec" in refused(sets_precision, match="decimal.getcontext")
    assert decimal.getcontext().prec == 28
    refused(writes_a_view, match="changing the memoryview `VIEW`")
    assert VIEW[0] == ord("a")
    assert "digest.update" in refused(hashes, match="using the HASH `digest`")
    assert digest.hexdigest() == hashlib.md5().hexdigest()


ARRAY, BYTES, RANDOM = np.zeros(3), bytearray(b"a"), random.Random(3)


class Unseen:
    def __len__(self) -> int:
        ARRAY[0] += 1
        return int(ARRAY[0])

    def __bool__(self) -> bool:
        BYTES.append(1)
        return len(BYTES) > 1

    def __float__(self) -> float:
        return RANDOM.random()


def test_small_states_that_are_changed_unseen() -> None:
    def lengths(x: Any) -> Any:
        return x * len(Unseen())

    refused(lengths, match="made outside the traced function")
    for fn in (lambda x: x * 2 if Unseen() else x, lambda x: x * float(Unseen())):
        refused(fn)
    assert ARRAY[0] == 0 and len(BYTES) == 1 and RANDOM.random() == random.Random(3).random()


def locks(x: Any) -> Any:
    LOCK.acquire()
    try:
        with AGAIN:
            return x * 2 if not EVENT.is_set() else x
    finally:
        LOCK.release()


def test_what_is_only_used_goes_on() -> None:
    import re
    import struct

    pattern, packed, kind = re.compile("a+"), struct.Struct("i"), np.dtype("float32")

    def uses(x: Any) -> Any:
        match = pattern.match("aab")
        assert match is not None and kind.newbyteorder() is not None
        return x * len(match.group(0)) + packed.unpack(packed.pack(3))[0]

    for fn in (uses, locks, lambda x: x * VARIABLE.get() + 1, lambda x: x * HALF.as_tuple()[0]):
        out = tl.transpile(fn, (X,), to="numpy")
        np.testing.assert_array_equal(out(X), fn(X))  # type: ignore[no-untyped-call]


def test_logging() -> None:
    def values(x: Any) -> Any:
        LOG.info("sum %s", x.sum())
        return x

    def constants(x: Any) -> Any:
        LOG.info("hi")
        LOG.debug("sum %s", x.sum())  # which nobody asked for
        return x * 2

    assert 'LOG.info("sum %s", x.sum())' in refused(values, match="print")
    assert HANDLERS == []
    tl.symbolic_trace(constants, (X,))
    assert HANDLERS == ["hi"]


def test_attributes_of_a_class_of_the_programs_own() -> None:
    def f(x: Any) -> Any:
        class Local:
            n = 0

        Local.n += 1
        return x * Local.n

    message = refused(f, match="changing the class `Local`")
    assert "Local.n += 1" in message and "outlives" not in message


@functools.cache
def shared() -> dict[str, int]:
    return {"n": 0}


def test_what_a_cached_function_gave_outlives_the_call() -> None:
    def f(x: Any) -> Any:
        shared()["n"] += 1
        return x * shared()["n"]

    refused(f)
    assert shared.cache_info().currsize == 0
