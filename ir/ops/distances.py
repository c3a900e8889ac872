"""Distances between points, which are the rows of matrices."""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

import math

from ..meaning.op import inexact, op
from .elementary import isnan, sign, sqrt
from .elementwise import abs_ as absolute
from .elementwise import where
from .indexing import Slot, getitem
from .positions import triu_indices, upper
from .reduction import max, sum
from .shape import expand_dims

ORDERS = (2.0, 1.0, 3.0, math.inf, 0.0, 0.5)


@op(
    "X[#~ m d] Y[#~ n d] -> Z[~ m n]",
    dtype=inexact,
    domain="any-inf-large",
    samples={"p": ORDERS},
    tolerance="reduction",
)
def cdist(x, y, *, p=2.0):
    """The distance of each row of x to each of y: the `vector_norm` of what they differ by, save that of
    order inf NaN counts for 0, and that of order 0 it stays.

    What overflows on the way is not promised.
    """
    if x.rank == y.rank == 2:
        gaps = x[:, None] - y
    else:
        gaps = expand_dims(x, axis=-2) - expand_dims(y, axis=-3)
    if p != math.inf:
        return length(gaps, p)
    gaps = absolute(gaps)
    return max(where(isnan(gaps), 0, gaps), axis=-1)


def paired(x, **_):
    return None if x is None else upper(n_rows=x[0], k=1)[0]


@op(dtype=inexact, shape=paired, domain="any-inf-large", tolerance="reduction",
    samples={"p": ORDERS, "shapes": (((4, 3),), ((1, 3),), ((0, 3),), ((2, 1),))})  # fmt: skip
def pdist(x, *, p=2):
    """The distances between the rows of x, those of the first to all others first; NaN stays."""
    i, j = triu_indices(n_rows=x.size(0), k=1)
    return length(getitem(x, i, key=(Slot(0),)) - getitem(x, j, key=(Slot(0),)), p)


def length(differences, p):
    """How long the vectors along the last axis are."""
    if p == 2:
        return sqrt(sum(differences**2, axis=-1))
    gaps = absolute(differences)
    if p == 1:
        return sum(gaps, axis=-1)
    if p == 0:
        return sum(sign(gaps), axis=-1)
    if p == math.inf:
        return max(gaps, axis=-1)
    return sum(gaps ** (int(p) if p == int(p) else p), axis=-1) ** (1 / p)
