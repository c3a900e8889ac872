"""Contractions: sums of products over axes that operands share."""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

import math
from functools import partial
from string import ascii_letters

from ..meaning.op import op as declare
from ..meaning.op import promote
from ..subscript import Subscript
from ..values.dtypes import float32
from .elementwise import cast, multiply
from .shape import matrix_transpose, reshape, sizes_of

#: One special number in a sum would hide all the others.
op = partial(declare, domain="finite")


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


@matmul.gradient
def _(g, c, a, b):
    if a.rank == b.rank == 1:
        return g * b, g * a
    if b.rank == 1:
        return g[..., None] * b, of_vector(matrix_transpose(a), g)
    if a.rank == 1:
        return of_vector(b, g), a[:, None] * g[..., None, :]
    return matmul(g, matrix_transpose(b)), matmul(matrix_transpose(a), g)


def of_vector(a, x):
    """The products of a stack of matrices and one of vectors."""
    return matmul(a, x) if x.rank == 1 else matmul(a, x[..., None])[..., 0]


@op("A[#~ n] B[#~ n] -> C[~]", dtype=promote)
def vecdot(a, b):
    """The sum of conj(a) * b along the last axis."""
    ...


@op(
    "A[] B[*b] -> C[*b]",
    "A[*a] B[] -> C[*a]",
    "A[*a j] B[j] -> C[*a]",
    "A[*a j] B[*b j k] -> C[*a *b k]",
    dtype=promote,
)
def dot(a, b):
    """Every row of `a` times every column of `b`; a product where one of them has no axes."""
    if 0 in (a.rank, b.rank):
        return multiply(a, b)
    return matmul(a, b) if a.rank == 1 or b.rank <= 2 else tensordot(a, b, axes=((-1,), (-2,)))


@op("A[] B[*b] -> C[*b]", "A[*a] B[] -> C[*a]", "A[*a j] B[*b j] -> C[*a *b]", dtype=promote)
def inner(a, b):
    """Every row of `a` times every row of `b`; a product where one of them has no axes."""
    if 0 in (a.rank, b.rank):
        return multiply(a, b)
    return tensordot(a, b, axes=((-1,), (-1,)))


def flat(x):
    """x with one axis."""
    return x if x.rank == 1 else reshape(x, shape=(-1,))


@op("A[*a] B[*b] -> C[]", dtype=promote)
def vdot(a, b):
    """The sum of conj(a) * b over all axes."""
    return vdot(flat(a), flat(b))


def crossed(a, b):
    return None if a is None or b is None else (math.prod(a), math.prod(b))


@op(dtype=promote, shape=crossed)
def outer(a, b):
    """Every element of `a` times every element of `b`, whatever their axes."""
    return outer(flat(a), flat(b))


@op(
    "X[*x] A[i j] B[j k] -> Y[i k]",
    "X[*x] A[i j] B[j] -> Y[i]",
    "X[*x] A[n i j] B[n j k] -> Y[n i k]",
    dtype=promote,
    samples={
        "shapes": (
            ((3, 5), (3, 4), (4, 5)),
            ((5,), (3, 4), (4, 5)),
            ((3,), (3, 4), (4,)),
            ((2, 3, 5), (2, 3, 4), (2, 4, 5)),
        ),
        "beta": (1, 0, 0.5),
        "alpha": (1, 2),
    },
)
def addmm(x, a, b, *, beta=1, alpha=1):
    """beta * x + alpha * a @ b, where x broadcasts; an x with a beta of 0 is not even looked at."""
    if x.dtype.bits == 16 and (beta, alpha) != (1, 1):  # which such a float may not hold
        wide = (cast(v, dtype=float32) for v in (x, a, b))
        return cast(addmm(*wide, beta=beta, alpha=alpha), dtype=x.dtype)
    product = matmul(a, b) if alpha == 1 else matmul(a, b) * alpha
    if beta == 0:
        return product
    return (x if beta == 1 else x * beta) + product


def tensordot_shape(a, b, *, axes):
    if a is None or b is None:
        return None
    first, second = list(ascii_letters[: len(a)]), list(ascii_letters[len(a) : len(a) + len(b)])
    whole = isinstance(axes, int)
    pair = (range(len(a) - axes, len(a)), range(axes)) if whole else map(sizes_of, axes)
    for i, j in zip(*pair, strict=True):
        second[j] = first[i]
    kept = "".join(label for label in first + second if (first + second).count(label) == 1)
    return einsum_shape(a, b, subscripts=f"{''.join(first)},{''.join(second)}->{kept}")


def einsum_shape(*shapes, subscripts):
    if any(shape is None for shape in shapes):
        return None
    return Subscript.from_einsum(subscripts).match(shapes).raise_if_bad(node="einsum").outputs[0]


#: By their number, and one by one.
AXES = (2, 1, 0, ((1,), (0,)), ((0,), (1,)), ((0, 1), (0, 1)), ((-1,), (0,)))


@op(dtype=promote, shape=tensordot_shape, samples={"axes": AXES})
def tensordot(a, b, *, axes=2):
    """Sum over axes of `a` and of `b`, a pair of tuples; an int is for so many last ones and first ones."""
    ...


PRODUCTS = "ij,jk->ik ij,kj->ki ijk->ik ij,ij-> ij->ji ...ij,...jk->...ik i,j->ij ijk,ijl->ikl ii->i i,i->"


@op(dtype=promote, shape=einsum_shape, samples={"subscripts": PRODUCTS.split()})
def einsum(*xs, subscripts):
    """The sum of products that `subscripts` spells, a letter for each axis: "bij,bjk->bik"."""
    ...


def summed_together(subscripts: str) -> dict[str, list[tuple[int, int]]]:
    """The letters of an einsum over which it sums and that several operands have, each with the numbers of
    these and its axes in them, counted from the end behind an ellipsis.
    """
    before, arrow, result = subscripts.replace(" ", "").partition("->")
    found: dict[str, list[tuple[int, int]]] = {}
    for number, term in enumerate(before.split(",")):
        first, dots, last = term.partition("...")
        for axis, letter in enumerate(first):
            found.setdefault(letter, []).append((number, axis))
        for axis, letter in enumerate(last, -len(last)):
            found.setdefault(letter, []).append((number, axis))
    kept = result if arrow else {letter for letter, places in found.items() if len(places) == 1}
    several = {letter: places for letter, places in found.items() if len({n for n, _ in places}) > 1}
    return {letter: places for letter, places in several.items() if letter not in kept}


def only_multiplies(subscripts: str) -> bool:
    """Whether an einsum that takes its operands from the left sums nothing over some of them: an outer
    product, or one by elements.
    """
    terms = subscripts.replace(" ", "").partition("->")[0].split(",")
    summed = summed_together(subscripts).values()
    last = {max(number for number, _ in places) for places in summed}
    return not last.issuperset(range(1, len(terms)))
