"""How reductions are said. Same order as in ir/ops/reduction.py."""

from __future__ import annotations

from typing import Any

from ...ir.graphs.graph import Node
from ...ir.ops import reduction as r
from ..context import Reading
from ..rows import reads, say

# fmt: off
say(r.sum,
    numpy="np.sum(x, axis=axis, keepdims=keepdims)",
    jax="jnp.sum(x, axis=axis, keepdims=keepdims)",
    torch="""
        torch.sum(x)  if axis=None, keepdims=False
        torch.sum(x, dim=dims(axis), keepdim=keepdims)
    """)
say(r.prod,
    numpy="np.prod(x, axis=axis, keepdims=keepdims)",
    jax="jnp.prod(x, axis=axis, keepdims=keepdims)",
    torch="""
        torch.prod(x)                              if axis=None, keepdims=False
        torch.prod(x, dim=axis, keepdim=keepdims)  if axis: int
    """)
# jnp.cumulative_sum widens small ints, other than jnp.cumsum.
say(r.cumulative_sum,
    numpy="np.cumsum(x, axis=axis)",
    jax="jnp.cumsum(x, axis=axis)",
    torch="torch.cumsum(x, dim=axis)      if axis: int",
    reads="""
        np.cumulative_sum(x)              if x: 1d, axis=0
        np.cumulative_sum(x, axis=axis)   if axis: int
        jnp.cumulative_sum(x, axis=axis)  if axis: int, x: inexact
    """,
    types="""
        jax: bool>int64 num
        torch: no dtype=bool
    """)
say(r.cumulative_prod,
    numpy="np.cumprod(x, axis=axis)",
    jax="jnp.cumprod(x, axis=axis)",
    torch="torch.cumprod(x, dim=axis)      if axis: int",
    reads="""
        np.cumulative_prod(x)              if x: 1d, axis=0
        np.cumulative_prod(x, axis=axis)   if axis: int
        jnp.cumulative_prod(x, axis=axis)  if axis: int, x: inexact
    """,
    types="""
        jax: bool>int64 num
        torch: no dtype=bool
    """)
say(r.count_nonzero,
    numpy="np.count_nonzero(x, axis=axis, keepdims=keepdims)",
    jax="jnp.count_nonzero(x, axis=axis, keepdims=keepdims)",
    torch="""
        torch.count_nonzero(x)  if axis=None
        torch.count_nonzero(x, dim=dims(axis))
    """,
    types="torch: bool uint8 int inexact -> int64")
say(r.mean,
    numpy="np.mean(x, axis=axis, keepdims=keepdims)",
    jax="jnp.mean(x, axis=axis, keepdims=keepdims)",
    torch="""
        torch.mean(x)                        if axis=None, keepdims=False
        torch.mean(x, dim=dims(axis), keepdim=keepdims)
    """,
    reads="""
        np.average(x, axis=axis, keepdims=keepdims)
        jnp.average(x, axis=axis, keepdims=keepdims)
        F.adaptive_avg_pool1d(x, 1)          if axis=-1, keepdims=True
        F.adaptive_avg_pool1d(x, (1,))       if axis=-1, keepdims=True
        F.adaptive_avg_pool2d(x, 1)          if axis=(-2, -1), keepdims=True
        F.adaptive_avg_pool2d(x, (1, 1))     if axis=(-2, -1), keepdims=True
        F.adaptive_avg_pool3d(x, 1)          if axis=(-3, -2, -1), keepdims=True
        F.adaptive_avg_pool3d(x, (1, 1, 1))  if axis=(-3, -2, -1), keepdims=True
    """)
say(r.average,
    numpy="np.average(x, axis=axis, weights=weights, keepdims=keepdims)",
    jax="jnp.average(x, axis=axis, weights=weights, keepdims=keepdims)",
    types="""
        numpy: bool|integer>float64 inexact, float64 of first
        jax: inexact, unsaid, strong
    """)
# Where torch is told nothing, the divisor is the number of elements less 1.
say(r.var,
    numpy="np.var(x, axis=axis, ddof=correction, keepdims=keepdims)",
    jax="jnp.var(x, axis=axis, ddof=correction, keepdims=keepdims)",
    torch="""
        torch.var(x)                                    if axis=None, correction=1, keepdims=False
        torch.var(x, correction=correction)             if axis=None, keepdims=False, correction: number
        torch.var(x, dim=dims(axis), keepdim=keepdims)  if correction=1
        torch.var(x, dim=dims(axis), correction=correction, keepdim=keepdims)  if correction: number
    """,
    reads="""
        np.var(x, axis=axis, correction=correction, keepdims=keepdims)
        jnp.var(x, axis=axis, correction=correction, keepdims=keepdims)
        torch.var(x, unbiased=False)                    if axis=None, correction=0
        torch.var(x, dim=dims(axis), unbiased=False, keepdim=keepdims)  if correction=0
    """,
    types="""
        numpy: bool|integer>float float16 bfloat16>- float32 float64 complex -> real
        jax: bool|integer>float inexact -> real, strong
        torch: inexact -> real
    """)
say(r.std,
    numpy="np.std(x, axis=axis, ddof=correction, keepdims=keepdims)",
    jax="jnp.std(x, axis=axis, ddof=correction, keepdims=keepdims)",
    torch="""
        torch.std(x)                                    if axis=None, correction=1, keepdims=False
        torch.std(x, correction=correction)             if axis=None, keepdims=False, correction: number
        torch.std(x, dim=dims(axis), keepdim=keepdims)  if correction=1
        torch.std(x, dim=dims(axis), correction=correction, keepdim=keepdims)  if correction: number
    """,
    reads="""
        np.std(x, axis=axis, correction=correction, keepdims=keepdims)
        jnp.std(x, axis=axis, correction=correction, keepdims=keepdims)
        torch.std(x, unbiased=False)                    if axis=None, correction=0
        torch.std(x, dim=dims(axis), unbiased=False, keepdim=keepdims)  if correction=0
    """,
    types="""
        numpy: bool|integer>float float16 bfloat16>- float32 float64 complex -> real
        jax: bool|integer>float inexact -> real, strong
        torch: inexact -> real
    """)
# torch.max(x, dim) also gives indices; torch.amax is our op.
say(r.max,
    numpy="np.max(x, axis=axis, keepdims=keepdims)",
    jax="jnp.max(x, axis=axis, keepdims=keepdims)",
    torch="""
        torch.max(x)                         if axis=None, keepdims=False
        torch.amax(x, keepdim=keepdims)      if axis=None
        torch.amax(x, dim=dims(axis), keepdim=keepdims)
    """,
    reads="""
        F.adaptive_max_pool1d(x, 1)          if axis=-1, keepdims=True
        F.adaptive_max_pool1d(x, (1,))       if axis=-1, keepdims=True
        F.adaptive_max_pool2d(x, 1)          if axis=(-2, -1), keepdims=True
        F.adaptive_max_pool2d(x, (1, 1))     if axis=(-2, -1), keepdims=True
        F.adaptive_max_pool3d(x, 1)          if axis=(-3, -2, -1), keepdims=True
        F.adaptive_max_pool3d(x, (1, 1, 1))  if axis=(-3, -2, -1), keepdims=True
    """,
    types="""
        jax: strong
        torch: bool uint8 int float
    """)
say(r.min,
    numpy="np.min(x, axis=axis, keepdims=keepdims)",
    jax="jnp.min(x, axis=axis, keepdims=keepdims)",
    torch="""
        torch.min(x)                     if axis=None, keepdims=False
        torch.amin(x, keepdim=keepdims)  if axis=None
        torch.amin(x, dim=dims(axis), keepdim=keepdims)
    """,
    types="""
        jax: strong
        torch: bool uint8 int float
    """)
say(r.argmax,
    numpy="np.argmax(x, axis=axis, keepdims=keepdims)",
    jax="""
        jnp.argmax(x, axis=axis)                        if keepdims=False
        jnp.argmax(x, axis=axis, keepdims=keepdims)
    """,
    torch="torch.argmax(x, dim=axis, keepdim=keepdims)  if x: num",
    types="jax: bool real -> int64")
say(r.argmin,
    numpy="np.argmin(x, axis=axis, keepdims=keepdims)",
    jax="""
        jnp.argmin(x, axis=axis)                        if keepdims=False
        jnp.argmin(x, axis=axis, keepdims=keepdims)
    """,
    torch="torch.argmin(x, dim=axis, keepdim=keepdims)  if x: num",
    types="jax: bool real -> int64")
# Of complex numbers, jnp.any and jnp.all look at the real part only. Where torch is given no dims at all,
# they reduce none, and every other reduction all.
say(r.any,
    numpy="np.any(x, axis=axis, keepdims=keepdims)",
    jax="jnp.any(x, axis=axis, keepdims=keepdims)  if x: bool|real",
    torch="""
        torch.any(x)                               if axis=None, keepdims=False
        torch.any(x, dim=axis, keepdim=keepdims)
    """,
    types="torch: any -> bool uint8>uint8")
say(r.all,
    numpy="np.all(x, axis=axis, keepdims=keepdims)",
    jax="jnp.all(x, axis=axis, keepdims=keepdims)  if x: bool|real",
    torch="""
        torch.all(x)                               if axis=None, keepdims=False
        torch.all(x, dim=axis, keepdim=keepdims)
    """,
    types="torch: any -> bool uint8>uint8")
# With an order, norm means that of a matrix where there are two axes. NumPy and JAX square float16 as it is.
# What JAX makes of ints, the order says.
say(r.vector_norm,
    numpy="""
        np.linalg.norm(x)     if axis=None, ord=2, keepdims=False, x: any-float16-bfloat16
        np.linalg.norm(x, axis=axis, keepdims=keepdims)  if axis: int, ord=2, x: any-float16-bfloat16
        np.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims)  if x: any-float16-bfloat16
    """,
    jax="""
        jnp.linalg.norm(x)    if axis=None, ord=2, keepdims=False, x: any-float16
        jnp.linalg.norm(x, axis=axis, keepdims=keepdims)  if axis: int, ord=2, x: any-float16
        jnp.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims)  if x: any-float16
    """,
    torch="""
        torch.linalg.norm(x)  if axis=None, ord=2, keepdims=False
        torch.linalg.norm(x, dim=axis, keepdim=keepdims)  if axis: int, ord=2
        torch.linalg.vector_norm(x, ord=ord, dim=dims(axis), keepdim=keepdims)
    """,
    reads="""
        np.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims)
        jnp.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims)
        np.linalg.norm(x, axis=axis, keepdims=keepdims)  if ord=2
        np.linalg.norm(x, ord=ord, axis=axis, keepdims=keepdims)  if axis: int, ord: number
        np.linalg.norm(x, ord=ord, keepdims=keepdims)  if x: 1d, axis=None, ord: number
        np.linalg.norm(x, ord='fro', axis=axis, keepdims=keepdims)  if ord=2
        jnp.linalg.norm(x, axis=axis, keepdims=keepdims)  if ord=2
        jnp.linalg.norm(x, ord=ord, axis=axis, keepdims=keepdims)  if axis: int, ord: number
        jnp.linalg.norm(x, ord=ord, keepdims=keepdims)  if x: 1d, axis=None, ord: number
        jnp.linalg.norm(x, ord='fro', axis=axis, keepdims=keepdims)  if ord=2
        torch.linalg.norm(x, dim=axis, keepdim=keepdims)  if ord=2
        torch.linalg.norm(x, ord=ord, dim=axis, keepdim=keepdims)  if axis: int, ord: number
        torch.linalg.norm(x, ord=ord, keepdim=keepdims)  if x: 1d, axis=None, ord: number
        torch.linalg.norm(x, ord='fro', dim=axis, keepdim=keepdims)  if ord=2
        torch.norm(x, p='fro', dim=dims(axis), keepdim=keepdims)  if ord=2
        torch.norm(x, p=ord, dim=dims(axis), keepdim=keepdims)  if ord: number
    """,
    types="""
        numpy: bool|integer>float float bfloat16>float64 complex -> real
        jax: inexact -> real, unsaid, strong
        torch: inexact -> real
    """)
# torch gives two results of these at once.
say(r.max_and_argmax,
    torch="torch.max(x, dim=axis, keepdim=keepdims) -> values, indices  if axis: int",
    types="torch: bool uint8 int float")
say(r.min_and_argmin,
    torch="torch.min(x, dim=axis, keepdim=keepdims) -> values, indices  if axis: int",
    types="torch: bool uint8 int float")
say(r.aminmax,
    torch="torch.aminmax(x, dim=axis, keepdim=keepdims) -> min, max",
    types="torch: bool uint8 int float")
say(r.var_mean,
    torch="""
        torch.var_mean(x)                                    if axis=None, correction=1, keepdims=False
        torch.var_mean(x, correction=correction)        if axis=None, keepdims=False, correction: number
        torch.var_mean(x, dim=dims(axis), keepdim=keepdims)  if correction=1
        torch.var_mean(x, dim=dims(axis), correction=correction, keepdim=keepdims)  if correction: number
    """,
    reads="""
        torch.var_mean(x, unbiased=False)                    if axis=None, correction=0
        torch.var_mean(x, dim=dims(axis), unbiased=False, keepdim=keepdims)  if correction=0
    """,
    types="torch: inexact -> real")
say(r.std_mean,
    torch="""
        torch.std_mean(x)                                    if axis=None, correction=1, keepdims=False
        torch.std_mean(x, correction=correction)        if axis=None, keepdims=False, correction: number
        torch.std_mean(x, dim=dims(axis), keepdim=keepdims)  if correction=1
        torch.std_mean(x, dim=dims(axis), correction=correction, keepdim=keepdims)  if correction: number
    """,
    reads="""
        torch.std_mean(x, unbiased=False)                    if axis=None, correction=0
        torch.std_mean(x, dim=dims(axis), unbiased=False, keepdim=keepdims)  if correction=0
    """,
    types="torch: inexact -> real")
say(r.logsumexp,
    numpy="scipy.special.logsumexp(x, axis=axis, keepdims=keepdims)",
    jax="jax.nn.logsumexp(x, axis=axis, keepdims=keepdims)",
    torch="torch.logsumexp(x, dim=dims(axis), keepdim=keepdims)    if axis: given",
    reads="torch.special.logsumexp(x, dim=axis, keepdim=keepdims)  if axis: given",
    types="""
        numpy: bool|integer>float float16 bfloat16>- float32 float64 complex
        jax: strong
    """)
# fmt: on


@reads("jax.lax.cumsum", "jax.lax.cumprod")
def along_one_axis(reading: Reading, operand: Any, axis: int = 0) -> Any:
    """What jnp.cumsum and jnp.cumprod give, weak where the operand is."""
    op = r.cumulative_sum if reading.callee.endswith("cumsum") else r.cumulative_prod
    made = reading.op(op, operand, axis=axis)
    made.form = operand.form if isinstance(operand, Node) else made.form
    return made
