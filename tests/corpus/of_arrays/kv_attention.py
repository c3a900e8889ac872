"""Incremental decoding with grouped-query attention, in plain NumPy."""

from __future__ import annotations

import math

import numpy as np

NEG_INF = -1e9  # finite, so that a fully masked row never turns into NaN
EPS = 1e-6  # RMSNorm


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    shifted = x - x.max(axis=axis, keepdims=True)
    e = np.exp(shifted)
    return e / e.sum(axis=axis, keepdims=True)


def rms_norm(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    scale = np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + EPS)
    return x / scale * weight


def split_heads(x: np.ndarray, n_heads: int) -> np.ndarray:
    """(T, D) -> (H, T, D // H)."""
    t, d = x.shape
    return x.reshape(t, n_heads, d // n_heads).transpose(1, 0, 2)


def attend(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    start: int,
    window: int | None = None,
) -> np.ndarray:
    """Causal attention of new queries over everything seen so far."""
    groups = q.shape[0] // k.shape[0]
    if groups > 1:
        # every kv head serves several query heads
        k = np.repeat(k, groups, axis=0)
        v = np.repeat(v, groups, axis=0)

    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])

    q_pos = np.arange(start, start + q.shape[1])[:, None]
    k_pos = np.arange(k.shape[1])[None, :]
    allowed = k_pos <= q_pos
    if window is not None:
        allowed &= (q_pos - k_pos) < window  # sliding window
    scores = np.where(allowed, scores, NEG_INF)

    out = softmax(scores) @ v  # (H, T, d)
    return out.transpose(1, 0, 2).reshape(q.shape[1], -1)


def decode_step(
    x: np.ndarray,
    layers: list[dict[str, np.ndarray]],
    cache: list[tuple[np.ndarray, np.ndarray]],
    start: int,
    n_heads: int = 4,
    n_kv_heads: int = 2,
    window: int | None = None,
) -> np.ndarray:
    """Run new token embeddings through the stack, filling the cache.

    Parameters
    ----------
    x : (T, D) embeddings of the new tokens.
    layers : weights of each layer (``wq``, ``wk``, ``wv``, ``wo``, ``w1``, ``w2``
        and the two norm gains).
    cache : one preallocated ``(keys, values)`` pair a layer, each of shape
        (n_kv_heads, max_len, d). Written in place.
    start : number of tokens already in the cache.
    """
    end = start + x.shape[0]

    for layer, (keys, values) in zip(layers, cache):
        # attention half
        h = rms_norm(x, layer["norm1"])
        q = split_heads(h @ layer["wq"], n_heads)
        keys[:, start:end] = split_heads(h @ layer["wk"], n_kv_heads)
        values[:, start:end] = split_heads(h @ layer["wv"], n_kv_heads)
        att = attend(q, keys[:, :end], values[:, :end], start, window=window)
        x = x + att @ layer["wo"]

        # feed-forward half, SiLU
        h = rms_norm(x, layer["norm2"]) @ layer["w1"]
        x = x + (h / (1.0 + np.exp(-h))) @ layer["w2"]

    return x
