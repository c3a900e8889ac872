"""Loops whose first turns are not like the others: those are written before the loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import peeled_programs as programs
import pytest
from ways import convert

import tracelate as tl

X = np.random.default_rng(0).normal(size=(12, 3)).astype(np.float32)

NUMPY = """\
import numpy as np


def best_row(x):
    assert x.shape[0] > 0, x.shape[0]
    best = x[0]
    for row in x[1:]:
        best = np.maximum(best, row)
    return best
"""

JAX = """\
import jax
import jax.numpy as jnp


@jax.jit
def differences(x):
    assert jnp.issubdtype(x.dtype, jnp.floating), x.dtype
    assert x.shape[0] > 0, x.shape[0]

    def step(previous, item):
        i, row = item
        return row, (row - previous) * i

    _, out = jax.lax.scan(step, x[0], (jnp.arange(1, x.shape[0]), x[1:]))
    return out
"""


def test_the_text() -> None:
    assert tl.symbolic_trace(programs.best_row, X).source("numpy") == NUMPY
    assert tl.symbolic_trace(programs.differences, X).source("jax") == JAX


def test_a_count_that_nobody_reads_is_not_taken_along() -> None:
    def added(x: Any) -> Any:
        total = np.zeros(3, np.float32)
        for _, row in enumerate(x):
            total = total + row
        return total

    assert "for row in x:" in tl.symbolic_trace(added, X).source("numpy")
    assert "jax.lax.scan(step, total, x)" in tl.symbolic_trace(added, X).source("jax")


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_one_turn_is_enough_and_none_is_too_few(to: str) -> None:
    for fn, _ in programs.PROGRAMS:
        if fn.__name__ in ("differences", "passed_over", "narrow_at_first", "whole_at_first", "whole_until"):
            continue  # they need two rows, or 64 bits
        out = tl.transpile(fn, X, to=to)
        for rows in (1, 2, 12):
            assert np.allclose(out(convert(X[:rows], to))[0], fn(X[:rows])[0], atol=1e-5), fn.__name__
    with pytest.raises(AssertionError, match="^0"):
        tl.transpile(programs.best_row, X, to=to)(convert(X[:0], to))


def test_what_is_asked_of_the_number_of_a_turn_is_known_where_all_are_alike() -> None:
    text = tl.symbolic_trace(programs.back_over_indices, X).source("numpy")
    assert "if" not in text.split("h = ", 1)[1]

    def positive(x: Any) -> Any:
        for i in range(1, 20):
            if i > 0 and 0 != i and i >= 1 and not i < 1:
                x = x * i
        return x

    assert "if" not in tl.symbolic_trace(positive, X).source("torch")


def test_sizes_that_are_equal_in_the_example_alone_are_no_reason() -> None:
    def model(x: Any, w: Any, h: Any) -> Any:
        for row in x:
            h = np.tanh(row @ w + h)
        return h

    text = tl.symbolic_trace(model, (X, np.ones((3, 4), np.float32), np.ones(4, np.float32))).source("numpy")
    assert "for row in x:" in text and "x[0]" not in text


def test_a_row_that_is_written_into_is_written_in_its_array() -> None:
    def f(x: Any) -> Any:
        a = None
        for row in x:
            if a is None:
                a = row
            else:
                a += row
        return a

    mine, theirs = X.copy(), X.copy()
    found = tl.transpile(f, (X.copy(),), to="numpy")(theirs)
    np.testing.assert_array_equal(found, f(mine))
    np.testing.assert_array_equal(theirs, mine)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_a_count_of_another_length_is_not_left_out(to: str) -> None:
    def zipped(x: Any, n: int, k: int) -> Any:
        total = np.zeros(3, np.float32)
        for _, row in zip(range(0, n, k), x):
            total = total + row
        return total

    out = tl.transpile(zipped, (X, 24, 2), to=to)
    assert np.allclose(out(convert(X, to), 23, 2), zipped(X, 23, 2), atol=1e-5)
    for n, k in ((10, 2), (24, 3), (12, 1)):
        with pytest.raises(AssertionError):
            out(convert(X, to), n, k)
