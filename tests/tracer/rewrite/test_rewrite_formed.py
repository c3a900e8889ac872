"""The rewriter: which code is formed, and what is said of any other."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable
from typing import Any

import pytest
from rewrite_tools import Formed, formed

from tracelate.tracer.rewrite import rewrite


def newton(x, steps=20):
    for _ in range(steps):
        step = (x * x - 2) / (2 * x)
        x = x - step
        if abs(step) < 1e-9:
            break
    return x


def bisection(low, high):
    while high - low > 1e-3:
        middle = (low + high) / 2
        if middle * middle < 2:
            low = middle
        else:
            high = middle
    return low


def closures(x):
    scale = lambda y: y * x  # noqa: E731
    for i in range(3):
        weight = i + 1
        x = scale(x) + sum(weight * k for k in (1, 2))
        x = (lambda y: y - weight)(x)
    if x > 2:
        x = scale(1)
    return x


def contexts(x):
    with contextlib.nullcontext():
        while x < 10:
            try:
                x = x + abs(1 / (x - 3))
            except ZeroDivisionError:
                x = x + 1
                continue
            if x > 5:
                x = x * 2
    return x


def matching(x):
    for kind in ("double", "add", None):
        match kind:
            case "double":
                x = x * 2
            case "add" | "sum" if x:
                x = x + 1
            case None:
                return x


def walrus(x):
    while (half := x / 2) > 1:
        x = half
    return x


def walrus_with_else(x):
    while y := x:
        x = x - 1
    else:
        x = y
    return x


def walruses(x):
    n = 0
    while x > 1 and (n := n + 1) < 7:
        x = x / 2
    return x, n


@pytest.mark.parametrize(
    "fn, args, kinds",
    (
        (newton, (1.0,), {"for": ("x",), "if": ()}),
        (bisection, (1.0, 2.0), {"while": ("low", "high"), "if": ("low", "high")}),
        (closures, (1,), {"for": ("weight", "x"), "if": ("x",)}),
        (contexts, (1,), {"while": ("x",), "if": ("x",)}),
        (matching, (3,), {"for": ("x",), "if": ()}),
        (walrus, (9,), {"while": ("x",), "if": ()}),
        (walrus_with_else, (3,), {"while": ("x",), "if": ("x",)}),
        (walruses, (9,), {"while": ("n", "x"), "if": ()}),
    ),
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_ordinary_code_is_formed(fn: Any, args: tuple[Any, ...], kinds: dict[str, tuple[str, ...]]) -> None:
    hooks = formed(fn, *args)
    assert {call[0]: call[1] for call in hooks.calls} == kinds
    assert hooks.whys == []


def a_global(x):
    global made
    if x:
        made = 1
    return x


def a_nonlocal() -> Callable[..., Any]:
    x = 0

    def inner(y):
        nonlocal x
        while y:
            x, y = x + 1, y - 1
        return x

    return inner


def test_a_variable_of_a_function_around_is_changed_where_it_is():
    hooks = Formed()
    assert rewrite(a_nonlocal(), hooks)(3) == 3
    assert hooks.whys == [] and hooks.calls == [("while", ("y",), (3,))]


def a_function_that_changes(x):
    def change():
        nonlocal x
        x -= 1
        return x

    while change():
        x = x + 0
    return x


def locals_(x):
    if x:
        y = 1
    return sorted(locals())


def super_(x):
    class Base:
        def f(self):
            return 1

    class Derived(Base):
        def f(self):
            if x:
                return super().f()

    return Derived().f()


def walrus_whose_else_leaves(x):
    for _ in range(1):
        while y := x:
            x = x - 1
        else:
            break
        x = y
    return x


def leaves_through_finally(x):
    while x:
        try:
            if x == 1:
                break
        finally:
            x = x - 1
    return x


def in_a_class(x):
    class Inner:
        if x:
            y = x

    return Inner.y


@pytest.mark.parametrize(
    "fn, why",
    (
        (a_global, "`made` is global"),
        (a_function_that_changes, "`x` is changed by a function made here"),
        (locals_, "locals() is called"),
        (super_, "super() is called"),
        (walrus_whose_else_leaves, "its test assigns to a variable"),
        (leaves_through_finally, "it is left through a `finally`, or an `except` with a name"),
        (in_a_class, "it stands in the body of a class"),
    ),
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_cannot_be_formed_says_why(fn: types.FunctionType, why: str) -> None:
    hooks = Formed()
    rewrite(fn, hooks)(2)
    assert set(hooks.whys) == {why}


def test_a_generator_is_formed_around_its_yields() -> None:
    def f(n):
        for i in range(n):
            if i:
                k = 1
            else:
                k = 2
            if n:
                yield k
            while k:
                k -= 1

    hooks = Formed()
    assert list(rewrite(f, hooks)(2)) == [2, 1]
    assert [call[:2] for call in hooks.calls] == [("if", ("k",)), ("while", ("k",))] * 2
    assert set(hooks.whys) == {"the branch yields"}
