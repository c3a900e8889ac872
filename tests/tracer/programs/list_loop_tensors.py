"""Programs of torch and JAX that go through lists of arrays, see list_loop_programs.py."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import torch


def attend(x, layers, mask=None):
    for p in layers:
        q, k, v = (x @ p["qkv"]).chunk(3, dim=-1)
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        x = x + scores.softmax(dim=-1) @ v
    return x


def momentum(params, grads, speeds, lr=0.1):
    for p, g, v in zip(params, grads, speeds):
        v.mul_(0.9).add_(g)
        p.sub_(lr * v)
    return params


def norm_of(grads):
    total = 0.0
    for g in grads:
        total = total + g.pow(2).sum()
    return total**0.5


def clipped(grads, most=1.0):
    total = norm_of(grads)
    scale = torch.clamp(most / (total + 1e-6), max=1.0)
    return [g * scale for g in grads]


def residual(x, layers):
    skip = x
    for w in layers:
        x = jnp.tanh(x @ w)
    return x + skip


def scanned_inside(x, layers):
    for w in layers:
        x, _ = jax.lax.scan(lambda c, row: (c * 0.5 + row, None), x, w)
    return x
