"""How linear algebra is said. Same order as in ir/ops/linalg.py."""

from __future__ import annotations

from typing import Any

from ...ir.ops import linalg as l
from ...ir.sizes.dim import hint_of
from ..context import Reading, Refusal
from ..rows import reads, say
from .contraction import ranked

# fmt: off
say(l.solve,
    numpy="np.linalg.solve(a, b)",
    jax="jnp.linalg.solve(a, b)",
    torch="torch.linalg.solve(a, b)",
    types="""
        numpy: bool|integer>float float16|bfloat16>- float32 float64 complex, float64 of each
        jax: bool|integer>float float32 float64 complex
        torch: float32 float64 complex, alike
    """)
say(l.solve_triangular,
    numpy="scipy.linalg.solve_triangular(a, b, lower=lower, unit_diagonal=unit_diagonal)",
    jax="jax.scipy.linalg.solve_triangular(a, b, lower=lower, unit_diagonal=unit_diagonal)",
    torch="""
        torch.linalg.solve_triangular(a, b, upper=inverted(lower), unitriangular=unit_diagonal)
            if b: 2d|3d|4d|5d
    """,
    types="""
        numpy: integer>float64 bool|uint8|uint16|int8|int16|float16>float32 bfloat16>- float32 float64 complex
        torch: float32 float64 complex, alike, loose
    """)
say(l.inv,
    numpy="np.linalg.inv(x)",
    jax="jnp.linalg.inv(x)",
    torch="torch.linalg.inv(x)",
    reads="torch.inverse(x)",
    types="""
        numpy: bool|integer>float float16|bfloat16>- float32 float64 complex
        jax: bool|integer>float float32 float64 complex, strong
        torch: float32 float64 complex
    """)
say(l.det,
    numpy="np.linalg.det(x)",
    jax="jnp.linalg.det(x)",
    torch="torch.linalg.det(x)",
    reads="torch.det(x)",
    types="""
        numpy: bool|integer>float float16|bfloat16>- float32 float64 complex
        torch: float32 float64 complex
    """)
say(l.slogdet,
    numpy="np.linalg.slogdet(x) -> sign, logabsdet",
    jax="jnp.linalg.slogdet(x) -> sign, logabsdet",
    torch="torch.linalg.slogdet(x) -> sign, logabsdet",
    reads="torch.slogdet(x)",
    types="""
        numpy: bool|integer>float float16|bfloat16>- float32 float64 complex
        torch: float32 float64 complex
    """)
say(l.matrix_power,
    numpy="np.linalg.matrix_power(x, n)",
    jax="jnp.linalg.matrix_power(x, n)",
    torch="torch.linalg.matrix_power(x, n)",
    types="""
        numpy: bool integer float16 bfloat16>- float32 float64 complex
        torch: uint8 int inexact
    """)
# JAX takes the Hermitian part unless told not to; told so, it makes the upper factor of the lower triangle
# too.
say(l.cholesky,
    numpy="np.linalg.cholesky(x, upper=upper)",
    jax="""
        jnp.linalg.cholesky(x, upper=upper)  if symmetrize=True
        jnp.linalg.cholesky(x, symmetrize_input=False)
    """,
    torch="torch.linalg.cholesky(x, upper=upper)",
    reads="torch.cholesky(x, upper=upper)",
    types="""
        numpy: bool|integer>float float16|bfloat16>- float32 float64 complex
        jax: bool|integer>float float32 float64 complex
        torch: float32 float64 complex
    """)
say(l.svd,
    numpy="np.linalg.svd(x, full_matrices=full_matrices) -> U, S, Vh",
    jax="jnp.linalg.svd(x, full_matrices=full_matrices) -> U, S, Vh",
    torch="torch.linalg.svd(x, full_matrices=full_matrices) -> U, S, Vh",
    types="""
        numpy: bool|integer>float float16|bfloat16>- float32 float64 complex
        jax: bool|integer>float float32 float64 complex
        torch: float32 float64 complex
    """)
say(l.svdvals,
    numpy="np.linalg.svdvals(x)",
    jax="jnp.linalg.svdvals(x)",
    torch="torch.linalg.svdvals(x)",
    reads="""
        np.linalg.svd(x, compute_uv=False)
        np.linalg.svd(x, full_matrices=False, compute_uv=False)
        jnp.linalg.svd(x, compute_uv=False)
        jnp.linalg.svd(x, full_matrices=False, compute_uv=False)
    """,
    types="""
        numpy: bool|integer>float float16|bfloat16>- float32 float64 complex -> real
        jax: bool|integer>float float32 float64 complex -> real
        torch: float32 float64 complex -> real
    """)
say(l.eigh,
    numpy="np.linalg.eigh(x, UPLO=uplo) -> eigenvalues, eigenvectors",
    jax="""
        jnp.linalg.eigh(x) -> eigenvalues, eigenvectors                          if symmetrize=True
        jnp.linalg.eigh(x, symmetrize_input=False) -> eigenvalues, eigenvectors  if uplo='L'
        jnp.linalg.eigh(x, UPLO=uplo, symmetrize_input=False) -> eigenvalues, eigenvectors
    """,
    torch="torch.linalg.eigh(x, UPLO=uplo) -> eigenvalues, eigenvectors",
    types="""
        numpy: bool|integer>float float16|bfloat16>- float32 float64 complex -> real
        jax: bool|integer>float float32 float64 complex -> real
        torch: float32 float64 complex -> real
    """)
say(l.eigvalsh,
    numpy="np.linalg.eigvalsh(x, UPLO=uplo)",
    jax="""
        jnp.linalg.eigvalsh(x)  if symmetrize=True
        jnp.linalg.eigvalsh(x, UPLO=uplo, symmetrize_input=False)
    """,
    torch="torch.linalg.eigvalsh(x, UPLO=uplo)",
    types="""
        numpy: bool|integer>float float16|bfloat16>- float32 float64 complex -> real
        jax: bool|integer>float float32 float64 complex -> real
        torch: float32 float64 complex -> real
    """)
say(l.cross,
    numpy="np.linalg.cross(x, y, axis=axis)",
    jax="jnp.linalg.cross(x, y, axis=axis)",
    torch="torch.linalg.cross(x, y, dim=axis)",
    types="""
        numpy: bool>- num
        jax: num, strong
        torch: uint8 int inexact, alike
    """)
say(l.qr,
    numpy="""
        np.linalg.qr(x) -> Q, R                      if mode='reduced'
        np.linalg.qr(x, mode='complete') -> Q, R     if mode='complete'
    """,
    jax="""
        jnp.linalg.qr(x) -> Q, R                     if mode='reduced'
        jnp.linalg.qr(x, mode='complete') -> Q, R    if mode='complete'
    """,
    torch="""
        torch.linalg.qr(x) -> Q, R                   if mode='reduced'
        torch.linalg.qr(x, mode='complete') -> Q, R  if mode='complete'
    """,
    types="""
        numpy: bool|integer>float float16|bfloat16>- float32 float64 complex
        jax: bool|integer>float float32 float64 complex
        torch: float32 float64 complex
    """)
# fmt: on


@reads("np.linalg.solve", "jnp.linalg.solve")
def solve(reading: Reading, a: Any, b: Any) -> Any:
    """A stack of matrices gets as many axes as `a`: one less would be a stack of vectors for torch."""
    a, b, (rank, given) = ranked(reading, a, b)
    if 1 < given < rank:
        new = tuple(range(rank - given))
        b = reading.op("expand_dims", b, axis=new if len(new) > 1 else 0)
    return reading.op(l.solve, a, b)


@reads("torch.linalg.solve")
def torch_solve(reading: Reading, A: Any, B: Any, left: bool = True) -> Any:
    """torch takes B for a stack of vectors where its shape is A's without the last axis."""
    if not left:
        raise Refusal("left=False solves x @ A = B", "solve with the transposes of A and B")
    _, _, (rank, given) = ranked(reading, A, B)
    pairs = [*zip(A.spec.shape, B.spec.shape)] if 1 < given == rank - 1 else []
    unequal = next((pair for pair in pairs if hint_of(pair[0]) != hint_of(pair[1])), None)
    if unequal is not None:
        reading.other_size(*unequal, "torch.linalg.solve took B for matrices")
    if unequal is not None or not pairs:
        return reading.op(l.solve, A, B)
    for one, other in pairs:
        reading.same_size(one, other, "torch.linalg.solve took B for a stack of vectors")
    return reading.op("squeeze", reading.op(l.solve, A, reading.op("expand_dims", B, axis=-1)), axis=-1)


@reads("np.linalg.cross", "jnp.linalg.cross")
def linalg_cross(reading: Reading, x1: Any, x2: Any, axis: Any = -1) -> Any:
    """Of as many axes both, which torch demands."""
    x1, x2, ranks = ranked(reading, x1, x2)
    if ranks[0] != ranks[1] and axis != -1:
        raise Refusal("its operands differ in rank", "add axes of size 1 in front of one")
    more = [tuple(range(max(ranks) - rank)) for rank in ranks]
    x1, x2 = (reading.op("expand_dims", x, axis=new) if new else x for x, new in zip((x1, x2), more))
    return reading.op(l.cross, x1, x2, axis=axis)


@reads("np.cross", "jnp.cross")
def np_cross(reading: Reading, a: Any, b: Any, axis: Any = None) -> Any:
    return linalg_cross(reading, a, b, -1 if axis is None else axis)


@reads("torch.cross")
def cross(reading: Reading, input: Any, other: Any, dim: Any = None) -> Any:
    """Without a dim it is the first one of size 3."""
    if dim is None:
        _, _, (rank, _) = ranked(reading, input, other)
        why = "torch.cross looked for the first axis of size 3"
        sizes = [reading.known(size, why) for size in input.spec.shape]
        dim = next((axis for axis in range(rank) if sizes[axis] == 3), -1)
    return reading.op(l.cross, input, other, axis=dim)


@reads("torch.svd")
def svd(reading: Reading, input: Any, some: bool = True, compute_uv: bool = True) -> Any:
    """The old torch.svd gives V, not its adjoint, and by default the reduced factors."""
    if not compute_uv:
        raise Refusal("without U and V it gives zeros in their place", "torch.linalg.svdvals(x)")
    u, s, vh = reading.op(l.svd, input, full_matrices=not some)
    return u, s, reading.op("conj", reading.op("matrix_transpose", vh))


@reads("np.linalg.matrix_power", "jnp.linalg.matrix_power")
def matrix_power(reading: Reading, a: Any, n: Any) -> Any:
    """A negative power is one of the inverse, of ints too."""
    if not isinstance(n, int):
        raise Refusal("the power must be known while tracing")
    return reading.op(l.matrix_power, reading.op(l.inv, a) if n < 0 else a, n=abs(n))


@reads("torch.linalg.matrix_power", "torch.matrix_power")
def torch_matrix_power(reading: Reading, input: Any, n: Any) -> Any:
    return matrix_power(reading, input, n)
