"""How index arrays of grids and triangles are said. Same order as in ir/ops/positions.py."""

from __future__ import annotations

from typing import Any

from ...ir.graphs.static import is_shape
from ...ir.ops import positions as p
from ..backend import tupled
from ..context import Reading, Refusal
from ..literals import said
from ..rows import reads, say

# fmt: off
say(p.indices,
    numpy="np.indices(shape, dtype=dtype)",
    jax="jnp.indices(shape, dtype=dtype)")
# torch has one array for both, and is read so.
say(p.tril_indices,
    numpy="np.tril_indices(n_rows, k=k, m=n_cols)",
    jax="jnp.tril_indices(n_rows, k=k, m=n_cols)",
    torch="""
        torch.tril_indices(n_rows, n_rows, offset=written(k)) -> list  if n_cols=None
        torch.tril_indices(n_rows, n_cols, offset=written(k)) -> list
    """)
say(p.triu_indices,
    numpy="np.triu_indices(n_rows, k=k, m=n_cols)",
    jax="jnp.triu_indices(n_rows, k=k, m=n_cols)",
    torch="""
        torch.triu_indices(n_rows, n_rows, offset=written(k)) -> list  if n_cols=None
        torch.triu_indices(n_rows, n_cols, offset=written(k)) -> list
    """)
say(p.tril_places,
    torch="""
        torch.tril_indices(n_rows, n_rows, offset=k)          if n_cols=None
        torch.tril_indices(n_rows, n_cols, offset=k)
    """)
say(p.triu_places,
    torch="""
        torch.triu_indices(n_rows, n_rows, offset=k)          if n_cols=None
        torch.triu_indices(n_rows, n_cols, offset=k)
    """)
# fmt: on


@reads("np.indices", "jnp.indices", sizes="dimensions")
def indices(reading: Reading, dimensions: Any, dtype: Any = None, sparse: bool = False) -> Any:
    """Sparse ones lie along one axis each."""
    sizes = tuple(reading.dims(dimensions)) if is_shape(dimensions) else tupled(dimensions)
    found = reading.source.default_int if dtype is None else reading.dtype(dtype)
    if not found.is_integer and not found.is_inexact:
        raise Refusal(f"there are no indices as {found}")
    if not sparse:
        made = reading.op(p.indices, shape=sizes, dtype=found)
        return made if dtype is None else said(made)
    parts = [reading.op("arange", start=0, stop=size, step=1, dtype=found) for size in sizes]
    keys = [tuple(slice(None) if i == j else None for j in range(len(sizes))) for i in range(len(sizes))]
    return tuple(reading.op("getitem", part, key=key) for part, key in zip(parts, keys))
