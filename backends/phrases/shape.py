"""How shapes are changed. Same order as in ir/ops/shape.py."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

from ...ir.dim import Dim, hint_of, minimum
from ...ir.dtypes import DType
from ...ir.graph import Node
from ...ir.op import front
from ...ir.ops import shape as s
from ...ir.static import Scalar, static
from ..reading import Reading, Refusal
from ..rows import reads, say
from ..typing.row import fits

# fmt: off
#    op                   numpy                                        jax                                          torch
say( s.reshape,           "x.reshape(*shape)",                         "x.reshape(*shape)",                         "x.reshape(*shape)",
     also=["np.reshape(x, shape)", "jnp.reshape(x, shape)", "jax.lax.reshape(x, shape)", "torch.reshape(x, shape)"])
say( s.broadcast_to,      "np.broadcast_to(x, shape)",                 "jnp.broadcast_to(x, shape)",                "x.expand(*shape)")
say( s.expand_dims,       "np.expand_dims(x, axis)",                   "jnp.expand_dims(x, axis)",                  "x.unsqueeze(axis) if axis: int",
     also=["jax.lax.expand_dims(x, axis)", "torch.unsqueeze(x, axis)"])
say( s.squeeze,           "np.squeeze(x, axis=axis)",                  "jnp.squeeze(x, axis=axis)",                 ("x.squeeze() if axis=None", "x.squeeze(axis)"))
say( s.permute_dims,      ("x.T if axes=None", "x.T if axes=(1, 0)", "x.transpose(*axes)"),
                          ("x.T if axes=None", "x.T if axes=(1, 0)", "x.transpose(*axes)"),
                          ("x.T if axes=None, x: 2d", "x.T if axes=(1, 0)", "x.permute(*axes) if axes: tuple"),
     also=["torch.permute(x, axes)", "jax.lax.transpose(x, axes)"])
say( s.swapaxes,          "np.swapaxes(x, axis1, axis2)",              "jnp.swapaxes(x, axis1, axis2)",             "x.transpose(axis1, axis2)",
     also=["torch.transpose(x, axis1, axis2)", "torch.swapaxes(x, axis1, axis2)"])
say( s.matrix_transpose,  "x.mT",                                      "x.mT",                                      "x.mT",
     also=["np.matrix_transpose(x)", "jnp.matrix_transpose(x)", "np.linalg.matrix_transpose(x)", "jnp.linalg.matrix_transpose(x)"])
say( s.moveaxis,          "np.moveaxis(x, source, destination)",       "jnp.moveaxis(x, source, destination)",      "torch.movedim(x, source, destination)")
say( s.flip,              "np.flip(x, axis=axis)",                     "jnp.flip(x, axis=axis)",                    ("torch.flip(x, (axis,)) if axis: int", "torch.flip(x, axis) if axis: tuple"),
     also=["np.flipud(x) if axis=0", "jnp.flipud(x) if axis=0", "torch.flipud(x) if axis=0",
           "np.fliplr(x) if axis=1", "jnp.fliplr(x) if axis=1", "torch.fliplr(x) if axis=1"])
say( s.roll,              "np.roll(x, shift, axis=axis)",              "jnp.roll(x, shift, axis=axis)",             ("torch.roll(x, shift) if axis=None", "torch.roll(x, shift, dims=axis)"))
say( s.concat,            "np.concatenate(arrays, axis=axis)",         "jnp.concatenate(arrays, axis=axis)",        "torch.cat(arrays, dim=axis)")
say( s.stack,             "np.stack(arrays, axis=axis)",               "jnp.stack(arrays, axis=axis)",              "torch.stack(arrays, dim=axis)")
say( s.split,             ("np.split(x, sections, axis=axis) if sections: int",  "np.split(x, listed(sections), axis=axis)"),
                          ("jnp.split(x, sections, axis=axis) if sections: int", "jnp.split(x, listed(sections), axis=axis)"),
                          ("torch.chunk(x, sections, dim=axis) if sections: int", "torch.tensor_split(x, sections, dim=axis)"))
say( s.unstack,           None,                                        "jnp.unstack(x, axis=axis)",                 "torch.unbind(x, dim=axis)")
say( s.meshgrid,          "np.meshgrid(*arrays, indexing=indexing)",   "jnp.meshgrid(*arrays, indexing=indexing)",  "torch.meshgrid(*arrays, indexing=indexing)")
say( s.pad,               ("np.pad(x, widths) if mode='constant', value=0", "np.pad(x, widths, constant_values=value) if mode='constant'", "np.pad(x, widths, mode=mode)"),
                          ("jnp.pad(x, widths) if mode='constant', value=0", "jnp.pad(x, widths, constant_values=value) if mode='constant'", "jnp.pad(x, widths, mode=mode)"),
                          ("torch.nn.functional.pad(x, trailing(widths)) if mode='constant', value=0",
                           "torch.nn.functional.pad(x, trailing(widths), value=value) if mode='constant'",
                           "torch.nn.functional.pad(x, inner(widths), mode='replicate') if mode='edge', x: float|int",
                           "torch.nn.functional.pad(x, inner(widths), mode='reflect') if mode='reflect', x: float|int",
                           "torch.nn.functional.pad(x, inner(widths), mode='circular') if mode='wrap', x: float|int"))
say( s.tile,              "np.tile(x, reps)",                          "jnp.tile(x, reps)",                         ("torch.tile(x, (reps,)) if reps: int", "torch.tile(x, reps)"))
say( s.repeat,            "np.repeat(x, repeats, axis=axis)",          "jnp.repeat(x, repeats, axis=axis) if repeats: int", "torch.repeat_interleave(x, repeats, dim=axis) if repeats: int")
say( s.diagonal,          "np.diagonal(x, offset=offset, axis1=axis1, axis2=axis2)", "jnp.diagonal(x, offset=offset, axis1=axis1, axis2=axis2)",
                          "torch.diagonal(x, offset=offset, dim1=axis1, dim2=axis2)")
say( s.trace,             "np.trace(x, offset=offset, axis1=axis1, axis2=axis2)", "jnp.trace(x, offset=offset, axis1=axis1, axis2=axis2)", "torch.trace(x) if x: 2d")
say( s.diag,              "np.diag(x, k=offset)",                      "jnp.diag(x, k=offset)",                     "torch.diag(x, diagonal=offset)")
say( s.tril,              "np.tril(x, k=k)",                           "jnp.tril(x, k=k)",                          "torch.tril(x, diagonal=k)")
say( s.triu,              "np.triu(x, k=k)",                           "jnp.triu(x, k=k)",                          "torch.triu(x, diagonal=k)")
say( s.copy,              "x.copy()",                                  "x",                                         "x.clone()",
     also=["np.copy(x)", "jnp.copy(x)", "torch.clone(x)"])
# NumPy gives an array without axes one.
say( s.identity,          "x",                                         "x",                                         "x",
     also=["np.ascontiguousarray(x) if x: 1d|2d|3d|4d|5d|6d", "torch.Tensor.contiguous(x)", "torch.Tensor.cpu(x)", "torch.Tensor.cuda(x)", "torch.Tensor.to(x)"])
# fmt: on


# Another shape.


@reads("torch.Tensor.view")
def view(reading: Reading, self: Any, size: Any = None, dtype: Any = None) -> Any:
    if dtype is not None:
        raise Refusal("a view in another dtype reads the same bytes as other numbers")
    return reading.op(s.reshape, self, shape=size)


@reads("torch.Tensor.view_as", "torch.Tensor.reshape_as")
def reshape_as(reading: Reading, self: Any, other: Any) -> Any:
    return reading.op(s.reshape, self, shape=reading.shape(other))


@reads("np.ravel", "jnp.ravel", "np.ndarray.flatten", "jax.Array.flatten")
def ravel(reading: Reading, a: Any = None, self: Any = None) -> Any:
    return reading.op(s.reshape, self if a is None else a, shape=(-1,))


@reads("torch.flatten", "torch.ravel")
def flatten(reading: Reading, input: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    """The axes from start_dim to end_dim as one."""
    if (start_dim, end_dim) == (0, -1):
        return reading.op(s.reshape, input, shape=(-1,))
    rank = reading.rank(input, "only some of its axes are flattened")
    start, end = front((start_dim, end_dim), rank)
    sizes = [reading.dim(input, i) for i in range(rank) if not start <= i <= end]
    return reading.op(s.reshape, input, shape=(*sizes[:start], -1, *sizes[start:]))


@reads("torch.unflatten")
def unflatten(reading: Reading, input: Any, dim: int, sizes: Any) -> Any:
    rank = reading.rank(input, "one of its axes is unflattened")
    dims = [reading.dim(input, i) for i in range(rank)]
    dims[front(dim, rank) : front(dim, rank) + 1] = sizes
    return reading.op(s.reshape, input, shape=tuple(dims))


@reads("np.broadcast_to", "jnp.broadcast_to")
def broadcast_to(reading: Reading, array: Any, shape: Any) -> Any:
    return reading.op(s.broadcast_to, array, shape=sizes_of(shape))


@reads("torch.Tensor.expand", "torch.broadcast_to")
def expand(reading: Reading, size: Any, self: Any = None, input: Any = None, implicit: bool = False) -> Any:
    """-1 leaves an axis as it is."""
    x, sizes = input if self is None else self, sizes_of(size)
    if isinstance(sizes, tuple) and any(type(n) is int and n == -1 for n in sizes):
        new = len(sizes) - reading.rank(x, "a size of -1 is that of one of its axes")
        sizes = tuple(reading.dim(x, i - new) if type(n) is int and n == -1 else n for i, n in enumerate(sizes))
    return reading.op(s.broadcast_to, x, shape=sizes)


@reads("torch.Tensor.expand_as")
def expand_as(reading: Reading, self: Any, other: Any) -> Any:
    return reading.op(s.broadcast_to, self, shape=reading.shape(other))


@reads("np.broadcast_arrays", "jnp.broadcast_arrays", "torch.broadcast_tensors")
def broadcast_arrays(reading: Reading, args: Any = (), tensors: Any = ()) -> Any:
    """Each size is that of the first array that has the axis in full."""
    arrays = items(reading, args or unlisted(tensors))
    rank = max(reading.rank(a, "it is to be broadcast") for a in arrays)
    sizes = []
    for i in range(-rank, 0):
        having = [a for a in arrays if len(a.spec.shape) >= -i]
        full = next((a for a in having if hint_of(a.spec.shape[i]) != 1), having[0])
        sizes.append(reading.dim(full, i))
    made = [reading.op(s.broadcast_to, a, shape=tuple(sizes)) for a in arrays]
    return made if reading.source.name == "jax" else tuple(made)


def sizes_of(shape: Any) -> Any:
    """A shape as a tuple, or as the shape that the program reads."""
    if isinstance(shape, (tuple, list)):
        return tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else tuple(shape)
    return shape if isinstance(shape, Node) and shape.spec.type is tuple else (shape,)


@reads("np.squeeze", "jnp.squeeze", "jax.lax.squeeze")
def squeeze(reading: Reading, axis: Any = None, a: Any = None, array: Any = None, dimensions: Any = None) -> Any:
    x, axis = (a, axis) if array is None else (array, dimensions)
    return squeezed(reading, x, tuple(axis) if isinstance(axis, list) else axis)


@reads("torch.squeeze", "torch.Tensor.squeeze")
def torch_squeeze(reading: Reading, input: Any = None, dim: Any = None, self: Any = None) -> Any:
    """Axes of another size than 1 stay as they are."""
    input = self if input is None else input
    if dim is None:
        return squeezed(reading, input, None)
    rank = reading.rank(input, "torch squeezes an axis only where its size is 1")
    dims = tuple(dim) if isinstance(dim, (tuple, list)) else (dim,)
    if not rank:
        return input
    gone = tuple(i for i in dims if hint_of(input.spec.shape[i]) == 1)
    for i in set(dims) - set(gone):
        reading.known(input.spec.shape[i], "torch squeezes an axis only where its size is 1")
    if not gone:
        return input
    return squeezed(reading, input, gone if len(gone) > 1 else gone[0])


def squeezed(reading: Reading, x: Any, axis: Any) -> Any:
    """Which axes have size 1 decides the rank, so it is guarded where no axis is named."""
    for size in (x.spec.shape or ()) if axis is None else ():
        if hint_of(size) == 1:
            reading.known(size, "axes of size 1 are squeezed")
        else:
            reading.assume(minimum(size, 2), 2 if hint_of(size) else 0, "axes of size 1 are squeezed")
    return reading.op(s.squeeze, x, axis=axis)


# The axes in another order.


@reads("np.transpose", "jnp.transpose", "jnp.permute_dims")
def transpose(reading: Reading, a: Any, axes: Any = None) -> Any:
    return reading.op(s.permute_dims, a, axes=tuple(axes) if axes is not None else None)


@reads("np.ndarray.transpose", "jax.Array.transpose")
def transpose_method(reading: Reading, self: Any, axes: Any = ()) -> Any:
    return transpose(reading, self, axes or None)


@reads("torch.t")
def t(reading: Reading, input: Any) -> Any:
    flat = reading.rank(input, "t() leaves a vector as it is") < 2
    return input if flat else reading.op(s.permute_dims, input)


@reads("np.moveaxis", "jnp.moveaxis", "torch.movedim")
def moveaxis(reading: Reading, source: Any, destination: Any, a: Any = None, input: Any = None) -> Any:
    source, destination = (tuple(v) if isinstance(v, list) else v for v in (source, destination))
    return reading.op(s.moveaxis, input if a is None else a, source=source, destination=destination)


@reads("np.roll", "jnp.roll", "torch.roll")
def roll(reading: Reading, a: Any = None, shift: Any = None, axis: Any = None, input: Any = None, shifts: Any = None, dims: Any = None) -> Any:
    """A shift for each axis; torch's () is no axis."""
    x, shift, axis = (input, shifts, dims or None if dims != 0 else 0) if a is None else (a, shift, axis)
    if isinstance(shift, (tuple, list)) or isinstance(axis, (tuple, list)):
        if axis is None:
            raise Refusal("several shifts of the flat array")
        axes = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,) * len(shift)
        steps = tuple(shift) if isinstance(shift, (tuple, list)) else (shift,) * len(axes)
        if len(steps) != len(axes):
            raise Refusal(f"{len(steps)} shifts for {len(axes)} axes")
        shift, axis = (steps, axes) if len(axes) > 1 else (steps[0], axes[0])
    if any(isinstance(v, Node) and not static(v) for v in (shift if isinstance(shift, tuple) else (shift,))):
        raise Refusal("by how much it rolls is an array; it must be known while tracing")
    return reading.op(s.roll, x, shift=shift, axis=axis)


# Several arrays.


def items(reading: Reading, arrays: Any) -> list[Any]:
    """The arrays of a list; numbers and lists among them become arrays, which a framework does before it looks at dtypes."""
    if isinstance(arrays, Node):
        raise Refusal("its operands should be a list of arrays", "the rows of an array are joined by reshape")
    return [a if isinstance(a, Node) and not static(a) else array_of(reading, a) for a in arrays]


def array_of(reading: Reading, value: Any) -> Node:
    made: Node = reading.array(value) if isinstance(value, (list, tuple)) else reading.single(value)
    return made


def unlisted(arrays: Any) -> Any:
    """The arrays, which torch also takes as one list."""
    return arrays[0] if len(arrays) == 1 and isinstance(arrays[0], (tuple, list)) else arrays


def joined(reading: Reading, arrays: Sequence[Any], axis: int, dtype: Any) -> Any:
    return reading.op(s.concat, *arrays, axis=axis, dtype=None if dtype is None else reading.dtype(dtype))


@reads("np.concatenate", "jnp.concatenate", "jnp.concat")
def concatenate(reading: Reading, arrays: Any, axis: Any = 0, dtype: Any = None) -> Any:
    parts = items(reading, arrays)
    if axis is None:
        parts = [reading.op(s.reshape, part, shape=(-1,)) for part in parts]
    return joined(reading, parts, axis or 0, dtype)


@reads("torch.cat", "jax.lax.concatenate")
def cat(reading: Reading, tensors: Any = None, dim: int = 0, operands: Any = None, dimension: int = 0) -> Any:
    return joined(reading, items(reading, operands if tensors is None else tensors), dim or dimension, None)


@reads("np.stack", "jnp.stack", "jax.lax.stack")
def stack(reading: Reading, axis: int = 0, arrays: Any = None, operands: Any = None, dtype: Any = None) -> Any:
    parts = items(reading, operands if arrays is None else arrays)
    return reading.op(s.stack, *parts, axis=axis, dtype=None if dtype is None else reading.dtype(dtype))


@reads("torch.stack")
def torch_stack(reading: Reading, tensors: Any, dim: int = 0) -> Any:
    return reading.op(s.stack, *items(reading, tensors), axis=dim)


@reads("np.hstack", "jnp.hstack", "torch.hstack")
def hstack(reading: Reading, tup: Any = None, tensors: Any = None, dtype: Any = None) -> Any:
    """Along the second axis, but vectors along their only one."""
    parts = [raised(reading, part, 1) for part in items(reading, tensors if tup is None else tup)]
    return joined(reading, parts, 0 if len(parts[0].spec.shape) == 1 else 1, dtype)


@reads("np.vstack", "jnp.vstack", "torch.vstack")
def vstack(reading: Reading, tup: Any = None, tensors: Any = None, dtype: Any = None) -> Any:
    """Along the first axis; a vector is a row."""
    return joined(reading, [raised(reading, p, 2) for p in items(reading, tensors if tup is None else tup)], 0, dtype)


@reads("np.column_stack", "jnp.column_stack", "torch.column_stack")
def column_stack(reading: Reading, tup: Any = None, tensors: Any = None) -> Any:
    """Along the second axis; a vector is a column."""
    parts = [raised(reading, part, 1) for part in items(reading, tensors if tup is None else tup)]
    columns = [reading.op(s.expand_dims, p, axis=1) if len(p.spec.shape) == 1 else p for p in parts]
    return joined(reading, columns, 1, None)


def raised(reading: Reading, x: Any, rank: int) -> Any:
    """x with at least so many axes, new ones in front."""
    while reading.rank(x, "a vector is joined in another way than a matrix") < rank:
        x = reading.op(s.expand_dims, x, axis=0)
    return x


# Parts.


def parts(reading: Reading, x: Any, sections: Any, axis: Any) -> Any:
    """The parts as a tuple; those of NumPy and JAX are a list."""
    made = reading.op(s.split, x, sections=sections, axis=axis)
    return made if reading.source.name == "torch" else list(made)


def cuts(reading: Reading, sections: Any) -> Any:
    """Positions as a tuple, a number of parts as an int."""
    if isinstance(sections, Node) and not static(sections):
        raise Refusal("where it is split is an array", "a list of ints can be translated")
    if isinstance(sections, (tuple, list)):
        return tuple(sections)
    return reading.known(sections, "it says how many parts there are")


@reads("np.split", "jnp.split")
def np_split(reading: Reading, ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    return parts(reading, ary, cuts(reading, indices_or_sections), axis)


@reads("np.array_split", "jnp.array_split", "torch.tensor_split")
def array_split(
    reading: Reading, ary: Any = None, indices_or_sections: Any = None, axis: int = 0, input: Any = None,
    sections: Any = None, indices: Any = None, dim: int = 0,
) -> Any:  # fmt: skip
    """Parts that differ by one, the longer ones first, where the axis has no equal parts."""
    x, axis = (input, dim) if ary is None else (ary, axis)
    found = cuts(reading, next(v for v in (indices_or_sections, sections, indices) if v is not None))
    if isinstance(found, int):
        n = size_of(reading, x, axis)
        if hint_of(n) % found:  # type: ignore[operator]
            n = reading.known(n, "it has no equal parts")
            found = tuple(i * (n // found) + min(i, n % found) for i in range(1, found))
        else:
            reading.assume(n % found, 0, "it has equal parts")
    return parts(reading, x, found, axis)


@reads("np.hsplit", "jnp.hsplit", "torch.hsplit")
def hsplit(reading: Reading, ary: Any = None, indices_or_sections: Any = None, input: Any = None, sections: Any = None, indices: Any = None) -> Any:
    x = input if ary is None else ary
    found = next(v for v in (indices_or_sections, sections, indices) if v is not None)
    axis = 0 if reading.rank(x, "a vector is split along its only axis") == 1 else 1
    return parts(reading, x, cuts(reading, found), axis)


@reads("np.vsplit", "jnp.vsplit", "torch.vsplit")
def vsplit(reading: Reading, ary: Any = None, indices_or_sections: Any = None, input: Any = None, sections: Any = None, indices: Any = None) -> Any:
    found = next(v for v in (indices_or_sections, sections, indices) if v is not None)
    return parts(reading, input if ary is None else ary, cuts(reading, found), 0)


@reads("torch.chunk")
def chunk(reading: Reading, input: Any, chunks: Any, dim: int = 0) -> Any:
    """Parts of one size, rounded up, and a rest; they may be fewer than were asked for."""
    count, n = reading.known(chunks, "it says how many parts there are"), size_of(reading, input, dim)
    if hint_of(n) % count == 0:
        return parts(reading, input, count, dim)
    n = reading.known(n, "it has no equal parts")
    return parts(reading, input, tuple(range(-(-n // count), n, -(-n // count))), dim)


@reads("torch.split", "torch.Tensor.split", "torch.split_with_sizes")
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
        return parts(reading, x, tuple(ends) if len(size) > 1 else 1, dim)
    n, size = size_of(reading, x, dim), size.spec.value if isinstance(size, Node) else size
    count = max(-(-hint_of(n) // max(hint_of(size), 1)), 1)  # type: ignore[operator,type-var]
    if hint_of(n) == count * hint_of(size):  # type: ignore[operator]
        reading.same_size(n, count * size, "it is split into parts of one size")
        return parts(reading, x, count, dim)
    n, size = (reading.known(v, "it has no equal parts") for v in (n, size))
    return parts(reading, x, tuple(range(size, n, size)) if count > 1 else 1, dim)


def size_of(reading: Reading, x: Any, axis: int) -> Dim:
    rank = reading.rank(x, "how many parts there are depends on it")
    size: Dim = x.spec.shape[front(axis, rank)]
    if hint_of(size) is None:
        raise Refusal("the size of the axis is not known", "give example arguments with args=")
    return size


def added(reading: Reading, a: Any, b: Any) -> Any:
    """a + b, of ints and of numbers that the program reads."""
    if not isinstance(a, Node) and not isinstance(b, Node):
        return a + b
    values = [v.spec.value if isinstance(v, Node) else v for v in (a, b)]
    return reading.program.static(operator.add, a, b, spec=Scalar(int, values[0] + values[1]))


@reads("torch.unbind", "np.unstack", "jnp.unstack", "jax.lax.unstack")
def unstack(reading: Reading, input: Any = None, dim: int = 0, x: Any = None, axis: int = 0) -> Any:
    array, axis = (x, axis) if input is None else (input, dim)
    reading.known(size_of(reading, array, axis), "it says how many parts there are")
    return reading.op(s.unstack, array, axis=axis)


@reads("np.meshgrid", "jnp.meshgrid", "torch.meshgrid")
def meshgrid(reading: Reading, xi: Any = (), tensors: Any = (), indexing: str | None = None, sparse: bool = False) -> Any:
    """torch's default is "ij"."""
    arrays = items(reading, xi or unlisted(tensors))
    if sparse:
        raise Refusal("its grids are sparse", "x[:, None] and y[None, :] are sparse grids")
    flat = [reading.rank(a, "a grid is made of vectors") == 1 for a in arrays]
    arrays = [a if f else reading.op(s.reshape, a, shape=(-1,)) for a, f in zip(arrays, flat)]
    if len({a.spec.dtype for a in arrays}) > 1:
        raise Refusal("torch has no grid of several dtypes", "cast the arrays to one dtype first")
    own = "ij" if reading.source.name == "torch" else "xy"
    made = reading.op(s.meshgrid, *arrays, indexing=indexing or own)
    return list(made) if reading.source.name == "jax" else made


# More elements.


@reads("np.pad", "jnp.pad")
def np_pad(reading: Reading, array: Any, pad_width: Any, mode: Any = "constant", constant_values: Any = 0) -> Any:
    rank = reading.rank(array, "every axis is padded")
    if isinstance(pad_width, dict):
        found = {front(axis, rank): pair_of(width) for axis, width in pad_width.items()}
        return padded(reading, array, [found.get(i, (0, 0)) for i in range(rank)], mode, constant_values)
    rows = list(pad_width) if isinstance(pad_width, (tuple, list)) else [pad_width]
    if not any(isinstance(row, (tuple, list)) for row in rows):
        rows = [rows]
    return padded(reading, array, [pair_of(row) for row in rows] * (rank if len(rows) == 1 else 1), mode, constant_values)


def pair_of(width: Any) -> tuple[Any, Any]:
    pair = tuple(width) if isinstance(width, (tuple, list)) else (width,)
    return pair if len(pair) == 2 else pair * 2


@reads("torch.nn.functional.pad")
def torch_pad(reading: Reading, input: Any, pad: Any, mode: str = "constant", value: Any = None) -> Any:
    """The last axis comes first, and axes that are not mentioned are not padded. A negative width cuts off."""
    rank = reading.rank(input, "the last of its axes are padded")
    if len(pad) % 2 or len(pad) > 2 * rank:
        raise Refusal(f"its {len(pad)} widths are no pairs for {rank} axes")
    pairs = [(0, 0)] * (rank - len(pad) // 2) + [(pad[i], pad[i + 1]) for i in range(len(pad) - 2, -1, -2)]
    cut = tuple(slice(-a if under(a) else None, b if under(b) else None) for a, b in pairs)
    if any((part.start, part.stop) != (None, None) for part in cut):
        input = reading.op("getitem", input, key=cut)
        pairs = [(0 if under(a) else a, 0 if under(b) else b) for a, b in pairs]
    modes = {"replicate": "edge", "circular": "wrap"}
    return padded(reading, input, pairs, modes.get(mode, mode), 0 if value is None else value)


def under(width: Any) -> bool:
    return isinstance(width, int) and width < 0


def padded(reading: Reading, x: Any, pairs: list[Any], mode: Any, value: Any) -> Any:
    if mode not in ("constant", "edge", "reflect", "symmetric", "wrap"):
        raise Refusal(f"mode {mode!r}")
    if type(value) not in (bool, int, float, complex):
        raise Refusal("what it is padded with must be one number, known while tracing")
    pairs = [tuple(pair) for pair in pairs]
    if mode != "constant":
        pairs = [tuple(reading.known(n, "so many elements are mirrored") for n in pair) for pair in pairs]
    for size, pair in zip(x.spec.shape, pairs) if mode not in ("constant", "edge") else ():
        if max(pair) > (hint_of(size) or 0) - (mode == "reflect"):
            raise Refusal(f"the array has fewer elements than the {max(pair)} that it is padded with")
    if all(pair == (0, 0) for pair in pairs):
        return reading.op(s.copy, x)
    value = value if x.spec.dtype is None else within(value, x.spec.dtype)
    zero = mode != "constant" or repr(value) in ("0", "0.0", "0j", "False")
    return reading.op(s.pad, x, widths=tuple(pairs), mode=mode, value=0 if zero else value)


def within(value: Any, dtype: DType) -> Any:
    """`value` as a number of this dtype.

    Raises:
        Refusal: where it is none, and the frameworks differ in what they make of it.
    """
    if isinstance(value, Node):
        if isinstance(value.spec, Scalar) and value.spec.type is float and dtype.kind in ("int", "uint"):
            raise Refusal(f"a float that is not known as {dtype}")
        return value
    if dtype.kind == "bool":
        return bool(value)
    if dtype.kind in ("int", "uint") and isinstance(value, float):
        if not math.isfinite(value):
            raise Refusal(f"{value} is no number of {dtype}")
        value = int(value)
    if isinstance(value, complex) and dtype.kind != "complex":
        raise Refusal(f"{value} is no number of {dtype}")
    if not fits(value, dtype):
        raise Refusal(f"{value} is out of bounds for {dtype}")
    return value


@reads("np.tile", "jnp.tile", "jax.lax.tile")
def tile(reading: Reading, reps: Any, A: Any = None, operand: Any = None) -> Any:
    return reading.op(s.tile, operand if A is None else A, reps=tuple(reps) if isinstance(reps, (tuple, list)) else reps)


@reads("torch.tile", "torch.Tensor.tile", "torch.Tensor.repeat")
def torch_tile(reading: Reading, self: Any = None, input: Any = None, dims: Any = None, repeats: Any = None) -> Any:
    return reading.op(s.tile, input if self is None else self, reps=sizes_of(repeats if dims is None else dims))


# Diagonals.


@reads("np.diag", "jnp.diag", "torch.diag")
def diag(reading: Reading, v: Any = None, k: int = 0, input: Any = None, diagonal: int = 0) -> Any:
    """A matrix of a vector, a vector of a matrix."""
    x, offset = (input, diagonal) if v is None else (v, k)
    vector = reading.rank(x, "diag makes a matrix of a vector and a vector of a matrix") == 1
    return reading.op(s.diag if vector else s.diagonal, x, offset=offset)
