"""The dtype of what is of one dtype on one way and of another on another is refused, with the user's line."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

ARGUMENTS = {
    "numpy": (np.ones(3, np.float32), np.ones(3)),
    "jax": (jnp.ones(3, jnp.float32), jnp.ones(3, jnp.int32)),
    "torch": (torch.ones(3), torch.ones(3, dtype=torch.float64)),
}
USES: dict[str, list[Callable[[Any, Any], Any]]] = {
    "numpy": [
        lambda x, b: np.zeros(3, b.dtype),
        lambda x, b: b.astype(b.dtype),
        lambda x, b: np.asarray(x, b.dtype),
        lambda x, b: x * (b.dtype == np.float32),
        lambda x, b: x * (b.dtype.name == "float32"),
        lambda x, b: x * b.dtype.itemsize,
        lambda x, b: x * np.issubdtype(b.dtype, np.floating),
        lambda x, b: x * np.issubdtype(np.result_type(b, x), np.float64),
        lambda x, b: x if b.dtype == np.float64 else x * 2,
        lambda x, b: x * (b.dtype in (np.dtype(np.float32),)),
        lambda x, b: x * np.finfo(b.dtype).eps,
        lambda x, b: b.dtype.type(3) * x,
    ],
    "jax": [
        lambda x, b: x.astype(b.dtype),
        lambda x, b: jnp.zeros(3, b.dtype),
        lambda x, b: x * jnp.issubdtype(b.dtype, jnp.floating),
    ],
    "torch": [
        lambda x, b: x.to(b.dtype),
        lambda x, b: torch.zeros(3, dtype=b.dtype),
        lambda x, b: x * b.is_floating_point(),
        lambda x, b: x * b.element_size(),
        lambda x, b: x * b.is_contiguous(),
        lambda x, b: x.to(b.device),
    ],
}


@pytest.mark.parametrize(
    ("source", "use"), [(source, use) for source, uses in USES.items() for use in uses]
)
def test_a_dtype_that_a_way_decides_is_refused(source: str, use: Callable[[Any, Any], Any]) -> None:
    def program(x, y):
        either = x if y.sum() > 0 else y
        return use(x, either)

    with pytest.raises(tl.UnsupportedError, match="the dtype of an array") as error:
        tl.transpile(program, source=source, to="numpy", args=ARGUMENTS[source])
    assert "test_dtypes_of_ways.py" in str(error.value)


def test_so_is_that_of_a_branch_with_an_array_of_its_own() -> None:
    def program(x, scale):
        found = np.concatenate([x, np.sqrt(scale) * x]) if scale else x
        return np.zeros(3, found.dtype)

    with pytest.raises(tl.UnsupportedError, match="the dtype of an array"):
        tl.transpile(program, source="numpy", to="numpy", args=(np.ones(3, np.float32), np.float64(2.0)))


def test_one_that_is_cast_on_every_way_has_its_own() -> None:
    def program(x, y):
        either = x.astype(np.float64) if y.sum() > 0 else y
        return np.zeros(3, either.dtype)

    x, y = ARGUMENTS["numpy"]
    out = tl.transpile(program, source="numpy", to="numpy", args=(x, y))
    assert out(x, -y).dtype == program(x, -y).dtype == np.float64
