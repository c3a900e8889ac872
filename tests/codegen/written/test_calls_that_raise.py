"""Calls of what prints, or may raise, nest where the user nests them, if nothing that can be seen changes its
place by that.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from as_written import is_the_users

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.array([0.25, 0.5, 0.75])


def divergence(p, q):
    if p.shape[0] > 3:
        raise ValueError("at most three")
    return (p * np.log(p / q)).sum()


def say(p, k):
    print("say", k)
    return p * k


def symmetric(p):
    q = p / 2
    return (divergence(p, q) + divergence(q, p)) / 2


def in_a_tuple(p):
    return divergence(p, p * 2), divergence(p * 2, p)


def in_an_operand(p):
    return divergence(p * divergence(p, p + 1), p) - say(p, 2) * say(p, 3)


def in_a_list(p):
    return np.stack([say(p, 1), say(p, 2)])


def in_a_dict(p):
    return {"a": say(p, 1), "b": [say(p, 2), say(p, 3)]}


def in_calls(p):
    return say(say(p, 2) + 1, 3) + say(p, 4)


def in_a_loop(p):
    for i in range(3):
        p = p + say(p, i) * say(p, 7)
    return p


def on_a_way(p):
    if p.sum() > 1:
        return say(p, 1) * say(p, 2)
    return p


NESTED = [symmetric, in_a_tuple, in_an_operand, in_a_list, in_a_dict, in_calls, in_a_loop, on_a_way]


# What is seen in between stays there.


def before_a_write(p):
    a = p * 1
    b = say(a, 1) + 0
    a[0] = 5
    return b + say(a, 2)


def beside_a_write(p):
    return (say(p, 1), written(p), say(p, 2))


def written(p):
    p[0] = 4
    return p.sum()


def behind_an_operand(p):
    v = say(p, 3)
    return np.where(p > 0.3, say(p, 1), v)


def in_a_try(p):
    try:
        return divergence(p, p) * say(p, 2)
    except ValueError:
        return say(p, 3)


def before_a_raise(p):
    v = say(p, 1)
    if p.shape[0] > 3:
        raise ValueError("long")
    return v * say(p, 2)


OTHERS = [before_a_write, beside_a_write, behind_an_operand, before_a_raise]


@pytest.mark.parametrize("program", NESTED, ids=lambda p: p.__name__)
def test_they_nest_as_the_user_has_it(program: Any) -> None:
    is_the_users(program, X, "numpy")


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", [*NESTED, *OTHERS], ids=lambda p: p.__name__)
def test_they_print_and_raise_in_order(program: Any, to: str, capsys: Any) -> None:
    out = tl.transpile(program, (X.copy(),), to=to)
    for given in (X, np.array([0.25, 0.5]), np.array([0.25, 0.5, 0.75, 1])):
        capsys.readouterr()
        expected, mine = outcome(program, given.copy()), capsys.readouterr().out
        found, theirs = outcome(out, convert(given.copy(), to)), capsys.readouterr().out
        assert theirs == mine, out.source
        assert not [*compare(expected, found)], out.source


def outcome(fn: Any, given: Any) -> Any:
    try:
        return fn(given), given
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_what_is_caught_is_printed_before(to: str, capsys: Any) -> None:
    out = tl.transpile(in_a_try, (X.copy(),), to=to)
    assert not [*compare(in_a_try(X), out(convert(X, to)))]
    mine, theirs = capsys.readouterr().out.splitlines()[::2], ["say 2"]
    assert mine == theirs
    with pytest.raises(AssertionError):  # the way of the handler is not the example's
        out(convert(np.ones(4), to))
