"""Extending: arrays with more elements, padded or repeated."""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

import math
from functools import partial

from ..bodies.building import only_if
from ..errors import ShapeError
from ..meaning.op import REGISTER, same
from ..meaning.op import op as declare
from ..meaning.sampling import widths as around
from ..subscript.helpers import put
from ..values.dtypes import int64
from .creation import arange, full
from .indexing import at_axis, put_together, take
from .shape import axes_of

#: Elements go elsewhere; nothing is computed of them.
op = partial(declare, tolerance="moved")


def padded(x, *, widths, mode="constant", value=0):
    if x is None:
        return None
    if len(widths) != len(x):
        raise ShapeError(f"{len(widths)} pairs of widths for an array of rank {len(x)}")
    return tuple(low + size + high for size, (low, high) in zip(x, widths))


MODES = ("constant", "edge", "reflect", "symmetric", "wrap")


@op(
    dtype=same,
    shape=padded,
    samples={"widths": around, "mode": MODES, "value": (0, 1, -1.5)},
    dynamic="value",
    numbers="value",
)
def pad(x, *, widths, mode="constant", value=0):
    """x with so many elements before and after along each axis.

    They are `value`, or x's own: "edge" repeats the outermost, "reflect" mirrors in it, "symmetric" behind
    it, "wrap" goes round. What is taken from x must be there: the widths are at most its size.
    """
    if mode == "constant":
        for axis, (low, high) in enumerate(widths):
            parts = [filled(x, value, low, axis), x, filled(x, value, high, axis)]
            if (low, high) != (0, 0):
                x = REGISTER["concat"](*(part for part in parts if part is not None), axis=axis)
        return x
    if mode != "symmetric" and (0, 0) != widths[0] and len(widths) <= 3:
        return pad(x[None], widths=((0, 0), *widths), mode=mode)[0]
    for axis, (low, high) in enumerate(widths):
        if (low, high) != (0, 0):
            x = REGISTER["concat"](*ends(x, mode, low, high, axis), axis=axis)
    return x


@pad.gradient
def _(g, y, x, *, widths, mode):
    if mode == "constant":
        return g[tuple(slice(low or None, -high or None) for low, high in widths)]
    for axis, (low, high) in enumerate(widths):
        if (low, high) != (0, 0):
            places = pad(arange(stop=x.size(axis), dtype=int64), widths=((low, high),), mode=mode)
            sizes = (x.size(i) if i <= axis else g.size(i) for i in range(x.rank))
            g = put_together(g, tuple(sizes), places, key=at_axis(axis))
    return g


def filled(x, value, width, axis):
    """So many of one number along an axis, beside x; None where they are none."""
    if width == 0:
        return None
    sizes = (width if i == axis else x.size(i) for i in range(x.rank))
    return full(shape=tuple(sizes), fill_value=value, dtype=x.dtype)


def ends(x, mode, low, high, axis):
    """What stands before x along `axis`, x, and what stands after it, without what is empty."""

    def part(start, stop):
        return x[(*(slice(None),) * axis, slice(start, stop))]

    match mode:
        case "edge":
            head = repeat(part(None, 1), repeats=low, axis=axis)
            tail = repeat(part(-1, None), repeats=high, axis=axis)
            return [head] * (low != 0) + [x] + [tail] * (high != 0)
        case "wrap":
            before, after = range(-low, 0), range(high)
        case "reflect":
            before, after = range(low, 0, -1), range(-2, -high - 2, -1)
        case _:
            before, after = range(low - 1, -1, -1), range(-1, -high - 1, -1)
    return [at(x, before, axis)] * bool(low) + [x] + [at(x, after, axis)] * bool(high)


#: How many positions are written one by one.
FEW = 6


def at(x, places, axis):
    """What is at these positions along an axis. A slice would be shorter where there are fewer elements; this
    raises.
    """
    if len(places) <= FEW:
        found = REGISTER["array"](value=list(places), dtype=int64)
    else:
        found = arange(start=places.start, stop=places.stop, step=places.step, dtype=int64)
    return take(x, found, axis=axis)


def tiled(x, *, reps):
    counts = reps if isinstance(reps, (tuple, list)) else (reps,)
    if x is None or None in counts:
        return None
    rank = max(len(x), len(counts))
    pairs = zip((1,) * (rank - len(x)) + x, (1,) * (rank - len(counts)) + tuple(counts))
    return tuple(size * count for size, count in pairs)


@op(dtype=same, shape=tiled, samples={"reps": (2, (2,), (2, 3), (1, 2, 1, 2), 0)})
def tile(x, *, reps):
    """x so many times along each axis, the last axis last; new axes come in front."""
    ...


def repeated(x, *, repeats, axis=None):
    if x is None or repeats is None:
        return None
    flat = (math.prod(x),) if axis is None else x
    (i,) = (0,) if axis is None else axes_of(axis, len(x))
    if isinstance(repeats, (tuple, list)):
        return put(flat, i, sum(repeats) if len(repeats) > 1 else flat[i] * repeats[0])
    return put(flat, i, flat[i] * repeats)


@op(dtype=same, shape=repeated, samples={"repeats": (2, 1, 0)})
def repeat(x, *, repeats, axis=None):
    """x with each element so many times along `axis`; None means of the flat array. Of several numbers each
    is for one place.
    """
    only_if(isinstance(repeats, tuple) and all(type(n) is int for n in repeats))
    if len(repeats) == 1:
        return repeat(x, repeats=repeats[0], axis=axis)
    counts = REGISTER["array"](value=list(repeats), dtype=int64)
    return repeat_each(x, counts, axis=axis, total=sum(repeats))


def repeated_each(x, counts, *, axis=None, total=None):
    if x is None or total is None:  # which is the sum of the numbers
        return None
    return (total,) if axis is None else put(x, axes_of(axis, len(x))[0], total)


@op(
    dtype=same,
    shape=repeated_each,
    raises="indices",
    size="values",
    samples="there are as many counts as places",
)
def repeat_each(x, counts, *, axis=None, total=None):
    """x with each element as often along `axis` as `counts` says for its place; `total` is their sum."""
    found = counts.node.kwargs["value"] if counts.node.target is REGISTER["array"] else None
    if not isinstance(found, list) or total not in (None, sum(found)):
        raise NotImplementedError
    return repeat(x, repeats=tuple(found), axis=axis)
