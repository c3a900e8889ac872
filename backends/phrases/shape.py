"""How shapes are changed. Same order as in ir/ops/shape.py."""

from __future__ import annotations

from typing import Any

from ...ir.graphs.graph import Node, map_arg
from ...ir.meaning.operands import scalar
from ...ir.noting import by_rank
from ...ir.ops import shape as s
from ...ir.sizes.dim import hint_of, minimum
from ..context import Reading
from ..rows import alike, reads, say

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
    """,
    gives="""
        np.reshape np.ndarray.reshape torch.reshape: reshape
        np.ravel torch.ravel: flat
        torch.Tensor.view: view
    """)
say(s.reshape_as,
    torch="x.reshape_as(like)",
    reads="torch.Tensor.view_as(x, like)",
    gives="""
        torch.Tensor.reshape_as: reshape
        torch.Tensor.view_as: view
    """)
say(s.flatten,
    torch="torch.flatten(x, start_dim=start, end_dim=end)",
    gives="torch: reshape")
say(s.unflatten,
    torch="torch.unflatten(x, axis, sizes)",
    gives="torch: view")
say(s.broadcast_to,
    numpy="np.broadcast_to(x, shape)",
    jax="jnp.broadcast_to(x, shape)",
    torch="x.expand(*shape)",
    gives="numpy torch: view")
say(s.expand_as,
    torch="x.expand_as(like)",
    gives="torch: view")
say(s.expand_dims,
    numpy="np.expand_dims(x, axis)",
    jax="jnp.expand_dims(x, axis)",
    torch="x.unsqueeze(axis)  if axis: int",
    reads="""
        jax.lax.expand_dims(x, axis)
        torch.unsqueeze(x, axis)
    """,
    gives="numpy torch: view")
alike(s.atleast_1d, s.atleast_2d, s.atleast_3d, gives="numpy torch: each")
say(s.squeeze,
    numpy="np.squeeze(x, axis=axis)",
    jax="jnp.squeeze(x, axis=axis)",
    torch="""
        x.squeeze()  if axis=None
        x.squeeze(axis)
    """,
    gives="numpy: view")
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
    """,
    gives="numpy torch: view")
say(s.swapaxes,
    numpy="x.swapaxes(axis1, axis2)",
    jax="x.swapaxes(axis1, axis2)",
    torch="x.transpose(axis1, axis2)",
    reads="""
        np.swapaxes(x, axis1, axis2)
        jnp.swapaxes(x, axis1, axis2)
        torch.transpose(x, axis1, axis2)
        torch.swapaxes(x, axis1, axis2)
    """,
    gives="numpy torch: view")
alike(s.matrix_transpose, written="x.mT",
    reads="""
        np.linalg.matrix_transpose(x)
        jnp.linalg.matrix_transpose(x)
    """,
    gives="numpy torch: view")
say(s.moveaxis,
    numpy="np.moveaxis(x, source, destination)",
    jax="jnp.moveaxis(x, source, destination)",
    torch="torch.movedim(x, source, destination)",
    gives="numpy torch: view")
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
    """,
    gives="numpy: view")
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
say(s.diagonal,
    numpy="np.diagonal(x, offset=offset, axis1=axis1, axis2=axis2)",
    jax="jnp.diagonal(x, offset=offset, axis1=axis1, axis2=axis2)",
    torch="torch.diagonal(x, offset=offset, dim1=axis1, dim2=axis2)",
    reads="""
        np.diag(x, k=offset)            if x: 2d
        jnp.diag(x, k=offset)           if x: 2d
        torch.diag(x, diagonal=offset)  if x: 2d
    """,
    gives="np.diagonal torch.diagonal: view",
    types="jax: by shape")
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
    """,
    gives="""
        np.ascontiguousarray: lined
        torch.t torch.Tensor.cpu: view
        torch.Tensor.contiguous: lined
        torch.Tensor.to: cast
    """)
# fmt: on


@reads("torch.Tensor.expand", "torch.broadcast_to", gives="torch: view")
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


@reads("torch.squeeze", "torch.Tensor.squeeze", gives="torch: view")
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


def without_axes(reading: Reading, x: Node, made: Any) -> Any:
    """What is made of an array of one element, without axes."""
    by_rank(x)
    return made if x.spec.shape == () else reading.op("reshape", made, shape=())
