"""How shapes are changed. Same order as in ir/ops/shape.py."""

from __future__ import annotations

import math
from typing import Any

from ...ir.dim import hint_of, minimum
from ...ir.dtypes import DType
from ...ir.graph import Node, map_arg
from ...ir.op import front
from ...ir.operands import scalar
from ...ir.ops import shape as s
from ...ir.static import Scalar
from ..context import Reading, Refusal
from ..rows import absent, alike, reads, say
from ..typing.row import fits

# fmt: off
say(s.reshape,
    numpy="x.reshape(*shape)",
    jax="x.reshape(*shape)",
    torch="x.reshape(*shape)",
    reads="""
        np.reshape(x, shape)
        jnp.reshape(x, shape)
        jax.lax.reshape(x, shape)
        torch.reshape(x, shape)
        torch.Tensor.view(x, *shape)  if shape: tuple
        np.ravel(x)                   if shape=(-1,)
        jnp.ravel(x)                  if shape=(-1,)
        np.ndarray.flatten(x)         if shape=(-1,)
        jax.Array.flatten(x)          if shape=(-1,)
        torch.ravel(x)                if shape=(-1,)
    """)
say(s.reshape_as,
    torch="x.reshape_as(like)",
    reads="torch.Tensor.view_as(x, like)")
say(s.flatten,
    torch="torch.flatten(x, start_dim=start, end_dim=end)")
say(s.unflatten,
    torch="torch.unflatten(x, axis, sizes)")
say(s.broadcast_to,
    numpy="np.broadcast_to(x, shape)",
    jax="jnp.broadcast_to(x, shape)",
    torch="x.expand(*shape)")
say(s.expand_as,
    torch="x.expand_as(like)")
say(s.expand_dims,
    numpy="np.expand_dims(x, axis)",
    jax="jnp.expand_dims(x, axis)",
    torch="x.unsqueeze(axis)  if axis: int",
    reads="""
        jax.lax.expand_dims(x, axis)
        torch.unsqueeze(x, axis)
    """)
say(s.squeeze,
    numpy="np.squeeze(x, axis=axis)",
    jax="jnp.squeeze(x, axis=axis)",
    torch="""
        x.squeeze()  if axis=None
        x.squeeze(axis)
    """)
say(s.permute_dims,
    numpy="""
        x.T               if axes=None
        x.T               if axes=(1, 0)
        x.transpose(*axes)
    """,
    jax="""
        x.T               if axes=None
        x.T               if axes=(1, 0)
        x.transpose(*axes)
    """,
    torch="""
        x.T               if axes=None, x: 2D
        x.T               if axes=(1, 0), x: 2D
        x.permute(*axes)  if axes: tuple
    """,
    reads="""
        np.transpose(x, axes)
        jnp.transpose(x, axes)
        jnp.permute_dims(x, axes)
        jax.lax.transpose(x, axes)
        torch.permute(x, axes)
        torch.t(x)        if x: 2D
        x.T               if axes=None
    """)
say(s.swapaxes,
    numpy="x.swapaxes(axis1, axis2)",
    jax="x.swapaxes(axis1, axis2)",
    torch="x.transpose(axis1, axis2)",
    reads="""
        np.swapaxes(x, axis1, axis2)
        jnp.swapaxes(x, axis1, axis2)
        torch.transpose(x, axis1, axis2)
        torch.swapaxes(x, axis1, axis2)
    """)
alike(s.matrix_transpose, written="x.mT",
    reads="""
        np.linalg.matrix_transpose(x)
        jnp.linalg.matrix_transpose(x)
    """)
say(s.moveaxis,
    numpy="np.moveaxis(x, source, destination)",
    jax="jnp.moveaxis(x, source, destination)",
    torch="torch.movedim(x, source, destination)")
say(s.flip,
    numpy="np.flip(x, axis=axis)",
    jax="jnp.flip(x, axis=axis)",
    torch="""
        torch.flip(x, (axis,))  if axis: int
        torch.flip(x, axis)     if axis: tuple
    """,
    reads="""
        np.flipud(x)            if axis=0
        jnp.flipud(x)           if axis=0
        torch.flipud(x)         if axis=0
        np.fliplr(x)            if axis=1
        jnp.fliplr(x)           if axis=1
        torch.fliplr(x)         if axis=1
    """)
# torch wants as many shifts as axes.
say(s.roll,
    numpy="np.roll(x, shift, axis=axis)",
    jax="jnp.roll(x, shift, axis=axis)",
    torch="""
        torch.roll(x, shift)             if axis=None, shift: int
        torch.roll(x, shift, dims=axis)  if axis: int, shift: int
        torch.roll(x, shift, dims=axis)  if axis: 1d, shift: 1d
        torch.roll(x, shift, dims=axis)  if axis: 2d, shift: 2d
        torch.roll(x, shift, dims=axis)  if axis: 3d, shift: 3d
        torch.roll(x, shift, dims=axis)  if axis: 4d, shift: 4d
    """,
    reads="""
        torch.roll(x, shift)             if axis=None
        torch.roll(x, shift, dims=axis)  if axis: given
    """)
say(s.pad,
    numpy="""
        np.pad(x, widths)                          if mode='constant', value=0
        np.pad(x, widths, constant_values=value)   if mode='constant'
        np.pad(x, widths, mode=mode)
    """,
    jax="""
        jnp.pad(x, widths)                         if mode='constant', value=0
        jnp.pad(x, widths, constant_values=value)  if mode='constant'
        jnp.pad(x, widths, mode=mode)
    """,
    torch="""
        F.pad(x, trailing(widths))                 if mode='constant', value=0
        F.pad(x, trailing(widths), value=value)    if mode='constant'
        F.pad(x, inner(widths), mode='replicate')  if mode='edge', x: float|int
        F.pad(x, inner(widths), mode='reflect')    if mode='reflect', x: float|int
        F.pad(x, inner(widths), mode='circular')   if mode='wrap', x: float|int
    """)
say(s.tile,
    numpy="np.tile(x, reps)",
    jax="jnp.tile(x, reps)",
    torch="""
        torch.tile(x, (reps,))  if reps: int
        torch.tile(x, reps)
    """,
    reads="""
        jax.lax.tile(x, reps)
        torch.Tensor.tile(x, *reps)
        torch.Tensor.repeat(x, *reps)
    """)
say(s.repeat,
    numpy="np.repeat(x, repeats, axis=axis)",
    jax="jnp.repeat(x, repeats, axis=axis)                if repeats: int",
    torch="torch.repeat_interleave(x, repeats, dim=axis)  if repeats: int")
say(s.repeat_each,
    numpy="np.repeat(x, counts, axis=axis)                               if total=None",
    jax="jnp.repeat(x, counts, axis=axis, total_repeat_length=total)     if total: int",
    torch="""
        torch.repeat_interleave(x, counts, dim=axis)                     if total=None
        torch.repeat_interleave(x, counts, dim=axis, output_size=total)  if total: int
    """,
    reads="jnp.repeat(x, counts, axis=axis)")
absent(s.repeat_each, "jax",
       "the size of its result depends on the values", "repeat by numbers that are constants")
say(s.diagonal,
    numpy="np.diagonal(x, offset=offset, axis1=axis1, axis2=axis2)",
    jax="jnp.diagonal(x, offset=offset, axis1=axis1, axis2=axis2)",
    torch="torch.diagonal(x, offset=offset, dim1=axis1, dim2=axis2)",
    reads="""
        np.diag(x, k=offset)            if x: 2d
        jnp.diag(x, k=offset)           if x: 2d
        torch.diag(x, diagonal=offset)  if x: 2d
    """,
    types="jax: strong")
say(s.trace,
    numpy="np.trace(x, offset=offset, axis1=axis1, axis2=axis2)",
    jax="jnp.trace(x, offset=offset, axis1=axis1, axis2=axis2)",
    torch="torch.trace(x)  if x: 2d",
    types="torch: uint8|int>int64 inexact")
say(s.diag,
    numpy="np.diag(x, k=offset)            if x: 1d",
    jax="jnp.diag(x, k=offset)             if x: 1d",
    torch="torch.diag(x, diagonal=offset)  if x: 1d")
say(s.tril,
    numpy="np.tril(x, k=k)",
    jax="jnp.tril(x, k=k)",
    torch="torch.tril(x, diagonal=k)")
say(s.triu,
    numpy="np.triu(x, k=k)",
    jax="jnp.triu(x, k=k)",
    torch="torch.triu(x, diagonal=k)")
say(s.copy,
    numpy="x.copy()",
    jax="x",
    torch="x.clone()",
    reads="""
        np.copy(x)
        jnp.copy(x)
        torch.clone(x)
    """)
# NumPy gives an array without axes one.
say(s.identity,
    numpy="x",
    jax="x",
    torch="x",
    reads="""
        np.ascontiguousarray(x)  if x: 1d|2d|3d|4d|5d|6d
        torch.Tensor.contiguous(x)
        torch.Tensor.cpu(x)
        torch.Tensor.cuda(x)
        torch.Tensor.to(x)
        torch.t(x)               if x: 0d|1d
    """)
# fmt: on


# Another shape.


@reads("torch.Tensor.expand", "torch.broadcast_to")
def expand(reading: Reading, size: Any, self: Any = None, input: Any = None, implicit: bool = False) -> Any:
    """-1 leaves an axis as it is."""
    x, sizes = input if self is None else self, map_arg(sizes_of(size), reading.program.left_over)
    if isinstance(sizes, tuple) and any(type(n) is int and n == -1 for n in sizes):
        new = len(sizes) - reading.rank(x, "a size of -1 is that of one of its axes")
        sizes = tuple(
            reading.dim(x, i - new) if type(n) is int and n == -1 else n for i, n in enumerate(sizes)
        )
    return reading.op(s.broadcast_to, x, shape=sizes)


def sizes_of(shape: Any) -> Any:
    """A shape as a tuple, or as the shape that the program reads."""
    if isinstance(shape, (tuple, list)):
        return tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else tuple(shape)
    return shape if isinstance(shape, Node) and shape.spec.type is tuple else (shape,)


@reads("np.squeeze", "jnp.squeeze", "jax.lax.squeeze")
def squeeze(
    reading: Reading, axis: Any = None, a: Any = None, array: Any = None, dimensions: Any = None
) -> Any:
    x, axis = (a, axis) if array is None else (array, dimensions)
    x = reading.operand(x)
    x = reading.single(x) if scalar(x) else x
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


# More elements.


@reads("np.pad", "jnp.pad")
def np_pad(
    reading: Reading, array: Any, pad_width: Any, mode: Any = "constant", constant_values: Any = 0
) -> Any:
    array = reading.operand(array)
    rank = reading.rank(array, "every axis is padded")
    if isinstance(pad_width, dict):
        found = {front(axis, rank): pair_of(width) for axis, width in pad_width.items()}
        return padded(reading, array, [found.get(i, (0, 0)) for i in range(rank)], mode, constant_values)
    rows = list(pad_width) if isinstance(pad_width, (tuple, list)) else [pad_width]
    if not any(isinstance(row, (tuple, list)) for row in rows):
        rows = [rows]
    return padded(
        reading,
        array,
        [pair_of(row) for row in rows] * (rank if len(rows) == 1 else 1),
        mode,
        constant_values,
    )


def pair_of(width: Any) -> tuple[Any, Any]:
    pair = tuple(width) if isinstance(width, (tuple, list)) else (width,)
    return pair if len(pair) == 2 else pair * 2


@reads("torch.nn.functional.pad")
def torch_pad(reading: Reading, input: Any, pad: Any, mode: str = "constant", value: Any = None) -> Any:
    """The last axis comes first; axes that are not mentioned are not padded. A negative width cuts off."""
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
        raise Refusal(
            "what it is padded with must be one number, known while tracing",
            "fill an array of the new shape with it, and write x into its middle",
        )
    pairs = [tuple(pair) for pair in pairs]
    if mode != "constant":
        pairs = [tuple(reading.known(n, "so many elements are mirrored") for n in pair) for pair in pairs]
    for size, pair in zip(x.spec.shape, pairs) if mode not in ("constant", "edge") else ():
        if max(pair) > (hint_of(size) or 0) - (mode == "reflect"):
            raise Refusal(f"the array has fewer elements than the {max(pair)} that it is padded with")
    if all(pair == (0, 0) for pair in pairs):
        return reading.op(s.copy, x)
    fits = value if x.spec.dtype is None else within(value, x.spec.dtype)
    if fits != value == value:
        reading.pin()
    value = fits
    zero = mode != "constant" or repr(value) in ("0", "0.0", "0j", "False")
    return reading.op(s.pad, x, widths=tuple(pairs), mode=mode, value=0 if zero else value)


def within(value: Any, dtype: DType) -> Any:
    """`value` as a number of this dtype.

    Raises:
        Refusal: where it is none, and the frameworks differ in what they make of it.
    """
    if isinstance(value, Node):
        if isinstance(value.spec, Scalar) and value.spec.type is float and dtype.kind in ("int", "uint"):
            raise Refusal(
                f"a float that is not known as {dtype}", "int(value) is what an array of integers gets of it"
            )
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
