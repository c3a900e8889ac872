"""A turn that appends and goes on, or appends at its end: once on each way."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.array([1.0, -2.0, 3.0, -0.5])
CALLS = [X, -X, X[:1], np.arange(6.0) - 3]


def kalman(x, p=1.0):
    xs, m = [], 0.0 * x[0]
    for z in x:
        p = p + 0.1
        if z < 0:  # nothing was measured
            xs.append(m)
            continue
        k = p / (p + 0.5)
        m = m + k * (z - m)
        p = (1 - k) * p
        xs.append(m)
    return np.stack(xs)


def of_three_ways(x):
    out = []
    for v in x:
        if v < -1:
            out.append(v * 0)
            continue
        w = v * 2
        if w > 2:
            out.append(w + 1)
            continue
        out.append(w)
    return np.array(out)


def in_a_branch(x, full=True):
    out = []
    for v in x:
        if full:
            if v < 0:
                out.append(-v)
                continue
            v = v + 1
            out.append(v)
    return out


def two_lists(x):
    ones, others = [], []
    for v in x:
        if v < 0:
            ones.append(v)
            others.append(v * 2)
            continue
        others.append(v * 3)
        ones.append(v + 1)
    return np.stack(ones), np.stack(others)


def numbers(x):
    seen = []
    for v in x:
        if v < 0:
            seen.append(0.0)
            continue
        seen.append(float(v))
    return seen


def with_a_break(x):
    out = []
    for v in x:
        if v < 0:
            out.append(v)
            continue
        out.append(v * 2)
        if v > 2:
            break
    return np.stack(out)


PROGRAMS = [kalman, of_three_ways, in_a_branch, two_lists, numbers, with_a_break]
TAKEN = [kalman, of_three_ways, two_lists]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_it_is_what_the_program_gives_or_refused(program: Any, to: str) -> None:
    with jax.enable_x64(True):
        try:
            out = tl.transpile(program, (X.copy(),), to=to, x64=True if to == "jax" else None)
        except tl.UnsupportedError:
            assert program not in TAKEN
            return
        for x in CALLS:
            try:
                found = out(convert(x, to))
            except AssertionError:
                assert x is not X, out.source
                continue
            assert not [*compare(program(x), found, kind="reduction")], out.source


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_the_loop_stays_one(to: str) -> None:
    text = tl.transpile(kalman, (X.copy(),), to=to).source
    assert "    for z in x:\n" in text and text.count("xs.append(m)") == 1
    assert "nothing was measured" not in text  # of the way that is left out
