"""Optimiser steps without optimiser objects."""

import math

import torch

CLIP_EPS = 1e-6
NO_DECAY = ("bias", "norm")  # parameter names holding one of these are not decayed


def clip_grads_(grads, max_norm):
    """Scale the gradients in place to a global norm of at most max_norm."""
    norms = torch.stack([g.norm() for g in grads if g is not None])
    total_norm = norms.norm()
    coef = (max_norm / (total_norm + CLIP_EPS)).clamp(max=1.0)
    for g in grads:
        if g is not None:
            g.mul_(coef)
    return total_norm


def warmup_cosine(step, base_lr, warmup, total, min_ratio=0.1):
    if step < warmup:
        return base_lr * (step + 1) / warmup
    progress = min(1.0, (step - warmup) / max(1, total - warmup))
    cos = 0.5 * (1.0 + math.cos(math.pi * progress))
    return base_lr * (min_ratio + (1.0 - min_ratio) * cos)


@torch.no_grad()
def adamw_step(
    params,
    grads,
    exp_avgs,
    exp_avg_sqs,
    step,
    lr=3e-4,
    betas=(0.9, 0.95),
    eps=1e-8,
    weight_decay=0.1,
    max_norm=1.0,
    warmup=10,
    total=1000,
):
    """One AdamW step over lists of tensors; everything is updated in place.

    Matrices are decayed, vectors (biases, norms) are not. `step` counts from 0.
    Returns the gradient norm before clipping, and the parameters.
    """
    beta1, beta2 = betas
    total_norm = clip_grads_(grads, max_norm)
    lr = warmup_cosine(step, lr, warmup, total)

    bias1 = 1 - beta1 ** (step + 1)
    bias2 = 1 - beta2 ** (step + 1)

    for p, g, m, v in zip(params, grads, exp_avgs, exp_avg_sqs):
        if g is None:
            continue  # frozen

        if p.ndim >= 2:
            p.mul_(1 - lr * weight_decay)

        m.mul_(beta1).add_(g, alpha=1 - beta1)
        v.mul_(beta2).addcmul_(g, g, value=1 - beta2)

        denom = (v / bias2).sqrt_().add_(eps)
        p.addcdiv_(m, denom, value=-lr / bias1)

    return total_norm, tuple(params)


def ema_update_(ema, params, decay=0.999, step=None):
    # short averages early in training, so the random init is forgotten
    if step is not None:
        decay = min(decay, (1 + step) / (10 + step))
    for name, p in params.items():
        ema[name].lerp_(p, 1 - decay)


@torch.no_grad()
def lion_step(params, grads, momenta, ema=None, step=None, lr=1e-4, wd=0.3):
    """One Lion step on dicts of tensors, then an update of the EMA weights."""
    b1, b2 = 0.9, 0.99

    for name, p in params.items():
        g, m = grads[name], momenta[name]
        if not any(s in name for s in NO_DECAY):
            p.mul_(1.0 - lr * wd)
        update = torch.sign(b1 * m + (1 - b1) * g)
        p.add_(update, alpha=-lr)
        m.mul_(b2).add_(g, alpha=1 - b2)

    if ema is None:
        return params
    ema_update_(ema, params, step=step)
    return ema
