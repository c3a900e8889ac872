"""Linear algebra of stacks of matrices. Factors are unique up to signs only, and compared so."""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

from functools import partial

from ..bodies.building import only_if
from ..errors import ShapeError
from ..meaning.op import inexact, promote, real
from ..meaning.op import op as declare
from ..sizes.dim import hint_of, minimum
from ..subscript import Subscript
from .contraction import matmul
from .elementary import conj
from .shape import matrix_transpose

#: One special number would be everywhere in the result.
op = partial(declare, domain="finite", tolerance="linalg")
SIGNS = "its factors are unique up to signs"


def adjoint(x):
    """The conjugate transpose."""
    transposed = matrix_transpose(x)
    return conj(transposed) if x.dtype.kind == "complex" else transposed


def symmetric(x):
    """The Hermitian part."""
    return (x + adjoint(x)) / 2


@op(
    "A[#~ n n] B[n] -> X[~ n]",
    "A[#~ n n] B[#~ n k] -> X[~ n k]",
    dtype=inexact,
    raises="some",
    domain="finite, a: invertible", excludes="infinities",
)
def solve(a, b):
    """The x of a @ x = b. A `b` of one axis is a vector, any other a stack of matrices."""
    ...


@solve.gradient
def _(g, x, a, b):
    if b.rank > 1:
        found = solve(matrix_transpose(a), g)
        return -matmul(found, matrix_transpose(x)), found
    found = solve(matrix_transpose(a), g if g.rank == 1 else g[..., None])
    found = found if g.rank == 1 else found[..., 0]
    return -found[..., None] * x[..., None, :], found


@op(
    "A[n n] B[n] -> X[n]",
    "A[~ n n] B[~ n k] -> X[~ n k]",
    dtype=inexact,
    raises="some",
    domain="finite, a: invertible", excludes="infinities",
)
def solve_triangular(a, b, *, lower=False, unit_diagonal=False):
    """The x of a @ x = b. One triangle of a is read; `unit_diagonal`: its diagonal is ones."""
    only_if(b.rank == 1)
    return solve_triangular(a, b[..., None], lower=lower, unit_diagonal=unit_diagonal)[..., 0]


@op("A[~ n n] -> X[~ n n]", dtype=inexact, raises="some", domain="invertible", excludes="infinities")
def inv(x):
    """The inverse."""
    ...


@op("A[~ n n] -> X[~]", dtype=inexact, domain="invertible", excludes="infinities")
def det(x):
    """The determinant."""
    ...


@op("A[~ n n] -> S[~] L[~]", dtype=(inexact, real), domain="invertible", excludes="infinities")
def slogdet(x):
    """Sign (of modulus 1) and logarithm of the modulus of the determinant."""
    ...


@op(
    "A[~ i i] -> X[~ i i]",
    dtype=promote,
    raises="some",
    domain="small",
    samples={"n": (2, 0, 1, 3)},
    tolerance="reduction", excludes="infinities",
)
def matrix_power(x, *, n):
    """x @ ... @ x, `n` times; the identity for 0."""
    ...


@op("A[~ n n] -> L[~ n n]", dtype=inexact, raises="some", domain="definite", excludes="infinities")
def cholesky(x, *, upper=False, symmetrize=False):
    """The lower factor of x = L @ L.H, of whose x only the lower triangle is read.

    With `upper` it is U of x = U.H @ U, and the upper triangle; with `symmetrize` x is first made Hermitian.
    """
    if symmetrize:
        return cholesky(symmetric(x), upper=upper)
    only_if(upper)
    return adjoint(cholesky(adjoint(x)))


def factors(x, *, full_matrices):
    if x is None:
        return [None, None, None]
    *batch, m, n = x
    k = minimum(m, n)
    u, v = (m, n) if full_matrices else (k, k)
    return [(*batch, m, u), (*batch, k), (*batch, v, n)]


@op(
    dtype=(inexact, real, inexact), shape=factors, raises="some", samples=SIGNS, excludes="infinities",
    factors=(0, 2),
)
def svd(x, *, full_matrices=True):
    """U, singular values in descending order, and the adjoint of V, so that x = U @ diag(S) @ Vh."""
    ...


@op("A[~ m n] -> S[~ k] where k = min(m, n)", dtype=real, raises="some", excludes="infinities")
def svdvals(x):
    """Singular values in descending order."""
    ...


@op(
    "A[~ n n] -> W[~ n] V[~ n n]", dtype=(real, inexact), raises="some", samples=SIGNS, excludes="infinities",
    factors=(1,),
)
def eigh(x, *, uplo="L", symmetrize=False):
    """Eigenvalues in ascending order and eigenvectors of the Hermitian matrix of which one triangle is read.

    With `symmetrize` x is replaced by its Hermitian part.
    """
    only_if(symmetrize)
    return eigh(symmetric(x), uplo=uplo)


@op(
    "A[~ n n] -> W[~ n]",
    dtype=real,
    raises="some",
    domain="definite",
    samples={"uplo": ("L", "U")}, excludes="infinities",
)
def eigvalsh(x, *, uplo="L", symmetrize=False):
    """The eigenvalues of `eigh`."""
    only_if(symmetrize)
    return eigvalsh(symmetric(x), uplo=uplo)


def crossed(x, y, *, axis):
    if x is None or y is None:
        return None
    shape = Subscript("X[#~] Y[#~] -> Z[~]").match((x, y)).raise_if_bad(node="cross").outputs[0]
    if any(hint_of(s[axis]) != 3 for s in (x, y)):
        raise ShapeError(f"cross needs axes of size 3, not {x[axis]} and {y[axis]}")
    return shape


@op(dtype=promote, shape=crossed)
def cross(x, y, *, axis=-1):
    """The vector that is orthogonal to x and y along `axis`, as long as the area between them."""
    ...


def q_and_r(x, *, mode):
    if x is None:
        return [None, None]
    *batch, m, n = x
    k = minimum(m, n) if mode == "reduced" else m
    return [(*batch, m, k), (*batch, k, n)]


@op(dtype=(inexact, inexact), shape=q_and_r, samples=SIGNS, excludes="infinities", factors=(0, 1))
def qr(x, *, mode="reduced"):
    """Q with orthonormal columns and an upper triangular R, so that x = Q @ R. "complete" makes Q square."""
    ...
