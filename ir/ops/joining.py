"""Joining: several arrays as one, and one as several. Axes stay as the user counted them, from either end."""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

import itertools
import math
from functools import partial

from ..errors import ShapeError
from ..meaning.op import op as declare
from ..meaning.op import promote, same
from ..meaning.results import front
from ..sizes.dim import Sym
from ..sizes.sliced import slicelen
from ..subscript.helpers import drop, insert, put
from ..subscript.judge import JUDGE
from .shape import axes_of, expand_dims

#: Elements go elsewhere; nothing is computed of them.
op = partial(declare, tolerance="moved")

# Joined.


@op("X...[*a @k *b] -> Y[*a n *b] where len(a) = axis n = sum(k)", dtype=promote, noun="joined")
def concat(*arrays, axis=0):
    """The arrays one after the other along an axis that they have."""
    ...


@concat.gradient
def _(g, y, *arrays, axis):
    (i,) = axes_of(axis, y.rank)
    ends = tuple(itertools.accumulate(x.shape[i] for x in arrays))
    return split(g, sections=ends[:-1], axis=axis) if ends[:-1] else g


def stacked(*shapes, axis=0):
    if any(shape is None for shape in shapes):
        return None
    first = shapes[0]
    for other in shapes[1:]:
        if len(other) != len(first) or any(not JUDGE.holds("==", a, b) for a, b in zip(first, other)):
            raise ShapeError(f"arrays of shapes {first} and {other} cannot be stacked")
    axis = front(axis, len(first) + 1)
    return put(insert(first, axis), axis, len(shapes))


@op(dtype=promote, shape=stacked)
def stack(*arrays, axis=0):
    """The arrays, which have one shape, one after the other along a new axis."""
    ...


def raised(x, rank):
    """x with at least so many axes, new ones in front."""
    while x.rank < rank:
        x = expand_dims(x, axis=0)
    return x


def joined(shapes, rank, axis):
    """Of arrays with at least so many axes, joined along `axis`."""
    if None in shapes:
        return None
    shapes = [(*(1,) * (rank - len(shape)), *shape) for shape in shapes]
    first = shapes[0]
    for other in shapes[1:]:
        if len(other) != len(first) or any(
            i != axis and not JUDGE.holds("==", a, b) for i, (a, b) in enumerate(zip(first, other))
        ):
            raise ShapeError(f"arrays of shapes {first} and {other} cannot be joined along axis {axis}")
    return put(first, axis, sum(shape[axis] for shape in shapes))


def side_by_side(*shapes):
    return joined(shapes, 1, 0 if shapes[0] is not None and len(shapes[0]) < 2 else 1)


@op(dtype=promote, shape=side_by_side)
def hstack(*arrays):
    """The arrays one after the other along the second axis; vectors along their only one."""
    parts = [raised(x, 1) for x in arrays]
    return concat(*parts, axis=0 if parts[0].rank == 1 else 1)


def below(*shapes):
    return joined(shapes, 2, 0)


@op(dtype=promote, shape=below)
def vstack(*arrays):
    """The arrays one after the other along the first axis; a vector is a row."""
    return concat(*(raised(x, 2) for x in arrays), axis=0)


def as_columns(*shapes):
    upright = [s if s is None or len(s) > 1 else (*(s or (1,)), 1) for s in shapes]
    return joined(upright, 2, 1)


@op(dtype=promote, shape=as_columns)
def column_stack(*arrays):
    """The arrays one after the other along the second axis; a vector is a column."""
    parts = [raised(x, 1) for x in arrays]
    return concat(*(x if x.rank > 1 else expand_dims(x, axis=1) for x in parts), axis=1)


# Split.


def cut(x, *, sections, axis=0):
    count = sections if isinstance(sections, int) else len(sections) + 1
    if x is None:
        return [None] * count
    (i,) = axes_of(axis, len(x))
    if isinstance(sections, int):
        if not JUDGE.holds("==", x[i] % sections, 0):
            raise ShapeError(f"an axis of size {x[i]} has no {sections} equal parts")
        return [put(x, i, x[i] // sections)] * count
    ends = [0, *sections, None]
    return [put(x, i, slicelen(x[i], a, b, holds=JUDGE.holds)) for a, b in zip(ends, ends[1:])]


@op("X[*a n *b] -> Y...[*a @k *b]", dtype=same, shape=cut)
def split(x, *, sections, axis=0):
    """The parts of x along `axis`: so many equal ones, or those between the positions in a tuple."""
    ...


split.gradient(lambda g, y, x, *, axis: concat(*g, axis=axis))


def spread_out(x, *, sections, axis=0):
    if x is None or not isinstance(sections, int):
        return cut(x, sections=sections, axis=axis)
    (i,) = axes_of(axis, len(x))
    return [put(x, i, (x[i] + sections - 1 - part) // sections) for part in range(sections)]


@op("X[*a n *b] -> Y...[*a @k *b]", dtype=same, shape=spread_out)
def array_split(x, *, sections, axis=0):
    """`split`, save that parts may differ by one where none are equal: the longer ones come first."""
    ...


def rows(x, *, axis=0):
    if x is None:
        raise ShapeError("how many parts an array of unknown shape has is not known")
    size = x[front(axis, len(x))]
    if isinstance(size, Sym):
        size = size.hint
    return [drop(x, front(axis, len(x)))] * size


@op("X[*a n *b] -> Y...[*a *b]", dtype=same, shape=rows)
def unstack(x, *, axis=0):
    """The parts of x along `axis`, which they lack."""
    before = (slice(None),) * front(axis, x.rank)
    return tuple(x[(*before, i)] for i in range(len(rows(x.shape, axis=axis))))


def crossed(*shapes, indexing="xy"):
    if any(shape is None for shape in shapes):
        return [None] * len(shapes)
    sizes = [math.prod(shape) for shape in shapes]
    if indexing == "xy":
        sizes[:2] = sizes[1::-1]
    return [tuple(sizes)] * len(shapes)


@op("X...[n] -> Y...[n]", dtype=same, shape=crossed, samples={"indexing": ("xy", "ij")})
def meshgrid(*arrays, indexing="xy"):
    """The coordinates of a grid from those along its axes; "xy" exchanges the first two, "ij" does not."""
    ...
