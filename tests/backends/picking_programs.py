"""Programs that reduce, or write back, what a mask picks."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np
import torch

F = torch.nn.functional


def total(x, m):
    return x[m].sum()


def through_numpy(x, m):
    return np.sum(x[m], axis=0) + np.mean(x[m])


def average(x, m):
    return x[m].mean()


def product(x, m):
    return x[m].prod()


def spread(x, m):
    return x[m].std(), np.var(x[m])


def truths(x, m):
    return (x[m] > 1).any(), (x[m] > -2).all(), np.count_nonzero(x[m])


def entropy(x, m):
    p = np.abs(x)
    return -(p[m] * np.log(p[m])).sum()


def centred(x, m):
    picked = x[m]
    return ((picked - picked.mean()) ** 2).sum()


def square_mean(v):
    return (v**2).mean()


def in_a_helper(x, m):
    return square_mean(x[m])


def of_columns(x, m):
    return x[:, m[0]].sum(axis=1), x[:, m[0]].mean(axis=-1)


def of_rows(x, m):
    return x[m[:, 0]].sum(axis=0), x[m[:, 0]].mean(axis=0), x[m[:, 0]].mean()


def by_label(x, m):
    labels = np.cumsum(m, axis=1) % 3
    return np.stack([x[labels == k].mean() for k in range(3)])


def in_a_loop(x, m):
    found = 0.0
    for i in range(12):
        found = found + x[x > i / 10].sum() * m[0, 0]
    return found


def in_a_branch(x, m):
    if x.sum() > 0:
        return x[m].mean()
    return x.mean()


def curved(v):
    w = v * 2
    return np.where(w > 1, w, -w)


def written(x, m):
    x = x.copy()
    x[m] = curved(x[m]) - 1
    return x


def scaled(a, b):
    return a * b + 1


def of_two(x, m):
    y, x = x * 3, x.copy()
    x[m] += scaled(x[m], y[m])
    return x


def both_ways(v):
    return np.exp(v), -v


def of_several_results(x, m):
    x = x.copy()
    a, b = both_ways(x[m])
    x[m] = a + b
    return x


#: Where nothing is picked they give something in NumPy too.
PROGRAMS = (
    total, through_numpy, average, product, spread, truths, entropy, centred, in_a_helper, of_columns,
    of_rows, by_label, in_a_loop, in_a_branch, written, of_two, of_several_results,
)  # fmt: skip


def extremes(x, m):
    return x[m].max(), np.min(x[m]), x[m[:, 0]].max(axis=0)


def standardised(x, m):
    picked = x[m]
    return ((picked - picked.mean()) / picked.std()).max()


EXTREMES = (extremes, standardised)


def t_losses(x, m):
    y = x * 2
    return F.mse_loss(x[m], y[m]), F.smooth_l1_loss(x[m], y[m], reduction="sum"), x[m].mean()


def t_spread(x, m):
    return x[m].std(), x[m].var(unbiased=False), torch.logsumexp(x[m], 0)


def t_norms(x, m):
    return x[m].norm(), torch.linalg.vector_norm(x[m], 1), torch.masked_select(x, m).sum()


def t_helper(v):
    return torch.tanh(v) * 2


def t_written(x, m):
    x = x.clone()
    x[m] = t_helper(x[m])
    return x


T_PROGRAMS = (t_losses, t_spread, t_norms, t_written)
