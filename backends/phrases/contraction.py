"""How contractions are said. Same order as in ir/ops/contraction.py."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.meaning.operands import scalar
from ...ir.ops import contraction as c
from ...ir.ops.contraction import summed_together
from ..context import Reading, Refusal
from ..rows import FOR_NUMBERS, alike, reads, say

# fmt: off
alike(c.matmul, written="a @ b",
    reads="""
        jnp.linalg.matmul(a, b)
        jax.lax.batch_matmul(a, b)
        jax.lax.dot(a, b)
        torch.mm(a, b)
        torch.bmm(a, b)
        torch.mv(a, b)
        torch.dot(a, b)
    """,
    types="""
        numpy: bool integer float16 float32 float64 complex
        torch: uint8 int inexact, alike, tensors
    """)
say(c.vecdot,
    numpy="np.linalg.vecdot(a, b)",
    jax="jnp.linalg.vecdot(a, b)",
    torch="torch.linalg.vecdot(a, b)",
    reads="""
        np.vecdot(a, b)
        jnp.vecdot(a, b)
    """,
    types="""
        numpy: bool integer float16 float32 float64 complex
        torch: inexact, alike
    """)
say(c.dot,
    numpy="np.dot(a, b)  if a: array, b: array",
    jax="jnp.dot(a, b)   if a: array, b: array",
    types="""
        numpy: bool integer float16 float32 float64 complex
        torch: uint8 int inexact, alike
    """)
say(c.inner,
    numpy="np.inner(a, b)  if a: array, b: array",
    jax="jnp.inner(a, b)   if a: array, b: array",
    torch="torch.inner(a, b)       if a: 1d|2d|3d|4d|5d, b: 1d|2d|3d|4d|5d",
    types="""
        numpy: bool integer float16 float32 float64 complex
        torch: uint8 int inexact, alike
    """)
say(c.vdot,
    numpy="np.vdot(a, b)     if a: array, b: array",
    jax="jnp.vdot(a, b)      if a: array, b: array",
    torch="torch.vdot(a, b)  if a: 1d, b: 1d",
    types="""
        numpy: bool integer float16 float32 float64 complex
        torch: uint8 int inexact, alike
    """)
say(c.outer,
    numpy="np.outer(a, b)       if a: array, b: array",
    jax="jnp.outer(a, b)        if a: array, b: array",
    torch="torch.outer(a, b)    if a: 1d, b: 1d",
    reads="""
        np.linalg.outer(a, b)   if a: 1d, b: 1d
        jnp.linalg.outer(a, b)  if a: 1d, b: 1d
        torch.ger(a, b)         if a: 1d, b: 1d
    """,
    types="torch: any")
say(c.tensordot,
    numpy="np.tensordot(a, b, axes=axes)",
    jax="jnp.tensordot(a, b, axes=axes)",
    torch="torch.tensordot(a, b, dims=paired(axes))",
    reads="""
        np.linalg.tensordot(a, b, axes=axes)
        jnp.linalg.tensordot(a, b, axes=axes)
        torch.tensordot(a, b, dims=axes)
    """,
    types="""
        numpy: bool integer float16 float32 float64 complex
        torch: uint8 int inexact, alike
    """)
say(c.addmm,
    torch="""
        torch.addmm(x, a, b)                                   if a: 2d, b: 2d, beta=1, alpha=1
        torch.addmv(x, a, b)                                   if a: 2d, b: 1d, beta=1, alpha=1
        torch.baddbmm(x, a, b)                                 if a: 3d, b: 3d, beta=1, alpha=1
        torch.addmm(x, a, b, beta=beta, alpha=alpha)           if a: 2d, b: 2d
        torch.addmv(x, a, b, beta=beta, alpha=alpha)           if a: 2d, b: 1d
        torch.baddbmm(x, a, b, beta=beta, alpha=alpha)         if a: 3d, b: 3d
    """,
    reads="""
        torch.Tensor.addmm(x, a, b)                            if a: 2d, b: 2d, beta=1, alpha=1
        torch.Tensor.addmv(x, a, b)                            if a: 2d, b: 1d, beta=1, alpha=1
        torch.Tensor.baddbmm(x, a, b)                          if a: 3d, b: 3d, beta=1, alpha=1
        torch.Tensor.addmm(x, a, b, beta=beta, alpha=alpha)    if a: 2d, b: 2d
        torch.Tensor.addmv(x, a, b, beta=beta, alpha=alpha)    if a: 2d, b: 1d
        torch.Tensor.baddbmm(x, a, b, beta=beta, alpha=alpha)  if a: 3d, b: 3d
    """,
    types="""
        numpy: bool integer float16 float32 float64 complex
        torch: uint8 int inexact, alike
    """)
say(c.einsum,
    numpy="np.einsum(subscripts, *xs)",
    jax="jnp.einsum(subscripts, *xs)",
    torch="torch.einsum(subscripts, *xs)",
    types="""
        numpy: any bfloat16>-
        torch: uint8 int inexact, alike
    """,
    gives="numpy torch: alone")
# fmt: on
for _op in (c.matmul, c.dot):
    FOR_NUMBERS[_op.name] = "write a product with *, or make it an array with a dtype"


#: Why no number is an operand, and what to do.
OF_NUMBERS = "a Python number is an array of its own dtype here", "multiply by it with *"


def ranked(reading: Reading, a: Any, b: Any) -> tuple[Any, Any, list[int]]:
    """Operands, lists of numbers as arrays, and their ranks."""
    a, b = reading.operand(a), reading.operand(b)
    if not isinstance(a, Node) or not isinstance(b, Node):
        raise Refusal(*OF_NUMBERS)
    return a, b, [reading.rank(x, "it means another thing for each") for x in (a, b)]


@reads("np.einsum", "jnp.einsum", "torch.einsum")
def einsum(reading: Reading, operands: Any, subscripts: Any = None, equation: Any = None) -> Any:
    """The form with a string; torch also takes one list of operands."""
    text = subscripts if equation is None else equation
    operands = operands[0] if len(operands) == 1 and isinstance(operands[0], (tuple, list)) else operands
    if not isinstance(text, str):
        raise Refusal("its axes are given as lists", 'einsum("ij,jk->ik", a, b) can be translated')
    if text.count(",") + 1 != len(operands):
        raise Refusal(f"it is of {text.count(',') + 1} arrays, and is given {len(operands)}")
    operands = [reading.operand(o) for o in operands]
    if any(map(scalar, operands)):
        raise Refusal(*OF_NUMBERS)
    text = spelled_out(reading, text, operands)
    found = [o.spec.dtype for o in operands]
    if sums_alone(text):
        if not any(d is None or d.is_inexact or d.bits == 64 for d in found):
            raise Refusal(
                "torch sums small integers in int64 there, others do not", "sum the axis with sum() first"
            )
        reading.pin()
    why = "torch sums an axis alone that has one element in the others"
    for places in summed_together(text).values() if not any(d is None or d.is_inexact for d in found) else ():
        reading.rank(operands[places[0][0]], why)
        first, *others = (operands[number].spec.shape[axis] for number, axis in places)
        for size in others:
            reading.same_size(first, size, why)
    return reading.op(c.einsum, *operands, subscripts=text)


def spelled_out(reading: Reading, equation: str, operands: Sequence[Node]) -> str:
    """An equation with letters for the axes of an ellipsis over which it sums, as NumPy wants them."""
    before, arrow, result = equation.replace(" ", "").partition("->")
    if not arrow or "..." not in before or "..." in result:
        return equation
    terms = before.split(",")
    ranks = [reading.rank(each, "an ellipsis stands for the others of its axes") for each in operands]
    counts = [rank - len(term) + 3 if "..." in term else 0 for term, rank in zip(terms, ranks)]
    free = [letter for letter in string.ascii_lowercase if letter not in equation][: max(counts)]
    letters = ("".join(free[max(counts) - count :]) for count in counts)
    terms = [term.replace("...", said) for term, said in zip(terms, letters)]
    return f"{','.join(terms)}->{result}"


def sums_alone(equation: str) -> bool:
    """Whether an axis that only one operand has is summed: torch does that before it multiplies."""
    before, arrow, result = equation.replace(" ", "").replace("...", "").partition("->")
    labels = before.replace(",", "")
    kept = result if arrow else {label for label in labels if labels.count(label) == 1}
    return any(label not in kept and sum(label in t for t in before.split(",")) == 1 for label in labels)
