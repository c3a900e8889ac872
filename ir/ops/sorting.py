"""Sorting and searching. NaN counts as the largest, wherever things are put in order."""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

from ..bodies.building import Value, only_if
from ..meaning.op import index, inexact, op, same
from ..values import dtypes
from ..values.dtypes import uint8
from .elementwise import cast
from .indexing import take_along_axis
from .reduction import along, flat, of_bools, reduced
from .shape import flip, reshape


@op(
    dtype=(same, index), shape=lambda x, *, axis=-1, **_: [along(x, axis=axis)] * 2, domain="distinct",
    line=True, finds=True, noun="values indices",
)  # fmt: skip
def sort_with_indices(x, *, axis=-1, descending=False, stable=False):
    """The elements in order along `axis`, and where each of them was."""
    values = sort(x, axis=axis, descending=descending)
    return values, argsort(x, axis=axis, descending=descending, stable=stable)


@op(dtype=same, shape=along)
def sort(x, *, axis=-1, descending=False):
    """The elements in order along `axis`; without one, of the flattened array."""
    if axis is None:
        return sort(flat(x), axis=0, descending=descending)
    only_if(descending)
    return flip(sort(x, axis=axis), axis=axis)


@sort.gradient
def _(g, y, x, *, axis, descending):
    """Equal elements count as in their own order, or in the opposite one where they descend: JAX's choice."""
    if axis is None:
        return reshape(unsorted(g, flat(x), 0, descending), shape=x.sizes)
    return unsorted(g, x, axis, descending)


def unsorted(g, x, axis, descending):
    """What stands at the places of the sorted x, at those of x."""
    places = argsort(argsort(x, axis=axis), axis=axis)
    return take_along_axis(flip(g, axis=axis) if descending else g, places, axis=axis)


# Which of equal elements comes first, an order that is not stable leaves open.
@op(dtype=index, shape=along, domain="distinct", line=True, finds=True)
def argsort(x, *, axis=-1, descending=False, stable=True):
    """The positions of the elements in order. If stable, equal elements stay in their own order."""
    if axis is None:
        return argsort(flat(x), axis=0, descending=descending, stable=stable)
    only_if(descending and not stable)
    return flip(argsort(x, axis=axis, stable=False), axis=axis)


def first(x, k, axis):
    """The first `k` along `axis`."""
    after = (slice(None),) * (-1 - axis)
    return x[(Ellipsis, slice(None, k), *after) if axis < 0 else ((slice(None),) * axis + (slice(None, k),))]


@op(
    "X[*a n *b] -> V[*a k *b] I[*a k *b] where len(a) = axis, k <= n",
    dtype=(same, index),
    domain="distinct",
    samples={"k": (2, 1, 3), "dtype": (dtypes.int64, dtypes.int32)},
    finds=True,
    noun="values indices",
)
def topk(x, *, k, axis=-1, largest=True, stable=False, dtype=dtypes.int64):
    """The k largest elements along `axis` in order, or the smallest, and their positions."""
    values, indices = sort_with_indices(x, axis=axis, descending=largest, stable=stable)
    indices = indices if indices.dtype == dtype else cast(indices, dtype=dtype)
    return first(values, k, axis), first(indices, k, axis)


@op(
    "X[n] V[~] -> I[~]", dtype=index, domain="x: sorted", samples={"side": ("left", "right")},
    excludes="unsorted",
)
def searchsorted(x, v, *, side="left"):
    """Where each of `v` belongs in the sorted `x`: before what equals it, or after ("right"). Of an x with a
    NaN nothing is promised, since torch has no order of it.
    """
    v = cast(v, dtype=uint8) if isinstance(v, Value) else int(v)
    return of_bools(searchsorted, x, v, side=side)


@op(dtype=inexact, shape=reduced)
def median(x, *, axis=None, keepdims=False):
    """The element in the middle along `axis`, or the mean of the two; NaN where there is a NaN."""
    ...


@op(dtype=same, shape=reduced)
def lower_median(x, *, axis=None, keepdims=False):
    """The middle element along `axis`, or the smaller of the two there; NaN where there is a NaN."""
    ...


# The distinct elements, in order; with `equal_nan` all NaNs count as one. Their number depends on the values.


@op(dtype=same, shape=lambda x, **_: None, size="values")
def unique_values(x, *, equal_nan=True):
    """The distinct elements."""
    ...


@op(dtype=(same, index), shape=lambda x, **_: [None, x], size="values")
def unique_inverse(x, *, equal_nan=True):
    """The distinct elements, and where among them each element of x is."""
    ...


@op(dtype=(same, index), shape=lambda x, **_: [None, None], size="values")
def unique_counts(x, *, equal_nan=True):
    """The distinct elements, and how often each occurs."""
    ...


@op(dtype=(same, index, index), shape=lambda x, **_: [None, x, None], size="values")
def unique_inverse_counts(x, *, equal_nan=True):
    """The distinct elements, where among them each element of x is, and how often each occurs."""
    ...
