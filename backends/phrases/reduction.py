"""How reductions are said. Same order as in ir/ops/reduction.py."""

from __future__ import annotations

from ...ir.ops import reduction as r
from ..rows import say

F = "torch.nn.functional"
WIDE = "bool|uint|int|float32|float64|complex"
SPREADS = (
    "torch.var_mean(x) if axis=None, correction=1, keepdims=False",
    "torch.var_mean(x, dim=dims(axis), keepdim=keepdims) if correction=1",
    "torch.var_mean(x, dim=dims(axis), correction=correction, keepdim=keepdims) if correction: number",
)


def pooled(name: str) -> list[str]:
    """torch's pooling of the last axes into one window, which is a reduction."""
    axes = {1: -1, 2: (-2, -1), 3: (-3, -2, -1)}
    return [
        f"{F}.adaptive_{name}_pool{n}d(x, {size}) if axis={axes[n]}, keepdims=True" for n in axes for size in (1, (1,) * n)
    ]


# fmt: off
#    op                   numpy                                                            jax                                                              torch
say( r.sum,               "np.sum(x, axis=axis, keepdims=keepdims)",                       "jnp.sum(x, axis=axis, keepdims=keepdims)",
     ("torch.sum(x) if axis=None, keepdims=False", "torch.sum(x, dim=dims(axis), keepdim=keepdims)"))
say( r.prod,              "np.prod(x, axis=axis, keepdims=keepdims)",                      "jnp.prod(x, axis=axis, keepdims=keepdims)",
     ("torch.prod(x) if axis=None, keepdims=False", "torch.prod(x, dim=axis, keepdim=keepdims) if axis: int"))
say( r.cumulative_sum,    "np.cumsum(x, axis=axis)",                                       "jnp.cumsum(x, axis=axis)",                                      "torch.cumsum(x, dim=axis) if axis: int",
     also=["np.cumulative_sum(x) if x: 1d, axis=0", "np.cumulative_sum(x, axis=axis) if axis: int", "jax.lax.cumsum(x, axis=axis)",
           "jnp.cumulative_sum(x, axis=axis) if axis: int, x: float|complex"])  # which widens small ints, other than jnp.cumsum
say( r.cumulative_prod,   "np.cumprod(x, axis=axis)",                                      "jnp.cumprod(x, axis=axis)",                                     "torch.cumprod(x, dim=axis) if axis: int",
     also=["np.cumulative_prod(x) if x: 1d, axis=0", "np.cumulative_prod(x, axis=axis) if axis: int", "jax.lax.cumprod(x, axis=axis)",
           "jnp.cumulative_prod(x, axis=axis) if axis: int, x: float|complex"])
say( r.count_nonzero,     "np.count_nonzero(x, axis=axis, keepdims=keepdims)",             "jnp.count_nonzero(x, axis=axis, keepdims=keepdims)",
     ("torch.count_nonzero(x) if axis=None", "torch.count_nonzero(x, dim=dims(axis))"))
say( r.mean,              "np.mean(x, axis=axis, keepdims=keepdims)",                      "jnp.mean(x, axis=axis, keepdims=keepdims)",
     ("torch.mean(x) if axis=None, keepdims=False", "torch.mean(x, dim=dims(axis), keepdim=keepdims)"), also=pooled("avg"))
# Where torch is told nothing, the divisor is the number of elements less 1.
say( r.var,               "np.var(x, axis=axis, ddof=correction, keepdims=keepdims)",      "jnp.var(x, axis=axis, ddof=correction, keepdims=keepdims)",
     ("torch.var(x) if axis=None, correction=1, keepdims=False", "torch.var(x, dim=dims(axis), keepdim=keepdims) if correction=1",
      "torch.var(x, dim=dims(axis), correction=correction, keepdim=keepdims) if correction: number"),
     also=["np.var(x, axis=axis, correction=correction, keepdims=keepdims)", "jnp.var(x, axis=axis, correction=correction, keepdims=keepdims)",
           "torch.var(x, unbiased=False) if axis=None, correction=0", "torch.var(x, dim=dims(axis), unbiased=False, keepdim=keepdims) if correction=0"])
say( r.std,               "np.std(x, axis=axis, ddof=correction, keepdims=keepdims)",      "jnp.std(x, axis=axis, ddof=correction, keepdims=keepdims)",
     ("torch.std(x) if axis=None, correction=1, keepdims=False", "torch.std(x, dim=dims(axis), keepdim=keepdims) if correction=1",
      "torch.std(x, dim=dims(axis), correction=correction, keepdim=keepdims) if correction: number"),
     also=["np.std(x, axis=axis, correction=correction, keepdims=keepdims)", "jnp.std(x, axis=axis, correction=correction, keepdims=keepdims)",
           "torch.std(x, unbiased=False) if axis=None, correction=0", "torch.std(x, dim=dims(axis), unbiased=False, keepdim=keepdims) if correction=0"])
# torch.max(x, dim) also gives indices; torch.amax is our op.
say( r.max,               "np.max(x, axis=axis, keepdims=keepdims)",                       "jnp.max(x, axis=axis, keepdims=keepdims)",
     ("torch.max(x) if axis=None, keepdims=False", "torch.amax(x, keepdim=keepdims) if axis=None", "torch.amax(x, dim=dims(axis), keepdim=keepdims)"), also=pooled("max"))
say( r.min,               "np.min(x, axis=axis, keepdims=keepdims)",                       "jnp.min(x, axis=axis, keepdims=keepdims)",
     ("torch.min(x) if axis=None, keepdims=False", "torch.amin(x, keepdim=keepdims) if axis=None", "torch.amin(x, dim=dims(axis), keepdim=keepdims)"))
say( r.argmax,            "np.argmax(x, axis=axis, keepdims=keepdims)",                    ("jnp.argmax(x, axis=axis) if keepdims=False", "jnp.argmax(x, axis=axis, keepdims=keepdims)"),
     "torch.argmax(x, dim=axis, keepdim=keepdims) if x: uint|int|float|complex")
say( r.argmin,            "np.argmin(x, axis=axis, keepdims=keepdims)",                    ("jnp.argmin(x, axis=axis) if keepdims=False", "jnp.argmin(x, axis=axis, keepdims=keepdims)"),
     "torch.argmin(x, dim=axis, keepdim=keepdims) if x: uint|int|float|complex")
# Of complex numbers, jnp.any and jnp.all look at the real part only. Where torch is given no dims at all, they
# reduce none, and every other reduction all.
say( r.any,               "np.any(x, axis=axis, keepdims=keepdims)",                       "jnp.any(x, axis=axis, keepdims=keepdims) if x: bool|uint|int|float",
     ("torch.any(x) if axis=None, keepdims=False", "torch.any(x, dim=axis, keepdim=keepdims)"))
say( r.all,               "np.all(x, axis=axis, keepdims=keepdims)",                       "jnp.all(x, axis=axis, keepdims=keepdims) if x: bool|uint|int|float",
     ("torch.all(x) if axis=None, keepdims=False", "torch.all(x, dim=axis, keepdim=keepdims)"))
# With an order, norm means that of a matrix where there are two axes. NumPy and JAX square float16 as it is.
say( r.vector_norm,
     (f"np.linalg.norm(x) if axis=None, ord=2, keepdims=False, x: {WIDE}", f"np.linalg.norm(x, axis=axis, keepdims=keepdims) if axis: int, ord=2, x: {WIDE}",
      f"np.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims) if x: {WIDE}"),
     (f"jnp.linalg.norm(x) if axis=None, ord=2, keepdims=False, x: {WIDE}|bfloat16", f"jnp.linalg.norm(x, axis=axis, keepdims=keepdims) if axis: int, ord=2, x: {WIDE}|bfloat16",
      f"jnp.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims) if x: {WIDE}|bfloat16"),
     ("torch.linalg.norm(x) if axis=None, ord=2, keepdims=False", "torch.linalg.norm(x, dim=axis, keepdim=keepdims) if axis: int, ord=2",
      "torch.linalg.vector_norm(x, ord=ord, dim=dims(axis), keepdim=keepdims)"),
     also=["np.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims)", "jnp.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims)",
           "np.linalg.norm(x, axis=axis, keepdims=keepdims) if ord=2", "np.linalg.norm(x, ord=ord, axis=axis, keepdims=keepdims) if axis: int, ord: number",
           "np.linalg.norm(x, ord=ord, keepdims=keepdims) if x: 1d, axis=None, ord: number", "np.linalg.norm(x, ord='fro', axis=axis, keepdims=keepdims) if ord=2",
           "jnp.linalg.norm(x, axis=axis, keepdims=keepdims) if ord=2", "jnp.linalg.norm(x, ord=ord, axis=axis, keepdims=keepdims) if axis: int, ord: number",
           "jnp.linalg.norm(x, ord=ord, keepdims=keepdims) if x: 1d, axis=None, ord: number", "jnp.linalg.norm(x, ord='fro', axis=axis, keepdims=keepdims) if ord=2",
           "torch.linalg.norm(x, dim=axis, keepdim=keepdims) if ord=2", "torch.linalg.norm(x, ord=ord, dim=axis, keepdim=keepdims) if axis: int, ord: number",
           "torch.linalg.norm(x, ord=ord, keepdim=keepdims) if x: 1d, axis=None, ord: number", "torch.linalg.norm(x, ord='fro', dim=axis, keepdim=keepdims) if ord=2",
           "torch.norm(x, p='fro', dim=dims(axis), keepdim=keepdims) if ord=2", "torch.norm(x, p=ord, dim=dims(axis), keepdim=keepdims) if ord: number"])
# torch gives two results of these at once.
say( r.max_and_argmax,    None,                                                            None,
     "torch.max(x, dim=axis, keepdim=keepdims) -> values, indices if axis: int")
say( r.min_and_argmin,    None,                                                            None,
     "torch.min(x, dim=axis, keepdim=keepdims) -> values, indices if axis: int")
say( r.aminmax,           None,                                                            None,
     "torch.aminmax(x, dim=axis, keepdim=keepdims) -> min, max")
say( r.var_mean,          None,                                                            None,                        SPREADS,
     also=["torch.var_mean(x, unbiased=False) if axis=None, correction=0", "torch.var_mean(x, dim=dims(axis), unbiased=False, keepdim=keepdims) if correction=0"])
say( r.std_mean,          None,                                                            None,                        tuple(text.replace("var", "std") for text in SPREADS),
     also=["torch.std_mean(x, unbiased=False) if axis=None, correction=0", "torch.std_mean(x, dim=dims(axis), unbiased=False, keepdim=keepdims) if correction=0"])
say( r.logsumexp,         "scipy.special.logsumexp(x, axis=axis, keepdims=keepdims)",      "jax.nn.logsumexp(x, axis=axis, keepdims=keepdims)",             "torch.logsumexp(x, dim=dims(axis), keepdim=keepdims) if axis: given",
     also=["torch.special.logsumexp(x, dim=axis, keepdim=keepdims) if axis: given"])
# fmt: on
