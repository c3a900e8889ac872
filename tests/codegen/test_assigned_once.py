"""What a loop binds before it may be left is bound there, and is what it was."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import textwrap

import numpy as np
import pytest
from agreeing import agrees, given

import tracelate as tl


def fixed_point(x, tol, iters=50):
    for _ in range(iters):
        new = np.cos(x)
        err = np.abs(new - x).max()
        x = new
        if err < tol:
            break
    return x


def counted(x, tol):
    it = 0
    while True:
        new = np.cos(x)
        done = np.abs(new - x).max() < tol
        x = new
        it += 1
        if done:
            break
    return x, it


def read_by_the_test(x, tol):
    for _ in range(20):
        last = x
        x = np.cos(x)
        if np.abs(x - last).max() < tol:
            break
    return x, last


def read_between(x, tol):
    best, y = x, x
    for _ in range(9):
        new = np.cos(y)
        if new.max() < tol:
            best = new
            break
        y = new + best
        best = new
    return best, y


def another_on_the_way_out(x, tol):
    for _ in range(9):
        new = x / 2
        if new.max() < tol:
            x = new * 2
            break
        x = new
    return x


def gone_on(x, tol):
    total = x * 0
    for i in range(6):
        new = x / 2
        x = new
        if i % 2:
            continue
        total = total + x
        if total.max() > tol:
            break
    return x, total


PROGRAMS = [fixed_point, counted, read_by_the_test, read_between, another_on_the_way_out, gone_on]


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_a_loop_leaves_what_it_leaves(program, to) -> None:
    x = np.linspace(0.1, 1.0, 4, dtype=np.float32)
    out = tl.transpile(program, given((x, 1e-2), "numpy"), to=to)
    for tol in (1e-2, 0.3, 0.9, 10.0, 1e-4):
        agrees(program, out, to, (x, tol), is_example=tol == 1e-2)


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_what_is_bound_on_both_ways_is_bound_before(to) -> None:
    x = np.linspace(0.1, 1.0, 4, dtype=np.float32)
    out = tl.transpile(fixed_point, given((x, 1e-2), "numpy"), to=to)
    wanted = """
        x = new
        if err < tol:
            break
    """
    assert textwrap.indent(textwrap.dedent(wanted).strip(), " " * 8) in out.source, out.source
