"""Indexing: elements picked by position.

The key of a getitem is a tuple of ints, slices, None and `...`, with `Slot(i)` where its i-th index array is.
An int never stands so among index arrays that NumPy, for which it is one of them, and torch, for which it is
not, would put the axes of the result in different places: a reader takes such a key apart.
"""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..errors import PlaceError, ShapeError
from ..graphs.graph import Node
from ..graphs.static import Scalar
from ..meaning.op import REGISTER, Op, Rule, free, index, same
from ..meaning.op import op as declare
from ..meaning.results import front
from ..sizes.dim import Dim, Shape, compare, hint_of
from ..sizes.local import is_local
from ..sizes.sliced import slicelen
from ..subscript.helpers import put
from ..subscript.judge import JUDGE
from ..values.dtypes import bool_, int64
from .creation import arange, array, zeros
from .elementwise import cast, equal, less, remainder, where
from .shape import broadcast_to, expand_dims, flip, permute_dims, reshape, squeeze

#: Elements go elsewhere; nothing is computed of them.
op = partial(declare, tolerance="moved")
#: What its arrays of indices are tried with, and why cases are written by hand.
AT, KEYS = "indices: position", "its key is a language of its own"


@dataclass(frozen=True, slots=True)
class Slot:
    """In the key of a getitem: the place of the index array with this number."""

    number: int


# By place.


def full_key(key: Any, rank: int) -> tuple[Any, ...]:
    """`key` with slices for `...` and for the axes that it leaves out.

    Raises:
        ShapeError: where it has more entries than there are axes.
    """
    taken = sum(k is not None and k is not ... for k in key)
    if taken > rank:
        raise ShapeError(f"{taken} indices for an array of rank {rank}")
    at = next((i for i, k in enumerate(key) if k is ...), len(key))
    return (*key[:at], *(slice(None),) * (rank - taken), *key[at + 1 :])


def indexed(x, *indices, key):
    if x is None or None in indices:
        return None
    axes, arrays = iter(x), []
    shape: list[Dim] = []
    broadcast: Shape = ()
    for entry in full_key(key, len(x)):
        size = 1 if entry is None else next(axes)
        if isinstance(entry, Slot):
            arrays += [(len(shape), entry.number)] if indices[entry.number] else []
            broadcast, clashes = JUDGE.broadcast(broadcast, indices[entry.number])
            if clashes:
                raise ShapeError(f"index arrays of shapes {' and '.join(map(str, indices))} do not broadcast")
        elif entry is None:
            shape.append(1)
        elif isinstance(entry, slice):
            shape.append(slicelen(size, entry.start, entry.stop, entry.step, JUDGE.holds))
        elif not (is_local(entry) or is_local(size) or inside(entry, size)):
            raise PlaceError(f"index {entry} is out of range for an axis of size {size}")
    places = [place for place, _ in arrays] or [0]
    place = places[0] if places[0] == places[-1] else 0
    return (*shape[:place], *broadcast, *shape[place:])


def inside(index, size):
    """Whether an axis of this size has this position, as far as the example tells."""
    at, n = hint_of(index), hint_of(size)
    return at is None or n is None or -n <= at < n


@op(dtype=same, shape=indexed, raises="indices", domain=AT, samples=KEYS, dynamic="key", noun="part")
def getitem(x, *indices, key):
    """The elements of x at `key`. An axis that is gone through backwards may be turned round first."""
    x = turned_round(x, key)
    forward = tuple(turned(x, k) if backwards(k) else k for k in key)
    return x if all(k == slice(None) or k is ... for k in forward) else getitem(x, *indices, key=forward)


@getitem.gradient
def _(g, y, x, *indices, key):
    return put_together(g, x.sizes, *indices, key=key), *[None] * len(indices)


def put_together(g, sizes, *indices, key):
    """The sums, in an array of these sizes, of what a key has picked from each of its places."""
    nothing = zeros(shape=sizes, dtype=g.dtype)
    return accumulate(nothing, g, *indices, key=key, how="add") if indices else update(nothing, g, key=key)


def turned_round(x, key):
    """x with the axes flipped that a key goes through backwards."""
    entries = [k for k in key if k is not None]
    end = next((i for i, k in enumerate(entries) if k is ...), len(entries))
    axes = [i if i < end else i - len(entries) for i, k in enumerate(entries) if backwards(k)]
    return flip(x, axis=axes[0] if len(axes) == 1 else tuple(axes)) if axes else x


def backwards(entry):
    return isinstance(entry, slice) and entry.step is not None and entry.step < 0


def turned(x, entry):
    """A slice whose bounds are counted from the other end."""

    def mirrored(bound):
        if isinstance(bound, Node):
            return x.program.static(operator.invert, bound, spec=Scalar(int, -1 - bound.spec.value))
        return None if bound is None else ~bound

    return slice(mirrored(entry.start), mirrored(entry.stop), None if entry.step == -1 else -entry.step)


def updated(x, value, *indices, key):
    if x is None or value is None or None in indices:
        return x
    place = indexed(x, *indices, key=key) if not any(masks(key, indices)) else None
    if place is not None:
        both, clashes = JUDGE.broadcast(place, leading(value, len(place)))
        JUDGE.taken()  # it is stretched to what there is
        if clashes or len(both) != len(place):
            raise ShapeError(f"an array of shape {value} does not fit into a part of shape {place}")
    return x


def masks(key, indices):
    """Masks take as many axes as they have: how much they pick is not known."""
    return [len(indices[k.number]) > 1 and len(key) < 2 for k in key if isinstance(k, Slot)]


def leading(shape, rank):
    """A shape without axes of size 1 at its front that are too many."""
    while len(shape) > rank and shape[0] == 1:
        shape = shape[1:]
    return shape


@op(dtype=same, shape=updated, raises="indices", domain=AT, samples=KEYS, dynamic="key")
def update(x, value, *indices, key):
    """x with `value`, which is broadcast, at `key`. Where an index array names a place twice, the last value
    counts. An axis that is gone through backwards may be turned round, and back afterwards."""
    x = turned_round(x, key)
    made = update(x, value, *indices, key=tuple(turned(x, k) if backwards(k) else k for k in key))
    return turned_round(made, key)


@update.gradient
def _(g, y, x, value, *indices, key):
    kept = update(g, array(value=0, dtype=g.dtype), *indices, key=key)
    return kept, of_written(g, value, indices, key), *[None] * len(indices)


def of_written(g, value, indices, key):
    """The gradient of what was written at a key. Where a place is named twice only the last value has one."""
    if any(index.dtype == bool_ for index in indices):
        if len(key) != 1 or value.rank:
            raise NotImplementedError("a mask beside other indices, or for a value with axes, has none yet")
        (mask,) = indices
        return where(mask[(..., *(None,) * (g.rank - mask.rank))], g, 0)
    found = getitem(g, *indices, key=key)
    if not any(index.rank for index in indices):
        return found
    numbers = reshape(arange(stop=count(found), dtype=int64), shape=found.sizes)
    last = update(zeros(shape=g.sizes, dtype=int64), numbers, *indices, key=key)
    return where(equal(getitem(last, *indices, key=key), numbers), found, 0)


def accumulated(x, value, *indices, key, how):
    return updated(x, value, *indices, key=key)


@op(dtype=same, shape=accumulated, raises="indices", domain=AT, samples=KEYS, dynamic="key")
def accumulate(x, value, *indices, key, how):
    """x with `value`, broadcast, joined at `key` by the op named `how`, each time that a place is named."""
    if len(indices) == x.rank == 1 and 0 < getattr(value, "rank", 0) < indices[0].rank:
        return accumulate(x, stretched_to(value, indices[0]), *indices, key=key, how=how)
    whole = tuple(k if isinstance(k, Slot) or k is ... else slice(None) for k in key)
    if whole != key:
        outer = tuple(slice(None) if isinstance(k, Slot) else k for k in key)
        outer = outer[: 1 + max(n for n, k in enumerate(outer) if k != slice(None))]
        part = accumulate(getitem(x, key=outer), value, *indices, key=whole, how=how)
        return update(x, part, key=outer)
    if how == "subtract":
        return accumulate(x, negated(value), *indices, key=key, how="add")
    if how == "add":
        indices = gridded(x, indices, full_key(key, x.rank))
        return accumulate(x, value, *indices, key=tuple(map(Slot, range(len(indices)))), how=how)
    if x.rank == 1 and key == (Slot(0),) and indices[0].rank == 1:
        index = indices[0] if indices[0].dtype == int64 else cast(indices[0], dtype=int64)
        index = index if natural(index.node) else where(index < 0, index + x.size(0), index)  # others raise
        return accumulate(x, stretched_to(value, index), index, key=key, how=how)
    places = getitem(
        reshape(arange(start=0, stop=count(x), step=1, dtype=int64), shape=x.sizes), *indices, key=key
    )
    value = reshape(stretched_to(value, places), shape=(-1,))
    flat = accumulate(reshape(x, shape=(-1,)), value, reshape(places, shape=(-1,)), key=(Slot(0),), how=how)
    return reshape(flat, shape=x.sizes)


@accumulate.gradient
def _(g, y, x, value, *indices, key, how):
    if how not in ("add", "subtract"):
        raise NotImplementedError(f"it is said of sums and differences, not of {how!r}")
    found = getitem(g, *indices, key=key)
    return g, found if how == "add" else -found, *[None] * len(indices)


def gridded(x, indices, key):
    """The index arrays of a key that has whole slices before the last of them, with one for each of these.
    The axes that are gone through as a whole come before those of the index arrays, or after them where they
    stand between two.
    """
    places = [axis for axis, k in enumerate(key) if isinstance(k, Slot)]
    wholes = [axis for axis in range(places[-1]) if axis not in places]
    apart = bool(wholes) and wholes[-1] > places[0]
    after = 0 if apart else max(index.rank for index in indices)
    found = {axis: indices[key[axis].number] for axis in places}
    if apart:
        found = {axis: index[(..., *(None,) * len(wholes))] for axis, index in found.items()}
    for n, axis in enumerate(wholes, 1):
        steps = arange(start=0, stop=x.size(axis), step=1, dtype=int64)
        found[axis] = steps[(slice(None), *(None,) * (len(wholes) - n + after))]
    return [found[axis] for axis in range(places[-1] + 1)]


def count(x):
    """How many elements x has."""
    if isinstance(x.sizes, tuple):
        return math.prod(x.sizes)
    return x.program.static(math.prod, x.sizes, spec=Scalar(int, math.prod(x.shape)))


def negated(x):
    """-x; of a number that is known, its own."""
    known = x.node.target is REGISTER["array"] and not isinstance(x.node.kwargs["value"], (list, bool))
    return array(value=-x.node.kwargs["value"], dtype=x.dtype) if known else -x


def stretched_to(x, like):
    """x in the shape of another array."""
    same = [hint_of(d) for d in x.shape] == [hint_of(d) for d in like.shape]
    return x if same else broadcast_to(x, shape=like.sizes)


def natural(index):
    """Whether it is certain that an index array counts from the front."""
    if index.target in (getitem, reshape):
        return natural(index.args[0])
    if index.target is where:  # as it is made above
        below, turned, given = index.args
        return all(getattr(n, "args", ())[:1] == (given,) for n in (below, turned)) and below.target is less
    if index.target is arange:
        return index.kwargs["start"] == 0 and index.kwargs["step"] == 1
    return index.target is remainder


#: The ops that are x with something else at a part of it.
UPDATES = (update, accumulate)


def unknown(*shapes, key):
    return None


@op(
    dtype=same,
    shape=unknown,
    size="values",
    domain=AT,
    samples="its key is a language of its own, and the size of its result depends on the values",
    noun="picked",
)
def getitem_mask(x, *indices, key):
    """A getitem, some of whose index arrays are masks: they stand for where they are true."""
    ...


# By index array.


def taken(x, indices, *, axis=None):
    if x is None or indices is None:
        return None
    if axis is None:
        return indices
    i = front(axis, len(x))
    return (*x[:i], *indices, *x[i + 1 :])


@op(dtype=same, shape=taken, raises="some", domain=AT)
def take(x, indices, *, axis=None):
    """The parts of x at these positions along `axis`; None means those of the flat array."""
    x, axis = (reshape(x, shape=(-1,)), 0) if axis is None else (x, axis)
    return getitem(x, indices, key=at_axis(axis))


@take.gradient
def _(g, y, x, indices, *, axis):
    if axis is not None:
        return put_together(g, x.sizes, indices, key=at_axis(axis)), None
    return reshape(put_together(g, (count(x),), indices, key=at_axis(0)), shape=x.sizes), None


def at_axis(axis):
    """The key of an index array for one axis."""
    whole = slice(None)
    return (*(whole,) * axis, Slot(0)) if axis >= 0 else (..., Slot(0), *(whole,) * (-1 - axis))


def taken_along(x, indices, *, axis=None, outside="raises"):
    if x is None or indices is None:
        return None
    if axis is None:
        return (math.prod(indices),)
    i = front(axis, len(x))
    if len(x) != len(indices):
        raise ShapeError(f"indices of rank {len(indices)} for an array of rank {len(x)}")
    both, clashes = JUDGE.broadcast(put(x, i, 1), put(indices, i, 1))
    if clashes:
        raise ShapeError(f"indices of shape {indices} do not fit an array of shape {x} along axis {axis}")
    return put(both, i, indices[i])


#: What gives elements of its operand.
PASSING = (cast, getitem, reshape, flip, expand_dims, broadcast_to, permute_dims, squeeze)


def positions(indices: Any, size: Dim) -> bool:
    """Whether it is certain that all in an index array are positions along an axis of this size."""
    node, number = indices.node, 0
    while node.target in PASSING or node.target is operator.getitem:
        number = node.args[1] if node.target is operator.getitem else number
        node = node.args[0]
    op, axis = node.target, node.kwargs.get("axis")
    if not isinstance(op, Op) or not op.finds or op.rules[number] != index:
        return False
    if axis is None or node.args[0].spec.shape is None:
        return False
    shape = node.args[0].spec.shape
    return compare("<=", shape[front(axis, len(shape))], size) is True


@op(dtype=same, shape=taken_along, raises="some", domain=AT, samples={"outside": ("raises", "nan", "turns")})
def take_along_axis(x, indices, *, axis=None, outside="raises"):
    """The elements of x at these positions along `axis`, for each place along the others, which broadcast.
    What is no position raises, or gives nan, as in JAX, or "turns": it is counted on from the beginning, as
    in torch.

    None means those of the flat array.
    """
    if axis is None:
        return take_along_axis(*(reshape(v, shape=(-1,)) for v in (x, indices)), axis=0, outside=outside)
    inside = outside == "raises" or positions(indices, x.shape[front(axis, x.rank)])
    if not inside and outside == "turns":
        indices = remainder(indices, x.size(axis))
    elif not inside:  # a target that has not JAX's nan raises
        found = getitem(arange(stop=x.size(axis), dtype=int64), indices, key=(Slot(0),))
        return take_along_axis(x, found, axis=axis)
    return take_along_axis(x, cast(indices, dtype=int64), axis=axis)


@op("I[~] W[n *d] -> Y[~ *d]", dtype=Rule("same", ("weight",)), raises="some", domain=AT)
def embedding(indices, weight):
    """A row of the table `weight` for every index."""
    return getitem(weight, indices, key=(Slot(0),))


def coded(x, *, num_classes, dtype):
    return None if x is None or num_classes is None else (*x, num_classes)


@op(dtype=free, shape=coded, raises="some", domain="position", samples={"num_classes": (3, 5)})
def one_hot(x, *, num_classes, dtype):
    """For every class, along a last axis, 1 where x is the class, else 0."""
    classes = arange(start=0, stop=num_classes, step=1, dtype=x.dtype)
    return cast(equal(x[..., None], classes), dtype=dtype)
