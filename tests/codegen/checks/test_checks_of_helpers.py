"""What helpers ask of what they are given is checked of the arguments of the entry, whatever lies between."""

from __future__ import annotations

import ast
import copy
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

VECTOR = np.arange(3.0) + 1
MATRIX = np.arange(9.0).reshape(3, 3)
ENTER = {"numpy": np.array, "jax": jnp.asarray, "torch": torch.tensor}


def narrow(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float32)


def by_dtype(v):
    return v * 2 if v.dtype == np.float64 else v * 3


def by_rank(v):
    if v.ndim == 2:
        return v.sum(axis=1)
    return v


def turned(v, k):
    for _ in range(k):
        v = by_dtype(v) * 0.5
    return v


def through_two(x, y):
    return turned(x @ y, 3)


def closed_over(x, y):
    def inner(v):
        return v * 2 if y.dtype == np.float64 else v * 3

    return inner(x + 1)


def computed_of_two(x, y):
    return by_rank(x * y)


def items(xs):
    total = 0.0
    for x in xs:
        total = total + by_rank(x).sum()
    return total


def rows(m):
    total = m[0] * 0
    for row in m:
        total = total + by_dtype(row)
    return total


def until_small(x):
    while x.sum() > 10:
        x = by_dtype(x) * 0 + x / 2
    return x


def chosen(x, y, c):
    z = x if c.sum() > 0 else y
    return by_dtype(z)


def stored(x, out):
    out[:] = by_dtype(x)
    return out


def called_twice(x, y):
    return by_dtype(x) + by_dtype(y).sum()


N = narrow(VECTOR)
CASES: dict[Any, Any] = {
    through_two: [(MATRIX, MATRIX), (narrow(MATRIX), narrow(MATRIX)), (MATRIX, narrow(MATRIX))],
    closed_over: [(VECTOR, VECTOR), (VECTOR, N), (N, VECTOR), (N, N)],
    computed_of_two: [(MATRIX, MATRIX), (VECTOR, VECTOR), (MATRIX, VECTOR), (VECTOR, MATRIX)],
    items: [([MATRIX] * 2,), ([VECTOR] * 2,), ([MATRIX, VECTOR],), ([narrow(MATRIX)] * 3,)],
    rows: [(MATRIX,), (narrow(MATRIX),)],
    until_small: [(VECTOR * 9,), (narrow(VECTOR * 9),)],
    chosen: [(VECTOR,) * 3, (N, N, VECTOR), (VECTOR, N, VECTOR), (VECTOR, N, -VECTOR), (N, VECTOR, -VECTOR)],
    stored: [(VECTOR, VECTOR * 0), (N, VECTOR * 0), (VECTOR, N * 0), (N, N * 0)],
    called_twice: [(VECTOR, VECTOR), (N, VECTOR), (VECTOR, N), (N, N)],
}


def entered(value: Any, to: str) -> Any:
    return [entered(item, to) for item in value] if isinstance(value, list) else ENTER[to](value)


@pytest.mark.parametrize("to", ENTER)
@pytest.mark.parametrize("fn", CASES, ids=lambda fn: fn.__name__)
def test_other_arguments_agree_or_are_refused(fn: Any, to: str) -> None:
    example, *others = CASES[fn]
    with jax.enable_x64(True):
        out = tl.transpile(fn, copy.deepcopy(example), to=to, x64=True if to == "jax" else None)
        for given in (example, *others):
            expected = np.asarray(fn(*copy.deepcopy(given)))
            try:
                got = np.asarray(out(*(entered(value, to) for value in given)))
            except AssertionError:
                assert given is not example
                continue
            assert got.dtype == expected.dtype
            np.testing.assert_allclose(got, expected, rtol=1e-5)


def layer(x, p):
    assert x.dtype == np.float32
    return x @ p["w"] + p["b"]


def model(x, params):
    for p in params:
        x = layer(x, p)
    return x


def test_only_the_entry_checks_dtypes() -> None:
    params = [{"w": np.ones((3, 3), np.float32), "b": np.ones(3, np.float32)}] * 2
    text = tl.symbolic_trace(model, (np.ones((2, 3), np.float32), params)).source("jax")
    entry, helper = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    checks = [ast.unparse(node.test) for node in entry.body if isinstance(node, ast.Assert)]
    assert sorted(checks) == [
        "all((a.dtype == jnp.float32 for a in jax.tree.leaves(params)))", "x.dtype == jnp.float32",
    ]  # fmt: skip
    assert not any(isinstance(node, ast.Assert) for node in helper.body)


def flattened(t):
    if isinstance(t, list):
        return [v for s in t for v in flattened(s)]
    return [t * 2]


def added_up(t):
    return sum(added_up(s) for s in t) if isinstance(t, list) else t.sum()


@pytest.mark.parametrize("program", [flattened, added_up])
def test_functions_that_call_themselves_are_given_parts_of_what_they_are_given(program: Any) -> None:
    nested = [VECTOR, [VECTOR * 2, [VECTOR * 3]]]
    out = tl.transpile(program, (nested,), to="numpy")
    np.testing.assert_allclose(out(nested), program(nested))
    with pytest.raises((AssertionError, TypeError)):
        out([VECTOR, VECTOR, VECTOR])
