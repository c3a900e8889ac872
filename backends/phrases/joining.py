"""How arrays are joined and split. Same order as in ir/ops/joining.py."""

from __future__ import annotations

import operator
from typing import Any

from ...ir.graphs.fitting import note
from ...ir.graphs.graph import Node
from ...ir.graphs.static import Scalar
from ...ir.meaning.results import front
from ...ir.ops import joining as j
from ...ir.ops.shape import broadcast_to, reshape
from ...ir.sizes.dim import Dim, hint_of
from ..context import Reading, Refusal
from ..rows import reads, say

# fmt: off
say(j.concat,
    numpy="np.concatenate(arrays, axis=axis)",
    jax="jnp.concatenate(arrays, axis=axis)",
    torch="torch.cat(arrays, dim=axis)",
    reads="jax.lax.concatenate(arrays, axis)",
    types="""
        numpy: joined, items
        torch: any, tensors
    """)
say(j.stack,
    numpy="np.stack(arrays, axis=axis)",
    jax="jnp.stack(arrays, axis=axis)",
    torch="torch.stack(arrays, dim=axis)",
    reads="jax.lax.stack(arrays, axis=axis)",
    types="""
        numpy: joined, items
        torch: any, tensors
    """)
say(j.hstack,
    numpy="np.hstack(arrays)",
    jax="jnp.hstack(arrays)",
    torch="torch.hstack(arrays)",
    types="""
        numpy: joined, items
        torch: any, tensors
    """)
say(j.vstack,
    numpy="np.vstack(arrays)",
    jax="jnp.vstack(arrays)",
    torch="torch.vstack(arrays)",
    types="""
        numpy: joined, items
        torch: any, tensors
    """)
say(j.column_stack,
    numpy="np.column_stack(arrays)",
    jax="jnp.column_stack(arrays)",
    torch="torch.column_stack(arrays)",
    types="""
        numpy: joined, items
        torch: any, tensors
    """)
say(j.split,
    numpy="""
        np.split(x, sections, axis=axis) -> list   if sections: int, sections: known
        np.split(x, listed(sections), axis=axis) -> list
    """,
    jax="""
        jnp.split(x, sections, axis=axis) -> list  if sections: int, sections: known
        jnp.split(x, listed(sections), axis=axis) -> list
    """,
    torch="""
        torch.chunk(x, sections, dim=axis)         if sections: int
        torch.tensor_split(x, sections, dim=axis)  if sections: tuple
    """,
    reads="""
        np.hsplit(x, sections) -> list             if axis=0, x: 1d, sections: known
        jnp.hsplit(x, sections) -> list            if axis=0, x: 1d, sections: known
        torch.hsplit(x, sections)                  if axis=0, x: 1d, sections: known
        np.hsplit(x, sections) -> list             if axis=1, x: 2d|3d|4d|5d|6d, sections: known
        jnp.hsplit(x, sections) -> list            if axis=1, x: 2d|3d|4d|5d|6d, sections: known
        torch.hsplit(x, sections)                  if axis=1, x: 2d|3d|4d|5d|6d, sections: known
        np.vsplit(x, sections) -> list             if axis=0, x: 2d|3d|4d|5d|6d, sections: known
        jnp.vsplit(x, sections) -> list            if axis=0, x: 2d|3d|4d|5d|6d, sections: known
        torch.vsplit(x, sections)                  if axis=0, x: 2d|3d|4d|5d|6d, sections: known
    """,
    gives="numpy torch: view")
say(j.array_split,
    numpy="np.array_split(x, sections, axis=axis) -> list  if sections: known",
    jax="jnp.array_split(x, sections, axis=axis) -> list   if sections: known",
    torch="torch.tensor_split(x, sections, dim=axis)       if sections: known",
    gives="numpy torch: view")
say(j.unstack,
    jax="jnp.unstack(x, axis=axis)",
    torch="torch.unbind(x, dim=axis)",
    gives="torch: view")
say(j.meshgrid,
    numpy="np.meshgrid(*arrays, indexing=indexing)",
    jax="jnp.meshgrid(*arrays, indexing=indexing)",
    torch="torch.meshgrid(*arrays, indexing=indexing)",
    gives="""
        numpy: told
        torch: each
    """)
# fmt: on


@reads("np.concatenate", "jnp.concatenate", "jnp.concat")
def concatenate(reading: Reading, arrays: Any, axis: Any = 0, dtype: Any = None) -> Any:
    """Without an axis of the flat arrays."""
    parts = reading.items(arrays)
    if axis is None:
        parts = [reading.op(reshape, part, shape=(-1,)) for part in parts]
    wanted = None if dtype is None else reading.dtype(dtype)
    return reading.op(j.concat, *parts, axis=axis or 0, dtype=wanted)


@reads("torch.chunk")
def chunk(reading: Reading, input: Any, chunks: Any, dim: int = 0) -> Any:
    """Parts of one size, rounded up, and a rest; they may be fewer than were asked for."""
    count = reading.known(chunks, "it says how many parts there are")
    origin = reading.program.origin
    # A statement that unpacks them refuses another number of parts.
    unpacked = origin is not None and origin.place is not None and origin.place.unpacks
    shape = input.spec.shape if unpacked else None
    n = size_of(reading, input, dim) if shape is None else shape[front(dim, len(shape))]
    if hint_of(n) % count == 0:
        if not unpacked:
            reading.same_size(n % count, 0, "it has parts of one size")
        note(reading.program, n % count, 0)
        return reading.op(j.split, input, sections=count, axis=dim)
    n = size_of(reading, input, dim)
    n = reading.known(n, "it has no equal parts")
    return reading.op(j.split, input, sections=tuple(range(-(-n // count), n, -(-n // count))), axis=dim)


@reads("torch.split", "torch.Tensor.split", "torch.split_with_sizes", gives="torch: view")
def torch_split(
    reading: Reading, tensor: Any = None, split_size_or_sections: Any = None, dim: int = 0, self: Any = None,
    split_size: Any = None, input: Any = None, split_sizes: Any = None,
) -> Any:  # fmt: skip
    """torch says how large the parts are."""
    x = next(v for v in (tensor, self, input) if v is not None)
    size = next(v for v in (split_size_or_sections, split_size, split_sizes) if v is not None)
    if isinstance(size, (tuple, list)):
        ends = size[:1]
        for one in size[1:-1]:
            ends = [*ends, added(reading, ends[-1], one)]
        return reading.op(j.split, x, sections=tuple(ends) if len(size) > 1 else 1, axis=dim)
    n, size = size_of(reading, x, dim), size.spec.value if isinstance(size, Node) else size
    count = max(-(-hint_of(n) // max(hint_of(size), 1)), 1)  # type: ignore[operator,type-var]
    if hint_of(n) == count * hint_of(size):  # type: ignore[operator]
        reading.same_size(n, count * size, "it is split into parts of one size")
        return reading.op(j.split, x, sections=count, axis=dim)
    n, size = (reading.known(v, "it has no equal parts") for v in (n, size))
    return reading.op(j.split, x, sections=tuple(range(size, n, size)) if count > 1 else 1, axis=dim)


def size_of(reading: Reading, x: Any, axis: int) -> Dim:
    if x.spec.shape is None or axis < 0 or "path" not in x.meta:
        reading.rank(x, "how many parts there are depends on it")
    size: Dim = x.spec.shape[front(axis, len(x.spec.shape))]
    if hint_of(size) is None:
        raise Refusal("the size of the axis is not known", "give example arguments with args=")
    return size


def added(reading: Reading, a: Any, b: Any) -> Any:
    """a + b, of ints and of numbers that the program reads."""
    if not isinstance(a, Node) and not isinstance(b, Node):
        return a + b
    values = [v.spec.value if isinstance(v, Node) else v for v in (a, b)]
    return reading.program.static(operator.add, a, b, spec=Scalar(int, values[0] + values[1]))


@reads("torch.unbind", "np.unstack", "jnp.unstack", "jax.lax.unstack", gives="numpy: view")
def unstack(reading: Reading, input: Any = None, dim: int = 0, x: Any = None, axis: int = 0) -> Any:
    array, axis = (x, axis) if input is None else (input, dim)
    array = reading.operand(array)
    reading.known(size_of(reading, array, axis), "it says how many parts there are")
    return reading.op(j.unstack, array, axis=axis)


@reads("np.meshgrid", "jnp.meshgrid", "torch.meshgrid")
def meshgrid(
    reading: Reading, xi: Any = (), tensors: Any = (), indexing: str | None = None, sparse: bool = False
) -> Any:
    """torch's default is "ij"."""
    arrays = reading.items(xi or unlisted(tensors))
    if sparse:
        raise Refusal("its grids are sparse", "x[:, None] and y[None, :] are sparse grids")
    flat = [reading.rank(a, "a grid is made of vectors") == 1 for a in arrays]
    arrays = [a if f else reading.op(reshape, a, shape=(-1,)) for a, f in zip(arrays, flat)]
    if len({a.spec.dtype for a in arrays}) > 1:
        raise Refusal("torch has no grid of several dtypes", "cast the arrays to one dtype first")
    own = "ij" if reading.source.name == "torch" else "xy"
    made = reading.op(j.meshgrid, *arrays, indexing=indexing or own)
    return list(made) if reading.source.name == "jax" else made


def unlisted(arrays: Any) -> Any:
    """The arrays, which torch also takes as one list."""
    return arrays[0] if len(arrays) == 1 and isinstance(arrays[0], (tuple, list)) else arrays


@reads("np.broadcast_arrays", "jnp.broadcast_arrays", "torch.broadcast_tensors", gives="numpy torch: each")
def broadcast_arrays(reading: Reading, args: Any = (), tensors: Any = ()) -> Any:
    """Each size is that of the first array that has the axis in full."""
    arrays = reading.items(args or unlisted(tensors))
    rank = max(reading.rank(a, "it is to be broadcast") for a in arrays)
    sizes = []
    for i in range(-rank, 0):
        having = [a for a in arrays if len(a.spec.shape) >= -i]
        full = [a for a in having if hint_of(a.spec.shape[i]) != 1] or having[:1]
        told = next((a for a in full if isinstance(a.spec.shape[i], int)), full[0])
        for other in full if not isinstance(told.spec.shape[i], int) else ():
            if other.spec.shape[i] != told.spec.shape[i]:
                reading.same_size(told.spec.shape[i], other.spec.shape[i], "they are broadcast together")
        sizes.append(reading.dim(told, i))
    made = [reading.op(broadcast_to, a, shape=tuple(sizes)) for a in arrays]
    return made if reading.source.name == "jax" else tuple(made)
