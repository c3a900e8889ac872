"""Contractions: sums of products over axes that operands share."""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

from string import ascii_letters

from ..op import op, promote
from ..subscript import Subscript


@op(
    "A[j] B[j] -> C[]",
    "A[j] B[#~ j k] -> C[~ k]",
    "A[#~ i j] B[j] -> C[~ i]",
    "A[#~ i j] B[#~ j k] -> C[~ i k]",
    dtype=promote,
)
def matmul(a, b):
    """The matrix product. Axes before the last two broadcast; an operand of one axis is a vector."""
    ...


@op("A[#~ n] B[#~ n] -> C[~]", dtype=promote)
def vecdot(a, b):
    """The sum of conj(a) * b along the last axis."""
    ...


@op("A[i] B[j] -> C[i j]", dtype=promote)
def outer(a, b):
    """Every element of one vector times every element of the other."""
    ...


def tensordot_shape(a, b, *, axes):
    if a is None or b is None:
        return None
    first, second = list(ascii_letters[: len(a)]), list(ascii_letters[len(a) : len(a) + len(b)])
    pair = (range(len(a) - axes, len(a)), range(axes)) if isinstance(axes, int) else axes
    for i, j in zip(*pair, strict=True):
        second[j] = first[i]
    kept = "".join(label for label in first + second if (first + second).count(label) == 1)
    return einsum_shape(a, b, subscripts=f"{''.join(first)},{''.join(second)}->{kept}")


def einsum_shape(*shapes, subscripts):
    if any(shape is None for shape in shapes):
        return None
    return Subscript.from_einsum(subscripts).match(shapes).raise_if_bad(node="einsum").outputs[0]


@op(dtype=promote, shape=tensordot_shape)
def tensordot(a, b, *, axes=2):
    """Sum over axes of `a` and of `b`, a pair of tuples; an int is for so many last ones and first ones."""
    ...


@op(dtype=promote, shape=einsum_shape)
def einsum(*xs, subscripts):
    """The sum of products that `subscripts` spells, a letter for each axis: "bij,bjk->bik"."""
    ...
