"""Changes of containers: what is refused, and what a trace leaves as it was."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl

X = np.array([1.0, 2.0])


def refused(fn: Any, *args: Any, match: str) -> str:
    with pytest.raises(tl.UnsupportedError, match=match) as error:
        tl.symbolic_trace(fn, args, source="numpy")
    return str(error.value)


def test_of_which_list_it_is_nobody_may_change_one() -> None:
    def f(x: Any) -> Any:
        a, b = [x], [x * 2]
        v = a if x.sum() > 0 else b
        v.append(x)
        return np.stack(a), np.stack(b)

    message = refused(f, X, match="changing the list that")
    assert "v = a if x.sum() > 0 else b" in message

    def g(x: Any) -> Any:
        a, b = {"k": x}, {"k": x * 2}
        if x.sum() > 0:
            v = a
        else:
            v = b
        b["k"] = b["k"] + 1
        return v["k"]

    refused(g, X, match="changing the dict that `v` may stand for")


def test_only_looking_at_it_is_no_harm() -> None:
    def f(x: Any) -> Any:
        a, b = {"k": x}, {"k": x * 2}
        v = a if x.sum() > 0 else b
        return v["k"], a["k"]

    out = tl.transpile(f, args=(X,), to="numpy")
    for x in (X, -X):
        assert all(np.array_equal(p, q) for p, q in zip(out(x), f(x)))


def test_forms_that_differ_are_refused() -> None:
    def f(x: Any) -> Any:
        d = {"a": x}
        if x.sum() > 0:
            d["b"] = x
        return d["a"]

    assert "if x.sum() > 0" in refused(f, X, match="a dict of 2 or a dict of 1")

    def g(x: Any) -> Any:
        outs = [x]
        if x.sum() > 0:
            outs.append(x)
        return np.stack(outs)

    refused(g, X, match="a list of 2 or a list of 1")


def test_a_comprehension_that_arrays_filter_says_why_not() -> None:
    def f(x: Any) -> Any:
        return [v for v in (x, x + 1) if v.sum() > 1][0]

    message = refused(f, X, match="how many items it keeps depends on the data")
    assert "v.sum() > 1" in message


COUNT = 0
SEEN: list[Any] = []


def test_what_outlives_the_call_is_refused_and_stays_as_it_was() -> None:
    def changes_a_dict(d: Any, x: Any) -> Any:
        x = d["a"] + x
        del d["a"]
        return x.sum()

    given = {"a": X}
    message = refused(changes_a_dict, given, X, match="changing the dict `d`")
    assert 'del d["a"]' in message and given["a"] is X

    def counts(x: Any) -> Any:
        global COUNT
        COUNT += 1
        return x + COUNT

    refused(counts, X, match="changing the global `COUNT`")
    assert COUNT == 0

    def collects(x: Any) -> Any:
        SEEN.append(x)
        return x + 1

    assert "SEEN.append(x)" in refused(collects, X, match="changing the list `SEEN`")
    assert SEEN == []


class Model:
    def __init__(self) -> None:
        self.weight = np.ones(2)
        self.calls = 0
        self.cache: Any = None

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        return x * self.weight

    def remembered(self, x: Any) -> Any:
        if self.cache is None:
            self.cache = [1, 2]
        return x * self.cache[1]


def test_an_object_is_what_it_was() -> None:
    model = Model()
    refused(model, X, match="changing the Model `self`")
    assert model.calls == 0
    refused(lambda x: model(x), X, match="changing the Model `model`")
    assert model.calls == 0


def test_a_cache_of_constants_is_no_change() -> None:
    model = Model()
    out = tl.transpile(model.remembered, args=(X,), to="numpy")
    assert np.array_equal(out(X), X * 2) and model.cache is None


def test_an_error_of_the_users_leaves_everything_as_it_was() -> None:
    def f(x: Any) -> Any:
        SEEN.append(x)
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        tl.symbolic_trace(f, (X,))
    assert SEEN == []


def change_and_return(state: Any, x: Any) -> Any:
    if x.sum() > 0:
        state["n"] = state["n"] + 1
        return x
    return x * 2


def test_a_helper_that_changes_and_returns_in_a_branch() -> None:
    def f(x: Any) -> Any:
        state = {"n": x * 0}
        y = change_and_return(state, x)
        return y, state["n"]

    out = tl.transpile(f, args=(X,), to="numpy")
    for x in (X, -X):
        for mine, theirs in zip(f(x), out(x), strict=True):
            assert np.array_equal(mine, theirs)


class Tally:
    count = 0


def test_what_no_trace_can_take_back_is_refused() -> None:
    def counts(x: Any) -> Any:
        Tally.count = Tally.count + 1
        return x + Tally.count

    assert "Tally.count = Tally.count + 1" in refused(counts, X, match="changing the class `Tally`")
    assert Tally.count == 0

    def takes(x: Any) -> Any:
        items = iter((x, x * 2))
        if x.sum() > 0:
            return next(items)
        return next(items) + next(items)

    assert "next(items)" in refused(takes, X, match="taking items from an iterator in a branch")

    def compares(x: Any) -> Any:
        return x + 1 if f"{x.sum()}" == "3.0" else x

    refused(compares, X, match="comparing a string")
    refused(lambda x: x + 1 if "3" in f"{x.sum()}" else x, X, match="looking into a string")


def test_objects_that_are_not_alike_are_refused() -> None:
    class Node:
        def __init__(self, x: Any, more: Any = None) -> None:
            self.x = x
            if more is not None:
                self.more = more

    def differ(x: Any) -> Any:
        return (Node(x) if x.sum() > 0 else Node(x, x)).x

    def circle(x: Any, n: int) -> Any:
        node = Node(x)
        node.me = node  # type: ignore[attr-defined]
        while node.x.sum() < 10:
            new = Node(node.x * 2)
            new.me = new  # type: ignore[attr-defined]
            node = new
        return node.x

    refused(differ, X, match="a Node with the attribute `more`")
    refused(circle, X, 3, match="a Node or another")


def test_of_which_object_it_is_nobody_may_change_one() -> None:
    class Box:
        def __init__(self, x: Any) -> None:
            self.x = x

    def f(x: Any) -> Any:
        a, b = Box(x), Box(x * 2)
        v = a if x.sum() > 0 else b
        v.x = v.x + 1
        return a.x, b.x

    refused(f, X, match="changing the Box that")


@pytest.mark.parametrize("before", [True, False])
def test_a_list_does_not_grow_in_turns_that_continue(before: bool) -> None:
    def f(x: Any, n: int) -> Any:
        outs = []
        for _ in range(n):
            x = x * 0.5
            if before:
                outs.append(x)
            if x.sum() > 1:
                continue
            if not before:
                outs.append(x)
            x = x + 1
        return np.stack(outs)

    refused(f, X, 12, match="appending to `outs` in a loop with a `continue`")


MANY = [[number] for number in range(100_001)]


def test_more_than_can_be_looked_at_is_refused() -> None:
    def f(x: Any) -> Any:
        return x * len(MANY)

    assert "`MANY`" in refused(f, X, match="more than 100,000 objects can be reached")
