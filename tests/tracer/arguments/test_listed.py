"""`np.asarray(x)` makes an array of a list, and no text says it: that x is no list is checked."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

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


def test_the_check_is_one_line_that_says_what_x_must_be() -> None:
    assert tl.symbolic_trace(converted, (ONES,)).to("numpy").source.splitlines()[-2:] == [
        "    assert not isinstance(x, (list, tuple)), x",
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
    assert "isinstance" not in text and "n, _ = x.shape" in text
