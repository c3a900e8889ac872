"""What a function writes into an argument is there wherever it returns: at its end, on one way of an `if`, in
the turn of a loop, which may return for sure.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from as_written import defined, is_the_users

import tracelate as tl
from tracelate.backends.arrays import compare, convert

WRITES = {
    "an item": "x[0] = 7",
    "in place": "x *= 2",
    "a view": "v = x[1:]\nv += 1",
    "another name": "v = x\nv[0] = 7",
    "a helper": "written(x)",
}
LOOPS = {
    "counted": "for i in range(k):",
    "through an array": "for i in y:",
    "a while": "while k > 0:",
    "nested": "for i in range(k):\n    for j in range(2):",
}
ENDS = {
    "surely": "return y * 2",
    "x itself": "return x",
    "nothing": "return None",
    "by a flag": "if flag:\n    return y\nreturn y * 2",
    "by a number": "if k > 2:\n    return y\nreturn y * 3",
    "by a value": "if y.sum() > 3:\n    return y\nreturn y * 3",
    "on one way": "if y.sum() > 3:\n    return y\nx[1] = 5",
    "else": "if flag:\n    return None\nelse:\n    return y * 2",
}
WRITTEN = "def written(x):\n    x[0] = 7\n\n\n"


def indented(text: str, depth: int) -> str:
    return "".join(f"{'    ' * depth}{line}\n" for line in text.splitlines())


def program(write: str, loop: str, end: str, inside: bool) -> Any:
    depth = LOOPS[loop].count("\n") + 2
    turn = indented("k = k - 1\n" if loop == "a while" else "", depth)
    turn += (indented(WRITES[write], depth) if inside else "") + indented(ENDS[end], depth)
    before = "" if inside else indented(WRITES[write], 1)
    text = f"def f(x, y, k=2, flag=False):\n{before}{indented(LOOPS[loop], 1)}{turn}    return y + 1\n"
    return defined(WRITTEN + text, f"<written and returned {write} {loop} {end} {inside}>")


def arrays() -> list[Any]:
    return [np.arange(3.0), np.ones(3) * 2]


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("write", WRITES)
def test_what_is_written_is_there(write: str, loop: str, end: str, inside: bool, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    fn = program(write, loop, end, inside)
    try:
        out = tl.transpile(fn, (*arrays(), 2, False), to=to)
    except tl.UnsupportedError:
        return
    for k, flag, sign in itertools.product([0, 1, 2, 3], [False, True], [1, -1]):
        mine, theirs = ([each * sign for each in arrays()] for _ in range(2))
        given = [convert(each, to) for each in theirs]
        wanted = fn(*mine, k, flag)
        try:
            found = out(*given, k, flag)
        except AssertionError:
            assert (k, flag, sign) != (2, False, 1)
            continue
        assert (wanted is None) is (found is None), out.source
        results = [] if wanted is None else [(wanted, found)]
        wrong = [each for pair in (*results, (mine, given)) for each in compare(*pair)]
        assert not wrong, f"{k, flag, sign}: {wrong[0]}\n{out.source}"


def cleared(x):
    if x.max() <= 0:
        x[:] = 0
        return x
    x[x < 0] = 0
    return x


def put_out(v):
    out = np.empty_like(v)
    if v[0] > 0:
        out[:] = v * 2
        return out
    out[:] = 0
    return out


def on_two_ways(x):
    if x[0] > 0:
        x[0] = 0
        return x
    if x[1] > 0:
        x[1] = 2
        x[2] = 3
        return x * 2
    return x * 3


def before(x, k=2):
    x[0] = 7
    if k > 2:
        return x.sum()
    x[1] = 3
    return x.mean()


def in_turns(x, k=2):
    x[0] = 7
    for i in range(k):
        if x.sum() > 100:
            return i
        x[1] += 1
    return -1


@pytest.mark.parametrize("program", [cleared, on_two_ways, before, in_turns])
def test_it_is_written_in_place_as_the_user_does(program: Any) -> None:
    is_the_users(program, np.arange(3.0) - 1, "numpy")


def test_an_array_of_its_own_is_written_in_place_on_each_way() -> None:
    assert ".copy()" not in tl.transpile(put_out, (np.ones(3),), to="numpy").source


def view_given_early(x, k=2):
    v = x[1:]
    x[0] = 5
    if k > 2:
        return v
    v += k
    return x


def two_views(x, k=2):
    z, w = x[:2], x[1:]
    z += 1
    if k > 2:
        return w
    w *= 2
    return z + 1


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", [view_given_early, two_views])
def test_a_view_is_given_on_one_way_and_written_behind(program: Any, to: str) -> None:
    out = tl.transpile(program, (np.arange(3.0),), to=to)
    for k in (1, 2, 3):
        mine, theirs = np.arange(3.0), convert(np.arange(3.0), to)
        results = program(mine, k), out(theirs, k)
        assert not [*compare(*results), *compare(mine, theirs)], out.source
        results[0][...] = 9
        results[1][...] = 9
        assert not [*compare(mine, theirs)], out.source
