"""What a function asks of the rank of an argument is asked of nobody where its callers make that argument: it
has its rank whatever they are given.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl


def last(x, w):
    b, t, d = x.shape
    return (x @ w).sum(1) / t


def run(x, w, k):
    batch, steps, width = x.shape
    out = x.new_zeros(batch, steps, width)
    h = x.new_zeros(batch, width)
    for t in range(steps):
        h = torch.tanh(x[:, t] @ w + h)
        out[:, t] = h * k
    return out


def in_layers(x, w, v, k):
    low = run(x, w, k)
    both = torch.cat([low, run(low, v, k)], dim=1)
    return last(both * 2, w) + last(low, v)


def scaled(x, w, k):
    return (x * k).sum(-1) if x.ndim == 3 else x @ w


def by_rank(x, w, k):
    made = torch.zeros(2, 3, 4) + k
    return scaled(made, w, k).sum() + scaled(x, w, k).sum()


def number(*shape: int) -> Any:
    return torch.linspace(-1, 1, int(np.prod(shape))).reshape(shape)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_functions_of_made_arrays_are_one(to: str) -> None:
    args = number(2, 3, 4), number(4, 4), number(4, 4) / 2, 0.5
    out = tl.transpile(in_layers, args, to=to)
    assert out.source.count("def run") == 1 and out.source.count("def last") == 1
    assert "ndim" not in out.source.replace("x.ndim == 3", ""), out.source
    report = tl.check(in_layers, args, to=to, vary=24)
    assert report.ok, str(report)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("rank", [2, 3])
def test_arrays_that_are_given_keep_their_checks(rank: int, to: str) -> None:
    args = number(*(2, 3, 4)[-rank:]), number(4, 4), 0.5
    report = tl.check(by_rank, args, to=to, vary=24)
    assert report.ok and report.of("held"), str(report)


def parted(x):
    return torch.linalg.qr(x)


def of_parts(x, w):
    q, r = parted(x.T @ x)
    out = torch.zeros(4, 4)
    for t in range(4):
        out[t] = q[t] * t
    return scaled(r, w, 2.0) + scaled(out, w, 1.0)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_what_a_function_hands_on_as_it_got_it(to: str) -> None:
    report = tl.check(of_parts, (number(3, 4) + torch.eye(3, 4), number(4, 4)), to=to, vary=8)
    assert report.ok, str(report)
