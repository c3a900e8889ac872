"""Branches on whether an optional argument is there: they stay an `if`."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from tracing import X

import tracelate as tl


def optional(x: Any, z: Any = None) -> Any:
    res = x * 2
    if z is not None:
        res += z
    else:
        res = res - 1
    return res


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_an_optional_argument_is_a_static_branch(to: str) -> None:
    out = tl.transpile(optional, (X, X), to=to)
    array = {"numpy": np.ones, "jax": jnp.ones, "torch": torch.ones}[to]
    assert float(np.asarray(out(array(3), array(3)))[0]) == 3.0
    assert float(np.asarray(out(array(3)))[0]) == 1.0
    assert "if z is not None:" in out.source and "else:" in out.source


def test_leaving_a_static_branch_early_is_refused() -> None:
    def f(x: Any, z: Any = None) -> Any:
        if z is None:
            return x
        return x + z

    with pytest.raises(tl.UnsupportedError, match="leaving an `if`"):
        tl.symbolic_trace(f, (X, X))
