"""What the user raises of arrays of other ranks stays, in his words, though it is decided while tracing."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def one(x):
    """Sums columns."""
    # only matrices here
    if x.ndim != 2:
        raise ValueError(f"a matrix, not {x.shape}")
    return x.sum(0)


def two(x, y):
    if x.ndim != 2 or len(y.shape) != 2:
        raise TypeError("matrices")
    return x @ y.T


def at_least(x):
    if np.ndim(x) < 2:
        raise ValueError("two axes")
    return x.mean(-1)


def in_a_helper(x):
    return checked(x) + checked(x * 2)


def checked(x):
    if x.ndim == 1:
        raise ValueError("no vectors")
    return x * x


def after_another(x, k=2):
    if k < 1:
        raise ValueError("k")
    if x.ndim not in (2, 4):
        raise ValueError("axes")
    return x[:k]


CASES = [(one, 1), (two, 2), (at_least, 1), (after_another, 1)]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("program, count", CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_the_users_error_is_raised(program: Any, count: int, to: str) -> None:
    out = tl.transpile(program, (X,) * count, to=to)
    assert np.allclose(out(*(convert(X, to),) * count), program(*(X,) * count))
    vectors = (X[0],) * count
    with pytest.raises((ValueError, TypeError)) as wanted:
        program(*vectors)
    with pytest.raises(type(wanted.value)) as found:
        out(*(convert(v, to) for v in vectors))
    assert str(found.value).replace("torch.Size([3])", "(3,)") == str(wanted.value)


def test_no_check_asks_the_same() -> None:
    text = tl.transpile(one, (X,), to="numpy").source
    assert "# only matrices here\n    if x.ndim != 2:\n        raise ValueError(" in text
    assert "assert" not in text
    assert "assert x.ndim" not in tl.transpile(two, (X, X), to="torch").source
    assert tl.symbolic_trace(one, (X,)).source("numpy", guards="raise").count("x.ndim != 2") == 1


def test_a_helper_keeps_its_own() -> None:
    text = tl.transpile(in_a_helper, (X,), to="numpy").source
    assert 'def checked(x):\n    if x.ndim == 1:\n        raise ValueError("no vectors")' in text


def test_what_torch_calls_it() -> None:
    def program(x):
        if x.dim() != 2:
            raise RuntimeError("matrix")
        return x.sum()

    text = tl.transpile(program, (torch.ones(2, 2),), to="numpy").source
    assert 'if x.ndim != 2:\n        raise RuntimeError("matrix")' in text


def test_behind_a_return_it_goes() -> None:
    def program(x, k=0):
        if k > 1:
            return x
        if x.ndim != 2:
            raise ValueError("axes")
        return x.T

    text = tl.transpile(program, (X,), to="numpy").source
    assert "ValueError" not in text and "assert x.ndim == 2" in text
