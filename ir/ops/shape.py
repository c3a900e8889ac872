"""Shapes: the same elements in other places. Axes stay as the user counted them, from either end."""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

import math
from functools import partial

from ..bodies.building import only_if
from ..errors import ShapeError
from ..meaning import sampling
from ..meaning.op import REGISTER, same, widen
from ..meaning.op import op as declare
from ..meaning.results import front
from ..sizes.dim import maximum, minimum
from ..subscript.helpers import drop, insert, permute, put
from ..subscript.judge import JUDGE

#: Elements go elsewhere; nothing is computed of them.
op = partial(declare, tolerance="moved")


def sizes_of(shape):
    """A shape as a tuple: an int is one size. None where a size is not known."""
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    return None if None in sizes else sizes


def axes_of(axis, rank):
    """Axes counted from the front; a single one, or all of them for None, as a tuple too."""
    if axis is None:
        return tuple(range(rank))
    return front(axis if isinstance(axis, (tuple, list)) else (axis,), rank)


# Another shape.


def reshaped(x, *, shape):
    new = sizes_of(shape)
    if new is None or x is None and -1 in new:
        return None
    if x is None:
        return new
    total, rest = math.prod(x), math.prod(size for size in new if size != -1)
    if -1 in new:
        if rest == 0:
            raise ShapeError(f"-1 in {new} can be any size, since another size is 0")
        new = tuple(total // rest if size == -1 else size for size in new)
    if new.count(-1) > 1 or not JUDGE.holds("==", total, math.prod(new)):
        raise ShapeError(f"an array of shape {x} has no shape {sizes_of(shape)}: it has {total} elements")
    return new


@op(dtype=same, shape=reshaped, samples={"shape": sampling.reshaped})
def reshape(x, *, shape):
    """x in another shape, row by row. A size of -1 is what is left over."""
    ...


reshape.gradient(lambda g, y, x: reshape(g, shape=x.sizes))


@op(dtype=same, shape=lambda x, like: like)
def reshape_as(x, like):
    """x in the shape of `like`."""
    return reshape(x, shape=like.sizes)


def flattened(x, *, start=0, end=-1):
    if not x:
        return None if x is None else (1,)
    first, last = front((start, end), len(x))
    return (*x[:first], math.prod(x[first : last + 1]), *x[last + 1 :])


@op(dtype=same, shape=flattened, samples={"start": (0, 1, -2), "end": (-1, 1, 0)})
def flatten(x, *, start=0, end=-1):
    """x with the axes from `start` to `end` as one."""
    if (start, end) == (0, -1):
        return reshape(x, shape=(-1,))
    first, last = front((start, end), x.rank)
    sizes = [x.size(i) for i in range(x.rank)]
    empty = 0 in (*x.shape[:first], *x.shape[last + 1 :])
    whole = math.prod(x.shape[first : last + 1]) if empty else -1
    return reshape(x, shape=(*sizes[:first], whole, *sizes[last + 1 :]))


def unflattened(x, *, axis, sizes):
    if x is None or None in sizes:
        return None
    i = front(axis, len(x))
    return (*x[:i], *reshaped((x[i],), shape=sizes), *x[i + 1 :])


@op(dtype=same, shape=unflattened, samples={"sizes": ((-1, 1), (1, 5), (3, 1))})
def unflatten(x, *, axis, sizes):
    """x with an axis of these sizes in the place of one. A size of -1 is what is left over."""
    old = [x.size(i) for i in range(x.rank)]
    i = front(axis, x.rank)
    return reshape(x, shape=(*old[:i], *sizes, *old[i + 1 :]))


def stretched(x, *, shape):
    new = sizes_of(shape)
    if x is not None and new is not None:
        kept, clashes = JUDGE.broadcast(new, x)
        JUDGE.taken()  # it is stretched to these sizes
        if clashes or len(kept) > len(new) or any(not JUDGE.holds("==", a, b) for a, b in zip(kept, new)):
            raise ShapeError(f"an array of shape {x} does not broadcast to {new}")
    return new


@op(dtype=same, shape=stretched, samples={"shape": sampling.wider}, gradient=lambda g, y, x: g)
def broadcast_to(x, *, shape):
    """x, its axes of size 1 stretched, and new ones put in front."""
    ...


@op(dtype=same, shape=lambda x, like: stretched(x, shape=like))
def expand_as(x, like):
    """x, broadcast to the shape of `like`."""
    return broadcast_to(x, shape=like.sizes)


def widened(x, *, axis):
    places = axis if isinstance(axis, (tuple, list)) else (axis,)
    return None if x is None else insert(x, front(tuple(places), len(x) + len(places)))


@op(dtype=same, shape=widened, gradient=lambda g, y, x: reshape(g, shape=x.sizes), noun="column")
def expand_dims(x, *, axis):
    """x with new axes of size 1 at these places of the result."""
    only_if(isinstance(axis, tuple))
    for one in sorted(front(axis, x.rank + len(axis))):
        x = expand_dims(x, axis=one)
    return x


def deepened(x, ndim):
    """A shape of at least so many axes. Where three are asked for, a matrix has the new one last."""
    if x is None or len(x) >= ndim:
        return x
    if ndim == 3 and x:
        return (*deepened(x, 2), 1)
    return (*(1,) * (ndim - len(x)), *x)


deep = partial(op, dtype=same, gradient=lambda g, y, x: reshape(g, shape=x.sizes))


@deep(shape=partial(deepened, ndim=1))
def atleast_1d(x):
    """x, with an axis if it has none."""
    ...


@deep(shape=partial(deepened, ndim=2))
def atleast_2d(x):
    """x, with axes in front if it has fewer than two."""
    ...


@deep(shape=partial(deepened, ndim=3))
def atleast_3d(x):
    """x with three axes at least: a vector lies along the middle one, and a matrix has the new one last."""
    ...


def squeezed(x, *, axis=None):
    if x is None:
        return None
    if axis is None:
        return tuple(size for size in x if not JUDGE.holds("==", size, 1, want=False))
    for i in axes_of(axis, len(x)):
        if not JUDGE.holds("==", x[i], 1):
            raise ShapeError(f"axis {i} of an array of shape {x} cannot be squeezed: its size is {x[i]}")
    return drop(x, front(axis, len(x)))


@op(dtype=same, shape=squeezed, gradient=lambda g, y, x: reshape(g, shape=x.sizes))
def squeeze(x, *, axis=None):
    """x without these axes, whose size is 1; None means all such axes."""
    ...


# The axes in another order.


def permuted(x, *, axes=None):
    if x is None or axes is None:
        return x and x[::-1]
    if len(axes) != len(x):
        raise ShapeError(f"{axes} is no order of the axes of an array of rank {len(x)}")
    return permute(x, front(axes, len(x)))


@op(dtype=same, shape=permuted, samples={"axes": sampling.permutations}, noun="turned")
def permute_dims(x, *, axes=None):
    """x with its axes in this order; None turns it round."""
    return permute_dims(x, axes=tuple(reversed(range(x.rank))) if axes is None else axes)


@permute_dims.gradient
def _(g, y, x, *, axes):
    places = None if axes is None else front(axes, x.rank)
    return permute_dims(g, axes=places and tuple(map(places.index, range(x.rank))))


def swapped(x, *, axis1, axis2):
    if x is None:
        return None
    i, j = front((axis1, axis2), len(x))
    return put(x, (i, j), (x[j], x[i])) if i != j else x


@op(dtype=same, shape=swapped)
def swapaxes(x, *, axis1, axis2):
    """x with two axes exchanged."""
    ...


@op("X[~ m n] -> Y[~ n m]", dtype=same)
def matrix_transpose(x):
    """x with its last two axes exchanged."""
    ...


matrix_transpose.gradient(lambda g, y, x: matrix_transpose(g))


def order_of(rank, source, destination):
    """The permutation that moves the axes `source` to `destination`."""
    moved = dict(zip(axes_of(destination, rank), axes_of(source, rank), strict=True))
    others = iter(axis for axis in range(rank) if axis not in moved.values())
    return tuple(moved[axis] if axis in moved else next(others) for axis in range(rank))


def moved(x, *, source, destination):
    return None if x is None else permute(x, order_of(len(x), source, destination))


@op(
    dtype=same,
    shape=moved,
    samples={"source": (0, -1, (0, 1), 1), "destination": (-1, 0, (1, 0), (-1, -2))},
)
def moveaxis(x, *, source, destination):
    """x with the axes `source` at the places `destination`, the others in their order around them."""
    ...


def turned(x, *, axis=None):
    if x is not None:
        axes_of(axis, len(x))
    return x


@op(dtype=same, shape=turned)
def flip(x, *, axis=None):
    """x with these axes the other way round; None means all."""
    return flip(x, axis=tuple(range(x.rank)) if axis is None else axis)


flip.gradient(lambda g, y, x, *, axis: flip(g, axis=axis))


def rolled(x, *, shift, axis=None):
    if isinstance(shift, tuple) and isinstance(axis, tuple) and len({len(shift), len(axis)} - {1}) > 1:
        raise ShapeError(f"{len(shift)} shifts for {len(axis)} axes")
    return turned(x, axis=axis)


@op(
    dtype=same,
    shape=rolled,
    samples={
        "shapes": (((3, 4, 5),), ((2, 3, 1, 4),), ((4, 5),), ((5,),), ((),), ((0, 5),)),
        # One value of `shift` further than that of `axis` stands the one that goes with it.
        "shift": ((1, 2, -1, 3), 1, -2, 0, (2,), (1, -1), (1, 0, -2)),
        "axis": (None, 0, -1, (0,), (0, -1), (1, 0, -1), (0, 1, 2, 3)),
    }, dynamic="shift",
)
def roll(x, *, shift, axis=None):
    """x with its elements shifted along `axis`, those pushed out coming in at the other end.

    None shifts them flat. A tuple of shifts, or of axes, is one after the other.
    """
    steps, axes = (v if isinstance(v, tuple) else (v,) for v in (shift, axis))
    axes = axes * len(steps) if len(axes) == 1 else axes
    steps = steps * len(axes) if len(steps) == 1 else steps
    if len(steps) > 1 and axis is not None and (steps, axes) != (shift, axis):
        return roll(x, shift=steps, axis=axes)
    for step, one in zip(steps, axes):
        x = roll(x, shift=step, axis=one)
    return x


# Diagonals.


def diagonals(x, *, offset=0, axis1=0, axis2=1):
    if x is None:
        return None
    first, second = (x[i] for i in front((axis1, axis2), len(x)))
    length = minimum(first + minimum(offset, 0), second - maximum(offset, 0))
    length = length if type(offset) is int and offset == 0 else maximum(length, 0)
    return (*drop(x, front((axis1, axis2), len(x))), length)


@op(dtype=same, shape=diagonals)
def diagonal(x, *, offset=0, axis1=0, axis2=1):
    """The diagonal of two axes, as a last axis."""
    ...


def spread(x, *, offset=0):
    if x is None:
        return None
    return (x[0] + maximum(offset, -offset),) * 2


@op(dtype=same, shape=spread)
def diag(x, *, offset=0):
    """The matrix that has the vector x as its diagonal."""
    ...


def traced(x, *, offset=0, axis1=0, axis2=1):
    return None if x is None else drop(x, front((axis1, axis2), len(x)))


@op(dtype=widen, shape=traced, domain="finite", tolerance="reduction")
def trace(x, *, offset=0, axis1=0, axis2=1):
    """The sum of a diagonal."""
    return REGISTER["sum"](diagonal(x, offset=offset, axis1=axis1, axis2=axis2), axis=-1)


@op("X[~ m n] -> Y[~ m n]", dtype=same)
def tril(x, *, k=0):
    """x, with 0 above its k-th diagonal."""
    ...


@op("X[~ m n] -> Y[~ m n]", dtype=same)
def triu(x, *, k=0):
    """x, with 0 below its k-th diagonal."""
    ...


# The same elements.


@op("X[~] -> Y[~]", dtype=same, gradient=lambda g, y, x: g)
def copy(x):
    """x, in memory of its own."""
    ...


@op("X[~] -> Y[~]", dtype=same, gradient=lambda g, y, x: g)
def identity(x):
    """x itself."""
    return x
