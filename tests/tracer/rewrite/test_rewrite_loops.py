"""The rewriter: loops as functions of a turn."""

from __future__ import annotations

from typing import Any

import pytest
from rewrite_tools import Formed, Seen, formed

from tracelate.tracer.rewrite import UNDEFINED, Exit, Plain, rewrite


def test_a_turn_takes_and_returns_what_the_next_one_wants() -> None:
    def f(n):
        total = 0
        for i in range(n):
            square = i * i
            total = total + square
        return total

    hooks = formed(f, 3)
    assert hooks.calls == [("for", ("total",), (0,))]
    assert hooks.turns == [
        (0, 0, (Exit.FELL, (0,))),
        (1, 0, (Exit.FELL, (1,))),
        (2, 1, (Exit.FELL, (5,))),
    ]


def test_what_is_read_after_the_loop_is_wanted_too() -> None:
    def f(n):
        for i in range(n):
            last = i * 2
        return i, last

    assert formed(f, 2).calls == [("for", ("i", "last"), (UNDEFINED, UNDEFINED))]


def test_a_test_is_not_asked_for_its_truth() -> None:
    tested: list[Any] = []

    class Tested(Plain):
        def while_(self, test: Any, body: Any, orelse: Any, state: Any, names: Any, /) -> Any:
            tested.append((names, state, test(*state), test(1, 1)))
            return super().while_(test, body, orelse, state, names)

    def f(x, y):
        while x - y:
            x, y = x - 1, y
        return x

    assert rewrite(f, Tested())(7, 4) == f(7, 4)
    assert tested == [(("x", "y"), (7, 4), 3, 0)]


def test_an_endless_loop_has_no_test() -> None:
    class Endless(Formed):
        def while_(self, test: Any, body: Any, orelse: Any, state: Any, names: Any, /) -> Any:
            assert test is None
            return super().while_(test, body, orelse, state, names)

    def f(x):
        while True:
            x = x - 1
            if x < 0:
                break
        return x

    hooks = Endless()
    assert rewrite(f, hooks)(1) == -1
    assert hooks.turns == [(1, (Exit.FELL, (0,))), (0, (Exit.BROKE, (-1,)))]


def test_who_leaves_from_a_branch_tells_all_of_the_loop() -> None:
    def f(xs):
        best, count, found = None, 0, None
        for x in xs:
            count += 1
            if x > 0:
                if x == 7:
                    found = x
                    break
                best = x
                if x > 2:
                    continue
            count += 10
        return best, count, found

    hooks = formed(f, [1, 3, 7])
    assert hooks.calls[0] == ("for", ("count", "found", "best"), (0, None, None))
    assert [turn[-1] for turn in hooks.turns] == [
        (Exit.FELL, (11, None, 1)),
        (Exit.CONTINUED, (12, None, 3)),
        (Exit.BROKE, (13, 7, 3)),
    ]


def test_what_leaves_is_handed_on_untouched() -> None:
    markers: list[object] = []

    class Marking(Plain):
        """A tracer may put anything in the place of what leaves."""

        def if_(self, test: Any, then: Any, orelse: Any, state: Any, names: Any, /) -> Any:
            exit, values = super().if_(test, then, orelse, state, names)
            if exit is Exit.FELL or values in markers:
                return exit, values
            markers.append(object())
            return exit, markers[-1]

        def for_(self, iterable: Any, body: Any, orelse: Any, state: Any, names: Any, /) -> Any:
            for item in iterable:
                exit, values = body(item, *state)
                if exit is not Exit.FELL:
                    assert values is markers[-1]
                    return (Exit.RETURNED, values) if exit is Exit.RETURNED else (Exit.FELL, state)
                state = values
            return Exit.FELL, state

    def f(xs):
        for x in xs:
            for y in x:
                if x:
                    if y == 1:
                        return "returned"
                    if y == 2:
                        break
                    x = 0
                if not y:
                    continue
        return "end"

    new = rewrite(f, Marking())
    assert new([[2], [0]]) == "end"
    assert len(markers) == 2
    assert new([[3, 1]]) == "end" and new([[1]]) is markers[-1]


def test_else_is_a_branch_of_what_is_around() -> None:
    seen: list[Any] = []

    class Else(Plain):
        def for_(self, iterable: Any, body: Any, orelse: Any, state: Any, names: Any, /) -> Any:
            seen.append(orelse and orelse(*state))
            return super().for_(iterable, body, orelse, state, names)

    def f(n):
        while n:
            n -= 1
            for i in range(n):
                pass
            else:
                if n == 1:
                    break
                n -= 1
        return n

    assert rewrite(f, Else())(4) == f(4)
    assert seen == [(Exit.FELL, (2,)), (Exit.BROKE, (1,))]


def test_positions_inside_a_loop_are_the_users() -> None:
    def f(n, box):
        while n > box.low:
            n -= 1
            if n % 2 == 0 and box:
                continue
            for box.item in range(  # fmt: skip
                n
            ):
                box.low += 1
        return [n for n in (1, 2)]

    class Box:
        low = 1

    seen = Seen()
    rewrite(f, seen)(5, Box())
    assert set(seen.texts("while_")) == {"n > box.low"}
    assert set(seen.texts("for_")) == {"range(  # fmt: skip\n                n\n            )"}
    assert set(seen.texts("if_")) == {"n % 2 == 0 and box"}
    assert set(seen.texts("setattr_")) == {"box.item", "box.low += 1"}
    assert set(seen.texts("compare")) == {"n > box.low", "n % 2 == 0"}
    assert set(seen.texts("inplace")) == {"n -= 1", "box.low += 1"}
    assert seen.texts("collect") == ["[n for n in (1, 2)]"]


def test_a_break_without_anything_after_it_wants_no_values() -> None:
    def f(y, items):
        def inner():
            nonlocal y
            for item in items:
                if item is None:
                    count = count + 1  # noqa: F821, F841
                else:
                    break
            else:
                del y

        inner()
        return y

    assert rewrite(f, Plain())(3, [1, 2]) == 3
    with pytest.raises(UnboundLocalError, match="count"):
        rewrite(f, Plain())(3, [None])
