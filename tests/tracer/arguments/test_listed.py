"""`np.asarray(x)` makes an array of a list or a number, which no text says: that x is an array is checked."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.ir.values.tree import leaves

ONES = np.ones(3, np.float32)


def converted(x: Any) -> Any:
    return np.asarray(x) * 2


def copied(x: Any) -> Any:
    x = np.array(x)
    return x * 2


def added(x: Any) -> Any:
    return np.add(x, x)


def by_a_helper(x: Any) -> Any:
    return converted(x) + 1


def in_a_loop(x: Any) -> Any:
    for _ in range(3):
        x = np.asarray(x) * 2
    return x


def chosen(x: Any, y: Any, first: bool = True) -> Any:
    return np.asarray(x if first else y) * 2


def of_jax(x: Any) -> Any:
    return jnp.asarray(x) * 2


def of_torch(x: Any) -> Any:
    return torch.as_tensor(x) * 2


def several(xs: Any) -> Any:
    return [np.asarray(x) * 2 for x in xs]


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(
    ("fn", "args", "other"),
    [
        (converted, (ONES,), ([1.0, 2.0],)),
        (copied, (ONES,), ([1.0, 2.0],)),
        (added, (ONES,), ([1.0, 2.0],)),
        (by_a_helper, (ONES,), ([1.0, 2.0],)),
        (in_a_loop, (ONES,), ([1.0, 2.0],)),
        (chosen, (ONES, ONES), ([1.0, 2.0], ONES)),
        (of_jax, (jnp.ones(3),), ([1.0, 2.0],)),
        (of_torch, (torch.ones(3),), ([1.0, 2.0],)),
        (several, ([ONES, ONES],), ([[1.0], [2.0]],)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_list_is_refused(fn: Any, args: Any, other: Any, to: str) -> None:
    with pytest.raises((AssertionError, AttributeError)):
        tl.symbolic_trace(fn, args).to(to)(*other)


def times(x: Any, y: Any) -> Any:
    return np.asarray(x) * y


def given_back(x: Any, y: Any) -> Any:
    return np.asanyarray(x), y


def by_where(x: Any, y: Any) -> Any:
    return np.where(y > 1, np.asarray(x), y)


def absolute(x: Any, y: Any) -> Any:
    return y * abs(x) - abs(-y)


@pytest.mark.covering
@pytest.mark.parametrize("example", [None, (ONES, ONES)])
@pytest.mark.parametrize("number", [2, -2.5, True])
@pytest.mark.parametrize("dtype", ["float16", "float32", "int32"])
@pytest.mark.parametrize("fn", [times, given_back, by_where, absolute])
def test_a_number_is_refused_or_does_what_it_did(fn: Any, dtype: str, number: Any, example: Any) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    out, y = tl.transpile(fn, example, to="numpy", source="numpy"), np.array([1, 2, 3], dtype)
    try:
        got = out(number, y)
    except Exception:
        return
    for one, other in zip(leaves(got), leaves(fn(number, y)), strict=True):
        assert type(one) is type(other) and one.dtype == other.dtype, out.source
        np.testing.assert_array_equal(one, other)


def test_the_check_is_one_line_that_says_what_x_must_be() -> None:
    assert tl.symbolic_trace(converted, (ONES,)).to("numpy").source.splitlines()[-2:] == [
        '    assert hasattr(x, "dtype"), x',
        "    return x * 2",
    ]
    with pytest.raises(ValueError, match=r"converted was traced for an array x, not \[1.0\]"):
        tl.symbolic_trace(converted, (ONES,)).to("numpy", guards="raise")([1.0])


def test_a_text_that_asks_what_no_list_has_is_enough() -> None:
    def rows(x: Any) -> Any:
        x = np.asarray(x)
        n, _ = x.shape
        return x / n

    text = tl.symbolic_trace(rows, (np.ones((2, 3)),)).to("numpy").source
    assert "hasattr" not in text and "n, _ = x.shape" in text
