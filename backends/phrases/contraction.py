"""How contractions are said. Same order as in ir/ops/contraction.py."""

from __future__ import annotations

from typing import Any

from ...ir.ops import contraction as c
from ..phrase import reads, say
from ..reader import Reading, Refusal

# fmt: off
#    op            numpy                            jax                               torch
say( c.matmul,     "a @ b",                         "a @ b",                          "a @ b",
     also=["np.matmul(a, b)", "jnp.matmul(a, b)", "jnp.linalg.matmul(a, b)", "jax.lax.batch_matmul(a, b)", "torch.matmul(a, b)",
           "torch.linalg.matmul(a, b)", "torch.mm(a, b)", "torch.bmm(a, b)", "torch.mv(a, b)", "torch.dot(a, b)"])
say( c.vecdot,     "np.linalg.vecdot(a, b)",        "jnp.linalg.vecdot(a, b)",        "torch.linalg.vecdot(a, b)",
     also=["np.vecdot(a, b)", "jnp.vecdot(a, b)"])
say( c.outer,      "np.outer(a, b)",                "jnp.outer(a, b)",                "torch.outer(a, b)",
     also=["np.linalg.outer(a, b)", "jnp.linalg.outer(a, b)", "torch.ger(a, b)"])
say( c.tensordot,  "np.tensordot(a, b, axes=axes)", "jnp.tensordot(a, b, axes=axes)", "torch.tensordot(a, b, dims=axes)")
say( c.einsum,     "np.einsum(subscripts, *xs)",    "jnp.einsum(subscripts, *xs)",    "torch.einsum(subscripts, *xs)")
# fmt: on


@reads("np.dot", "jnp.dot")
def dot(reading: Reading, a: Any, b: Any) -> Any:
    """A product with a scalar, a matrix product, or, of more axes, every row of `a` with every column of `b`."""
    ranks = [reading.rank(x, "dot means another thing for each") for x in (a, b)]
    if 0 in ranks:
        return reading.op("multiply", a, b)
    if ranks[0] == 1 or ranks[1] <= 2:
        return reading.op(c.matmul, a, b)
    return tensordot(reading, a, b, axes=(-1, -2))


@reads("np.inner", "jnp.inner")
def inner(reading: Reading, a: Any, b: Any) -> Any:
    """Every row of `a` with every row of `b`; a product where one of them has no axes."""
    if 0 in [reading.rank(x, "inner means another thing for each") for x in (a, b)]:
        return reading.op("multiply", a, b)
    return tensordot(reading, a, b, axes=(-1, -1))


@reads("np.tensordot", "np.linalg.tensordot", "jnp.tensordot", "jnp.linalg.tensordot")
def tensordot(reading: Reading, a: Any, b: Any, axes: Any = 2) -> Any:
    """Single axes as tuples, which torch wants."""
    if isinstance(axes, (tuple, list)):
        axes = tuple(tuple(axis) if isinstance(axis, (tuple, list)) else (axis,) for axis in axes)
    return reading.op(c.tensordot, a, b, axes=axes)


@reads("torch.inner")
def torch_inner(reading: Reading, input: Any, other: Any) -> Any:
    return inner(reading, input, other)


@reads("np.vdot", "jnp.vdot")
def vdot(reading: Reading, a: Any, b: Any) -> Any:
    """The vectors conj(a) and b multiplied, whatever their axes."""
    return reading.op(c.vecdot, flat(reading, a), flat(reading, b))


@reads("torch.vdot")
def torch_vdot(reading: Reading, input: Any, other: Any) -> Any:
    return vdot(reading, input, other)


@reads("np.outer", "jnp.outer")
def outer(reading: Reading, a: Any, b: Any) -> Any:
    """NumPy's flattens its operands."""
    return reading.op(c.outer, flat(reading, a), flat(reading, b))


def flat(reading: Reading, x: Any) -> Any:
    vector = reading.rank(x, "it is to be flattened") == 1
    return x if vector else reading.op("reshape", x, shape=(-1,))


@reads("np.einsum", "jnp.einsum", "torch.einsum")
def einsum(reading: Reading, operands: Any, subscripts: Any = None, equation: Any = None) -> Any:
    """The form with a string. torch also takes the operands as one list, and widens ints where it sums an axis of one alone."""
    text = subscripts if equation is None else equation
    operands = operands[0] if len(operands) == 1 and isinstance(operands[0], (tuple, list)) else operands
    if not isinstance(text, str):
        raise Refusal("its axes are given as lists", 'einsum("ij,jk->ik", a, b) can be translated')
    terms, _, result = text.replace(" ", "").replace("...", "").partition("->")
    lone = "->" in text and {i for i in set(terms) - set(result) - {","} if sum(i in t for t in terms.split(",")) == 1}
    if lone and not any(o.spec.dtype is None or o.spec.dtype.is_inexact or o.spec.dtype.bits == 64 for o in operands):
        raise Refusal("torch sums small integers in int64 there, and the others do not", "sum the axis with sum() first")
    return reading.op(c.einsum, *operands, subscripts=text)
