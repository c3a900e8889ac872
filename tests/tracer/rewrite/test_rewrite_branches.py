"""The rewriter: branches as functions."""

from __future__ import annotations

import linecache
import types
from typing import Any

import pytest
from rewrite_corpus import branches
from rewrite_tools import Seen

from tracelate.tracer.rewrite import UNDEFINED, Exit, Plain, rewrite


class Both(Plain):
    """Runs both branches of each `if_`, then takes the one that the test asks for."""

    def __init__(self) -> None:
        self.branches: list[Any] = []

    def if_(self, test: Any, then: Any, orelse: Any, state: Any, names: Any, /) -> Any:
        ways = then(*state), orelse(*state)
        self.branches.append((state, names, *ways))
        return ways[0] if test else ways[1]


def branches_of(fn: types.FunctionType, *args: Any) -> list[Any]:
    hooks = Both()
    assert rewrite(fn, hooks)(*args) == fn(*args)
    return hooks.branches


def test_a_branch_takes_and_returns_what_it_changes() -> None:
    def f(x, y, z=None):
        res = x + y
        if z is not None:
            tmp = res * 2
            res = tmp + 1
        return res + x

    assert branches_of(f, 1, 2) == [((3,), ("res",), (Exit.FELL, (7,)), (Exit.FELL, (3,)))]


def test_a_branch_tells_how_it_was_left() -> None:
    def f(n, z=None, y=None):
        last = 0
        for i in range(n):
            if z is None:
                last = i
                continue
            else:
                break
        if y is not None:
            return last, "y"
        return last

    assert branches_of(f, 2) == [
        ((0,), (), (Exit.CONTINUED, (0,)), (Exit.BROKE, (0,))),
        ((0,), (), (Exit.CONTINUED, (1,)), (Exit.BROKE, (0,))),
        ((), (), (Exit.RETURNED, (1, "y")), (Exit.FELL, ())),
    ]


def test_in_a_loop_of_pythons_a_branch_tells_its_own_variables() -> None:
    def f(n):
        last = seen = 0
        for i in range(n):
            seen = seen + 1
            if i < 2:
                last = i
                continue
            else:
                if last:
                    last = -1
                    break
            yield seen
        yield last

    hooks = Both()
    assert list(rewrite(f, hooks)(4)) == list(f(4)) == [-1]
    inner = ((1,), ("last",), (Exit.BROKE, (-1,)), (Exit.FELL, (1,)))
    assert hooks.branches[-2:] == [inner, ((1,), ("last",), (Exit.CONTINUED, (2,)), (Exit.BROKE, (-1,)))]


def test_a_variable_without_a_value_is_undefined() -> None:
    def f(z=None):
        if z is None:
            y = 1
        else:
            w = 2
        return y if z is None else w

    assert branches_of(f) == [
        ((UNDEFINED, UNDEFINED), ("y", "w"), (Exit.FELL, (1, UNDEFINED)), (Exit.FELL, (UNDEFINED, 2)))
    ]


def test_a_variable_that_is_bound_anew_is_not_handed_on() -> None:
    def f(x, z=None):
        if z is None:
            x = x + 1
            kept = x
        else:
            kept = x
        x = 0
        return x, kept

    assert branches_of(f, 1) == [((1,), ("kept",), (Exit.FELL, (2,)), (Exit.FELL, (1,)))]


@pytest.mark.parametrize(
    "name",
    ("looks_at_its_locals", "globals_in_branches"),
)
def test_a_branch_that_would_show_stays_an_if(name: str) -> None:
    seen = Seen()
    rewrite(getattr(branches, name), seen)()
    assert seen.texts("if_") == []


def test_a_test_of_a_constant_is_pythons() -> None:
    def f(x):
        if True:
            x = 1
        if not x:
            x = 2
        while 0:
            x = 3
        return x

    seen = Seen()
    assert rewrite(f, seen)(None) == 1
    assert seen.texts("if_") == ["not x"]
    assert seen.texts("while_") == []


def test_a_long_chain_is_formed_as_far_as_is_wise() -> None:
    text = "def f(x):\n    if x == 0: y = 0\n"
    text += "".join(f"    elif x == {i}: y = {i}\n" for i in range(1, 120)) + "    return y\n"
    name = "<a long chain>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {}
    exec(compile(text, name, "exec"), space)
    seen = Seen()
    new = rewrite(space["f"], seen)
    assert [new(i) for i in (0, 5, 60, 119)] == [0, 5, 60, 119]
    assert len(set(seen.texts("if_"))) == 20
    assert {call[3] for call in seen.calls if call[0] == "truth"} == {"it is nested too deeply"}
    with pytest.raises(UnboundLocalError):
        new(120)


def test_a_generator_that_is_used_up_at_once_keeps_no_variable() -> None:
    """Else what is dead would be wanted for the sake of a closure that might still be read."""

    def f(n, z=None):
        if z is None:
            k = n + 1
            n = sum(k * i for i in (1, 2)) + max((1, 2), key=lambda i: i * k)
        return n

    def g(n, z=None):
        if z is None:
            k = n + 1
            n = lambda: k  # noqa: E731
        return z or n()

    assert [branch[1] for branch in branches_of(f, 1)] == [("n",)]
    assert [branch[1] for branch in branches_of(g, 1)] == [("k", "n")]
