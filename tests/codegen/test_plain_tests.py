"""Tests of which a part is known while tracing: the text asks the rest."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert


def decayed(params, decay=0.0):
    made = {}
    for name in params:
        p = params[name]
        if decay and not name.endswith("bias"):
            p = p * (1 - decay)
        made[name] = p if decay > 1 or name == "bias" else p + 1
    return made


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("decay", [0.0, 0.5])
def test_a_test_says_nothing_that_is_known(decay: float, to: str) -> None:
    params: dict[str, Any] = {"weight": np.ones(3, np.float32), "bias": np.ones(2, np.float32)}
    out = tl.transpile(decayed, (params, decay), to=to)
    assert "if decay:" in out.source
    assert " and True" not in out.source and " or False" not in out.source
    for other in (0.0, 0.5, 2.0):
        got, want = out({k: convert(v, to) for k, v in params.items()}, other), decayed(params, other)
        for name in params:
            np.testing.assert_allclose(np.asarray(got[name]), want[name])
