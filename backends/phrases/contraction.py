"""How contractions are said. Same order as in ir/ops/contraction.py."""

from __future__ import annotations

from typing import Any

from ...ir.graph import Node
from ...ir.ops import contraction as c
from ..reading import Reading, Refusal
from ..rows import reads, say

# fmt: off
#    op            numpy                            jax                               torch
say( c.matmul,     "a @ b",                         "a @ b",                          "a @ b",
     also=["np.matmul(a, b)", "jnp.matmul(a, b)", "jnp.linalg.matmul(a, b)", "jax.lax.batch_matmul(a, b)", "jax.lax.dot(a, b)", "torch.matmul(a, b)",
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
    a, b, ranks = ranked(reading, a, b)
    if 0 in ranks:
        return reading.op("multiply", a, b)
    if ranks[0] == 1 or ranks[1] <= 2:
        return reading.op(c.matmul, a, b)
    return tensordot(reading, a, b, axes=(-1, -2))


@reads("np.inner", "jnp.inner")
def inner(reading: Reading, a: Any, b: Any) -> Any:
    """Every row of `a` with every row of `b`; a product where one of them has no axes."""
    a, b, ranks = ranked(reading, a, b)
    if 0 in ranks:
        return reading.op("multiply", a, b)
    if ranks[1] <= 2:
        return reading.op(c.matmul, a, b if ranks[1] == 1 else reading.op("permute_dims", b))
    return tensordot(reading, a, b, axes=(-1, -1))


@reads("torch.inner")
def torch_inner(reading: Reading, input: Any, other: Any) -> Any:
    return inner(reading, input, other)


@reads("np.vdot", "jnp.vdot")
def vdot(reading: Reading, a: Any, b: Any) -> Any:
    """The vectors conj(a) and b multiplied, whatever their axes."""
    vectors = flat(reading, a, b)
    real = all(x.spec.dtype is not None and x.spec.dtype.kind != "complex" for x in vectors)
    return reading.op(c.matmul if real else c.vecdot, *vectors)


@reads("torch.vdot")
def torch_vdot(reading: Reading, input: Any, other: Any) -> Any:
    return vdot(reading, input, other)


@reads("np.outer", "jnp.outer")
def outer(reading: Reading, a: Any, b: Any) -> Any:
    """NumPy's flattens its operands."""
    return reading.op(c.outer, *flat(reading, a, b))


@reads("np.tensordot", "np.linalg.tensordot", "jnp.tensordot", "jnp.linalg.tensordot")
def tensordot(reading: Reading, a: Any, b: Any, axes: Any = 2) -> Any:
    """Single axes as tuples, which torch wants."""
    if isinstance(axes, (tuple, list)):
        axes = tuple(tuple(axis) if isinstance(axis, (tuple, list)) else (axis,) for axis in axes)
    return reading.op(c.tensordot, a, b, axes=axes)


@reads("torch.addmm")
def addmm(reading: Reading, input: Any, mat1: Any, mat2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * mat1 @ mat2; an input with a beta of 0 is not even looked at."""
    product = reading.op(c.matmul, mat1, mat2)
    product = product if alpha == 1 else reading.op("multiply", product, alpha)
    if beta == 0:
        return product
    return reading.op("add", input if beta == 1 else reading.op("multiply", input, beta), product)


@reads("torch.addmv")
def addmv(reading: Reading, input: Any, mat: Any, vec: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    return addmm(reading, input, mat, vec, beta, alpha)


@reads("torch.baddbmm")
def baddbmm(reading: Reading, input: Any, batch1: Any, batch2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    return addmm(reading, input, batch1, batch2, beta, alpha)


def ranked(reading: Reading, a: Any, b: Any) -> tuple[Any, Any, list[int]]:
    """Operands, lists of numbers as arrays, and their ranks."""
    a, b = reading.operand(a), reading.operand(b)
    if not isinstance(a, Node) or not isinstance(b, Node):
        raise Refusal("a Python number is an array of its own dtype here", "multiply by it with *")
    return a, b, [reading.rank(x, "it means another thing for each") for x in (a, b)]


def flat(reading: Reading, a: Any, b: Any) -> list[Any]:
    a, b, ranks = ranked(reading, a, b)
    return [x if rank == 1 else reading.op("reshape", x, shape=(-1,)) for x, rank in zip((a, b), ranks)]


@reads("np.einsum", "jnp.einsum", "torch.einsum")
def einsum(reading: Reading, operands: Any, subscripts: Any = None, equation: Any = None) -> Any:
    """The form with a string; torch also takes one list of operands."""
    text = subscripts if equation is None else equation
    operands = operands[0] if len(operands) == 1 and isinstance(operands[0], (tuple, list)) else operands
    if not isinstance(text, str):
        raise Refusal("its axes are given as lists", 'einsum("ij,jk->ik", a, b) can be translated')
    found = [o.spec.dtype for o in operands]
    if sums_alone(text) and not any(d is None or d.is_inexact or d.bits == 64 for d in found):
        raise Refusal(
            "torch sums small integers in int64 there, others do not", "sum the axis with sum() first"
        )
    return reading.op(c.einsum, *operands, subscripts=text)


def sums_alone(equation: str) -> bool:
    """Whether an axis that only one operand has is summed: torch does that by itself, before it multiplies."""
    before, arrow, result = equation.replace(" ", "").replace("...", "").partition("->")
    labels = before.replace(",", "")
    kept = result if arrow else {label for label in labels if labels.count(label) == 1}
    return any(label not in kept and sum(label in t for t in before.split(",")) == 1 for label in labels)
