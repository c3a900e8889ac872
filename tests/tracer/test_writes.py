"""Writes in place: on fresh locals they are recorded, elsewhere refused."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from tracing import calls, same

import tracelate as tl


@pytest.mark.parametrize("array", [np.ones((2, 3)), torch.ones(2, 3)], ids=["numpy", "torch"])
def test_every_name_of_a_fresh_array_sees_a_write(array: Any) -> None:
    def f(x: Any) -> Any:
        a = x + 1
        b = a
        a += x
        return b * 2

    same(f, array, to="jax", x64=True)
    same(f, array, to="torch")


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_a_view_sees_what_is_written_later(to: str) -> None:
    def f(x: Any) -> Any:
        a = x + 1
        row = a[0]
        a += 1
        return row

    same(f, np.ones((2, 3)), to=to)


def test_an_in_place_write_keeps_dtype_and_shape() -> None:
    def f(x: Any, y: Any) -> Any:
        a = x + 1
        a += y
        return a

    same(f, torch.ones(3, dtype=torch.float64), torch.ones(3), to="numpy")
    with pytest.raises(tl.TraceError, match="doesn.t match the broadcast shape"):
        tl.symbolic_trace(f, (torch.ones(3), torch.ones(2, 3)))


def test_in_jax_nothing_is_written_into() -> None:
    def f(x: Any) -> Any:
        x += 1
        return x

    assert calls(f, jnp.ones((2, 3))) == ["add"]
