"""A list whose items a loop over it replaces: Python goes through what is there by then."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ways import agrees_or_raises

import tracelate as tl


def handed_on(xs):
    for i, x in enumerate(xs):
        if i + 1 < len(xs):
            xs[i + 1] = xs[i + 1] + x
    return xs


def last_doubled(xs):
    out = []
    for x in xs:
        xs[-1] = xs[-1] * 2
        out.append(x + 1)
    return out, xs


def backwards(xs):
    for x in reversed(xs):
        xs[0] = xs[0] + x
    return xs


def of_a_copy(xs):
    for i, x in enumerate(list(xs)):
        if i + 1 < len(xs):
            xs[i + 1] = xs[i + 1] + x
    return xs


def in_a_helper(xs):
    def put(x):
        xs[-1] = xs[-1] + x
        return x

    return [put(x) for x in xs], xs


def of_its_own(xs):
    own = [x * 1 for x in xs]
    for i, x in enumerate(own):
        if i + 1 < len(own):
            own[i + 1] = own[i + 1] + x
    return own


def appended(xs):
    for x in xs:
        if len(xs) < 6:
            xs.append(x * 2)
    return xs


def shortened(xs):
    out = []
    for x in xs:
        xs.pop()
        out.append(x)
    return out


def arrays(count: int) -> list[Any]:
    return [np.random.default_rng(n).normal(size=3).astype(np.float32) for n in range(count)]


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(
    "fn", [handed_on, last_doubled, backwards, of_a_copy, in_a_helper, of_its_own], ids=lambda fn: fn.__name__
)
def test_what_is_there_by_then(fn: Any, to: str) -> None:
    agrees_or_raises(fn, "numpy", (arrays(3),), [(arrays(count),) for count in (1, 2, 4)], to)


@pytest.mark.parametrize("fn", [appended, shortened])
def test_a_list_that_becomes_longer_or_shorter(fn: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match="how long a list is") as caught:
        tl.symbolic_trace(fn, (arrays(3),))
    assert "test_lists_that_change.py:" in str(caught.value)
