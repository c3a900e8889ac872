"""Helpers for emitted numpy source."""

import math

import numpy as np

from .common import ceil_pairs, per_axis


def descending_argsort(x, axis):
    """The positions of the elements from the largest to the smallest; equal ones stay in their own order."""
    positions = np.argsort(np.flip(x, axis), axis=axis, kind="stable")
    return x.shape[axis] - 1 - np.flip(positions, axis)


def complex_of(x, y):
    """The complex numbers of these parts, infinities and signed zeros too."""
    z = np.empty(np.broadcast_shapes(x.shape, y.shape), np.result_type(x, y, np.complex64))
    z.real, z.imag = x, y
    return z


def sigmoid(x):
    """1 / (1 + exp(-x)), of which the exponential may be inf: the result is 0 there."""
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-x))


def padded(x, padding, n, fill=0):
    """x with `fill` around its last `n` axes, by one number, or for each axis one or a (before, after)."""
    pairs = [per_axis(pair, 2) for pair in per_axis(padding, n)]
    if not any(map(any, pairs)):
        return x
    return np.pad(x, [(0, 0)] * (x.ndim - n) + pairs, constant_values=fill)


def windows(x, window, stride, dilation):
    """Every window over the last axes of x, its elements as further axes."""
    spans = [d * (k - 1) + 1 for k, d in zip(window, dilation)]
    axes = tuple(range(-len(window), 0))
    view = np.lib.stride_tricks.sliding_window_view(x, spans, axis=axes, writeable=True)
    lead = (slice(None),) * (x.ndim - len(window))
    return view[lead + tuple(slice(None, None, step) for step in (*stride, *dilation))]


def over_windows(combine, x, window, stride, dilation=1):
    """What `combine` makes of the elements of every window, axis by axis, in an array of its own."""
    n = len(window)
    stride, dilation = per_axis(stride or window, n), per_axis(dilation, n)
    for axis in reversed(range(-n, 0)):
        gap = dilation[axis]
        starts = x.shape[axis] - gap * (window[axis] - 1)
        if starts < 1:
            raise ValueError(f"windows of {window} do not fit into {x.shape}")
        along = x.swapaxes(axis, 0)
        parts = [along[i * gap : i * gap + starts : stride[axis]] for i in range(window[axis])]
        x = combine(*parts[:2]) if len(parts) > 1 else parts[0]
        for part in parts[2:]:
            combine(x, part, out=x)
        x = x.swapaxes(axis, 0)
    return x.copy() if max(window) == 1 else x


def conv(x, w, stride=1, padding=0, dilation=1, groups=1):
    """Cross-correlation of x[n, c, *size] with w[o, c // groups, *window]."""
    n = w.ndim - 2
    stride, dilation = per_axis(stride, n), per_axis(dilation, n)
    if isinstance(padding, str):
        spans = [d * (k - 1) + 1 for k, d in zip(w.shape[2:], dilation)]
        totals = [max(-(-size // s) * s - s + k - size, 0) for size, s, k in zip(x.shape[2:], stride, spans)]
        padding = tuple((total // 2, total - total // 2) for total in totals)
    patches = windows(padded(x, padding, n), w.shape[2:], stride, dilation)
    size = patches.shape[2 : n + 2]
    terms = w[0].size
    patches = np.moveaxis(patches, 1, n + 1).reshape(len(x) * math.prod(size), groups, terms)
    y = patches.swapaxes(0, 1) @ w.reshape(groups, len(w) // groups, terms).mT
    return np.moveaxis(y.swapaxes(0, 1).reshape(len(x), *size, len(w)), -1, 1)


def conv_transpose(x, w, stride=1, padding=0, output_padding=0, dilation=1, groups=1):
    """Every element of x[n, c, *size] adds itself times w[c, o // groups, *window] to the result."""
    n = w.ndim - 2
    stride, dilation = per_axis(stride, n), per_axis(dilation, n)
    rows = np.moveaxis(x, 1, -1).reshape(len(x) * math.prod(x.shape[2:]), groups, len(w) // groups)
    w = w.reshape(groups, len(w) // groups, *w.shape[1:])
    spread = [(size - 1) * s + 1 for size, s in zip(x.shape[2:], stride)]
    spans = [d * (k - 1) for k, d in zip(w.shape[3:], dilation)]
    whole = [size + k + o for size, k, o in zip(spread, spans, per_axis(output_padding, n))]
    y = np.zeros((groups, len(x), *whole, w.shape[2]), x.dtype)
    for place in np.ndindex(w.shape[3:]):
        at = [slice(d * i, d * i + size, s) for i, d, size, s in zip(place, dilation, spread, stride)]
        terms = rows.swapaxes(0, 1) @ w[(..., *place)]
        y[(slice(None), slice(None), *at)] += terms.reshape(groups, len(x), *x.shape[2:], w.shape[2])
    y = np.moveaxis(y, (0, -1), (1, 2)).reshape(len(x), groups * w.shape[2], *whole)
    inside = (slice(p, size - p) for p, size in zip(per_axis(padding, n), whole))
    return y[(slice(None), slice(None), *inside)]


def max_pool(x, window, stride=None, padding=0, dilation=1):
    """The largest element of each window over the last axes."""
    lowest = np.iinfo(x.dtype).min if x.dtype.kind in "iu" else -np.inf
    return over_windows(np.maximum, padded(x, padding, len(window), lowest), window, stride, dilation)


def max_pool_ceil(x, window, stride=None, padding=0, dilation=1):
    """max_pool whose last windows may stick out, but do not begin behind the array."""
    n = len(window)
    stride, dilation = per_axis(stride or window, n), per_axis(dilation, n)
    pairs = ceil_pairs(x.shape[-n:], window, stride, per_axis(padding, n), dilation)
    return max_pool(x, window, stride, pairs, dilation)


def avg_pool(x, window, stride=None, padding=0, count_include_pad=True, divisor=None):
    """The mean of each window over the last axes, or its sum over `divisor`."""
    n = len(window)
    total = over_windows(np.add, padded(x, padding, n), window, stride)
    if divisor is None and count_include_pad:
        divisor = math.prod(window)
    elif divisor is None:
        divisor = over_windows(np.add, padded(np.ones_like(x), padding, n), window, stride)
    return total / divisor
