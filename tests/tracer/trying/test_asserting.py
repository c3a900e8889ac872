"""raise and assert on numbers: the same check in all targets, JAX's compiled functions too."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import asserted_programs as programs
import numpy as np
import pytest
from ways import agree, attempt

import tracelate as tl
from tracelate import UnsupportedError

X = np.random.default_rng(0).normal(size=(3, 3))
CASES = (
    (X, 0.5), (np.abs(X) * 3, 0.75), (X, 0.0), (X, -1.0), (np.abs(X) * 3, -1.0), (X, 1.5), (X, 9.0),
    (np.ones((4, 1)), 0.5), (np.ones((4, 2)), 0.5),
)  # fmt: skip
WIDE: dict[str, Any] = {"jax": {"x64": True}}


@pytest.mark.parametrize("target", ("numpy", "torch", "jax"))
@pytest.mark.parametrize("fn", (*programs.PROGRAMS, *programs.OPEN), ids=lambda fn: fn.__name__)
@pytest.mark.usefixtures("wide")
def test_it_raises_where_the_source_does(fn: Callable[..., Any], target: str) -> None:
    traced = tl.symbolic_trace(fn, CASES[0])
    if fn in programs.OPEN and target == "jax":
        with pytest.raises(UnsupportedError, match="where an array, or the turn of a loop, decides"):
            traced.source("jax", x64=True)
        return
    made = traced.to(target, **WIDE.get(target, {}))
    for args in CASES:
        expected = attempt(fn, args, "numpy", arguments=False)
        assert agree(expected, attempt(made, args, target, arguments=False)), args
