"""Windows: parts of a size that is known, at a place that may not be. JAX has calls for them; elsewhere they
are slices, or, where an array says where they start, picked by position.
"""

from __future__ import annotations

import operator
from typing import Any

from ...ir.graphs.static import Scalar
from ...ir.ops import shape as s
from ...ir.ops import windows as w
from ..context import Reading
from ..rows import reads, say
from .indexing import along, entry, getitem, is_array
from .updates import setitem

# fmt: off
say(w.dynamic_slice,
    jax="""
        jax.lax.dynamic_slice_in_dim(x, start, size, axis=axis)  if axis: int
        jax.lax.dynamic_slice(x, start, size)                    if axis=None
    """)
say(w.dynamic_update_slice,
    jax="""
        jax.lax.dynamic_update_slice_in_dim(x, value, start, axis=axis)  if axis: int
        jax.lax.dynamic_update_slice(x, value, start)                    if axis=None
    """,
    types="jax: strong")
# fmt: on


@reads("jax.lax.dynamic_index_in_dim")
def dynamic_index_in_dim(
    reading: Reading, operand: Any, index: Any, axis: int = 0, keepdims: bool = True
) -> Any:
    made = dynamic_slice_in_dim(reading, operand, index, 1, axis)
    return made if keepdims else reading.op(s.squeeze, made, axis=axis)


@reads("jax.lax.dynamic_slice_in_dim")
def dynamic_slice_in_dim(
    reading: Reading, operand: Any, start_index: Any, slice_size: Any, axis: int = 0
) -> Any:
    start = entry(reading, start_index)
    if not is_array(start):
        return reading.op(w.dynamic_slice, operand, axis=axis, start=start, size=slice_size)
    return getitem(reading, operand, along(axis, positions(reading, operand, start, slice_size, axis)))


@reads("jax.lax.dynamic_update_slice_in_dim")
def dynamic_update_slice_in_dim(
    reading: Reading, operand: Any, update: Any, start_index: Any, axis: int
) -> Any:
    start = entry(reading, start_index)
    if not is_array(start):
        return reading.op(w.dynamic_update_slice, operand, update, axis=axis, start=start)
    places = positions(reading, operand, start, reading.dim(update, axis), axis)
    return setitem(reading, operand, along(axis, places), update)


def positions(reading: Reading, x: Any, start: Any, size: Any, axis: int) -> Any:
    """The positions of a part that starts where an array says: from the end where that is below 0, and moved
    to where it lies within x.
    """
    n = reading.dim(x, axis)
    start = reading.op("where", reading.op("less", start, 0), reading.op("add", start, n), start)
    last = (
        n - size
        if isinstance(n, int) and isinstance(size, int)
        else reading.program.static(operator.sub, n, size, spec=Scalar(int))
    )
    start = reading.op("clip", start, 0, last)
    return reading.op("add", start, reading.op("arange", start=0, stop=size, step=1, dtype=start.spec.dtype))
