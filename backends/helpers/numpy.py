"""Helpers for emitted numpy source."""

import functools

import numpy as np


def descending_argsort(x, axis):
    """The positions of the elements from the largest to the smallest; equal ones stay in their own order."""
    positions = np.argsort(np.flip(x, axis), axis=axis, kind="stable")
    return x.shape[axis] - 1 - np.flip(positions, axis)


def complex_of(x, y):
    """The complex numbers of these parts, infinities and signed zeros too."""
    z = np.empty(np.broadcast_shapes(x.shape, y.shape), np.result_type(x, y, np.complex64))
    z.real, z.imag = x, y
    return z


def windows(x, window, stride, padding, dilation, fill=0):
    """Every window over the last axes of x, its elements as further axes."""
    n = len(window)
    lead = x.ndim - n
    x = np.pad(x, [(0, 0)] * lead + [tuple(pair) for pair in padding], constant_values=fill)
    spans = [d * (k - 1) + 1 for k, d in zip(window, dilation)]
    axes = tuple(range(lead, x.ndim))
    view = np.lib.stride_tricks.sliding_window_view(x, spans, axis=axes, writeable=True)
    steps = [slice(None, None, step) for step in (*stride, *dilation)]
    return view[(slice(None),) * lead + tuple(steps)]


def over_windows(combine, patches, window):
    """What `combine` makes of the elements of every window, one axis after the other."""
    for _ in window:
        patches = functools.reduce(combine, np.moveaxis(patches, -1, 0))
    return patches


def pairs(padding, n):
    """A (before, after) pair for each of `n` axes, of one number, a number an axis, or such pairs."""
    return np.broadcast_to(np.reshape(padding, (-1, 1)) if np.ndim(padding) < 2 else padding, (n, 2))


def conv(x, w, stride=1, padding=0, dilation=1, groups=1):
    """Cross-correlation of x[n, c, *size] with w[o, c // groups, *window]."""
    n = w.ndim - 2
    stride, dilation = np.broadcast_to(stride, n), np.broadcast_to(dilation, n)
    if isinstance(padding, str):
        size, span = np.array(x.shape[2:]), dilation * (np.array(w.shape[2:]) - 1) + 1
        total = np.maximum((-(-size // stride) - 1) * stride + span - size, 0)
        padding = np.stack([total // 2, total - total // 2], axis=1)
    patches = windows(x, w.shape[2:], stride, pairs(padding, n), dilation)
    size = patches.shape[2 : n + 2]
    terms = w[0].size
    patches = np.moveaxis(patches, 1, n + 1).reshape(len(x) * np.prod(size, dtype=int), groups, terms)
    y = patches.swapaxes(0, 1) @ w.reshape(groups, len(w) // groups, terms).mT
    return np.moveaxis(y.swapaxes(0, 1).reshape(len(x), *size, len(w)), -1, 1)


def conv_transpose(x, w, stride=1, padding=0, output_padding=0, dilation=1, groups=1):
    """Every element of x[n, c, *size] adds itself times w[c, o // groups, *window] to the result."""
    n = w.ndim - 2
    size, window = np.array(x.shape[2:]), w.shape[2:]
    stride, padding, dilation = (np.broadcast_to(v, n) for v in (stride, padding, dilation))
    apart = np.zeros((*x.shape[:2], *((size - 1) * stride + 1)), x.dtype)
    spread = tuple(slice(None, None, int(step)) for step in stride)
    apart[(slice(None), slice(None), *spread)] = x
    turned = np.flip(w, tuple(range(2, n + 2))).reshape(groups, len(w) // groups, *w.shape[1:])
    w = turned.swapaxes(1, 2).reshape(groups * w.shape[1], len(w) // groups, *window)
    span = dilation * (np.array(window) - 1)
    y = conv(apart, w, 1, np.stack([span, span + output_padding], axis=1), dilation, groups)
    return y[(..., *(slice(p, size - p) for p, size in zip(padding, y.shape[2:])))]


def max_pool(x, window, stride=None, padding=0, dilation=1):
    """The largest element of each window over the last axes."""
    n = len(window)
    stride = np.broadcast_to(stride or window, n)
    dilation = np.broadcast_to(dilation, n)
    lowest = np.iinfo(x.dtype).min if x.dtype.kind in "iu" else -np.inf
    patches = windows(x, window, stride, pairs(padding, n), dilation, lowest)
    return over_windows(np.maximum, patches, window)


def max_pool_ceil(x, window, stride=None, padding=0, dilation=1):
    """max_pool whose last windows may stick out, but do not begin behind the array."""
    n = len(window)
    before, after = pairs(padding, n).T
    size, span = np.array(x.shape[-n:]), dilation * (np.array(window) - 1) + 1
    stride = np.array(stride or window)
    steps = -(-(size + before + after - span) // stride)
    steps -= steps * stride >= size + before
    after = np.maximum(after, steps * stride + span - size - before)
    return max_pool(x, window, tuple(np.broadcast_to(stride, n)), np.stack([before, after], axis=1), dilation)


def avg_pool(x, window, stride=None, padding=0, count_include_pad=True, divisor=None):
    """The mean of each window over the last axes, or its sum over `divisor`."""
    n = len(window)
    stride = np.broadcast_to(stride or window, n)
    padding = pairs(padding, n)
    total = over_windows(np.add, windows(x, window, stride, padding, (1,) * n), window)
    if divisor is None and count_include_pad:
        divisor = np.prod(window).item()
    elif divisor is None:
        patches = windows(np.ones_like(x), window, stride, padding, (1,) * n)
        divisor = over_windows(np.add, patches, window)
    return total / divisor
