"""How reductions are said. Same order as in ir/ops/reduction.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ir.op import Op
from ...ir.ops import reduction as r
from ..phrase import reads, say
from ..reader import Reading, Refusal, dtype_of

# fmt: off
#    op                   numpy                                                            jax                                                              torch
say( r.sum,               "np.sum(x, axis=axis, keepdims=keepdims)",                       "jnp.sum(x, axis=axis, keepdims=keepdims)",
     ("torch.sum(x) if axis=None, keepdims=False", "torch.sum(x, dim=dims(axis), keepdim=keepdims)"))
say( r.prod,              "np.prod(x, axis=axis, keepdims=keepdims)",                      "jnp.prod(x, axis=axis, keepdims=keepdims)",
     ("torch.prod(x) if axis=None, keepdims=False", "torch.prod(x, dim=axis, keepdim=keepdims) if axis: int"))
say( r.cumulative_sum,    ("np.cumsum(x) if x: 1d, axis=0", "np.cumsum(x, axis=axis)"),    ("jnp.cumsum(x) if x: 1d, axis=0", "jnp.cumsum(x, axis=axis)"),   "torch.cumsum(x, dim=axis)",
     also=["np.cumulative_sum(x) if x: 1d, axis=0", "np.cumulative_sum(x, axis=axis) if axis: int",
           "jnp.cumulative_sum(x, axis=axis) if axis: int, x: float|complex", "jax.lax.cumsum(x, axis=axis)"])
say( r.cumulative_prod,   ("np.cumprod(x) if x: 1d, axis=0", "np.cumprod(x, axis=axis)"),  ("jnp.cumprod(x) if x: 1d, axis=0", "jnp.cumprod(x, axis=axis)"), "torch.cumprod(x, dim=axis)",
     also=["np.cumulative_prod(x) if x: 1d, axis=0", "np.cumulative_prod(x, axis=axis) if axis: int",
           "jnp.cumulative_prod(x, axis=axis) if axis: int, x: float|complex", "jax.lax.cumprod(x, axis=axis)"])
say( r.count_nonzero,     "np.count_nonzero(x, axis=axis, keepdims=keepdims)",             "jnp.count_nonzero(x, axis=axis, keepdims=keepdims)",            ("torch.count_nonzero(x) if axis=None", "torch.count_nonzero(x, dim=dims(axis))"))
say( r.mean,              "np.mean(x, axis=axis, keepdims=keepdims)",                      "jnp.mean(x, axis=axis, keepdims=keepdims)",
     ("torch.mean(x) if axis=None, keepdims=False", "torch.mean(x, dim=dims(axis), keepdim=keepdims)"))
say( r.var,               "np.var(x, axis=axis, ddof=correction, keepdims=keepdims)",      "jnp.var(x, axis=axis, ddof=correction, keepdims=keepdims)",
     ("torch.var(x) if axis=None, correction=1, keepdims=False", "torch.var(x, dim=dims(axis), keepdim=keepdims) if correction=1",
      "torch.var(x, dim=dims(axis), correction=correction, keepdim=keepdims)"),
     also=["np.var(x, axis=axis, correction=correction, keepdims=keepdims)", "jnp.var(x, axis=axis, correction=correction, keepdims=keepdims)"])
say( r.std,               "np.std(x, axis=axis, ddof=correction, keepdims=keepdims)",      "jnp.std(x, axis=axis, ddof=correction, keepdims=keepdims)",
     ("torch.std(x) if axis=None, correction=1, keepdims=False", "torch.std(x, dim=dims(axis), keepdim=keepdims) if correction=1",
      "torch.std(x, dim=dims(axis), correction=correction, keepdim=keepdims)"),
     also=["np.std(x, axis=axis, correction=correction, keepdims=keepdims)", "jnp.std(x, axis=axis, correction=correction, keepdims=keepdims)"])
say( r.max,               "np.max(x, axis=axis, keepdims=keepdims)",                       "jnp.max(x, axis=axis, keepdims=keepdims)",
     # torch.max(x, dim) also gives indices; torch.amax is our op.
     ("torch.max(x) if axis=None, keepdims=False", "torch.amax(x, keepdim=keepdims) if axis=None", "torch.amax(x, dim=dims(axis), keepdim=keepdims)"))
say( r.min,               "np.min(x, axis=axis, keepdims=keepdims)",                       "jnp.min(x, axis=axis, keepdims=keepdims)",
     ("torch.min(x) if axis=None, keepdims=False", "torch.amin(x, keepdim=keepdims) if axis=None", "torch.amin(x, dim=dims(axis), keepdim=keepdims)"))
say( r.argmax,            "np.argmax(x, axis=axis, keepdims=keepdims)",                    ("jnp.argmax(x, axis=axis) if keepdims=False", "jnp.argmax(x, axis=axis, keepdims=keepdims)"),
     "torch.argmax(x, dim=axis, keepdim=keepdims) if x: uint|int|float|complex")
say( r.argmin,            "np.argmin(x, axis=axis, keepdims=keepdims)",                    ("jnp.argmin(x, axis=axis) if keepdims=False", "jnp.argmin(x, axis=axis, keepdims=keepdims)"),
     "torch.argmin(x, dim=axis, keepdim=keepdims) if x: uint|int|float|complex")
# Of complex numbers, jnp.any and jnp.all look at the real part only.
# Where torch is given no dims at all, any and all reduce none of them, and every other reduction all.
say( r.any,               "np.any(x, axis=axis, keepdims=keepdims)",                       "jnp.any(x, axis=axis, keepdims=keepdims) if x: bool|uint|int|float",                   ("torch.any(x) if axis=None, keepdims=False", "torch.any(x, dim=axis, keepdim=keepdims)"))
say( r.all,               "np.all(x, axis=axis, keepdims=keepdims)",                       "jnp.all(x, axis=axis, keepdims=keepdims) if x: bool|uint|int|float",                   ("torch.all(x) if axis=None, keepdims=False", "torch.all(x, dim=axis, keepdim=keepdims)"))
say( r.vector_norm,
     ("np.linalg.norm(x) if axis=None, ord=2, keepdims=False", "np.linalg.norm(x, axis=axis, keepdims=keepdims) if axis: int, ord=2", "np.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims)"),
     ("jnp.linalg.norm(x) if axis=None, ord=2, keepdims=False", "jnp.linalg.norm(x, axis=axis, keepdims=keepdims) if axis: int, ord=2", "jnp.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims)"),
     ("torch.linalg.norm(x) if axis=None, ord=2, keepdims=False", "torch.linalg.norm(x, dim=axis, keepdim=keepdims) if axis: int, ord=2", "torch.linalg.vector_norm(x, ord=ord, dim=dims(axis), keepdim=keepdims)"))
say( r.logsumexp,         "scipy.special.logsumexp(x, axis=axis, keepdims=keepdims)",      "jax.nn.logsumexp(x, axis=axis, keepdims=keepdims)",             "torch.logsumexp(x, dim=dims(axis), keepdim=keepdims) if axis: given")
# fmt: on


def flattened(reading: Reading, x: Any, axis: int | None) -> tuple[Any, int]:
    """NumPy's meaning of no axis: the array flattened, and its only axis."""
    x = reading.operand(x)
    if axis is not None:
        return x, axis
    return x if x.spec.shape is not None and len(x.spec.shape) == 1 else reading.op("reshape", x, shape=(-1,)), 0


def axes(dim: Any) -> Any:
    """torch's dims: none at all are all of them."""
    return tuple(dim) or None if isinstance(dim, (tuple, list)) else dim


def running(op: Op) -> Callable[..., Any]:
    def read(reading: Reading, a: Any, axis: int | None = None, dtype: Any = None) -> Any:
        a, axis = flattened(reading, a, axis)
        return reading.op(op, a, axis=axis, dtype=None if dtype is None else dtype_of(dtype))

    return read


reads("np.cumsum", "jnp.cumsum")(running(r.cumulative_sum))
reads("np.cumprod", "jnp.cumprod")(running(r.cumulative_prod))


def extreme(op: Op, where: Op, pairwise: str) -> Callable[..., Any]:
    """torch.max and torch.min: of all elements; of two tensors; along a dim, with the indices."""

    def read(reading: Reading, input: Any, other: Any = None, dim: int | None = None, keepdim: bool = False) -> Any:
        if other is not None:
            return reading.op(pairwise, input, other)
        if dim is None:
            return reading.op(op, input)
        return tuple(reading.op(o, input, axis=dim, keepdims=keepdim) for o in (op, where))

    return read


reads("torch.max")(extreme(r.max, r.argmax, "maximum"))
reads("torch.min")(extreme(r.min, r.argmin, "minimum"))


@reads("torch.aminmax")
def aminmax(reading: Reading, input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    return tuple(reading.op(o, input, axis=dim, keepdims=keepdim) for o in (r.min, r.max))


def moment(op: Op, *further: Op) -> Callable[..., Any]:
    """torch.var and its kin: where nothing is said, the divisor is the number of elements less 1."""

    def read(
        reading: Reading, input: Any, dim: Any = None, unbiased: bool = True, correction: Any = None, keepdim: bool = False
    ) -> Any:
        axis = axes(dim)
        correction = int(unbiased) if correction is None else correction
        found = reading.op(op, input, axis=axis, correction=correction, keepdims=keepdim)
        means = [reading.op(o, input, axis=axis, keepdims=keepdim) for o in further]
        return (found, *means) if means else found

    return read


reads("torch.var")(moment(r.var))
reads("torch.std")(moment(r.std))
reads("torch.var_mean")(moment(r.var, r.mean))
reads("torch.std_mean")(moment(r.std, r.mean))


@reads("np.linalg.norm", "jnp.linalg.norm")
def norm(reading: Reading, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """Without an order, the root of the sum of squares; with one, of vectors that, of matrices another thing."""
    x = reading.operand(x)
    matrix = len(axis) == 2 if isinstance(axis, (tuple, list)) else axis is None and ord is not None and reading.rank(x, MATRIX) != 1
    if matrix and ord not in (None, "fro"):
        raise Refusal(f"the matrix norm of order {ord} is not in the dictionary", "give an int as axis for norms of vectors")
    if x.spec.dtype is not None and not x.spec.dtype.is_inexact:
        x = reading.cast(x, reading.typed(r.logsumexp, [x], None).result)
    return reading.op(r.vector_norm, x, axis=axes(axis), ord=2 if matrix or ord is None else ord, keepdims=keepdims)


MATRIX = "whether it is a vector or a matrix decides what its norm is"


@reads("torch.linalg.norm")
def linalg_norm(reading: Reading, input: Any, ord: Any = None, dim: Any = None, keepdim: bool = False) -> Any:
    return norm(reading, input, ord, dim, keepdim)


@reads("torch.norm")
def norm_of_all(reading: Reading, input: Any, p: Any = "fro", dim: Any = None, keepdim: bool = False) -> Any:
    """Of vectors, whatever the dims."""
    if p == "nuc":
        raise Refusal("the nuclear norm is not in the dictionary")
    return reading.op(r.vector_norm, input, axis=axes(dim), ord=2 if p in ("fro", None) else p, keepdims=keepdim)
