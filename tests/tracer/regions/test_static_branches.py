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


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_a_static_branch_may_return(to: str) -> None:
    def f(x: Any, z: Any = None) -> Any:
        if z is None:
            return x
        return x + z

    out = tl.transpile(f, (X, X), to=to)
    array = {"numpy": np.ones, "jax": jnp.ones, "torch": torch.ones}[to]
    assert float(out(array(3))[0]) == 1.0 and float(out(array(3), array(3))[0]) == 2.0
    assert out.source.endswith("    if z is None:\n        return x\n    return x + z\n")
