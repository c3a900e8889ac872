"""What a program puts into lists and dicts that it was given, and reads of these by helpers."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import copy

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays


def pick(xs, i=0):
    return xs[i]


def add(xs, x):
    xs.append(x)


def the_last(xs, x):
    xs.append(pick(xs, -1))
    return x


def computed(xs, x):
    xs.append(pick(xs, 1) * 2)
    return x + pick(xs, 0)


def by_a_helper(xs, x):
    add(xs, pick(xs, 1))
    return x


def after_another(xs, x):
    xs[0] = x
    xs.append(pick(xs, 1))
    return pick(xs) + x


def named(xs, x):
    y = pick(xs)
    xs.append(y)
    return y * 2, x


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", [the_last, computed, by_a_helper, after_another, named])
def test_what_is_put_is_read_in_time(program, to) -> None:
    def given(name):
        arrays = [np.arange(3.0, dtype=np.float32) + n for n in range(3)]
        return map_arrays(copy.deepcopy([arrays[:2], arrays[2]]), lambda array: convert(array, name))

    out = tl.transpile(program, given("numpy"), to=to)
    mine, theirs = given("numpy"), given(to)
    assert not [*compare(program(*mine), out(*theirs)), *compare(mine, theirs)], out.source


def a_copy_before(xs, y):
    old = xs[:]
    xs.append(y)
    return xs, old


def a_list_of_it_before(xs, y):
    old = list(xs)
    xs.append(y)
    return xs, old


def doubled_before(xs, y):
    old = [x * 2 for x in xs]
    xs.append(y)
    return old, xs, len(old)


def summed_before(xs, y):
    s = sum(x.sum() for x in xs)
    xs.append(y)
    return s, [x + 1 for x in xs]


def looped_before_and_after(xs, y):
    total = 0
    for x in xs:
        total = total + x
    xs.append(y)
    for x in xs:
        total = total * x
    return total


def keys_before(c, y):
    keys = [k for k in c]
    old = {k: v * 2 for k, v in c.items()}
    c["z"] = y
    return c, old, keys


def a_dict_before(c, y):
    old = dict(c)
    c["z"] = y
    return old, y


COPIED = [
    a_copy_before, a_list_of_it_before, doubled_before, summed_before, looped_before_and_after, keys_before,
    a_dict_before,
]  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", COPIED)
def test_what_was_there_before_is_what_was_there(program, to) -> None:
    def given(name):
        arrays = [np.arange(3.0, dtype=np.float32) + n for n in range(3)]
        keyed = program in (keys_before, a_dict_before)
        held = dict(zip("ab", arrays)) if keyed else arrays[:2]
        return map_arrays(copy.deepcopy([held, arrays[2]]), lambda array: convert(array, name))

    out = tl.transpile(program, given("numpy"), to=to)
    mine, theirs = given("numpy"), given(to)
    assert not [*compare(program(*mine), out(*theirs)), *compare(mine, theirs)], out.source


def grown(c, y):
    c["xs"].append(y)
    return c


def replaced(c, y):
    c["xs"][0] = y
    return c, y


def grown_in_a_list(c, y):
    c["xs"].append(y)
    return [c, y]


def grown_deeper(c, y):
    c["o"]["xs"].append(y)
    return c["o"], y


def copied_and_grown(c, y):
    old = c["xs"][:]
    c["xs"].append(y)
    return c, old


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("program", [grown, replaced, grown_in_a_list, grown_deeper, copied_and_grown])
def test_a_container_is_given_back_with_all_that_it_holds(program, to) -> None:
    """Also with what the example's has not, or the text refuses that."""

    def given(name, more):
        x, y, z = (np.arange(3.0, dtype=np.float32) + n for n in range(3))
        held = {"xs": [x, y], **more}
        held = {"o": held} if program is grown_deeper else held
        return map_arrays(copy.deepcopy([held, z]), lambda array: convert(array, name))

    out = tl.transpile(program, given("numpy", {}), to=to)
    assert to == "jax" or program is grown_deeper or "return c" in out.source or "[c, y]" in out.source
    for more in ({}, {"k": np.ones(2, np.float32)}, {"n": 2}):
        mine, theirs = given("numpy", more), given(to, more)
        expected = program(*mine)
        try:
            found = out(*theirs)
        except AssertionError:
            assert more
            continue
        assert not [*compare(expected, found, narrowed=to == "jax")], out.source


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_a_list_that_is_asked_whether_it_is_one_is_given_back(to) -> None:
    def program(xs, y):
        if not isinstance(xs, list):
            xs = [xs]
        return xs, y * 2

    x = np.arange(3.0, dtype=np.float32)
    out = tl.transpile(program, ([x, x + 1], x), to=to)
    held = [convert(x, to), convert(x + 1, to)]
    assert out(held, convert(x, to))[0] is held, out.source
