"""Reductions: many elements of an array make one. `axis` is an int or a tuple; None means all axes."""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

import math
from functools import partial

from ..bodies.building import Value, only_if
from ..bodies.sizing import as_parameter
from ..meaning.op import bool_, index, inexact, real, same, widen
from ..meaning.op import mean as mean_
from ..meaning.op import op as declare
from ..meaning.results import front
from ..sizes.dim import Sym
from ..values.dtypes import int64, uint8
from .elementwise import abs_ as absolute
from .elementwise import cast, equal, in_float32
from .shape import axes_of, expand_dims, flip, reshape

#: One special number decides what comes out, and would hide all the others.
op = partial(declare, domain="finite+special")
#: What cancels, or overflows on the way, depends on the order, and on how wide the steps between are.
SUMMED = "finite+special-large"


def reduced(shape, *, axis=None, keepdims=False, **_):
    """The shape without `axis`, or with ones there; known even if `shape` is not, where no axis is left."""
    if axis is None and not keepdims:
        return ()
    if shape is None:
        return None
    rank = len(shape)
    gone = range(rank) if axis is None else front(axis if isinstance(axis, tuple) else (axis,), rank)
    return tuple(1 if i in gone else size for i, size in enumerate(shape) if keepdims or i not in gone)


def reduced_twice(shape, **params):
    return [reduced(shape, **params)] * 2


def opened(y, x, axis, keepdims):
    """A result of reducing x, with axes of size 1 so that it broadcasts to x."""
    axes = tuple(sorted(axes_of(axis, x.rank)))
    return y if keepdims or axes == tuple(range(len(axes))) else expand_dims(y, axis=axes)


def counted(x, axis):
    """How many elements of x there are along `axis`."""
    count = math.prod(x.shape[i] for i in axes_of(axis, x.rank))
    return Value(x.program, as_parameter(x.program, count, [x.node])) if isinstance(count, Sym) else count


# Sums and products.


@op(
    dtype=widen,
    shape=reduced,
    domain=SUMMED,
    gradient=lambda g, y, x, *, axis, keepdims: opened(g, x, axis, keepdims), neutral="zero",
)
def sum(x, *, axis=None, keepdims=False):
    """The sum along `axis`."""
    ...


@op(dtype=widen, shape=reduced, neutral="one")
def prod(x, *, axis=None, keepdims=False):
    """The product along `axis`; along several, one after the other, the last first."""
    only_if(not isinstance(axis, int))
    for one in sorted(range(x.rank) if axis is None else front(axis, x.rank), reverse=True):
        x = prod(x, axis=one, keepdims=keepdims)
    return x


def along(shape, *, axis, **_):
    """The shape of what goes along one axis, or without one through the flattened array."""
    if shape is None:
        return None
    if axis is None:
        return (math.prod(shape),)
    front(axis, len(shape))
    return shape


def flat(x):
    """x with one axis."""
    return x if x.known_rank == 1 else reshape(x, shape=(-1,))


@op(dtype=widen, shape=along, domain=SUMMED, line=True)
def cumulative_sum(x, *, axis=None):
    """Running sums along `axis`; without one, through the flattened array."""
    only_if(axis is None)
    return cumulative_sum(flat(x), axis=0)


@cumulative_sum.gradient
def _(g, y, x, *, axis):
    if axis is None:
        return reshape(flip(cumulative_sum(flip(g, axis=0), axis=0), axis=0), shape=x.sizes)
    return flip(cumulative_sum(flip(g, axis=axis), axis=axis), axis=axis)


@op(dtype=widen, shape=along, line=True)
def cumulative_prod(x, *, axis=None):
    """Running products along `axis`; without one, through the flattened array."""
    only_if(axis is None)
    return cumulative_prod(flat(x), axis=0)


@op(dtype=index, shape=reduced, neutral="zero")
def count_nonzero(x, *, axis=None, keepdims=False):
    """How many elements along `axis` are not zero."""
    return sum(cast(x != 0, dtype=int64), axis=axis, keepdims=keepdims)


# Moments.


@op(
    dtype=mean_,
    shape=reduced,
    domain=SUMMED,
    gradient=lambda g, y, x, *, axis, keepdims: opened(g, x, axis, keepdims) / counted(x, axis),
)
def mean(x, *, axis=None, keepdims=False):
    """The mean along `axis`."""
    ...


def averaged(x, weights, *, axis=None, keepdims=False):
    return reduced(x, axis=axis, keepdims=keepdims)


@op(dtype=inexact, shape=averaged, domain="positive", tolerance="reduction")
def average(x, weights, *, axis=None, keepdims=False):
    """The mean along `axis`, of elements that count as much as `weights` say: of x's shape, or a number for
    each place along a single axis.
    """
    w = weights
    if axis == ():
        return x * w / w
    if w.rank != x.rank:
        (i,) = axes_of(axis, x.rank)
        w = expand_dims(w, axis=tuple(j for j in range(x.rank) if j != i))
    return sum(x * w, axis=axis, keepdims=keepdims) / sum(w, axis=axis, keepdims=keepdims)


@op(dtype=real, shape=reduced)
def var(x, *, axis=None, correction=0, keepdims=False):
    """The variance along `axis`: the sum of the squares of x - mean(x), by their number less `correction`."""
    ...


@op(dtype=real, shape=reduced, domain=SUMMED)
def std(x, *, axis=None, correction=0, keepdims=False):
    """The standard deviation along `axis`, the square root of `var`."""
    ...


@op(dtype=(real, mean_), shape=reduced_twice, domain="finite+special-large-inf")
def var_mean(x, *, axis=None, correction=0, keepdims=False):
    """The variance along `axis`, and the mean, which is not promised where there are infinities."""
    return var(x, axis=axis, correction=correction, keepdims=keepdims), mean(x, axis=axis, keepdims=keepdims)


@op(dtype=(real, mean_), shape=reduced_twice, domain="finite+special-large-inf")
def std_mean(x, *, axis=None, correction=0, keepdims=False):
    """The standard deviation along `axis`, and the mean, which is not promised where there are infinities."""
    return std(x, axis=axis, correction=correction, keepdims=keepdims), mean(x, axis=axis, keepdims=keepdims)


# Extremes. Where there is a NaN, it is both the largest and the smallest.


@op(dtype=same, shape=reduced, raises="none", neutral="lowest")
def max(x, *, axis=None, keepdims=False):
    """The largest element along `axis`."""
    ...


@op(dtype=same, shape=reduced, raises="none", neutral="highest")
def min(x, *, axis=None, keepdims=False):
    """The smallest element along `axis`."""
    ...


@max.gradient
@min.gradient
def _(g, y, x, *, axis, keepdims):
    """Elements that are equally far out have equal parts."""
    found = cast(equal(x, opened(y, x, axis, keepdims)), dtype=x.dtype)
    return opened(g, x, axis, keepdims) * (found / sum(found, axis=axis, keepdims=True))


def of_bools(op, x, *others, **params):
    """Bools as numbers: not every framework orders them."""
    only_if(x.dtype.kind == "bool")
    return op(cast(x, dtype=uint8), *others, **params)


@op(dtype=index, shape=reduced, raises="none", finds=True)
def argmax(x, *, axis=None, keepdims=False):
    """Where the largest element along `axis` is, the first of several; of all, in the flattened array."""
    return of_bools(argmax, x, axis=axis, keepdims=keepdims)


@op(dtype=index, shape=reduced, raises="none", finds=True)
def argmin(x, *, axis=None, keepdims=False):
    """Where the smallest element along `axis` is, the first of several; of all, in the flattened array."""
    return of_bools(argmin, x, axis=axis, keepdims=keepdims)


@op(dtype=(same, index), shape=reduced_twice, raises="none", finds=True, noun="values indices")
def max_and_argmax(x, *, axis, keepdims=False):
    """The largest element along `axis`, and where it is, the first of several."""
    return tuple(of(x, axis=axis, keepdims=keepdims) for of in (max, argmax))


@op(dtype=(same, index), shape=reduced_twice, raises="none", finds=True, noun="values indices")
def min_and_argmin(x, *, axis, keepdims=False):
    """The smallest element along `axis`, and where it is, the first of several."""
    return tuple(of(x, axis=axis, keepdims=keepdims) for of in (min, argmin))


@op(dtype=(same, same), shape=reduced_twice)
def aminmax(x, *, axis=None, keepdims=False):
    """The smallest and the largest element along `axis`."""
    return tuple(of(x, axis=axis, keepdims=keepdims) for of in (min, max))


# Truth.


@op(dtype=bool_, shape=reduced, neutral="zero")
def any(x, *, axis=None, keepdims=False):
    """Whether an element along `axis` is not zero."""
    return any(x != 0, axis=axis, keepdims=keepdims)


@op(dtype=bool_, shape=reduced, neutral="one")
def all(x, *, axis=None, keepdims=False):
    """Whether no element along `axis` is zero."""
    return all(x != 0, axis=axis, keepdims=keepdims)


# Norms, and sums on a logarithmic scale.


@op(
    dtype=real,
    shape=reduced,
    domain=SUMMED,
    samples={"ord": (2, 1, 3, math.inf, -math.inf, 0, 0.5)}, neutral="zero", noun="norm",
)
def vector_norm(x, *, axis=None, ord=2, keepdims=False):
    """sum(|x| ** ord) ** (1 / ord); of order inf the largest |x|, -inf the smallest, 0 how many are not 0.

    What overflows on the way is not promised.
    """
    if axis == ():
        return absolute(x) if ord != 0 else cast(x != 0, dtype=x.dtype.real)
    return in_float32(vector_norm, x, axis=axis, ord=ord, keepdims=keepdims)


@op(dtype=inexact, shape=reduced, neutral="lowest", line=True)
def logsumexp(x, *, axis=None, keepdims=False):
    """log(sum(exp(x))) along `axis`, shifted by the largest x so that nothing overflows."""
    only_if(axis is None or axis == ())
    axes = tuple(range(x.rank)) if axis is None else axis
    return logsumexp(x, axis=axes, keepdims=keepdims) if axes else x
