"""How sorting and searching are said. Same order as in ir/ops/sorting.py."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.meaning.operands import scalar
from ...ir.ops import sorting as s
from ...ir.values import dtypes
from ...ir.values.dtypes import DType
from ..context import Reading, Refusal
from ..rows import absent, reads, refused, say
from ..typing import NoTyping, Operand, typing
from ..typing.row import fits, held

HALVES = (dtypes.float16, dtypes.bfloat16)

# fmt: off
# Of bfloat16, NumPy puts NaN first.
say(s.sort_with_indices,
    torch="""
        torch.sort(x, dim=axis, descending=descending) -> values, indices
            if axis: int, stable=False
        torch.sort(x, dim=axis, descending=descending, stable=True) -> values, indices
            if axis: int, stable=True
    """,
    reads="torch.sort(x, dim=axis, descending=descending, stable=stable) -> values, indices",
    types="torch: bool real")
say(s.sort,
    numpy="np.sort(x, axis=axis)                                     if descending=False",
    jax="jnp.sort(x, axis=axis, descending=descending)",
    torch="torch.sort(x, dim=axis, descending=descending) -> values  if axis: int",
    reads="""
        np.sort(x, axis=axis, kind='stable')
        np.sort(x, axis=axis, kind='mergesort')
        np.sort(x, axis=axis, kind='quicksort')
        np.sort(x, axis=axis, stable=True)
        jnp.sort(x, axis=axis, descending=descending, stable=False)
        torch.msort(x)                                               if axis=0
    """,
    types="""
        numpy: any bfloat16>-
        torch: bool real
    """)
say(s.argsort,
    numpy="""
        np.argsort(x, axis=axis)                           if descending=False, stable=False
        np.argsort(x, axis=axis, kind='stable')            if descending=False, stable=True
        helper:descending_argsort(x, axis)                 if axis: int, descending=True, stable=True
    """,
    jax="""
        jnp.argsort(x, axis=axis, descending=descending)   if stable=True
        jnp.argsort(x, axis=axis, descending=descending)   if stable=False
    """,
    torch="""
        torch.argsort(x, dim=axis, descending=descending)  if axis: int, stable=False
        torch.argsort(x, dim=axis, descending=descending, stable=True)  if axis: int, stable=True
    """,
    reads="""
        np.argsort(x, axis=axis, kind='mergesort')         if stable=True
        np.argsort(x, axis=axis, kind='quicksort')         if stable=False
        np.argsort(x, axis=axis, stable=stable)
        jnp.argsort(x, axis=axis, descending=descending, stable=stable)
        torch.argsort(x, dim=axis, descending=descending, stable=stable)
    """,
    types="""
        numpy: any bfloat16>- -> int64
        torch: bool real -> int64
    """,
    gives="numpy: new")
# Of equal elements, jax takes the first; torch does not say which.
say(s.topk,
    jax="""
        jax.lax.top_k(x, k, axis=axis) -> list  if largest=True, stable=True, dtype=int32
        jax.lax.top_k(x, k, axis=axis) -> list  if largest=True, stable=False, dtype=int32
    """,
    torch="torch.topk(x, k, dim=axis, largest=largest) -> values, indices  if stable=False, dtype=int64",
    reads="""
        torch.topk(x, k, dim=axis, largest=largest, sorted=False) -> values, indices
            if stable=False, dtype=int64
    """,
    types="torch: uint8 int float")
say(s.searchsorted,
    numpy="np.searchsorted(x, v, side=side)",
    jax="jnp.searchsorted(x, v, side=side)",
    torch="""
        torch.searchsorted(x, v)              if x: num, side='left'
        torch.searchsorted(x, v, right=True)  if x: num, side='right'
    """,
    types="""
        numpy: any bfloat16>- -> int64
        jax: any -> int32
    """)
say(s.median,
    numpy="np.median(x, axis=axis, keepdims=keepdims)",
    jax="jnp.median(x, axis=axis, keepdims=keepdims)",
    torch="""
        helper:true_median(x)                              if axis=None, keepdims=False
        helper:true_median(x, keepdim=keepdims)            if axis=None
        helper:true_median(x, dim=axis)                    if axis: int, keepdims=False
        helper:true_median(x, dim=axis, keepdim=keepdims)  if axis: int
    """,
    types="""
        numpy: bool|integer>float float bfloat16>- complex
        jax: bool|integer>float float, strong
        torch: uint8 int float
    """,
    gives="torch: new")
say(s.lower_median,
    numpy="np.quantile(x, 0.5, axis=axis, method='lower', keepdims=keepdims)",
    jax="jnp.quantile(x, 0.5, axis=axis, method='lower', keepdims=keepdims)  if x: float",
    torch="""
        torch.median(x)                                                      if axis=None, keepdims=False
        torch.quantile(x, 0.5, dim=axis, keepdim=keepdims, interpolation='lower')
            if x: float32|float64, axis: int
    """,
    types="""
        numpy: any bfloat16>-
        jax: strong
        torch: uint8 int float
    """)
say(s.unique_values,
    numpy="""
        np.unique(x)                   if x: bool|integer, equal_nan: bool
        np.unique(x, equal_nan=equal_nan)
    """,
    torch="""
        torch.unique(x)                if equal_nan=False
        torch.unique(x)                if x: bool|integer, equal_nan: bool
        helper:distinct(x)             if equal_nan=True
    """,
    reads="""
        np.unique_values(x)            if equal_nan=False
        jnp.unique(x, equal_nan=equal_nan)
        jnp.unique_values(x)           if equal_nan=False
        torch.unique(x, sorted=False)  if equal_nan=False
    """,
    types="""
        numpy: any bfloat16>-
        torch: bool real
    """,
    gives="torch: new")
say(s.unique_inverse,
    numpy="""
        np.unique(x, return_inverse=True)     if x: bool|integer, equal_nan: bool
        np.unique(x, return_inverse=True, equal_nan=equal_nan)
    """,
    torch="""
        torch.unique(x, return_inverse=True)  if equal_nan=False
        torch.unique(x, return_inverse=True)  if x: bool|integer, equal_nan: bool
    """,
    reads="jnp.unique(x, return_inverse=True, equal_nan=equal_nan)",
    types="""
        numpy: any bfloat16>-
        torch: bool real
    """)
say(s.unique_counts,
    numpy="""
        np.unique(x, return_counts=True)     if x: bool|integer, equal_nan: bool
        np.unique(x, return_counts=True, equal_nan=equal_nan)
    """,
    torch="""
        torch.unique(x, return_counts=True)  if equal_nan=False
        torch.unique(x, return_counts=True)  if x: bool|integer, equal_nan: bool
    """,
    reads="jnp.unique(x, return_counts=True, equal_nan=equal_nan)",
    types="""
        numpy: any bfloat16>-
        torch: bool real
    """)
say(s.unique_inverse_counts,
    numpy="""
        np.unique(x, return_inverse=True, return_counts=True)     if x: bool|integer, equal_nan: bool
        np.unique(x, return_inverse=True, return_counts=True, equal_nan=equal_nan)
    """,
    torch="""
        torch.unique(x, return_inverse=True, return_counts=True)  if equal_nan=False
        torch.unique(x, return_inverse=True, return_counts=True)  if x: bool|integer, equal_nan: bool
    """,
    reads="jnp.unique(x, return_inverse=True, return_counts=True, equal_nan=equal_nan)",
    types="""
        numpy: any bfloat16>-
        torch: bool real
    """)
# fmt: on
refused("np.ndarray.sort", why="it sorts the array in place", hint="x = np.sort(x)")
for op in (s.unique_values, s.unique_inverse, s.unique_counts, s.unique_inverse_counts):
    absent(op, "jax", hint="sort, or count with jnp.bincount(x, length=n)")
    absent(op, "torch", "torch counts every NaN as a value of its own, NumPy and JAX all of them as one",
           "np.unique(..., equal_nan=False)")  # fmt: skip


def search(reading: Reading, x: Any, v: Any, side: str) -> Any:
    """In the dtype to which both are promoted. NumPy makes an array of a number first, which promotes more
    than the number, unless comparing it as it is comes to the same.
    """
    x, v = reading.operand(x), reading.operand(v)
    forms = [reading.form(x), reading.form(v)]
    if forms[1].form == "python" and not fits(forms[1].value, dtypes.int64):
        raise Refusal(f"{v} is out of bounds for int64")
    if reading.source.name == "numpy" and forms[0].dtype and not fine(forms[1], forms[0].dtype):
        forms = [replace(form, form="array", value=None) for form in forms]
    try:
        compute = typing(
            reading.source.name, "promote", forms, op="searchsorted", x64=reading.source.x64
        ).compute
    except NoTyping as error:
        raise Refusal(str(error)) from None
    assert compute is not None
    x = x if x.spec.dtype == compute else reading.op("cast", x, dtype=compute)
    return reading.op(s.searchsorted, x, valued(reading, v, compute), side=side)


def fine(number: Operand, dtype: DType) -> bool:
    """Whether a number means in this dtype what it means in every wider one."""
    if number.form != "python" or number.value is None or dtype.kind == "bool":
        return isinstance(number.value, bool)
    if dtype.is_integer:
        return isinstance(number.value, int) and fits(number.value, dtype)
    return number.value != number.value or held(number, dtype.real)


def valued(reading: Reading, v: Any, dtype: DType) -> Any:
    """What is searched for, in the dtype in which it is compared."""
    if not scalar(v):
        return v if v.spec.dtype == dtype else reading.op("cast", v, dtype=dtype)
    if isinstance(v, Node):
        return reading.op("full", shape=(), fill_value=v, dtype=dtype)
    if dtype.is_integer and not fits(v, dtype):
        v = (v + (low := 2 ** (dtype.bits - 1) * (dtype.kind == "int"))) % 2**dtype.bits - low
    plain = fine(reading.form(v), dtype) and dtype not in HALVES
    return v if plain else reading.op("array", value=v, dtype=dtype)


@reads("np.searchsorted", "jnp.searchsorted")
def searchsorted(reading: Reading, a: Any, v: Any, side: str = "left") -> Any:
    return search(reading, a, v, side)


@reads("torch.searchsorted", "torch.bucketize")
def bucketize(
    reading: Reading,
    sorted_sequence: Any = None,
    boundaries: Any = None,
    input: Any = None,
    self: Any = None,
    right: bool = False,
    side: str | None = None,
) -> Any:
    x, v = (a if b is None else b for a, b in ((sorted_sequence, boundaries), (input, self)))
    return search(reading, x, v, side or ("right" if right else "left"))
