"""Bidirectional LSTM over padded batches, built on lax.scan."""

import jax
import jax.numpy as jnp
from jax import lax

FORGET_BIAS = 1.0


def lstm_cell(p, h, c, x):
    z = x @ p["wx"] + h @ p["wh"] + p["b"]
    i, f, g, o = jnp.split(z, 4, axis=-1)
    c = jax.nn.sigmoid(f + FORGET_BIAS) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    h = jax.nn.sigmoid(o) * jnp.tanh(c)
    return h, c


def run_direction(p, xs, mask, reverse=False):
    """xs is time-major (T, B, F). Padded steps carry the state through."""
    hidden = p["wh"].shape[0]
    init = jnp.zeros((xs.shape[1], hidden), dtype=xs.dtype)

    def step(carry, inp):
        h, c = carry
        x, m = inp
        h_new, c_new = lstm_cell(p, h, c, x)
        m = m[:, None]
        h = jnp.where(m, h_new, h)
        c = jnp.where(m, c_new, c)
        return (h, c), h * m  # zero output on padding

    (h, _), outputs = lax.scan(step, (init, init), (xs, mask), reverse=reverse)
    return outputs, h


def encode(params, xs, lengths=None, pool="mean"):
    """Stacked bidirectional encoder.

    Args:
        params: list of ``(forward, backward)`` weight dicts, one pair a layer.
        xs: (B, T, F) batch.
        lengths: number of valid steps in each row; all of them if None.
        pool: "mean" or "last".

    Returns:
        (B, T, 2H) outputs and the (B, 2H) summary.
    """
    b, t, _ = xs.shape
    if lengths is None:
        lengths = jnp.full((b,), t)
    mask = jnp.arange(t)[:, None] < lengths[None, :]  # (T, B)

    xs = jnp.swapaxes(xs, 0, 1)
    for i, (fwd, bwd) in enumerate(params):
        out_f, h_f = run_direction(fwd, xs, mask)
        out_b, h_b = run_direction(bwd, xs, mask, reverse=True)
        out = jnp.concatenate([out_f, out_b], axis=-1)
        xs = out if i == 0 else xs + out  # residual from the second layer on

    if pool == "last":
        summary = jnp.concatenate([h_f, h_b], axis=-1)
    else:
        summary = xs.sum(axis=0) / jnp.maximum(lengths, 1)[:, None]
    return jnp.swapaxes(xs, 0, 1), summary
