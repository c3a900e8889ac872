"""What a text for JAX asks of a float is known where it is compiled: the float is a static argument."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tracelate as tl

pytestmark = pytest.mark.usefixtures("wide")

X = np.arange(3.0)


def picked(x, a):
    return x * [10, 20, 30][int(a) % 3]


def divided(x, a):
    return x * math.gcd(int(a), 6)


def counted(x, a):
    return x * sum(range(int(abs(a)) + 1))


def by_bits(x, a):
    return x * int(a).bit_length()


@pytest.mark.parametrize("fn", [picked, divided, counted, by_bits], ids=lambda fn: fn.__name__)
def test_a_float_whose_value_is_asked_is_static(fn: Callable[..., Any]) -> None:
    out = tl.transpile(fn, (X, 2.5), to="jax", x64=True)
    np.testing.assert_array_equal(out(X, 2.5), fn(X, 2.5))
    with pytest.raises(AssertionError):
        out(X, 4.5)
