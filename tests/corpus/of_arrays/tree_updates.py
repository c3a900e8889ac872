"""Optimiser transformations on pytrees, chained by hand."""

from typing import Any

import jax
import jax.numpy as jnp
from jax.tree_util import tree_leaves, tree_map

Tree = Any

B1, B2 = 0.9, 0.95
EPS = 1e-8
WARMUP = 10
DECAY_STEPS = 1000


def global_norm(tree: Tree) -> jax.Array:
    return jnp.sqrt(sum(jnp.sum(jnp.square(leaf)) for leaf in tree_leaves(tree)))


def clip_by_global_norm(grads: Tree, max_norm: float) -> tuple[Tree, jax.Array]:
    norm = global_norm(grads)
    factor = jnp.minimum(1.0, max_norm / (norm + 1e-6))
    return tree_map(lambda g: g * factor, grads), norm


def learning_rate(step: jax.Array, peak: float, floor: float = 0.1) -> jax.Array:
    """Linear warmup, then cosine decay to ``floor * peak``."""
    warm = (step + 1) / WARMUP
    frac = jnp.clip((step - WARMUP) / (DECAY_STEPS - WARMUP), 0.0, 1.0)
    cosine = floor + (1 - floor) * 0.5 * (1 + jnp.cos(jnp.pi * frac))
    return peak * jnp.where(step < WARMUP, warm, cosine)


def train_update(
    params: Tree,
    grads: Tree,
    state: dict[str, Tree],
    peak_lr: float = 3e-4,
    weight_decay: float = 0.1,
    max_norm: float = 1.0,
    ema_decay: float = 0.99,
) -> tuple[Tree, dict[str, Tree], dict[str, jax.Array]]:
    """Clip, AdamW, and an exponential average of the weights.

    ``state`` holds ``step``, ``mu``, ``nu`` and ``ema``. Returns the new
    parameters, the new state and a dict of metrics.
    """
    grads, norm = clip_by_global_norm(grads, max_norm)
    step = state["step"]
    lr = learning_rate(step, peak_lr)

    # moments
    mu = tree_map(lambda m, g: B1 * m + (1 - B1) * g, state["mu"], grads)
    nu = tree_map(lambda v, g: B2 * v + (1 - B2) * g**2, state["nu"], grads)
    t = step + 1
    c1 = 1 - B1**t
    c2 = 1 - B2**t

    def apply(p, m, v):
        update = (m / c1) / (jnp.sqrt(v / c2) + EPS)
        if p.ndim >= 2:  # no decay for biases and norms
            update = update + weight_decay * p
        return p - lr * update

    new_params = tree_map(apply, params, mu, nu)
    ema = tree_map(
        lambda e, p: ema_decay * e + (1 - ema_decay) * p, state["ema"], new_params
    )

    moved = tree_map(jnp.subtract, new_params, params)
    metrics = {"grad_norm": norm, "lr": lr, "update_norm": global_norm(moved)}
    return new_params, {"step": t, "mu": mu, "nu": nu, "ema": ema}, metrics
