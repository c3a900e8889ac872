"""Sizes that are equal in the example and broadcast: what Python decides by the size of the result holds for
other sizes, or is refused.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert


def by_the_size(a, b):
    c = a + b
    return c * [3.0, 2.0][c.shape[0] < 6]


def raised(a, b):
    c = a + b
    if c.shape[0] > 6:
        raise ValueError("too long")
    return c


def asserted(a, b):
    c = a + b
    assert c.shape == a.shape
    return c * 2


def by_the_shape(a, b):
    c = np.where(a > 2, a, b)
    return c * 2 if c.shape == b.shape else c * 3


def by_two_sizes(a, b):
    c = a * b
    return c * 2 if c.shape[0] == a.shape[0] else c * 3


def by_what_is_left(a, b):
    c = np.maximum(a, b)
    return (c * 2 if c.shape[0] - a.shape[0] else c * 3), c.size == a.size


def in_steps(a, b):
    c = a + b
    return c[:: max(1, len(c) // 4)]


def of_what_has_the_size(a, b):
    c = a - b
    z = np.zeros(c.shape[0], np.float32) + 1
    return z * 2 if len(z) > 6 else z


def of_three(a, b):
    c = (a + b) * np.minimum(b, a)[::1]
    return c if len(c) < 7 else c * 2


def size_of(a, b):
    c = a + b
    return c.shape[0]


def added(a, b):
    return a + b


def of_a_helper(a, b):
    c = added(b, a)
    return c * 2 if c.shape[0] > 6 else c


def told_by_a_helper(a, b):
    n = size_of(a, b)
    return a * 2 if n > 6 else a


def in_a_helper(c):
    return c * c.shape[0] if c.shape[0] < 6 else c


def given_to_a_helper(a, b):
    return in_a_helper(a + b)


def in_a_loop(a, b):
    c = a + b
    s = c * 0
    for i in range(c.shape[0]):
        s = s + c * i if c.shape[0] > 6 else s + c
    return s


def only_said(a, b):
    c = a - b
    n = c.shape[0]
    return (c**2).sum() / n, np.arange(n), c.reshape(n, 1), np.concatenate([c, a])[:n]


DECIDED = [v for k, v in list(globals().items()) if inspect.isfunction(v) and v.__module__ == __name__]
DECIDED = [fn for fn in DECIDED if fn not in (size_of, added, in_a_helper)]
SIZES = ((5, 5), (1, 8), (8, 1), (8, 8), (1, 1), (5, 1), (1, 5))


def run(fn: Any, arrays: Any) -> Any:
    try:
        return fn(*arrays)
    except Exception as error:
        return error


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", DECIDED, ids=lambda fn: fn.__name__)
@pytest.mark.usefixtures("wide")
def test_other_sizes_agree_or_are_refused(fn: Any, to: str) -> None:
    numbers = np.arange(1.0, 9.0, dtype=np.float32)
    out = tl.transpile(fn, (numbers[:5], numbers[:5] + 1), to=to, x64=True)
    for sizes in SIZES:
        arrays = [numbers[:size] + i for i, size in enumerate(sizes)]
        found = run(out, [convert(x, to) for x in arrays])
        if isinstance(found, Exception):
            assert sizes != (5, 5), found
            assert fn is not only_said, found
            assert isinstance(found, (AssertionError, ValueError)), (found, out.source)
            continue
        expected = run(fn, arrays)
        if not isinstance(expected, Exception):
            assert not list(compare(expected, found, kind="linalg")), (sizes, out.source)


def test_what_is_only_said_costs_nothing() -> None:
    x = np.ones(5, np.float32)
    assert "assert" not in tl.transpile(only_said, (x, x), to="numpy").source
    assert "assert a.shape == b.shape" in tl.transpile(by_the_size, (x, x), to="numpy").source
