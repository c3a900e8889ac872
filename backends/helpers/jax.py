"""Helpers for emitted jax source."""

import math

import jax
import jax.numpy as jnp

from .common import ceil_pairs, per_axis


def reduce_windows(operation, initial, x, window, stride, padding, dilation=1):
    """One result for each window over the last axes of x. A stride is one number or one an axis."""
    n = len(window)
    lead = (1,) * (x.ndim - n)
    stride, dilation = per_axis(stride or window, n), per_axis(dilation, n)
    padding = per_axis(padding, n)
    pairs = [per_axis(pair, 2) for pair in (0,) * len(lead) + padding]
    return jax.lax.reduce_window(
        x, initial, operation, lead + window, lead + stride, pairs, window_dilation=lead + dilation
    )


def conv_transpose(x, w, stride=1, padding=0, output_padding=0, dilation=1, groups=1):
    """Every element of x[n, c, *size] adds itself times w[c, o // groups, *window] to the result."""
    n = w.ndim - 2
    stride, dilation = per_axis(stride, n), per_axis(dilation, n)
    turned = jnp.flip(w, tuple(range(2, n + 2))).reshape(groups, len(w) // groups, *w.shape[1:])
    w = turned.swapaxes(1, 2).reshape(groups * w.shape[1], len(w) // groups, *w.shape[2:])
    spans = [d * (k - 1) for k, d in zip(w.shape[2:], dilation)]
    ends = zip(spans, per_axis(padding, n), per_axis(output_padding, n))
    pairs = [(span - p, span - p + o) for span, p, o in ends]
    return jax.lax.conv_general_dilated(x, w, (1,) * n, pairs, stride, dilation, feature_group_count=groups)


def max_pool(x, window, stride=None, padding=0, dilation=1):
    """The largest element of each window over the last axes."""
    lowest = jnp.iinfo(x.dtype).min if jnp.issubdtype(x.dtype, jnp.integer) else -jnp.inf
    return reduce_windows(jax.lax.max, lowest, x, window, stride, padding, dilation)


def max_pool_ceil(x, window, stride=None, padding=0, dilation=1):
    """max_pool whose last windows may stick out, but do not begin behind the array."""
    n = len(window)
    stride, dilation = per_axis(stride or window, n), per_axis(dilation, n)
    pairs = ceil_pairs(x.shape[-n:], window, stride, per_axis(padding, n), dilation)
    return max_pool(x, window, stride, pairs, dilation)


def avg_pool(x, window, stride=None, padding=0, count_include_pad=True, divisor=None):
    """The mean of each window over the last axes, or its sum over `divisor`."""
    total = reduce_windows(jax.lax.add, 0, x, window, stride, padding)
    if divisor is None and count_include_pad:
        divisor = math.prod(window)
    elif divisor is None:
        divisor = reduce_windows(jax.lax.add, 0, jnp.ones_like(x), window, stride, padding)
    return total / divisor
