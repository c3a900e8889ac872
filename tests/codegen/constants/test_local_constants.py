"""Numbers to which the user gives names in a function keep them, where he gave them."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.arange(32, dtype=np.float32).reshape(4, 8)
WIDTH = 8


def named(x):
    eps = 1e-6  # never zero
    half = 10 // 2
    y = x / (x.sum() + eps)
    b1, b2 = 0.9, 0.99
    y = b1 * y + (1 - b1) * x
    d = WIDTH * 2
    return (b2 * y + (1 - b2) * half) / d


NAMED = """
    eps = 1e-6  # never zero
    half = 10 // 2
    y = x / (x.sum() + eps)
    b1, b2 = 0.9, 0.99
    y = b1 * y + (1 - b1) * x
    d = WIDTH * 2
    return (b2 * y + (1 - b2) * half) / d
"""


def counted(x):
    n = 4
    for _ in range(n):
        x = x * 0.5 + n
    return x


def unread(x, form="plain"):
    k = 3.0  # only for some

    scale = 2.0
    if form.lower() == "other":
        x = x * k
    return x * scale


def rebound(x):
    k = 2.0
    x = x * k
    k = 3.0
    return x * k


def shadowed(x):
    F = 2.0
    np_ = 0.5
    return torch.nn.functional.gelu(x * F) * np_


def free(x):
    F = 2.0
    return torch.relu(x * F)


def inside(x):
    def step(h):
        k = 0.5
        return h * k

    return step(x) + step(x * 2)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_they_stand_where_they_stood(to: str) -> None:
    out = tl.transpile(named, (X,), to=to)
    assert NAMED in out.source, out.source
    assert "WIDTH = 8\n" in out.source
    assert not [*compare(named(X), out(convert(X, to)))]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_a_loop_counts_to_one(to: str) -> None:
    out = tl.transpile(counted, (X,), to=to)
    assert "    n = 4\n    for _ in range(n):\n        x = x * 0.5 + n\n" in out.source, out.source
    assert not [*compare(counted(X), out(convert(X, to)))]
    again = tl.transpile(out, (convert(X, to),), to=to)
    assert "    n = 4\n    for _ in range(n):\n        x = x * 0.5 + n\n" in again.source


def test_what_nobody_reads_is_left_out_and_its_comment_goes_to_the_next() -> None:
    text = tl.symbolic_trace(unread, (X,)).source("numpy")
    assert "k = 3.0" not in text and "    # only for some\n" in text and "scale = 2.0\n" in text, text
    text = tl.symbolic_trace(unread, (X, "other")).source("numpy")
    assert "    k = 3.0  # only for some\n\n    scale = 2.0\n" in text and "x * k" in text, text


def test_what_is_bound_again_is_its_number() -> None:
    text = tl.symbolic_trace(rebound, (X,)).source("torch")
    assert "k = " not in text and "x * 2.0" in text and "x * 3.0" in text, text


def test_names_that_the_text_uses_otherwise() -> None:
    out = tl.transpile(shadowed, (torch.tensor(X),), to="torch")
    assert "F = " not in out.source and "np_ = 0.5" in out.source, out.source
    assert "F = 2.0" in tl.transpile(free, (torch.tensor(X),), to="torch").source
    assert not [*compare(shadowed(torch.tensor(X)), out(torch.tensor(X)))]


@pytest.mark.parametrize("to", ["numpy", "jax"])
def test_those_of_functions_inside(to: str) -> None:
    out: Any = tl.transpile(inside, (X,), to=to)
    assert not [*compare(inside(X), out(convert(X, to)))], out.source


def handed_back(x):
    p = 0.1
    q = 3 * p
    return x * (1 - p) * q, 3 * p, WIDTH * 2, {"tenth": p}


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_what_is_returned_is_said_as_the_user_does(to: str) -> None:
    text = tl.symbolic_trace(handed_back, (X,)).source(to, x64=False)
    assert 'return x * (1 - p) * q, 3 * p, WIDTH * 2, {"tenth": p}' in text and "WIDTH = 8" in text, text
    assert tl.check(handed_back, (X,), to=to, x64=False)
