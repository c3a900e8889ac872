"""How sorting and searching are said. Same order as in ir/ops/sorting.py."""

from __future__ import annotations

from typing import Any

from ...ir import dtypes
from ...ir.ops import sorting as s
from ..phrase import absent, reads, say
from ..reader import Reading, Refusal
from .reduction import flattened

# fmt: off
#    op                         numpy                                                                                jax                                                                torch
say( s.sort,                    "np.sort(x, axis=axis) if descending=False",                                         "jnp.sort(x, axis=axis, descending=descending)",                   "torch.sort(x, dim=axis, descending=descending) -> values",
     also=["torch.msort(x) if axis=0"])
say( s.argsort,                 ("np.argsort(x, axis=axis) if descending=False, stable=False",
                                 "np.argsort(x, axis=axis, kind='stable') if descending=False, stable=True",
                                 "helper:descending_argsort(x, axis) if descending=True, stable=True"),              "jnp.argsort(x, axis=axis, descending=descending) if stable: bool",
                                                                                                                     ("torch.argsort(x, dim=axis, descending=descending) if stable=False",
                                                                                                                      "torch.argsort(x, dim=axis, descending=descending, stable=True)"),
     also=["torch.argsort(x, dim=axis, descending=descending, stable=stable)"])
# Of equal elements, jax takes the first; torch does not say which.
say( s.topk,                    None,                                                                                "jax.lax.top_k(x, k, axis=axis) if largest=True, stable: bool, dtype: int32",
                                                                                                                     "torch.topk(x, k, dim=axis, largest=largest) -> values, indices if stable=False, dtype: int64")
say( s.searchsorted,            "np.searchsorted(x, v, side=side)",                                                  "jnp.searchsorted(x, v, side=side)",
                                                                                                                     ("torch.searchsorted(x, v) if side='left'", "torch.searchsorted(x, v, right=True) if side='right'"),
     also=["torch.searchsorted(x, v, side=side)", "torch.bucketize(v, x) if side='left'", "torch.bucketize(v, x, right=True) if side='right'"])
say( s.median,                  "np.median(x, axis=axis, keepdims=keepdims)",                                        "jnp.median(x, axis=axis, keepdims=keepdims)",
                                                                                                                     ("helper:true_median(x) if axis=None, keepdims=False", "helper:true_median(x, dim=axis) if axis: int, keepdims=False",
                                                                                                                      "helper:true_median(x, dim=axis, keepdim=keepdims) if axis: int", "helper:true_median(x, keepdim=keepdims) if axis=None"))
say( s.lower_median,            "np.quantile(x, 0.5, axis=axis, method='lower', keepdims=keepdims)",                 "jnp.quantile(x, 0.5, axis=axis, method='lower', keepdims=keepdims) if x: float",
                                                                                                                     "torch.median(x) if axis=None, keepdims=False")
say( s.unique_values,           "np.unique(x, equal_nan=equal_nan)",                                                 None,
                                                                                                                     ("torch.unique(x) if equal_nan=False", "torch.unique(x) if x: bool|int|uint, equal_nan: bool", "helper:distinct(x) if equal_nan=True"),
     also=["np.unique_values(x) if equal_nan=False"])
say( s.unique_inverse,          "np.unique(x, return_inverse=True, equal_nan=equal_nan)",                            None,
                                                                                                                     ("torch.unique(x, return_inverse=True) if equal_nan=False", "torch.unique(x, return_inverse=True) if x: bool|int|uint, equal_nan: bool"))
say( s.unique_counts,           "np.unique(x, return_counts=True, equal_nan=equal_nan)",                             None,
                                                                                                                     ("torch.unique(x, return_counts=True) if equal_nan=False", "torch.unique(x, return_counts=True) if x: bool|int|uint, equal_nan: bool"))
say( s.unique_inverse_counts,   "np.unique(x, return_inverse=True, return_counts=True, equal_nan=equal_nan)",        None,
                                                                                                                     ("torch.unique(x, return_inverse=True, return_counts=True) if equal_nan=False",
                                                                                                                      "torch.unique(x, return_inverse=True, return_counts=True) if x: bool|int|uint, equal_nan: bool"))
# fmt: on
for op in (s.unique_values, s.unique_inverse, s.unique_counts, s.unique_inverse_counts):
    absent(op, "jax", "the size of its result depends on the values, and under jax.jit every size must be known before",
           "sort, or count with jnp.bincount(x, length=n)")
    absent(op, "torch", "torch counts every NaN as a value of its own, NumPy and JAX all of them as one", "np.unique(..., equal_nan=False)")


@reads("np.sort", "jnp.sort")
def sort(reading: Reading, a: Any, axis: int | None = -1, kind: Any = None, stable: Any = None, descending: bool = False) -> Any:
    """Values alone do not show whether a sort was stable."""
    a, axis = flattened(reading, a, axis)
    return reading.op(s.sort, a, axis=axis, descending=descending)


@reads("np.argsort", "jnp.argsort")
def argsort(reading: Reading, a: Any, axis: int | None = -1, kind: Any = None, stable: Any = None, descending: bool = False) -> Any:
    """JAX's is stable unless it is told otherwise, NumPy's if it is told so."""
    a, axis = flattened(reading, a, axis)
    stable = kind in ("stable", "mergesort") or (reading.source.name == "jax" if stable is None else stable)
    return reading.op(s.argsort, a, axis=axis, descending=descending, stable=stable)


@reads("np.ndarray.sort")
def sort_in_place(reading: Reading, self: Any, **_: Any) -> Any:
    raise Refusal("it sorts the array in place", "x = np.sort(x)")


@reads("torch.sort")
def sort_both(reading: Reading, input: Any, dim: int = -1, descending: bool = False, stable: bool | None = None) -> Any:
    values = reading.op(s.sort, input, axis=dim, descending=descending)
    return values, reading.op(s.argsort, input, axis=dim, descending=descending, stable=bool(stable))


@reads("torch.topk")
def topk(reading: Reading, input: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """In order also where any order would do."""
    return reading.op(s.topk, input, k=k, axis=dim, largest=largest, dtype=dtypes.int64)


@reads("jax.lax.top_k")
def top_k(reading: Reading, operand: Any, k: int, axis: int = -1) -> Any:
    return reading.op(s.topk, operand, k=k, axis=axis, stable=True, dtype=dtypes.int32)


@reads("torch.median")
def lower_median(reading: Reading, input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    if dim is not None:
        raise Refusal("which of several equal elements its indices name is not said", "torch.sort(x, dim) and take the middle")
    return reading.op(s.lower_median, input)


UNIQUE = {(False, False): s.unique_values, (True, False): s.unique_inverse, (False, True): s.unique_counts}


@reads("np.unique", "jnp.unique", "torch.unique")
def unique(
    reading: Reading, ar: Any = None, input: Any = None, return_inverse: bool = False, return_counts: bool = False,
    equal_nan: bool = True, sorted: bool = True,
) -> Any:  # fmt: skip
    """In order also where any order would do. torch counts every NaN."""
    x = reading.operand(input if ar is None else ar)
    equal_nan = equal_nan and (reading.source.name != "torch" or x.spec.dtype is not None and not x.spec.dtype.is_inexact)
    op = UNIQUE.get((return_inverse, return_counts), s.unique_inverse_counts)
    return reading.op(op, x, equal_nan=equal_nan)
