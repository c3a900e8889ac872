"""What a function returns in one form or another, by a flag or a number: one statement, as the user has."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from as_written import is_the_users

import tracelate as tl
from tracelate.backends.arrays import compare, convert
from tracelate.ir.values.tree import leaves

X = np.arange(6.0).reshape(2, 3) + 1
TARGETS = ["numpy", "jax", "torch"]


def both_or_one(x, full=False):
    m = x * 0.5
    y = x - m
    return (y, m) if full else y


def of_three(x, full=False, more=False):
    m = x * 0.5
    y = x - m
    return (y, m, m * 2) if more and full else (y, m) if full else y


def some_or_none(x, k=2):
    y = x * k
    return [y, x] if k > 2 else []


def one_or_nothing(x, full=False):
    y = x * 2
    return y if full else None


def nothing_or_one(x, full=False):
    y = x * 2
    return None if not full else y


def with_another_key(x, full=False):
    y = x * 2
    return {"y": y, "z": x + 1} if full else {"y": y}


def of_a_helper(x, full=False):
    a, b = pair(x, True)
    c = pair(x, False)
    return a + b + c


def pair(x, full):
    y = x * 2
    return (y, x) if full else y


def after_a_loop(x, n=3):
    y = x
    for i in range(n):
        y = y + x[i % 2]
    return (y, n) if n > 2 else (y, x, n)


def on_one_way(x, n=2):
    d = (x - 1) ** 2
    if n > 3:
        d = d * 2
        return (d, n) if n > 5 else d
    return d


def bound_anew_on_a_way_out(x, n=2):
    d = x * 2
    if n > 3:
        e = d * 3
        d = e - d
        return d, d * e
    return d + 1


def bound_anew_in_a_loop(x, n=2):
    d = x * 2
    for i in range(4):
        if n > i:
            d = d + i
            if n > 2:
                d = d * 3
                return d
        d = d + 1
    return d


def over_a_size_on_a_way_out(x, n=2):
    d = x * 2
    if n > 3:
        for i in range(len(x) - 1):
            d = d + x[i]
        return d
    return d


#: Each with other arguments.
PROGRAMS: dict[Any, list[tuple[Any, ...]]] = {
    both_or_one: [(True,), (False,)],
    of_three: [(True, True), (True, False), (False, True), (False, False)],
    some_or_none: [(2,), (5,)],
    one_or_nothing: [(True,), (False,)],
    nothing_or_one: [(True,), (False,)],
    with_another_key: [(True,), (False,)],
    of_a_helper: [(True,), (False,)],
    after_a_loop: [(2,), (3,), (0,), (4,)],
    on_one_way: [(2,), (4,), (6,)],
    bound_anew_on_a_way_out: [(2,), (4,)],
    bound_anew_in_a_loop: [(0,), (1,), (2,), (3,), (9,)],
    over_a_size_on_a_way_out: [(2,), (4,)],
}


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_either_is_given(program: Any, to: str) -> None:
    with jax.enable_x64(True):
        out = tl.transpile(program, (X,), to=to, x64=True if to == "jax" else None)
        for others in PROGRAMS[program]:
            wanted, found = program(X.copy(), *others), out(convert(X, to), *others)
            wrong = [*compare(wanted, found, kind="reduction")]
            assert not wrong, f"{others}: {wrong[0]}\n{out.source}"


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_it_is_said_as_the_user_says_it(program: Any, to: str) -> None:
    if to == "jax" and program in (after_a_loop, bound_anew_in_a_loop, over_a_size_on_a_way_out):
        pytest.skip("a loop of JAX's has its own form")
    is_the_users(program, X, to)


def one_by_values(x):
    return (x, x) if x.sum() > 0 else x


def test_what_values_decide_has_one_form_where_it_is_compiled() -> None:
    with pytest.raises(tl.UnsupportedError, match="one container on one way and another on the other"):
        tl.transpile(one_by_values, (X,), to="jax")
    for to in ("numpy", "torch"):
        out = tl.transpile(one_by_values, (X,), to=to)
        for given in (X, -X):
            assert not [*compare(one_by_values(given), out(convert(given, to)), kind="reduction")]


def given_twice(x, how="sum"):
    out = [x + 1 if how == "sum" else x * 2]
    return out[0], out[0]


def in_two_containers(x, how="sum"):
    out = {"k": x}
    out["k"] = x + 1 if how == "sum" else x * 2
    return out, list(out.values())


def decided_by_values(x):
    out = [x + 1 if x.sum() > 0 else x * 2]
    return [*out, *out]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", [given_twice, in_two_containers, decided_by_values])
def test_what_is_returned_twice_is_one_array(program: Any, to: str) -> None:
    out = tl.transpile(program, (X,), to=to)
    first, second = leaves(out(convert(X, to)))
    assert first is second, out.source
