"""Windows: a part of an array of a size that is known, at a place that may not be."""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

import operator
from typing import Any

from ..errors import ShapeError
from ..graphs.graph import Node
from ..graphs.static import Scalar
from ..meaning.op import op, same
from ..meaning.results import front
from ..meaning.sampling import parts
from ..sizes.dim import compare, hint_of, maximum, minimum
from ..sizes.local import local
from ..subscript.helpers import put
from .indexing import getitem, update


def windowed(x, *, start, size, axis=None):
    if x is None:
        return None
    places = (start, size) if axis is None else ((start,), (size,))
    if any(not isinstance(v, tuple) or len(v) != (len(x) if axis is None else 1) for v in places):
        raise ShapeError(f"starts {start} and sizes {size} for an array of rank {len(x)}, along axis {axis}")
    axes = range(len(x)) if axis is None else (front(axis, len(x)),)
    for i, wanted in zip(axes, places[1]):
        if (hint_of(wanted) or 0) > (hint_of(x[i]) or 0):
            raise ShapeError(f"a part of size {wanted} of an axis of size {x[i]}")
    return tuple(size) if axis is None else put(x, axes[0], size)


PLACES = {"axis": (None, 0, -1), "start": parts(1, -2, 9, 0, -9)}


@op(dtype=same, shape=windowed, samples={**PLACES, "size": parts(2, 1)}, dynamic="start")
def dynamic_slice(x, *, axis=None, start, size):
    """The part of x that has this size and starts here, along `axis`, or along all of them, in tuples. A
    start below 0 counts from the end; one from where the part would not lie within x is moved.
    """
    return getitem(x, key=window(x, start, size, axis))


def window(x, start, size, axis):
    """The key of a part of a size."""
    if axis is None:
        return tuple(within(x, i, *each) for i, each in enumerate(zip(start, size)))
    return (*(slice(None),) * front(axis, x.rank), within(x, axis, start, size))


def within(x, axis, start, size):
    """A slice of a size that lies within x."""
    n = sized(x, axis)
    if not surely("<=", 0, start):
        below = reckoned(x, operator.mul, n, reckoned(x, operator.lt, start, 0))
        value = start.spec.value if isinstance(start, Node) else start
        hint = None if value is None else hint_of(value)
        at = (
            None if hint is None else max(hint + (hint < 0) * (hint_of(x.shape[front(axis, x.rank)]) or 0), 0)
        )
        start = reckoned(x, max, reckoned(x, operator.add, start, below), 0)
        if isinstance(start, Node):  # a place that no expression of the arguments gives
            start.spec = Scalar(int, local(f"{start.name} {id(start)}", at, least=0), start.spec.local)
    last = reckoned(x, operator.sub, n, size)
    start = start if surely("<=", start, last) else reckoned(x, min, start, last)
    return slice(start, reckoned(x, operator.add, start, size))


def sized(x: Any, axis: int) -> Any:
    """The size of an axis, as a number or a node."""
    n = x.size(axis)
    return getattr(n, "node", n)


def surely(op, left, right):
    values = [v.spec.value if isinstance(v, Node) else v for v in (left, right)]
    return None not in values and compare(op, *values) is True


def reckoned(x, fn, *numbers):
    """Plain Python on ints, where only the running program may know them."""
    if not any(isinstance(v, Node) for v in numbers):
        return fn(*numbers)
    values = [v.spec.value if isinstance(v, Node) else v for v in numbers]
    dims = {min: minimum, max: maximum}.get(fn, fn)
    local = any(isinstance(v, Node) and v.spec.local for v in numbers)
    spec = (
        Scalar(bool, None, local)
        if fn is operator.lt
        else Scalar(int, None if None in values else dims(*values), local)
    )
    return x.program.static(fn, *numbers, spec=spec)


def rewindowed(x, value, *, start, axis=None):
    if x is not None and value is not None:
        if len(x) != len(value):
            raise ShapeError(f"a part of rank {len(value)} of an array of rank {len(x)}")
        windowed(x, start=start, size=tuple(value) if axis is None else value[axis], axis=axis)
    return x


@op(dtype=same, shape=rewindowed, samples=PLACES, dynamic="start")
def dynamic_update_slice(x, value, *, axis=None, start):
    """x with `value` where such a part of it starts, see dynamic_slice."""
    size = [sized(value, i) for i in range(value.rank)] if axis is None else sized(value, axis)
    return update(x, value, key=window(x, start, size, axis))
