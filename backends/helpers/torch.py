"""Helpers for emitted torch source."""

import torch
import torch.nn.functional as F


def true_median(x, dim=None, keepdim=False):
    """The element in the middle, or the mean of the two there (torch.median takes the smaller); NaN where there is a NaN."""
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
