"""Helpers for emitted jax source."""

import math

import jax
import jax.numpy as jnp


def overhang(size, window, stride, padding, dilation):
    """`padding` along one axis, with room for a last window that sticks out but does not begin behind the array."""
    before, after = padding
    span = dilation * (window - 1) + 1
    steps = -(-(size + before + after - span) // stride)
    steps -= steps * stride >= size + before
    return before, max(after, steps * stride + span - size - before)


def reduce_windows(operation, initial, x, window, stride, padding, dilation=1, ceil_mode=False):
    """One result for each window over the last axes of x; `stride`, `padding` and `dilation` one number or an entry an axis."""
    n = len(window)
    lead = (1,) * (x.ndim - n)
    stride, dilation, padding = (v if isinstance(v, tuple) else (v,) * n for v in (stride, dilation, padding))
    padding = [p if isinstance(p, tuple) else (p, p) for p in padding]
    if ceil_mode:
        padding = [overhang(*axis) for axis in zip(x.shape[-n:], window, stride, padding, dilation)]
    padding = [(0, 0) for _ in lead] + padding
    return jax.lax.reduce_window(
        x, initial, operation, lead + window, lead + stride, padding, window_dilation=lead + dilation
    )


def max_pool(x, window, stride, padding=0, dilation=1, ceil_mode=False):
    """The largest element of each window over the last axes."""
    lowest = jnp.iinfo(x.dtype).min if jnp.issubdtype(x.dtype, jnp.integer) else -jnp.inf
    return reduce_windows(jax.lax.max, lowest, x, window, stride, padding, dilation, ceil_mode)


def avg_pool(x, window, stride, padding=0, count_include_pad=True, divisor=None):
    """The mean of each window over the last axes, or its sum over `divisor`."""
    total = reduce_windows(jax.lax.add, 0, x, window, stride, padding)
    if divisor is None and count_include_pad:
        divisor = math.prod(window)
    elif divisor is None:
        divisor = reduce_windows(jax.lax.add, 0, jnp.ones_like(x), window, stride, padding)
    return total / divisor
