"""A write in place keeps the dtype of an array. Where the text has a new value in its stead, as in a loop
that is left early or of what has no axes, other arguments give the dtype of the source, or are refused.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert

NP = {"numpy": np, "torch": torch}
X, Y = np.array([1.0, 2.0, 3.0]), np.array([3.0, 1.0, 2.0])


def left_early(xp, a, b):
    x = xp.zeros_like(a)
    for _ in range(4):
        x += b
        if x[0] > 5:
            break
    return x


def of_its_own_dtype(xp, a, b):
    x = xp.zeros(3)
    for _ in range(4):
        x += a * b
        if x[0] > 5:
            break
    return x


def continued(xp, a, b):
    x = xp.ones(3)
    for i in range(3):
        if b[i] < 2:
            continue
        x *= a
    return x


def beside_a_constant(xp, a, b):
    x = xp.zeros_like(a)
    for _ in range(4):
        x += a @ (b + xp.ones(3))
        if x[0] > 5:
            break
    return x


def of_a_number(xp, a, b):
    x = a * 1
    while True:
        x -= b / 2
        if x[0] < -5:
            return x


def of_a_sum(xp, a, b):
    x = a * 1
    for _ in range(4):
        x += b.sum()
        if x[0] > 9:
            break
    return x


def of_a_place(xp, a, b):
    x = a * 1
    for _ in range(4):
        x += b.argmax()
        if x[0] > 9:
            break
    return x


def of_a_test(xp, a, b):
    x = a * 1
    for _ in range(4):
        x += b > 1
        if x[0] > 2:
            break
    return x


def without_axes(xp, a, b):
    x = a[:1].reshape(())
    x += b.sum()
    return x * 1


def of_a_cast(xp, a, b):
    x = a * 1
    for _ in range(4):
        x += as_32(b)
        if x[0] > 5:
            break
    return x


def as_32(b):
    return b.astype(np.float32) if isinstance(b, np.ndarray) else b.to(torch.float32)


def add(m, v):
    m += v


def by_a_helper(xp, a, b):
    x = xp.zeros_like(a)
    for _ in range(4):
        add(x, b)
        if x[0] > 5:
            break
    return x


def given_a_place(xp, a, b):
    x = xp.zeros_like(a)
    for _ in range(4):
        xp.add(a, b, out=x)
        if x[0] > 5:
            break
    return x


PROGRAMS = [
    left_early, of_its_own_dtype, continued, beside_a_constant, of_a_number, of_a_sum, of_a_place, of_a_test,
    without_axes, of_a_cast, by_a_helper, given_a_place,
]  # fmt: skip
DTYPES = ("float64", "float32", "float16", "int64", "int32", "int8", "uint8", "bool")


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("example", ["float64", "float32", "int32"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("fn", PROGRAMS)
@pytest.mark.usefixtures("wide")
@pytest.mark.filterwarnings("ignore")
def test_a_new_value_has_the_dtype_of_the_array(fn: Any, source: str, example: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    def program(a, b):
        return fn(NP[source], a, b)

    def given(one: str, other: str, framework: str) -> list[Any]:
        return [convert(X.astype(one), framework), convert(Y.astype(other), framework)]

    try:
        program(*given(example, example, source))
    except Exception:
        pytest.skip("the source itself refuses it")
    try:
        out = tl.transpile(program, given(example, example, source), to=to, source=source)
    except tl.UnsupportedError:
        return
    for one, other in product(DTYPES, DTYPES):
        try:
            expected = program(*given(one, other, source))
        except Exception:
            continue  # the source takes none of these
        try:
            found = out(*given(one, other, to))
        except (AssertionError, TypeError):  # of a check, or NumPy's own of what does not fit in place
            assert (one, other) != (example, example)
            continue
        wrong = [*compare(expected, found)]
        assert not wrong, f"{one}, {other}: {wrong[0]}\n{out.source}"


def test_what_is_of_one_dtype_anyway_needs_no_others() -> None:
    """Of conjugate gradients: whatever floats they are of, all of them are."""

    def solve(a, b):
        x = np.zeros_like(b)
        r = b - a @ x
        p = r.copy()
        for _ in range(10):
            step = (r @ r) / (p @ a @ p)
            x += step * p
            new = r - step * (a @ p)
            if new @ new < 1e-10:
                break
            p = new + (new @ new) / (r @ r) * p
            r = new
        return x

    out = tl.transpile(solve, (np.eye(3), X), to="torch")
    assert "b.dtype" not in out.source and "float64" not in out.source
    found = out(torch.eye(3), torch.tensor(X, dtype=torch.float32))
    assert found.dtype == torch.float32 and np.allclose(found, X)
