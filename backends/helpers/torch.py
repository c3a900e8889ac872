"""Helpers for emitted torch source."""

import torch
import torch.nn.functional as F


def true_median(x, dim=None, keepdim=False):
    """The element in the middle, or the mean of the two there, of which torch.median takes the smaller."""
    if dim is None:
        shape, x, dim = [1] * x.dim(), x.flatten(), 0
        return true_median(x, dim).reshape(shape) if keepdim else true_median(x, dim)
    n = x.shape[dim]
    middle = [x.kthvalue(k, dim, keepdim).values for k in ((n + 1) // 2, n // 2 + 1)]
    return torch.where(x.isnan().any(dim, keepdim), torch.nan, (middle[0] + middle[1]) / 2)


def distinct(x):
    """The distinct elements of x in order, all NaNs as one."""
    values = torch.unique(x)
    return values[: len(values) - max(int(values.isnan().sum()) - 1, 0)]


def conv_same(x, w, stride, dilation=1, groups=1):
    """A convolution that gives ceil(size / stride) elements an axis, padded so far, more at the end."""
    n = w.dim() - 2
    stride, dilation = (v if isinstance(v, tuple) else (v,) * n for v in (stride, dilation))
    axes = zip(x.shape[2:], w.shape[2:], stride, dilation)
    totals = [max((-(-size // s) - 1) * s + d * (window - 1) + 1 - size, 0) for size, window, s, d in axes]
    sides = [side for total in reversed(totals) for side in (total // 2, total - total // 2)]
    conv = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}[n]
    return conv(F.pad(x, sides), w, stride=stride, dilation=dilation, groups=groups)
