"""Looks of which nothing is made cost no check; looks of which anything may be made keep theirs."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
# ruff: noqa: B018, F841
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays, to_numpy

X, Y = np.arange(3.0, dtype=np.float32), np.ones((2, 3), np.float32)


def rank_kept(x):
    n = x.ndim
    return x + 1


def rank_asked_twice(x):
    n = len(x.shape)
    flat = n == 1
    if flat:
        y = x + 1
    else:
        y = x + 1
    return y


def rank_alike(x):
    if x.ndim == 1:
        y = x + 1
    else:
        y = x + 1
    return y


def rank_returned(x):
    if x.ndim == 1:
        return x + 1
    return x + 1


def rank_alone(x):
    x.ndim
    return x + 1


def rank_nothing(x):
    if x.ndim == 1:
        pass
    elif x.ndim == 2:
        """Nothing."""
    return x + 1


def dtype_kept(x):
    d = x.dtype
    return x + 1


def rank_in_a_lambda(x):
    return (lambda y: y + 1 if y.ndim == 1 else y + 1)(x)


def rank_in_a_helper(x):
    return rank_alike(x) * 2


def rank_in_a_loop(x):
    for _ in range(20):
        if x.ndim == 1:
            x = x + 1
        else:
            x = x + 1
    return x


RANKS = [
    rank_kept, rank_asked_twice, rank_alike, rank_returned, rank_alone, rank_nothing, dtype_kept,
    rank_in_a_lambda, rank_in_a_helper, rank_in_a_loop,
]  # fmt: skip


def kind_nothing(x, k):
    if isinstance(k, float):
        pass
    return x + 1


def kind_alike(x, k):
    return x + 1 if isinstance(k, (int, float)) and type(k) is not bool else x + 1


def kind_chain(x, k):
    if isinstance(k, float):
        y = x + 1
    elif isinstance(k, np.ndarray):
        y = x + 1
    else:
        y = x + 1
    return y


def any_alike(x, k):
    if k:
        y = x + 1
    else:
        y = x + 1
    return y


def any_negated(x, k):
    if not k or k == "other":
        y = x + 1
    else:
        y = x + 1
    return y


def any_length(x, k):
    has = hasattr(k, "append")
    return x + 1


def any_none(x, k=None):
    if k is None:
        y = x + 1
    else:
        y = x + 1
    return y


def never_read(x, k=None):
    return x + 1


def within(x, k):
    if k:
        if x.ndim == 1:
            y = x + 1
        else:
            y = x + 1
    else:
        y = x + 1
    return y


KINDS = [kind_nothing, kind_alike, kind_chain, any_length, never_read]
FLAGS = [any_alike, any_negated, any_none, never_read, within]


def called(fn: Any, args: Any, given: Any, to: str) -> None:
    """The text of a function holds for other arguments."""
    out = tl.transpile(fn, args, to=to)
    assert "assert" not in out.source
    for other in given:
        found = out(*map_arrays(other, lambda a: convert(a, to)))
        assert np.array_equal(to_numpy(found), fn(*other)), (out.source, other)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", RANKS, ids=lambda fn: fn.__name__)
def test_ranks_of_which_nothing_is_made(fn: Any, to: str) -> None:
    called(fn, (X,), [(X,), (Y,), (np.float32(2) + X[:, None, None],)], to)


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("fn", KINDS, ids=lambda fn: fn.__name__)
def test_kinds_of_which_nothing_is_made(fn: Any, to: str) -> None:
    for example in (2.0, 2, [X], {"a": X}):
        called(fn, (X, example), [(X, 2.0), (Y, 3), (X, [X, X]), (X, "a"), (X, None)], to)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", FLAGS, ids=lambda fn: fn.__name__)
def test_flags_and_containers_of_which_nothing_is_made(fn: Any, to: str) -> None:
    for example, others in ((True, (False, True)), ("a", ("b", "")), ([X], ([X, X], [])), (None, (None,))):
        called(fn, (X, example), [(X, other) for other in others], to)


def test_methods_of_torch_only_ask() -> None:
    def asked(x):
        n = x.dim()
        if x.is_floating_point() and x.ndim == 1:
            y = x + 1
        else:
            y = x + 1
        return y

    assert "assert" not in tl.symbolic_trace(asked, (torch.ones(3),)).source("numpy")


def rank_used(x):
    n = x.ndim
    return x + n


def rank_differs(x):
    return x + 1 if x.ndim == 1 else x + 2


def rank_differs_by_type(x):
    return x + 1 if x.ndim == 1 else x + 1.0


def rank_decides_for_one_way(x):
    y = x
    if x.ndim == 1:
        y = x + 1
    return y


def rank_is_seen_by_a_closure(x):
    n = x.ndim

    def inner():
        return n

    return x + inner()


def rank_is_seen_by_locals(x):
    n = x.ndim
    return x + len(locals()) + locals()["n"]


def rank_is_shared(x):
    n = 0

    def inner():
        nonlocal n
        n = x.ndim

    inner()
    return x + n


def count(box, n):
    box.append(n)
    return True


def rank_is_told(x):
    box: list[int] = []
    if count(box, x.ndim):
        y = x + 1
    else:
        y = x + 1
    return y * box[0]


class Told:
    def __init__(self, n):
        self.n = n
        self.seen = 0

    @property
    def rank(self):
        self.seen = self.n
        return self.n

    def __eq__(self, other):
        self.seen = other
        return True

    def __bool__(self):
        self.seen = self.n
        return True


def rank_is_told_to_a_property(x):
    told = Told(x.ndim)
    if told.rank == 1:
        y = x + 1
    else:
        y = x + 1
    return y * told.seen


def rank_is_told_to_an_operator(x):
    told = Told(x.ndim)
    if told == x.ndim:
        y = x + 1
    else:
        y = x + 1
    return y * told.seen


def rank_uses_up(x):
    items = iter([1, 2, 3])
    if x.ndim in items:
        y = x + 1
    else:
        y = x + 1
    return y + next(items)


def rank_leaves_early(x):
    for _ in range(3):
        if x.ndim == 1:
            break
        x = x + 1
    return x


DECIDE = [
    rank_used, rank_differs, rank_differs_by_type, rank_decides_for_one_way, rank_is_seen_by_a_closure,
    rank_is_seen_by_locals, rank_is_shared, rank_is_told, rank_is_told_to_a_property,
    rank_is_told_to_an_operator, rank_uses_up, rank_leaves_early,
]  # fmt: skip


@pytest.mark.parametrize("fn", DECIDE, ids=lambda fn: fn.__name__)
def test_ranks_of_which_something_is_made(fn: Any) -> None:
    out = tl.transpile(fn, (X,), to="numpy")
    assert np.array_equal(out(X), fn(X))
    with pytest.raises(AssertionError):
        out(Y)


def flag_is_told(x, flag):
    box: list[bool] = []
    if count(box, flag):
        y = x + 1
    else:
        y = x + 1
    return y * 2 if box[0] else y


def flag_uses_up(x, flag):
    items = iter([1, 2, 3])
    if flag in items:
        y = x + 1
    else:
        y = x + 1
    return y + next(items)


def flag_decides_later(x, flag):
    if flag:
        y = x + 1
    else:
        y = x + 1
    return y if flag else x


def flag_is_rebound(x, flag):
    if flag:
        flag = 2
    else:
        flag = 3
    return x * flag


def test_a_flag_that_iterates_is_checked() -> None:
    out = tl.transpile(flag_uses_up, (X, True), to="numpy")
    assert np.array_equal(out(X, True), flag_uses_up(X, True))
    with pytest.raises(AssertionError):
        out(X, False)


@pytest.mark.parametrize("fn", [flag_is_told, flag_decides_later, flag_is_rebound])
def test_flags_of_which_something_is_made(fn: Any) -> None:
    out = tl.transpile(fn, (X, True), to="numpy")
    for flag in (True, False):
        assert np.array_equal(out(X, flag), fn(X, flag))


def test_a_look_is_seen_where_another_asks_again() -> None:
    """What an idle look has told does not stand for one that decides."""

    def again(x, ws):
        if len(x) == 3 and len(ws) == 1:
            y = x + 1
        else:
            y = x + 1
        return y * x.shape[0] if len(ws) == 1 else y

    out = tl.transpile(again, (X, [X]), to="numpy")
    assert np.array_equal(out(X, [X, X]), again(X, [X, X]))
    assert np.array_equal(out(X, [X]), again(X, [X]))


def test_what_an_idle_look_raises_is_raised() -> None:
    def wrong(x):
        n = x.rank
        return x + 1

    with pytest.raises(AttributeError):
        tl.transpile(wrong, (X,), to="numpy")
