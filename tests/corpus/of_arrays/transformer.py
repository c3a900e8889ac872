"""A small decoder-only language model as pure functions of a dict of weights."""

import math

import jax
import jax.numpy as jnp

LN_EPS = 1e-5
Z_LOSS = 1e-4  # keeps the log-partition function near zero
PAD_ID = 0


def layer_norm(x, scale, bias):
    mean = x.mean(axis=-1, keepdims=True)
    var = jnp.var(x, axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(var + LN_EPS) * scale + bias


def self_attention(x, p, n_heads, mask):
    b, t, d = x.shape
    qkv = x @ p["wqkv"] + p["bqkv"]
    q, k, v = jnp.split(qkv, 3, axis=-1)

    # (B, T, D) -> (B, H, T, D / H)
    q, k, v = (
        a.reshape(b, t, n_heads, d // n_heads).transpose(0, 2, 1, 3) for a in (q, k, v)
    )
    logits = jnp.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(d // n_heads)
    logits = jnp.where(mask, logits, jnp.finfo(logits.dtype).min)
    weights = jax.nn.softmax(logits, axis=-1)

    out = jnp.einsum("bhqk,bhkd->bhqd", weights, v)
    return out.transpose(0, 2, 1, 3).reshape(b, t, d) @ p["wo"]


def block(x, p, n_heads, mask):
    """Pre-norm residual block."""
    h = layer_norm(x, p["ln1_scale"], p["ln1_bias"])
    x = x + self_attention(h, p, n_heads, mask)
    h = layer_norm(x, p["ln2_scale"], p["ln2_bias"])
    h = jax.nn.gelu(h @ p["w_up"] + p["b_up"])
    return x + h @ p["w_down"] + p["b_down"]


def cross_entropy(logits, targets, weights, z_loss=Z_LOSS):
    log_z = jax.nn.logsumexp(logits, axis=-1)
    picked = jnp.take_along_axis(logits, targets[..., None], axis=-1)[..., 0]
    nll = log_z - picked + z_loss * log_z**2
    return jnp.sum(nll * weights) / jnp.maximum(weights.sum(), 1.0)


def lm_loss(params, tokens, n_heads=4, pad_id=PAD_ID):
    """Next-token loss of a (B, T) batch of ids.

    Returns the scalar loss and a dict with the logits and the accuracy.
    """
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    t = inputs.shape[1]

    # causal, and nobody looks at padding
    causal = jnp.tril(jnp.ones((t, t), dtype=bool))
    mask = causal[None, None] & (inputs != pad_id)[:, None, None, :]

    x = params["embed"][inputs] + params["pos"][:t]
    for layer in params["layers"]:
        x = block(x, layer, n_heads, mask)
    x = layer_norm(x, params["lnf_scale"], params["lnf_bias"])
    logits = x @ params["embed"].T  # tied weights

    weights = (targets != pad_id).astype(logits.dtype)
    loss = cross_entropy(logits, targets, weights)
    hits = (logits.argmax(axis=-1) == targets) * weights
    return loss, {"logits": logits, "accuracy": hits.sum() / weights.sum()}
