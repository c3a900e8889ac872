"""Lists that loops append to: what else than stacking people do with them."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any

import list_programs
import numpy as np
import pytest
import torch
from ways import agree, attempt

import tracelate as tl
from tracelate import UnsupportedError


def rows_of(x):
    out = []
    for row in x:
        out.append(row * 2)
    return out


def one_replaced(x):
    out = rows_of(x)
    out[0] = x[0] * 0
    return np.stack(out)


def starred(x):
    first, *rest = rows_of(x)
    return first + sum(rest)


def one_deleted(x):
    out = rows_of(x)
    del out[0]
    return np.stack(out)


def given_one_by_one(x):
    out = rows_of(x)
    return np.maximum(*out[:2])


def in_a_comprehension(x):
    out = rows_of(x)
    return np.stack([o + 1 for o in out])


def one_more(x):
    out = rows_of(x) + [x[0]]
    return np.stack(out)


def twice(x):
    out = rows_of(x) * 2
    return np.stack(out)


def joined_in_place(x):
    out = rows_of(x)
    out += rows_of(x + 1)
    return np.stack(out)


def reduced(x):
    out = rows_of(x)
    return functools.reduce(lambda a, b: a * 0.5 + b, out)


def summed(x):
    out = rows_of(x)
    return sum(out)


def reversed_(x):
    out = rows_of(x)
    return np.stack(list(reversed(out)))


def turned_round(x):
    out = rows_of(x)
    out.reverse()
    return np.stack(out)


def zipped(x):
    a = rows_of(x)
    return np.stack([p * q for p, q in zip(a, x)])


def by_number(x):
    d = dict(enumerate(rows_of(x)))
    return d[0] + d[2]


def meant(x):
    return np.mean(rows_of(x), axis=0)


def compared(x):
    out = rows_of(x)
    return out == [] or out[0]


def asked_whether_empty(x):
    out = rows_of(x)
    if out:
        return out[-1]
    return x


def popped(x):
    out = rows_of(x)
    return out.pop()


def spread(x):
    out = rows_of(x)
    return [*out, x[0]]


def one_put_in_front(x):
    out = rows_of(x)
    out.insert(0, x[0])
    return np.stack(out)


def some_replaced(x):
    a = rows_of(x)
    a[1:3] = [x[0]]
    return np.stack(a)


def sliced(x):
    a = rows_of(x)
    b = a[1:]
    return np.stack(b) + np.stack(a[:-1])


def picked_by_a_count(x):
    a = rows_of(x)
    s = 0.0
    for i in range(len(a)):
        s = s + a[i] * i
    return s


def of_an_array(x):
    rows = list(x)
    s = 0.0
    for i in range(len(rows)):
        s = s + rows[i] * i + rows[-1 - i]
    return s


def of_an_array_changed(x):
    rows = list(x)
    rows[0] = rows[1]
    return np.stack(rows)


def smallest(x):
    return min(rows_of(x[:, 0]))


def as_a_tuple(x):
    return tuple(rows_of(x))


def copied(x):
    a = rows_of(x)
    b = copy.copy(a)
    c = a.copy()
    e = a[:]
    return np.stack(b) + np.stack(c) + np.stack(e)


def of_tuples_in_a_comprehension(x):
    return [(o, o.sum()) for o in rows_of(x)][3]


def one_added_to(x):
    out = rows_of(x)
    out[0] += 1
    return np.stack(out)


def begun_and_changed(x):
    out = [x[0]]
    for row in x:
        out.append(row * 2)
    out[1] = x[3]
    del out[0]
    return out


def neighbours(x):
    a = rows_of(x)
    s = 0.0
    for p, q in zip(a[:-1], a[1:]):
        s = s + (q - p) ** 2
    return s


def of_tuples(x):
    a, b = [], []
    for row in x:
        a.append((row, row * 2))
    for p, q in a:
        b.append(p + q)
    return np.stack(b)


def two_in_a_turn(x):
    a = []
    for row in x:
        a.append(row)
        a.append(-row)
    return np.stack(a), a[3], len(a)


def by_keyword(x):
    a = rows_of(x)
    return np.concatenate([np.stack(a), np.stack(arrays=a)])


def appended_in_a_branch(x):
    a = rows_of(x)
    if x.sum() > 0:
        a.append(x[0])
    else:
        a.append(-x[0])
    return np.stack(a)


def from_each_other(x):
    a = rows_of(x)
    return rows_of(np.stack(a)) + a, [a, a]


def total(rows, y):
    s = y
    for r in rows:
        s = s + r
    return s


def given_to_a_function(x):
    return total(rows_of(x), x[0])


def element_written(x):
    out = rows_of(x)
    a = out[0]
    a += 1
    return np.stack(out), a


def stack_written(x):
    out = rows_of(x)
    a = np.stack(out)[0]
    a += 1
    return out, a


def stack_replaced(x):
    out = rows_of(x)
    s = np.stack(out)
    s[0] = 7
    return out, s


def stack_added_to(x):
    out = rows_of(x)
    s = np.stack(out)
    s += 1
    return s, out[0], out


def element_written_after_a_stack(x):
    out = rows_of(x)
    a = out[1]
    s = np.stack(out)
    a[0] = 9
    return s, out


def slice_written(x):
    out = rows_of(x)
    b = out[2:]
    b[0][0] = 9
    c = list(out)
    c[0] *= 2
    return out, np.stack(b), c


def element_written_after_a_join(x):
    out = []
    for row in x:
        out.append(row * 1)
    a = out[3]
    b = np.concatenate(out)
    a[0] = 5
    return b, a, np.stack(out, axis=1)


PROGRAMS = (
    one_replaced, starred, one_deleted, given_one_by_one, in_a_comprehension, one_more, twice,
    joined_in_place, reduced, summed, reversed_, turned_round, zipped, by_number, meant, compared,
    asked_whether_empty, popped, spread, one_put_in_front, some_replaced, sliced, picked_by_a_count,
    of_an_array, of_an_array_changed, smallest, as_a_tuple, copied, of_tuples_in_a_comprehension,
    one_added_to, begun_and_changed, neighbours, of_tuples, two_in_a_turn, by_keyword, appended_in_a_branch,
    from_each_other, given_to_a_function, element_written, stack_written, stack_replaced, stack_added_to,
    element_written_after_a_stack, slice_written, element_written_after_a_join,
)  # fmt: skip
X = [np.random.default_rng(seed).normal(size=(12, 3)) for seed in range(3)]
SHORT = np.ones((9, 3))
WIDE: dict[str, Any] = {"jax": {"x64": True}}


@pytest.mark.parametrize("target", ("numpy", "torch", "jax"))
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
@pytest.mark.usefixtures("wide")
def test_what_people_do_with_lists(fn: Callable[[Any], Any], target: str) -> None:
    """Of another length they agree as well, or it is refused."""
    made = tl.symbolic_trace(fn, (X[0],)).to(target, **WIDE.get(target, {}))
    for x in (*X, -np.abs(X[0])):
        expected = attempt(fn, (x,), "numpy", arguments=False)
        assert not isinstance(expected, type)
        assert agree(expected, attempt(made, (x,), target, arguments=False))
    found = attempt(made, (SHORT,), target, arguments=False)
    assert found is ValueError or agree(attempt(fn, (SHORT,), "numpy", arguments=False), found)


def test_the_text() -> None:
    assert tl.symbolic_trace(list_programs.trajectory, (X[0][0], 12)).source("numpy") == TRAJECTORY
    assert tl.symbolic_trace(list_programs.two_lists, (X[0],)).source("jax", x64=True).endswith(TWO_LISTS)
    spread = tl.symbolic_trace(list_programs.with_one_at_the_end, (X[0],)).source("torch")
    assert "return [*out, x[0]]" in spread
    pairs = tl.symbolic_trace(list_programs.steps_of_a_list, (X[0],)).source("numpy")
    assert "    for a, b in zip(out[:-1], out[1:]):" in pairs
    pairs = tl.symbolic_trace(list_programs.steps, (X[0],)).source("jax", x64=True)
    assert "jax.lax.scan(step, 0.0, (x[:-1], x[1:]))" in pairs
    assert "        out[11]," in tl.symbolic_trace(as_a_tuple, (X[0],)).source("numpy")


TRAJECTORY = """\
def trajectory(x, n):
    x_2 = x
    out = [x]
    for _ in range(n):
        x_2 = x_2 * 0.5
        out.append(x_2)
    return out
"""

TWO_LISTS = """\
    def step(_, row):
        return None, (row, jnp.max(row))

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
    with pytest.raises(ValueError, match=r"was traced with x\.shape\[0\] >= y\.shape\[0\], not 3 and 5"):
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

    with pytest.raises(UnsupportedError, match="a number on one way and an array on another"):
        tl.symbolic_trace(mixed, (torch.ones(12),)).source("numpy")


def until_large(x):
    out = []
    for row in x:
        if row.sum() > 1:
            break
        out.append(row)
    return sum(out)


def pairs(x):
    out = []
    while x.sum() > 1:
        x = x / 2
        out.append((x, x * 2))
    return out


def in_a_branch(x):
    if x.sum() > 0:
        return rows_of(x)
    return [x[0]]


@pytest.mark.parametrize("fn", (until_large, pairs, in_a_branch), ids=lambda fn: fn.__name__)
def test_what_becomes_of_a_list_that_only_the_running_program_knows(fn: Callable[[Any], Any]) -> None:
    with pytest.raises(UnsupportedError, match="a list that a loop appends to") as caught:
        tl.symbolic_trace(fn, (X[0],))
    assert caught.value.span is not None and caught.value.span.file == __file__
