"""What a `finally` or a `with` does on the way out is done on every way, or the program is refused."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.float32(np.arange(12) - 3)


class Writing:
    def __init__(self, y):
        self.y = y

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.y[0] = 70
        return False


class Idle:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is ValueError:
            return None
        return False


class Keeping(Idle):
    def __exit__(self, kind, error, trace):
        return kind is ValueError


@contextlib.contextmanager
def writing(y):
    yield
    y[0] = 70


def writes(x):
    y = x * 1
    try:
        if x.sum() > 3:
            return y
    finally:
        y[0] = 70
    return y + 1


def prints(x):
    try:
        if x.sum() > 3:
            return x
    finally:
        print("finally", x[0])
    return x + 1


def appends(x):
    out = [x]
    try:
        if x.sum() > 3:
            return out
        out.append(x * 2)
    finally:
        out.append(x * 3)
    return out


def both_return(x):
    out = [x]
    try:
        if x.sum() > 3:
            return out
        else:
            return [x + 1]
    finally:
        out[0] = x * 3


def of_a_manager(x):
    y = x * 1
    with Writing(y):
        if x.sum() > 3:
            return y
    return y + 1


def of_a_generator(x):
    y = x * 1
    with writing(y):
        if x.sum() > 3:
            return y
    return y + 1


def out_of_a_loop(x):
    y = x * 1
    for i in range(12):
        with Writing(y):
            if x[i] > 3:
                break
        y = y + 1
    return y


def in_a_helper(x):
    return writes(x) * 2


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(
    "fn",
    [writes, prints, appends, both_return, of_a_manager, of_a_generator, out_of_a_loop, in_a_helper],
    ids=lambda fn: fn.__name__,
)
def test_what_a_way_out_would_be_without_is_refused(fn: Any, to: str) -> None:
    with pytest.raises(tl.UnsupportedError, match="where an array decides|bound to another array"):
        tl.transpile(fn, (X,), to=to)


def idle(x):
    n = 0
    try:
        if x.sum() > 3:
            return x
        n = 1
    finally:
        n += 2
    return x * n


def idle_manager(x):
    for i in range(12):
        with Idle():
            if x[i] > 3:
                break
            x = x + 1
    return x


def loop_inside(x):
    n = 0
    out = []
    try:
        for v in x:
            if v > 3:
                break
            n += 1
    finally:
        out.append(n)
    return x, out[0]


def written_where_both_go_on(x):
    y = x * 1
    with writing(y):
        if x.sum() > 3:
            x = x * 2
        x = x + y
    return x, y


def known_before(x, k=2):
    with Writing(x * 1):
        return x * k


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(
    "fn",
    [idle, idle_manager, loop_inside, written_where_both_go_on, known_before],
    ids=lambda fn: fn.__name__,
)
def test_what_is_not_left_early_is_kept_is_no_matter(fn: Any, to: str) -> None:
    out = tl.transpile(fn, (X,), to=to)
    for given in (X, -X, X / 9):
        assert not list(compare(fn(given), out(convert(given, to)), narrowed=to == "jax")), out.source


def continued(x):
    n = 0
    for i in range(12):
        try:
            if x[i] > 3:
                continue
            n += 1
        finally:
            n += 10
    return n


def broken_in_an_inner_loop(x):
    n = 0
    for _ in range(12):
        x = x + 1
        for j in range(3):
            try:
                if x[j] > 3:
                    break
                n += 1
            finally:
                n += 10
        n += 1
    return n


def another_by_then(x):
    y = x * 1
    with writing(y):
        if x.sum() > 3:
            y = y * 2
    return y


def another_than_a_manager_has(x):
    y = x * 1
    with Writing(y):
        if x.sum() > 3:
            y = y * 2
    return y


@pytest.mark.parametrize("fn", [another_by_then, another_than_a_manager_has])
def test_what_a_manager_holds_is_known_under_another_name(fn: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match="same memory|share memory"):
        tl.transpile(fn, (X,), to="numpy")


def items(x):
    for r in (0, 1, 2):
        if x[r] > 3:
            break
        yield r


def broken_generator_in_a_loop(x):
    n = 0
    while x.sum() < 100:
        x = x + 1
        n += len([r for r in items(x)])
    return n


@pytest.mark.parametrize(
    ("fn", "why"),
    [
        (continued, "it is left through a `finally`"),
        (broken_in_an_inner_loop, "it is left through a `finally`"),
        (broken_generator_in_a_loop, "the loop yields"),
    ],
)
def test_a_loop_that_stays_pythons_says_why(fn: Any, why: str) -> None:
    with pytest.raises(tl.UnsupportedError, match=why):
        tl.transpile(fn, (X,), to="numpy")


def kept(x):
    for i in range(12):
        with Keeping():
            if x[i] > 3:
                x = x + 1
    return x


def test_a_manager_that_keeps_exceptions_is_called_a_with() -> None:
    with pytest.raises(tl.UnsupportedError, match="inside a `with`.*`__exit__` may keep") as refused:
        tl.transpile(kept, (X,), to="numpy")
    assert "try`" not in str(refused.value)


def always_returned_from(x):
    try:
        while x.sum() > 3:
            return x
    finally:
        print("finally")
    return x + 1


def test_a_loop_that_returns_leaves_what_is_around_it() -> None:
    with pytest.raises(tl.UnsupportedError, match="leaving a `try` with a `finally`"):
        tl.transpile(always_returned_from, (X,), to="numpy")
