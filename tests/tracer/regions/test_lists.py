"""Lists that loops append to: what else than stacking people do with them."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import list_programs
import list_uses
import numpy as np
import pytest
import torch
from ways import agree, attempt

import tracelate as tl
from tracelate import UnsupportedError

X = [np.random.default_rng(seed).normal(size=(12, 3)) for seed in range(3)]
SHORT = np.ones((9, 3))
WIDE: dict[str, Any] = {"jax": {"x64": True}}


@pytest.mark.parametrize("target", ("numpy", "torch", "jax"))
@pytest.mark.parametrize("fn", list_uses.PROGRAMS, ids=lambda fn: fn.__name__)
@pytest.mark.usefixtures("wide")
def test_what_people_do_with_lists(fn: Callable[[Any], Any], target: str) -> None:
    """Of another length they agree as well, or it is refused."""
    made = tl.symbolic_trace(fn, (X[0],)).to(target, **WIDE.get(target, {}))
    for x in (*X, -np.abs(X[0])):
        expected = attempt(fn, (x,), "numpy", arguments=False)
        assert not isinstance(expected, type)
        assert agree(expected, attempt(made, (x,), target, arguments=False))
    found = attempt(made, (SHORT,), target, arguments=False)
    assert found is AssertionError or agree(attempt(fn, (SHORT,), "numpy", arguments=False), found)


def test_the_text() -> None:
    assert tl.symbolic_trace(list_programs.trajectory, (X[0][0], 12)).source("numpy") == TRAJECTORY
    assert tl.symbolic_trace(list_programs.two_lists, (X[0],)).source("jax", x64=True).endswith(TWO_LISTS)
    spread = tl.symbolic_trace(list_programs.with_one_at_the_end, (X[0],)).source("torch")
    assert "return [*out, x[0]]" in spread
    pairs = tl.symbolic_trace(list_programs.steps_of_a_list, (X[0],)).source("numpy")
    assert "    for a, b in zip(out[:-1], out[1:]):" in pairs
    pairs = tl.symbolic_trace(list_programs.steps, (X[0],)).source("jax", x64=True)
    assert "jax.lax.scan(step, 0.0, (x[:-1], x[1:]))" in pairs
    assert "        out[11]," in tl.symbolic_trace(list_uses.as_a_tuple, (X[0],)).source("numpy")


TRAJECTORY = """\
def trajectory(x, n):
    out = [x]
    for _ in range(n):
        x = x * 0.5
        out.append(x)
    return out
"""

TWO_LISTS = """\
    def step(_, row):
        return None, (row, row.max())

    _, (a, b) = jax.lax.scan(step, None, x)
    return {"rows": list(a), "greatest": list(b), "n": a.shape[0]}
"""


@pytest.mark.parametrize("target", ("numpy", "torch", "jax"))
@pytest.mark.usefixtures("wide")
def test_a_loop_that_does_not_turn_gives_an_empty_list(target: str) -> None:
    made = tl.symbolic_trace(list_programs.doubled_rows, (X[0],)).to(target, **WIDE.get(target, {}))
    assert attempt(made, (np.zeros((0, 3)),), target, arguments=False) == []


def test_which_of_two_that_are_zipped_is_shorter_is_checked() -> None:
    made = tl.symbolic_trace(list_programs.as_far_as_both_go, (np.ones((12, 3)), np.ones((9, 3)))).to("numpy")
    with pytest.raises(AssertionError, match=r"\(3, 5\)"):
        made(np.ones((3, 3)), np.ones((5, 3)))


def test_a_strict_zip_of_different_lengths_is_refused() -> None:
    def strict(x, y):
        total = 0.0
        for a, b in zip(x, y, strict=True):
            total = total + a.sum() * b.sum()
        return total

    with pytest.raises(tl.TraceError, match="a strict zip of y.shape"):
        tl.symbolic_trace(strict, (np.ones((12, 3)), np.ones((9, 3))))


def test_arithmetic_on_what_may_be_a_number_says_so() -> None:
    def mixed(x):
        total = 0
        for v in x:
            if v > 0:
                total += v
            total = total + 1
        return total

    with pytest.raises(UnsupportedError, match="one on one way, and an array on another"):
        tl.symbolic_trace(mixed, (torch.ones(12),)).source("numpy")


def until_large(x):
    out = []
    for row in x:
        if row.sum() > 1:
            break
        out.append(row)
    return sum(out)


def in_a_branch(x):
    if x.sum() > 0:
        return list_uses.rows_of(x)
    return [x[0]]


@pytest.mark.parametrize("fn", (until_large, in_a_branch), ids=lambda fn: fn.__name__)
def test_what_becomes_of_a_list_that_only_the_running_program_knows(fn: Callable[[Any], Any]) -> None:
    with pytest.raises(UnsupportedError, match="a list that a loop appends to") as caught:
        tl.symbolic_trace(fn, (X[0],))
    assert caught.value.span is not None and caught.value.span.file == __file__


def stopped(x):
    log = []
    for _ in range(50):
        x = x / 2
        log.append(x)
        if x.sum() < 1:
            break
    return log


def stopped_before(x):
    log = []
    for _ in range(50):
        x = x / 2
        if x.sum() < 1:
            break
        log.append(x)
    return log


def test_what_was_appended_before_a_break_is_not_lost() -> None:
    x = np.float32([8, 3])
    for program in (stopped, stopped_before):
        out = tl.transpile(program, (x,), to="numpy")
        assert all(map(np.array_equal, out(x), program(x))) and len(out(x)) == len(program(x))


def by_sign(xs):
    positive, negative = [], []
    for x in xs:
        (positive if x.sum() > 0 else negative).append(x)
    return positive, negative


def one_of_two(x, k):
    first, second = [], []
    chosen = first if k > 1 else second
    chosen.append(x)
    return len(first), second


def in_a_dict(x, k):
    first, second = {}, {}
    (first if k > 1 else second)["x"] = x
    return first, second


def by_turns(x, k):
    first, second = [], []
    mine, other = first, second
    for i in range(k):
        mine.append(x * i)
        mine, other = other, mine
    return first, second


def by_a_helper(x, k):
    first, second = [], []

    def chosen():
        if x.sum() > 0:
            return first
        return second

    chosen().append(x)
    return first, second


@pytest.mark.parametrize("fn", [by_sign, one_of_two, in_a_dict, by_a_helper])
def test_a_container_that_is_one_of_several_is_not_changed(fn: Any) -> None:
    x = np.float32([1, 2])
    args = ([x, -x, x],) if fn is by_sign else (x, 3)
    with pytest.raises(tl.UnsupportedError, match="may stand for"):
        tl.transpile(fn, args, to="numpy")


def test_lists_that_change_places_are_pythons_own() -> None:
    """No turn has the lengths of the one before, so that the loop is written out for as many as there are."""
    x = np.float32([1, 2])
    out: Any = tl.transpile(by_turns, (x, 3), to="numpy")
    for one, other in zip(by_turns(x, 3), out(x, 3), strict=True):
        np.testing.assert_array_equal(one, other)
    for k in (0, 1, 4):
        with pytest.raises(AssertionError):
            out(x, k)


def two_before_a_break(x, n=4):
    losses, steps = [], []
    for k in range(n):
        losses.append(x.sum())
        if x.sum() < 3:
            break
        if k % 2:
            continue
        steps.append(k)
        x = x * 0.5
    return losses, steps, x


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_two_lists_of_which_one_grows_before_a_break(to: str) -> None:
    with pytest.raises(UnsupportedError, match="what a loop collects must be as much in every turn"):
        tl.transpile(two_before_a_break, (np.ones(3) * 8,), to=to)
