"""What a program changes and is no container, changed where a way leaves a loop or a function, and undone on
the way that goes on: what counts is what it is where the way ends. And functions: all that may be set of one
is its state.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import decimal
import functools
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from undone_agreement import agrees
from undone_programs import EXAMPLES, KINDS, OF_FUNCTIONS, Kind, putting, setting
from undone_ways import WAYS, broken_off, continued, while_true

import tracelate as tl


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_undone_behind_a_way_out(kind: int, way: Any) -> None:
    agrees(way(*KINDS[kind]))


def in_a_branch(make, change, undo, read):
    def program(x):
        held = make()
        if x.sum() > 3:
            change(held)
        return x + read(held)

    return program


def in_a_branch_by_size(make, change, undo, read):
    def program(x):
        held = make()
        if len(x) > 2:
            change(held)
        return x + read(held)

    return program


def in_both_branches(make, change, undo, read):
    def program(x):
        held = make()
        if x.sum() > 3:
            change(held)
        else:
            change(held)
            undo(held)
        return x + read(held)

    return program


BRANCHES = [in_a_branch, in_a_branch_by_size, in_both_branches]


@pytest.mark.parametrize("way", BRANCHES, ids=lambda way: way.__name__)
@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_changed_in_a_branch(kind: int, way: Any) -> None:
    agrees(way(*KINDS[kind]))


@pytest.mark.parametrize("kind", range(5))
@pytest.mark.parametrize("way", [broken_off, continued, while_true, in_a_branch, in_both_branches])
def test_attributes_of_functions_are_joined(kind: int, way: Any) -> None:
    assert agrees(way(*OF_FUNCTIONS[kind])) or kind in (2, 3)  # which have it on one way only


def undone_before(make, change, undo, read):
    def program(x):
        held = make()
        for v in x:
            change(held)
            if v > 1:
                undo(held)
                break
            undo(held)
        return x + read(held)

    return program


def undone_before_it_returns(make, change, undo, read):
    def program(x):
        held = make()

        def go(y):
            change(held)
            undo(held)
            if y.sum() > 3:
                return y
            change(held)
            undo(held)
            return y * 2

        y = go(x)
        return y + read(held)

    return program


@pytest.mark.parametrize("kind", [0, 1, 7, 11, *range(len(OF_FUNCTIONS), len(KINDS))])
def test_what_is_undone_before_is_none(kind: int) -> None:
    make, change, undo, read = KINDS[kind]
    another = isinstance(make(), functools.partial)  # dict in it
    assert agrees(undone_before_it_returns(make, change, undo, read)) is not another


def from_outside(held, change, undo):
    def in_a_loop(x):
        for v in x:
            change(held)
            if v > 1:
                break
            undo(held)
        return x

    def in_the_end(x):
        change(held)
        if x.sum() > 3:
            return x
        undo(held)
        return x * 2

    def by_size(x):
        change(held)
        if len(x) > 2:
            return x
        undo(held)
        return x * 2

    return in_a_loop, in_the_end, by_size


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_what_outlives_the_call_is_refused(kind: int, number: int) -> None:
    make, change, undo, read = KINDS[kind]
    held = make()
    undo(held) if held.__class__.__name__ not in ("lock", "RLock", "bytearray", "Element") else None
    before = read(held)
    with pytest.raises(tl.UnsupportedError):
        tl.symbolic_trace(from_outside(held, change, undo)[number], (EXAMPLES[0],), source="numpy")
    assert read(held) == before


# What is done on the way out.

LOCK = threading.Lock()


def locked(x):
    lock = threading.Lock()

    def go(y):
        with lock:
            if y.sum() > 3:
                return y
            return y * 2

    y = go(x)
    return y + lock.locked()


def locked_in_a_loop(x):
    lock = threading.Lock()
    s = 0
    for v in x:
        with lock:
            if v > 1:
                break
            s = s + v
    return x + s + lock.locked()


def a_global_lock(x):
    with LOCK:
        if x.sum() > 3:
            return x
        return x * 2


def finally_released(x):
    LOCK.acquire(timeout=9)
    try:
        if x.sum() > 3:
            return x
    finally:
        LOCK.release()
    return x * 2


def two_locks(x):
    one, other = threading.Lock(), threading.Lock()

    def go(y):
        with one, other:
            if y.sum() > 3:
                return y
        return y * 2

    y = go(x)
    return y + one.locked() + other.locked()


def locally_precise(x):
    def go(y):
        with decimal.localcontext() as context:
            context.prec = 3
            if y.sum() > 3:
                return y
        return y * 2

    y = go(x)
    return y + float(decimal.Decimal(1) / 3)


def released_on_one_way(x):
    lock = threading.Lock()

    def go(y):
        lock.acquire()
        try:
            if y.sum() > 3:
                return y
            lock.release()
        finally:
            if lock.locked():
                y = y * 2
        return y

    y = go(x)
    return y + lock.locked()


def changed_on_the_way_out(x):
    held = bytearray(b"\1")

    def go(y):
        try:
            if y.sum() > 3:
                return y
        finally:
            held[0] = 3
        held[0] = 1
        return y * 2

    y = go(x)
    return y + held[0]


KEPT = [locked, locked_in_a_loop, a_global_lock, finally_released, two_locks, locally_precise]


@pytest.mark.parametrize("fn", [*KEPT, released_on_one_way, changed_on_the_way_out], ids=lambda f: f.__name__)
def test_what_is_done_on_the_way_out(fn: Callable[..., Any]) -> None:
    assert agrees(fn) == (fn in KEPT)


# Objects of frameworks.

OF_FRAMEWORKS: list[Kind] = [
    (lambda: np.dtype([("a", "f4")]), *setting("names", ("bcd",), ("a",)), lambda d: len(d.names[0])),
    (lambda: np.poly1d([1, 2]), *putting(0, 3, 2), lambda p: int(p.c[1])),
]


@pytest.mark.parametrize("way", [*WAYS, *BRANCHES], ids=lambda way: way.__name__)
@pytest.mark.parametrize("kind", range(len(OF_FRAMEWORKS)))
def test_what_objects_of_frameworks_hold(kind: int, way: Any) -> None:
    agrees(way(*OF_FRAMEWORKS[kind]))
