"""Elements written, or joined to what was there, by functions that name their places: NumPy's `add.at`,
torch's `index_add` and `scatter`. They become updates, see updates.py.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.graphs.leaves import pin_places
from ...ir.graphs.static import Scalar, static
from ...ir.meaning.results import front
from ...ir.noting import by_rank
from ...ir.ops import indexing as i
from ...ir.ops.creation import arange
from ...ir.ops.elementwise import where
from ...ir.sizes.dim import hint_of, minimum
from ...ir.values.dtypes import bool_, int64
from ..backend import framework_of
from ..context import Reading, Refusal
from ..rows import construct
from .indexing import along, as_place, short
from .updates import JOINS, fitting, joined, setitem


def at(reading: Reading, x: Any, key: Any, value: Any, *, op: str) -> Any:
    return joined(reading, x, key, value, op)


for _op in JOINS:
    construct(f"np.{_op}.at")(partial(at, op=_op))


# torch, along one axis.


@construct("torch.index_add")
def index_add(reading: Reading, input: Any, dim: int, index: Any, source: Any, alpha: Any = 1) -> Any:
    if alpha == -1:
        return joined(reading, input, along(dim, index), source, "subtract")
    source = source if alpha == 1 else reading.op("multiply", source, alpha)
    return joined(reading, input, along(dim, index), source, "add")


@construct("torch.index_copy")
def index_copy(reading: Reading, input: Any, dim: int, index: Any, source: Any) -> Any:
    return setitem(reading, input, along(dim, index), source)


@construct("torch.index_fill")
def index_fill(reading: Reading, input: Any, dim: int, index: Any, value: Any) -> Any:
    return setitem(reading, input, along(dim, index), value)


@construct("torch.index_put")
def index_put(reading: Reading, input: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    key = tuple(slice(None) if k is None else k for k in indices)
    return joined(reading, input, key, values, "add") if accumulate else setitem(reading, input, key, values)


# torch, an index for every element.

#: What torch calls the ways to join.
REDUCES = {
    "add": "add", "sum": "add", "multiply": "multiply", "prod": "multiply",
    "amin": "minimum", "amax": "maximum",
}  # fmt: skip


@construct("torch.scatter")
def scatter(
    reading: Reading, input: Any, dim: int, index: Any, src: Any = None, value: Any = None, reduce: Any = None
) -> Any:
    key, src = spread(reading, input, dim, index, value if src is None else src)
    return (
        setitem(reading, input, key, src)
        if reduce is None
        else joined(reading, input, key, src, REDUCES[reduce])
    )


@construct("torch.scatter_add")
def scatter_add(reading: Reading, input: Any, dim: int, index: Any, src: Any) -> Any:
    key, src = spread(reading, input, dim, index, src)
    return joined(reading, input, key, src, "add")


@construct("torch.scatter_reduce")
def scatter_reduce(
    reading: Reading, input: Any, dim: int, index: Any, src: Any, reduce: str, include_self: bool = True
) -> Any:
    if reduce not in REDUCES or not include_self:
        raise Refusal(
            f"reduce={reduce!r}" if include_self else "it leaves out what was there",
            "join sums and counts, and divide"
            if include_self
            else "write what leaves no trace there first, 0 or inf",
        )
    key, src = spread(reading, input, dim, index, src)
    return joined(reading, input, key, src, REDUCES[reduce])


@construct("np.put_along_axis")
def put_along_axis(reading: Reading, arr: Any, indices: Any, values: Any, axis: int) -> Any:
    if axis is None:
        raise Refusal("axis=None writes into the flat array", "x.reshape(-1)[indices] = values")
    return setitem(reading, arr, grid(reading, arr, indices, axis, arr), values)


@construct("np.put")
def put(reading: Reading, a: Any, ind: Any, v: Any, mode: str = "raise") -> Any:
    if mode != "raise" or reading.rank(a, "the positions are those of the flat array") != 1:
        raise Refusal(
            "positions of a flat array, or out of bounds", "write x[...] = values, an index for each axis"
        )
    one = is_one(v) or not isinstance(v, (Node, list))
    places = counted(reading, ind)
    if not one and not reading.same_shape(v, places, "there is a value for each index"):
        raise Refusal("values that are repeated or left over", "give one value, or one for each index")
    return setitem(reading, a, places, v)


def counted(reading: Reading, places: Any) -> Any:
    """The key of what NumPy takes for positions, bools too, which in a key are masks."""
    if isinstance(places, (list, tuple)):
        return [int(place) if isinstance(place, bool) else place for place in places]
    if framework_of(places) == "numpy":
        places = reading.numpys(places)
    if not isinstance(places, Node):
        return int(places)
    if static(places):
        return as_place(places)
    if places.spec.dtype == bool_:
        return reading.op("cast", places, dtype=int64)
    pin_places([places.origin or places])
    return places


@construct("np.fill_diagonal")
def fill_diagonal(reading: Reading, a: Any, val: Any, wrap: bool = False) -> Any:
    if wrap or reading.rank(a, "the diagonal goes through all axes") != 2:
        raise Refusal(
            "a diagonal that wraps, or of more than two axes", "write x[i, i, i] = value, i = np.arange(n)"
        )
    if isinstance(val, (list, tuple)) or isinstance(val, Node) and not is_one(val):
        raise Refusal(
            "values that are repeated along the diagonal", "write x[i, i] = values, i = np.arange(n)"
        )
    size = min(a.spec.shape) if all(isinstance(d, int) for d in a.spec.shape) else None
    if size is None:
        size = reading.program.static(min, reading.shape(a), spec=Scalar(int, minimum(*a.spec.shape)))
    diagonal = reading.program.call(arange, start=0, stop=size, step=1, dtype=int64)
    diagonal.meta.update(statement=True, step="diagonal")
    return setitem(reading, a, (diagonal, diagonal), val)


@construct("np.copyto")
def copyto(reading: Reading, dst: Any, src: Any, **options: Any) -> Any:
    mask = options.pop("where", True)
    return setitem(reading, dst, ..., src) if mask is True else chosen(reading, dst, mask, src)


@construct("np.putmask")
def putmask(reading: Reading, a: Any, mask: Any, values: Any) -> Any:
    one = is_one(values) or not isinstance(values, (list, tuple, Node))
    if not one and not (
        isinstance(values, Node) and reading.same_shape(values, a, "there is a value for each element")
    ):
        raise Refusal("values that are repeated", "x[mask] = values")
    return chosen(reading, a, mask, values)


def is_one(value: Any) -> bool:
    """Whether it is a number that the program computes, or an array without axes: so it is in every call."""
    by_rank(value)
    return isinstance(value, Node) and (static(value) or value.spec.shape == ())


def chosen(reading: Reading, x: Any, mask: Any, values: Any) -> Any:
    """x with `values` where the mask is true."""
    made = reading.program.call(where, mask, fitting(reading, x, values), x)
    return setitem(reading, x, ..., made)


def spread(reading: Reading, x: Any, dim: int, index: Any, src: Any) -> tuple[tuple[Any, ...], Any]:
    """The key of the elements that the index names, and what is written there: what the index does not reach
    is cut off.
    """
    key = grid(reading, x, index, dim, index)
    if not isinstance(src, Node) or static(src):
        return key, src
    reading.rank(src, "what the index does not reach is cut off")
    cut = [
        slice(None) if hint_of(mine) == hint_of(theirs) else slice(None, reading.dim(index, axis))
        for axis, (mine, theirs) in enumerate(zip(src.spec.shape, index.spec.shape))
    ]
    reaches = all(part == slice(None) for part in cut)
    return key, src if reaches else reading.op(i.getitem, src, key=tuple(short(cut)))


def grid(reading: Reading, x: Any, index: Any, dim: int, like: Any) -> tuple[Any, ...]:
    """A key of index arrays: the index along `dim`, steps along the other axes of `like`."""
    rank = reading.rank(x, "each of its axes has an index")
    if reading.rank(index, "each of its axes has an index") != rank or rank == 0:
        raise Refusal("index and array must have the same rank, and one axis at least")
    key = []
    for axis in range(rank):
        if axis == front(dim, rank):
            key.append(index)
            continue
        steps = reading.program.call(arange, start=0, stop=reading.dim(like, axis), step=1, dtype=int64)
        last = (slice(None), *(None,) * (rank - 1 - axis))
        key.append(steps if axis == rank - 1 else reading.op(i.getitem, steps, key=last))
    return tuple(key)


# The whole.


@construct("torch.fill")
def fill(reading: Reading, input: Any, value: Any) -> Any:
    return setitem(reading, input, ..., value)


@construct("torch.Tensor.copy_")
def copy_(reading: Reading, self: Any, other: Any) -> Any:
    return setitem(reading, self, ..., other)


@construct("torch.Tensor.zero_")
def zero_(reading: Reading, self: Any) -> Any:
    return setitem(reading, self, ..., 0)
