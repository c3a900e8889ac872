"""How reductions are said. Same order as in ir/ops/reduction.py."""

from __future__ import annotations

from typing import Any

from ...ir.ops import reduction as r
from ..phrase import reads, say
from ..reader import Reading, Refusal, dtype_of

# fmt: off
#    op                   numpy                                                            jax                                                              torch
say( r.sum,               "np.sum(x, axis=axis, keepdims=keepdims)",                       "jnp.sum(x, axis=axis, keepdims=keepdims)",
     ("torch.sum(x) if axis=None, keepdims=False", "torch.sum(x, dim=dims(axis), keepdim=keepdims)"))
say( r.prod,              "np.prod(x, axis=axis, keepdims=keepdims)",                      "jnp.prod(x, axis=axis, keepdims=keepdims)",
     ("torch.prod(x) if axis=None, keepdims=False", "torch.prod(x, dim=axis, keepdim=keepdims) if axis: int"))
say( r.cumulative_sum,    ("np.cumsum(x) if x: 1d, axis=0", "np.cumsum(x, axis=axis)"),    ("jnp.cumsum(x) if x: 1d, axis=0", "jnp.cumsum(x, axis=axis)"),   "torch.cumsum(x, dim=axis)")
say( r.cumulative_prod,   ("np.cumprod(x) if x: 1d, axis=0", "np.cumprod(x, axis=axis)"),  ("jnp.cumprod(x) if x: 1d, axis=0", "jnp.cumprod(x, axis=axis)"), "torch.cumprod(x, dim=axis)")
say( r.count_nonzero,     "np.count_nonzero(x, axis=axis, keepdims=keepdims)",             "jnp.count_nonzero(x, axis=axis, keepdims=keepdims)",            "torch.count_nonzero(x, dim=dims(axis))")
say( r.mean,              "np.mean(x, axis=axis, keepdims=keepdims)",                      "jnp.mean(x, axis=axis, keepdims=keepdims)",
     ("torch.mean(x) if axis=None, keepdims=False", "torch.mean(x, dim=dims(axis), keepdim=keepdims)"))
say( r.var,               "np.var(x, axis=axis, ddof=correction, keepdims=keepdims)",      "jnp.var(x, axis=axis, ddof=correction, keepdims=keepdims)",
     ("torch.var(x, dim=dims(axis), keepdim=keepdims) if correction=1", "torch.var(x, dim=dims(axis), correction=correction, keepdim=keepdims)"))
say( r.std,               "np.std(x, axis=axis, ddof=correction, keepdims=keepdims)",      "jnp.std(x, axis=axis, ddof=correction, keepdims=keepdims)",
     ("torch.std(x, dim=dims(axis), keepdim=keepdims) if correction=1", "torch.std(x, dim=dims(axis), correction=correction, keepdim=keepdims)"))
say( r.max,               "np.max(x, axis=axis, keepdims=keepdims)",                       "jnp.max(x, axis=axis, keepdims=keepdims)",
     # torch.max(x, dim) also gives indices; torch.amax is our op.
     ("torch.max(x) if axis=None, keepdims=False", "torch.amax(x, keepdim=keepdims) if axis=None", "torch.amax(x, dim=dims(axis), keepdim=keepdims)"))
say( r.min,               "np.min(x, axis=axis, keepdims=keepdims)",                       "jnp.min(x, axis=axis, keepdims=keepdims)",
     ("torch.min(x) if axis=None, keepdims=False", "torch.amin(x, keepdim=keepdims) if axis=None", "torch.amin(x, dim=dims(axis), keepdim=keepdims)"))
say( r.argmax,            "np.argmax(x, axis=axis, keepdims=keepdims)",                    ("jnp.argmax(x, axis=axis) if keepdims=False", "jnp.argmax(x, axis=axis, keepdims=keepdims)"),
     "torch.argmax(x, dim=axis, keepdim=keepdims) if x: uint|int|float")
say( r.argmin,            "np.argmin(x, axis=axis, keepdims=keepdims)",                    ("jnp.argmin(x, axis=axis) if keepdims=False", "jnp.argmin(x, axis=axis, keepdims=keepdims)"),
     "torch.argmin(x, dim=axis, keepdim=keepdims) if x: uint|int|float")
# Where torch is given no dims at all, any and all reduce none of them, and every other reduction all.
say( r.any,               "np.any(x, axis=axis, keepdims=keepdims)",                       "jnp.any(x, axis=axis, keepdims=keepdims)",                      "torch.any(x, dim=axis, keepdim=keepdims)",
     also=["torch.any(x)"])
say( r.all,               "np.all(x, axis=axis, keepdims=keepdims)",                       "jnp.all(x, axis=axis, keepdims=keepdims)",                      "torch.all(x, dim=axis, keepdim=keepdims)",
     also=["torch.all(x)"])
say( r.vector_norm,
     ("np.linalg.norm(x) if axis=None, ord=2, keepdims=False", "np.linalg.norm(x, axis=axis, keepdims=keepdims) if axis: int, ord=2", "np.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims)"),
     ("jnp.linalg.norm(x) if axis=None, ord=2, keepdims=False", "jnp.linalg.norm(x, axis=axis, keepdims=keepdims) if axis: int, ord=2", "jnp.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims)"),
     ("torch.linalg.norm(x) if axis=None, ord=2, keepdims=False", "torch.linalg.norm(x, dim=axis, keepdim=keepdims) if axis: int, ord=2", "torch.linalg.vector_norm(x, ord=ord, dim=dims(axis), keepdim=keepdims)"))
say( r.logsumexp,         "scipy.special.logsumexp(x, axis=axis, keepdims=keepdims)",      "jax.nn.logsumexp(x, axis=axis, keepdims=keepdims)",             "torch.logsumexp(x, dim=dims(axis), keepdim=keepdims) if axis: given")
# fmt: on
