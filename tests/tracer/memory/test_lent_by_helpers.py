"""Helpers that give an array that they were given, on some way, and writes into others of their arguments."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert
from tracelate.ir.values.tree import leaves


def decayed(p, g, decay):
    return g + decay * p if decay else g


def decayed_by_statements(p, g, decay):
    if decay:
        g = g + decay * p
    return g


def first_or_second(p, g, decay):
    return p if decay else g


def through_another(p, g, decay):
    return first_or_second(g, g * 2, decay)


def step(p, g, lr=0.1, decay=0.0):
    p -= lr * decayed(p, g, decay)
    return p


def step_by_statements(p, g, lr=0.1, decay=0.0):
    p -= lr * decayed_by_statements(p, g, decay)
    return p


def kept_under_a_name(p, g, lr=0.1, decay=0.0):
    d = decayed(p, g, decay)
    p -= lr * d
    p *= 2
    return d * 2, p


def steps_of_lists(p, g, lr=0.1, decay=0.0):
    for w, d in zip([p, p * 2], [g, g + 1]):
        w -= lr * decayed(w, d, decay)
    return p


def either_is_written(p, g, lr=0.1, decay=0.0):
    chosen = first_or_second(p, g, decay)
    p -= lr
    return chosen * 2, p


def what_is_given_is_written(p, g, lr=0.1, decay=0.0):
    chosen = first_or_second(p, g, decay)
    chosen -= lr
    return p, g


def the_other_is_written(p, g, lr=0.1, decay=0.0):
    chosen = through_another(p, g, decay)
    p -= lr
    return chosen, p


CONSTANT = np.float32([3, 1, 2])


def a_constant_is_given(p, g, lr=0.1, decay=0.0):
    chosen = first_or_second(p, torch.tensor(CONSTANT) if hasattr(p, "add_") else CONSTANT, decay)
    g -= lr
    return chosen * 2, g


def a_closure_gives(p, g, lr=0.1, decay=0.0):
    def chosen(other):
        return p if decay else other

    found = chosen(g)
    p -= lr
    return found * 2, p


def out_of_a_container(p, g, lr=0.1, decay=0.0):
    def chosen(held):
        return held["p"] if decay else held["g"]

    found = chosen({"p": p[1:], "g": g[1:]})
    p -= lr
    return found * 2, p


PROGRAMS = [
    step, step_by_statements, kept_under_a_name, steps_of_lists, either_is_written, what_is_given_is_written,
    the_other_is_written, a_constant_is_given, a_closure_gives, out_of_a_container,
]  # fmt: skip
#: Those that a person writes, and that must be taken.
TAKEN = {step, step_by_statements, kept_under_a_name, steps_of_lists}


def together(way: str, to: str) -> tuple[Any, Any]:
    base = convert(np.float32([1, 2, 3, 4]), to)
    if way == "apart":
        return base[:3], convert(np.float32([5, 7, 6]), to)
    return (base, base) if way == "one" else (base[:-1], base[1:])


@pytest.mark.covering
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("example", [0.0, 0.5])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_what_a_helper_may_give_is_not_written_unseen(program, example, to, source) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    try:
        out = tl.transpile(program, (*together("apart", source), 0.25, example), to=to)
    except tl.UnsupportedError:
        assert program not in TAKEN or to == "jax"
        return
    for way in ("apart", "one", "views") if to != "jax" else ("apart",):
        for decay in (0.0, 0.5, 1):
            mine, theirs = together(way, source), together(way, to)
            want = program(*mine, 0.25, decay)
            try:
                got = out(*theirs, 0.25, decay)
            except AssertionError:
                decided = "assert decay ==" in out.source and decay != example
                assert way != "apart" or decay == 1 or decided
                continue
            afterwards = ([got], [want]) if to == "jax" else ([got, *theirs], [want, *mine])
            for one, other in zip(*map(leaves, afterwards), strict=True):
                np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-6)
