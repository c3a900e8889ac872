"""Rotary position embeddings."""

from typing import Optional

import jax
import jax.numpy as jnp
from jax import Array

BASE = 10_000.0
TRAIN_LENGTH = 8  # context the (toy) model was trained with


def rope_tables(
    positions: Array, dim: int, base: float = BASE, scale: float = 1.0
) -> tuple[Array, Array]:
    """cos and sin of shape (T, dim // 2).

    A ``scale`` above one stretches the low frequencies (NTK-aware scaling).
    """
    if scale > 1.0:
        base = base * scale ** (dim / (dim - 2))
    exponent = jnp.arange(0, dim, 2, dtype=jnp.float32) / dim
    inv_freq = 1.0 / base**exponent
    angles = positions.astype(jnp.float32)[:, None] * inv_freq[None, :]
    return jnp.cos(angles), jnp.sin(angles)


def rotate(x: Array, cos: Array, sin: Array) -> Array:
    """Rotate the first 2 * cos.shape[-1] features of ``x``; the rest pass through."""
    rot = 2 * cos.shape[-1]
    x_rot, x_pass = x[..., :rot], x[..., rot:]

    # interleaved pairs (0, 1), (2, 3), ...
    even, odd = x_rot[..., ::2], x_rot[..., 1::2]
    pairs = jnp.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1)
    return jnp.concatenate([pairs.reshape(x_rot.shape), x_pass], axis=-1)


def rotary_attention(
    q: Array,
    k: Array,
    v: Array,
    positions: Optional[Array] = None,
    rotary_dim: Optional[int] = None,
    causal: bool = True,
) -> Array:
    """Multi-head attention on (H, T, D) inputs with rotary queries and keys."""
    n_heads, t, d = q.shape
    if positions is None:
        positions = jnp.arange(t)
    if rotary_dim is None:
        rotary_dim = d

    scale = max(1.0, t / TRAIN_LENGTH)
    cos, sin = rope_tables(positions, rotary_dim, scale=scale)
    q = rotate(q, cos, sin)
    k = rotate(k, cos, sin)

    scores = jnp.matmul(q, jnp.swapaxes(k, -1, -2)) * d**-0.5
    if causal:
        visible = positions[:, None] >= positions[None, :]
        scores = jnp.where(visible, scores, -jnp.inf)
    out = jax.nn.softmax(scores, axis=-1) @ v
    return jnp.moveaxis(out, 0, 1).reshape(t, n_heads * d)
