"""What functions do that others have published."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ways import agrees_or_raises

FRAMEWORKS = ("numpy", "torch", "jax")
LINE = np.linspace(0.5, 2.0, 4, dtype=np.float32)


def of_two(x):
    if not ((x > 0).all() and (x < 9).all()):
        return x - 1
    return x * 2


def of_either(x):
    if not ((x > 9).all() or (x < 0).any()):
        return x - 1
    return x * 2


def of_floats(x):
    if not (x.sum() > 0 and x.max()):
        return x - 1
    return x * 2


def returned(x):
    return not ((x > 0).all() and (x < 9).all())


@pytest.mark.parametrize("to", FRAMEWORKS)
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [of_two, of_either, of_floats, returned])
def test_not_of_tests_that_are_joined(fn: Any, source: str, to: str) -> None:
    agrees_or_raises(fn, source, (LINE,), [(-LINE,), (LINE * 9,), (LINE * 0,)], to)
