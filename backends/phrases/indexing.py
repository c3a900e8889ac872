"""How elements are picked. Same order as in ir/ops/indexing.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.graphs.static import static
from ...ir.meaning.results import front
from ...ir.noting import note_type
from ...ir.ops import indexing as i
from ...ir.ops import shape as s
from ...ir.ops.indexing import Slot
from ...ir.sizes.dim import compare, hint_of
from ...ir.values.dtypes import int64
from ..backend import framework_of
from ..context import Reading, Refusal
from ..rows import OTHERWISE, absent, reads, refused, say
from .joining import added

# fmt: off
say(i.getitem,
    numpy="x[key]",
    jax="x[key]",
    torch="x[key]  if key: forward",
    gives="numpy torch: index")
say(i.getitem_mask,
    numpy="x[key]",
    torch="x[key]  if key: forward",
    gives="numpy torch: index")
say(i.take,
    numpy="np.take(x, indices, axis=axis)",
    jax="jnp.take(x, indices, axis=axis)",
    torch="torch.take(x, indices)  if axis=None, indices: int64",
    reads="torch.index_select(x, axis, indices)  if indices: 1d",
    types="torch: line")
say(i.take_along_axis,
    numpy="""
        np.take_along_axis(x, indices, axis)                if axis: int, outside='raises'
        np.take_along_axis(x, indices, axis)                if axis=None, indices: 1d, outside='raises'
        np.take_along_axis(x, indices, axis)                if axis: int, outside='nan'
        np.take_along_axis(x, indices, axis)                if axis=None, indices: 1d, outside='nan'
        np.take_along_axis(x, indices, axis)                if axis: int, outside='turns'
        np.take_along_axis(x, indices, axis)                if axis=None, indices: 1d, outside='turns'
    """,
    jax="""
        jnp.take_along_axis(x, indices, axis)               if axis: int, outside='nan'
        jnp.take_along_axis(x, indices, axis)               if axis=None, indices: 1d, outside='nan'
        jnp.take_along_axis(x, indices, axis)               if axis: int, outside='raises'
        jnp.take_along_axis(x, indices, axis)               if axis=None, indices: 1d, outside='raises'
    """,
    torch="""
        torch.take_along_dim(x, indices, dim=axis)          if indices: int64, outside='turns'
        torch.take_along_dim(x, indices, dim=axis)          if indices: int64, outside='raises'
    """,
    reads="""
        jnp.take_along_axis(x, indices, axis, mode='fill')  if outside='nan'
        jnp.take_along_axis(x, indices, axis, mode='promise_in_bounds')
    """)
say(i.embedding,
    torch="F.embedding(indices, weight)  if indices: int64|int32")
say(i.one_hot,
    jax="jax.nn.one_hot(x, num_classes, dtype=dtype)",
    torch="F.one_hot(x, num_classes)  if dtype=int64, num_classes: natural, x: int64")
# fmt: on
absent(
    i.getitem_mask,
    "jax",
    hint="jnp.where(mask, x, 0) keeps the shape",
)
#: What may take the place of the positions at which a mask is true.
BY_MASK = "x[mask] picks what is there, mask.sum() counts it, and where(mask, x, 0) keeps the shape"
OTHERWISE["where"] = BY_MASK
refused(
    "np.nonzero", "np.argwhere", "np.flatnonzero", "np.ndarray.nonzero", "jnp.nonzero", "jnp.argwhere",
    "jnp.flatnonzero", "torch.nonzero", "torch.argwhere", "torch.Tensor.nonzero", "torch.Tensor.argwhere",
    why="how many positions there are depends on the values", hint=BY_MASK,
)  # fmt: skip


# By place.


@reads("operator.getitem")
def getitem(reading: Reading, x: Any, key: Any) -> Any:
    """An int beside index arrays is one of them for NumPy and JAX, but not for torch, and a `...` for no axes
    stands between them for NumPy and JAX only. Where that moves the axes of the result, the key is taken
    apart.
    """
    entries = [entry(reading, k) for k in (key if isinstance(key, tuple) else (key,))]
    kinds = "".join(map(kind, entries))
    masked = any(is_array(k) and k.spec.dtype.kind == "bool" for k in entries)
    if "a" not in kinds or len(kinds) == 1:
        return picked(reading, x, entries, masked)
    own = kinds
    if ... in entries and reached(entries) == reading.rank(x, "`...` may stand for no axes"):
        at = entries.index(...)
        del entries[at]
        own, kinds = f"{kinds[:at]}.{kinds[at + 1 :]}", kinds[:at] + kinds[at + 1 :]
    place = placed(kinds.replace("i", ""), "a")
    wanted = place if reading.source.name == "torch" else placed(own, "ia")
    if placed(kinds, "ia") == place == wanted:
        return picked(reading, x, entries, masked)
    if masked:
        raise Refusal(
            "NumPy and torch put the axes of its result in different places",
            "index in two steps, x[0][:, mask]",
        )
    if "i" in kinds:
        x = picked(reading, x, short([slice(None) if kind(k) == "a" else k for k in entries]), False)
        entries = [k if is_array(k) or k is ... else slice(None) for k in entries if kind(k) != "i"]
    made = picked(reading, x, short(entries), False)
    if place == wanted:
        return made
    rank = max(reading.rank(k, "its axes stand elsewhere") for k in entries if is_array(k))
    if rank == 1:
        return reading.op(s.moveaxis, made, source=place, destination=0)
    return reading.op(
        s.moveaxis, made, source=tuple(range(place, place + rank)), destination=tuple(range(rank))
    )


def reached(entries: Sequence[Any]) -> int:
    """How many axes a key speaks of, `...` aside."""
    mine = [k for k in entries if k is not None and k is not ...]
    return sum(len(k.spec.shape) if is_array(k) and k.spec.dtype.kind == "bool" else 1 for k in mine)


def short(entries: list[Any]) -> list[Any]:
    """A key without whole slices at its end."""
    while len(entries) > 1 and entries[-1] == slice(None) and ... not in entries:
        entries = entries[:-1]
    return entries


def entry(reading: Reading, k: Any) -> Any:
    """One entry of a key: an int, a slice, None, `...`, or an index array whose rank and dtype are known."""
    if isinstance(k, slice):
        step = None if k.step is None else reading.known(k.step, "it is the step of a slice")
        for bound in (k.start, k.stop, step):
            if not (
                bound is None
                or type(bound) is int
                or isinstance(bound, Node)
                and static(bound)
                and bound.spec.type is int
            ):
                raise Refusal(
                    "a bound of a slice is an array, and the size of the result would depend on it",
                    "x[start + arange(n)] has one size; or mask the whole with where(...)",
                )
        return slice(k.start, k.stop, step)
    if isinstance(k, bool) or isinstance(k, Node) and static(k) and k.spec.type is not int:
        raise Refusal("an index must be an int", "x[None] adds an axis")
    if k is None or k is ... or isinstance(k, int) or isinstance(k, Node) and static(k):
        return k
    return index_array(reading, k)


def index_array(reading: Reading, k: Any) -> Any:
    source = reading.source.name
    if isinstance(k, (list, tuple)):
        if source == "jax" or source == "torch" and any(isinstance(v, (list, tuple)) for v in k):
            raise Refusal(f"{source} takes no such list as an index", "make it an array")
        k = reading.array(k) if len(k) else reading.op("array", value=[], dtype=int64)
    if framework_of(k) == "numpy":
        k = reading.numpys(k)
    if not is_array(k):
        raise Refusal(f"{type(k).__name__} is no index")
    if k.spec.dtype is None or k.spec.shape is None:
        lacking = "shape" if k.spec.shape is None else "dtype"
        raise Refusal(f"the {lacking} of an index array is not known", "give example arguments with args=")
    if k.spec.dtype.name == "uint8" and source == "torch":
        raise Refusal("torch reads a uint8 tensor as a mask", "x[mask.bool()] or x[index.long()]")
    if k.spec.dtype.is_inexact or k.spec.dtype.kind == "bool" and k.spec.shape == ():
        choice = "an `if` chooses by one bool, and where(condition, x, 0) keeps the shape"
        raise Refusal(
            f"an index cannot be {k.spec}", "cast it to integers" if k.spec.dtype.is_inexact else choice
        )
    if k.spec.shape == () and getattr(k.target, "name", None) == "array":
        return k.kwargs["value"]
    if k.spec.dtype.kind == "bool" or k.spec.dtype.name in ("int32", "int64"):
        return k
    return reading.op("cast", k, dtype=int64)  # torch takes no others


def is_array(k: Any) -> bool:
    return isinstance(k, Node) and not static(k)


def kind(k: Any) -> str:
    """i: an int or an index array without axes; a: one with axes; s: slices; n: a new axis."""
    if is_array(k):
        return "a" if k.spec.shape else "i"
    return "n" if k is None else "s" if isinstance(k, slice) or k is ... else "i"


def placed(kinds: str, advanced: str) -> int:
    """Before how many of the result's other axes those of the index arrays stand, where these kinds count as
    such.
    """
    at = [n for n, k in enumerate(kinds) if k in advanced]
    if any(k not in advanced for k in kinds[at[0] : at[-1]]):
        return 0
    return sum(k in "sn" for k in kinds[: at[0]])


def picked(reading: Reading, x: Any, entries: Sequence[Any], masked: bool) -> Any:
    arrays = [k for k in entries if is_array(k)]
    slots = iter(range(len(arrays)))
    key = tuple(Slot(next(slots)) if is_array(k) else k for k in entries)
    return reading.op(i.getitem_mask if masked else i.getitem, x, *arrays, key=key)


@reads("torch.select", gives="torch: view")
def select(reading: Reading, input: Any, dim: int, index: Any) -> Any:
    return getitem(reading, input, along(dim, as_place(index)))


def as_place(number: Any) -> Any:
    """A number that a function takes for a place: in a key, True would be a mask, and an array an index."""
    if isinstance(number, Node):
        note_type(number.origin or number)
    return number


@reads("torch.narrow", gives="torch: view")
def narrow(reading: Reading, input: Any, dim: int, start: Any, length: Any) -> Any:
    if is_array(start):
        raise Refusal("its start is an array", "take the number out of it with int()")
    value = start.spec.value if isinstance(start, Node) else start
    behind = (hint_of(value) or 0) < 0
    if behind and isinstance(start, int) and isinstance(length, int) and start + length <= 0:
        return getitem(reading, input, along(dim, slice(start, start + length or None)))
    if behind:
        reading.least(-value, 1, "its start is counted from the end")
        input = reading.operand(input)
        axis = front(dim, reading.rank(input, "its start is counted from the end"))
        start = added(reading, reading.dim(input, axis), start)
    else:
        reading.least(start, 0, "a negative start is counted from the end")
    return getitem(reading, input, along(dim, slice(start, added(reading, start, length))))


@reads("jax.lax.slice_in_dim")
def slice_in_dim(
    reading: Reading, operand: Any, start_index: Any, limit_index: Any, stride: Any = 1, axis: int = 0
) -> Any:
    return getitem(
        reading, operand, along(axis, slice(start_index, limit_index, None if stride == 1 else stride))
    )


def along(axis: int, k: Any) -> tuple[Any, ...]:
    """The key that has `k` at one axis."""
    return (*(slice(None),) * axis, k) if axis >= 0 else (..., k, *(slice(None),) * (-1 - axis))


@reads("torch.masked_select")
def masked_select(reading: Reading, input: Any, mask: Any) -> Any:
    """The elements where the mask is true; mask and array must have one shape."""
    if input.spec.shape is None or mask.spec.shape is None or input.spec.hint_shape != mask.spec.hint_shape:
        raise Refusal("the mask has another shape", "expand it first")
    for array in (input, mask):
        reading.rank(array, "the mask must have that of the array")
    return getitem(reading, input, mask)


# By index array.


@reads("np.take")
def np_take(reading: Reading, a: Any, indices: Any, axis: Any = None, mode: Any = None) -> Any:
    if is_number(indices) and mode in (None, "raise"):
        a = reading.operand(a)
        flat = reading.op(s.reshape, a, shape=(-1,)) if axis is None else a
        return getitem(reading, flat, along(axis or 0, as_place(indices)))
    return take(reading, a, indices, axis, mode)


@reads("jnp.take")
def jnp_take(
    reading: Reading, a: Any, indices: Any, axis: Any = None, mode: Any = None, fill_value: Any = None
) -> Any:
    if is_number(indices):  # beyond the last element take gives nan, and x[i] the last
        indices = reading.single(indices)
    return take(reading, a, indices, axis, "other" if fill_value is not None else mode)


def is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) or isinstance(value, Node) and static(value)


def take(reading: Reading, a: Any, indices: Any, axis: Any, mode: Any) -> Any:
    """Positions out of range, where NumPy raises and JAX fills, are outside what can be kept."""
    if mode not in (None, "raise", "fill"):
        raise Refusal(f"mode {mode!r}", "clip the indices first")
    a = reading.operand(a)
    if not is_array(a):
        raise Refusal("it is a number that something is taken of", "give it an array")
    if axis is None and a.spec.shape is not None and reading.rank(a, "it may be flat") == 1:
        axis = 0
    return reading.op(i.take, a, indices_of(reading, indices), axis=axis)


def indices_of(reading: Reading, indices: Any) -> Any:
    found = indices if isinstance(indices, Node) else index_array(reading, indices)
    if found.spec.dtype is None or not found.spec.dtype.is_integer:
        raise Refusal(f"indices cannot be {found.spec}")
    return found if found.spec.dtype.name in ("int32", "int64") else reading.op("cast", found, dtype=int64)


@reads("torch.gather")
def gather(reading: Reading, input: Any, dim: int, index: Any, sparse_grad: bool = False) -> Any:
    """The index may be shorter along the other axes: what it does not reach is cut off, never broadcast."""
    ranks = [reading.rank(v, "what the index does not reach is cut off") for v in (input, index)]
    if ranks == [0, 0]:
        return input
    cut = [slice(None)] * ranks[0]
    for axis in set(range(ranks[0])) - {front(dim, ranks[0])}:
        mine, theirs = input.spec.shape[axis], index.spec.shape[axis]
        if hint_of(mine) != hint_of(theirs):
            cut[axis] = slice(None, reading.dim(index, axis))
        elif compare("==", mine, theirs) is None:
            reading.same_size(mine, theirs, "the index is as long as the array")
    if any(part != slice(None) for part in cut):
        input = reading.op(i.getitem, input, key=tuple(cut))
    return reading.op(i.take_along_axis, input, index, axis=dim)
