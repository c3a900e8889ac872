"""Optimiser steps for parameters kept in dicts or lists of arrays.

Everything is updated in place, the way the training loop expects.
"""

import math

import numpy as np

BETA1 = 0.9
BETA2 = 0.999
EPS = 1e-8
NO_DECAY = ("bias", "scale")  # name endings


def global_norm(arrays):
    total = 0.0
    for a in arrays:
        total += float(np.sum(a**2))
    return math.sqrt(total)


def warmup_cosine(step, peak, warmup=100, total=1000):
    if step < warmup:
        return peak * (step + 1) / warmup
    progress = min(1.0, (step - warmup) / (total - warmup))
    return 0.5 * peak * (1 + math.cos(math.pi * progress))


def adamw_update(params, grads, m, v, step, lr=1e-3, weight_decay=0.01, max_norm=1.0):
    """One AdamW step on a dict of parameters.

    `m` and `v` have the keys of `params`; `step` counts from zero.
    """
    lr_t = warmup_cosine(step, lr)
    norm = global_norm(grads.values())
    clip = 1.0
    if max_norm is not None and norm > max_norm:
        clip = max_norm / (norm + EPS)

    t = step + 1
    bias1 = 1 - BETA1**t
    bias2 = 1 - BETA2**t

    for name, p in params.items():
        g = grads[name] * clip

        # moments
        m[name] *= BETA1
        m[name] += (1 - BETA1) * g
        v[name] *= BETA2
        v[name] += (1 - BETA2) * np.square(g)

        m_hat = m[name] / bias1
        v_hat = v[name] / bias2
        if weight_decay and not name.endswith(NO_DECAY):
            p -= lr_t * weight_decay * p  # decoupled
        p -= lr_t * m_hat / (np.sqrt(v_hat) + EPS)

    return params


def unit_clip_(grads: list[np.ndarray], ratio: float, params: list[np.ndarray]) -> int:
    """Adaptive clipping: limits each gradient to `ratio` of its parameter's norm."""
    n_clipped = 0
    for g, p in zip(grads, params):
        p_norm = max(float(np.linalg.norm(p)), 1e-3)
        g_norm = float(np.linalg.norm(g))
        limit = ratio * p_norm
        if g_norm > limit:
            g *= limit / g_norm
            n_clipped += 1
    return n_clipped


def momentum_step(
    params: list[np.ndarray],
    grads: list[np.ndarray],
    velocity: list[np.ndarray],
    lr: float = 0.1,
    momentum: float = 0.9,
    weight_decay: float = 5e-4,
    nesterov: bool = True,
    clip_ratio: float | None = None,
) -> tuple[np.ndarray, ...]:
    """SGD with (Nesterov) momentum and L2 weight decay on matrices only."""
    grads = [g.copy() for g in grads]  # the caller logs them afterwards
    if clip_ratio is not None:
        unit_clip_(grads, clip_ratio, params)

    for i, (p, g) in enumerate(zip(params, grads)):
        if p.ndim > 1:
            g += weight_decay * p

        velocity[i] = momentum * velocity[i] + g
        if nesterov:
            update = g + momentum * velocity[i]
        else:
            update = velocity[i]
        params[i][...] = p - lr * update

    return tuple(params)
