"""In his own framework a text says what the user says, word for word."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from own_text import OF, X

import tracelate as tl


def of_torch(x, w):
    y = x.view(x.shape[0], 3, -1).pow(2)
    y = torch.pow(y, 0.5).clip(0, 3)
    z = x.permute(1, 0).float().norm(dim=-1)
    a = torch.clamp(x, min=0.0).mul(2).add(w).sub(1.5)
    b = torch.mul(x, w).div(3).neg().abs().ravel()
    c = torch.matmul(x, w.transpose(0, 1)).mm(w).repeat(2, 1)
    d = torch.cat([x, w]).type(torch.float64).masked_fill(torch.cat([x, w]) > 1, 0.0)
    e = x.unsqueeze(0).squeeze(0) * x.flatten().max()
    f = x.gt(1).logical_and(w.lt(2)).long().cumsum(0)
    g = torch.norm(x, dim=1) + x.sum(1, keepdim=True).squeeze()
    h = F.softmax(x, dim=-1).mean(-1) + torch.softmax(w, -1).topk(2, dim=-1).values.sum(1)
    return (y, z, a, b, c, d, e, f, g, h)


def of_numpy(x, w):
    y = np.add(x, w).clip(0, 1)
    z = np.ravel(x) + np.multiply(x, w).ravel()
    c = np.abs(x) + np.square(x) + np.power(x, 2)
    d = x.astype(np.float32) + np.greater(x, 1)
    e = np.concatenate([x, w]).repeat(2, axis=0).mean(0, keepdims=True)
    f = np.max(x) + np.max(x, axis=0) + x.max(axis=1, keepdims=True)
    g = np.swapaxes(x, 0, 1) @ w
    return (y, z, c, d, e, f, g)


def of_jax(x, w):
    y = jnp.add(x, w).clip(0, 1)
    z = jnp.ravel(x) + jnp.multiply(x, w).ravel()
    c = jnp.abs(x) + jnp.square(x) + jnp.power(x, 2)
    e = jnp.concatenate([x, w]).mean(0, keepdims=True)
    f = jnp.max(x) + jnp.max(x, axis=0) + x.max(axis=1, keepdims=True)
    g = jnp.swapaxes(x, 0, 1) @ w
    return (y, z, c, e, f, g)


def statements(text: str) -> list[str]:
    """Those of the first function, without checks."""
    made = next(s for s in ast.parse(textwrap.dedent(text)).body if isinstance(s, ast.FunctionDef))
    return [ast.unparse(s) for s in made.body if not isinstance(s, (ast.Assert, ast.Expr))]


@pytest.mark.parametrize(("fn", "own"), [(of_torch, "torch"), (of_numpy, "numpy"), (of_jax, "jax")])
def test_no_word_differs(fn: Any, own: str) -> None:
    given = (OF[own](X), OF[own](X + 1))
    text = tl.symbolic_trace(fn, given).source(own)
    assert statements(text) == statements(inspect.getsource(fn)), text
    assert tl.check(fn, given, to=own, vary=30)


def test_memory_is_that_of_the_users_call() -> None:
    """What the user's own call gives a view of is written into by it."""

    def viewed(x):
        y = x.view(-1)
        y[0] = 7
        return x * 1

    assert "x.view(-1)" in tl.symbolic_trace(viewed, (torch.ones(2, 3),)).source("torch")
    assert tl.check(viewed, (torch.ones(2, 3),), to="torch", vary=20)


def attended(q, v):
    att = torch.softmax(q @ q.transpose(-2, -1), -1)
    return (att @ v).transpose(1, 2).contiguous().view(q.shape[0], -1)


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: x.t().contiguous().view(-1),
        lambda x: (x.t().contiguous() + 1).view(-1),
        lambda x: x.t().double().contiguous().view(-1),
        lambda x: x.t().clone(memory_format=torch.contiguous_format).view(-1),
        lambda x: attended(x[None], x[None] * 2),
    ],
)
def test_what_is_viewed_lies_in_order(fn: Any) -> None:
    """A text may leave out what only puts elements in order: it says `reshape` then."""
    assert tl.check(fn, (torch.arange(6.0).reshape(2, 3),), to="torch", vary=10)
