"""Linear algebra: every spelling, into every framework, against the framework that it was written for."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.linalg
import numpy as np
import pytest
import scipy.linalg
import torch
from calls import every, normal

array = functools.partial(normal, np.random.default_rng(0))
MODULES = {"numpy": np.linalg, "jax": jnp.linalg, "torch": torch.linalg}
DTYPES = ["float32", "float64", "complex64"]


def positive(*shape: int, dtype: str = "float32") -> np.ndarray[Any, Any]:
    """Hermitian and positive definite."""
    x = array(*shape, dtype=dtype)
    return (x @ np.conj(np.swapaxes(x, -1, -2)) + 4 * np.eye(shape[-1])).astype(dtype)


OF_ONE_MATRIX = ("inv", "det", "slogdet", "cholesky", "svdvals", "eigvalsh")


@pytest.mark.parametrize("source", MODULES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_of_one_matrix(same, source, dtype):
    functions = [getattr(MODULES[source], name) for name in OF_ONE_MATRIX]
    for shape in ((3, 3), (2, 3, 3)):
        same(every(functions), positive(*shape, dtype=dtype), source=source, kind="linalg")


@pytest.mark.parametrize("source", ["numpy", "jax"])
def test_ints_become_floats(same, source):
    functions = [getattr(MODULES[source], name) for name in OF_ONE_MATRIX]
    same(every(functions), np.array([[4, 1], [1, 3]], "int32"), source=source, kind="linalg")


# What reads one triangle only must read the same one everywhere.


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("upper", [False, True])
def test_cholesky_reads_one_triangle(same, upper, dtype):
    x = positive(3, 3, dtype=dtype) + np.triu(array(3, 3, dtype=dtype), 1)
    if upper:
        x = np.conj(x.T).copy()
    same(lambda x: np.linalg.cholesky(x, upper=upper), x, source="numpy", kind="linalg")
    same(lambda x: torch.linalg.cholesky(x, upper=upper), x, source="torch", kind="linalg")
    same(lambda x: torch.cholesky(x, upper), x, source="torch", kind="linalg")


@pytest.mark.parametrize("upper", [False, True])
def test_jax_takes_the_hermitian_part(same, upper):
    x = positive(3, 3, dtype="complex64") + 0.1 * array(3, 3, dtype="complex64")
    same(lambda x: jnp.linalg.cholesky(x, upper=upper), x, source="jax", kind="linalg")
    same(lambda x: jnp.linalg.eigvalsh(x), x, source="jax", kind="linalg")
    same(lambda x: jnp.linalg.eigh(x)[0], x, source="jax", kind="linalg")
    same(lambda x: jnp.linalg.cholesky(x, symmetrize_input=False), x, source="jax", kind="linalg")
    same(lambda x: jnp.linalg.eigh(x, UPLO="U", symmetrize_input=False)[0], x, source="jax", kind="linalg")


@pytest.mark.parametrize("uplo", ["L", "U"])
def test_eigh_reads_one_triangle(same, uplo):
    for dtype in DTYPES:
        x = array(4, 4, dtype=dtype)
        same(lambda x: np.linalg.eigh(x, uplo).eigenvalues, x, source="numpy", kind="linalg")
        same(lambda x: torch.linalg.eigh(x, UPLO=uplo)[0], x, source="torch", kind="linalg")
        same(lambda x: np.linalg.eigvalsh(x, UPLO=uplo), x, source="numpy", kind="linalg")


# Factors are compared by what they multiply to.


def rebuilt_eigh(eigh: Callable[..., Any]) -> Callable[..., Any]:
    def f(x: Any) -> Any:
        w, v = eigh(x)
        return (v * w[..., None, :]) @ v.mT.conj()

    return f


def rebuilt_svd(svd: Callable[..., Any], **kwargs: Any) -> Callable[..., Any]:
    def f(x: Any) -> Any:
        u, s, vh = svd(x, **kwargs)
        return (u * s[..., None, :]) @ vh, s

    return f


@pytest.mark.parametrize("source", MODULES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_factors(same, source, dtype):
    module = MODULES[source]
    same(rebuilt_eigh(module.eigh), positive(2, 3, 3, dtype=dtype), source=source, kind="linalg")
    for shape in ((4, 3), (2, 3, 4)):
        same(
            rebuilt_svd(module.svd, full_matrices=False),
            array(*shape, dtype=dtype),
            source=source,
            kind="linalg",
        )
        same(
            lambda x: [q @ r for q, r in [module.qr(x)]],
            array(*shape, dtype=dtype),
            source=source,
            kind="linalg",
        )
    # Full factors: the shapes, and that they are unitary.
    same(
        lambda x: [u @ u.mT.conj() for u in module.svd(x)[::2]],
        array(4, 3, dtype=dtype),
        source=source,
        kind="linalg",
    )
    same(
        lambda x: module.qr(x, mode="complete")[0].mT.conj() @ module.qr(x, mode="complete")[1],
        array(4, 3, dtype=dtype),
        source=source,
        kind="linalg",
    )


def test_names_of_factors(same):
    x = positive(3, 3)
    same(lambda x: np.linalg.svd(x).S, x, source="numpy", kind="linalg")
    same(lambda x: torch.linalg.slogdet(x).logabsdet, x, source="torch", kind="linalg")
    same(lambda x: np.linalg.svd(x, compute_uv=False), x, source="numpy", kind="linalg")
    same(lambda x: jnp.linalg.svd(x, full_matrices=False, compute_uv=False), x, source="jax", kind="linalg")
    same(lambda x: abs(np.linalg.qr(x).R), x, source="numpy", kind="linalg")


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_old_torch_svd_gives_v(same, dtype):
    def f(x: Any) -> Any:
        u, s, v = torch.svd(x)
        return (u * s) @ v.mT.conj()

    same(f, array(4, 3, dtype=dtype), source="torch", kind="linalg")
    same(lambda x: abs(x.svd(some=False)[2]), array(3, 4, dtype=dtype)[:, :3], source="torch", kind="linalg")


# solve: what is a vector.

SYSTEMS = {
    "vector": ((3, 3), (3,)),
    "matrix": ((3, 3), (3, 2)),
    "stack": ((2, 3, 3), (2, 3, 4)),
    "one matrix for all": ((2, 3, 3), (3, 4)),
    "one vector for all": ((2, 3, 3), (3,)),
    "one system": ((3, 3), (2, 3, 4)),
    "broadcast": ((4, 1, 3, 3), (2, 3, 1)),
}


@pytest.mark.parametrize("source", MODULES)
def test_solve(same, source):
    solve = MODULES[source].solve
    systems = [(positive(*a), array(*b)) for a, b in SYSTEMS.values()]
    same(lambda systems: [solve(a, b) for a, b in systems], systems, source=source, kind="linalg")


@pytest.mark.parametrize("source", MODULES)
def test_solve_where_torch_sees_vectors(same, source):
    solve = MODULES[source].solve
    same(lambda a, b: solve(a, b), positive(2, 2, 2), array(2, 2), source=source, kind="linalg")
    if source == "torch":
        same(lambda a, b: solve(a, b), positive(3, 2, 2, 2), array(3, 2, 2), source=source, kind="linalg")


def test_solve_promotes(same):
    same(
        lambda a, b: np.linalg.solve(a, b),
        positive(2, 2),
        np.array([1, 2], "int64"),
        source="numpy",
        kind="linalg",
    )
    same(
        lambda a, b: np.linalg.solve(a, b),
        positive(2, 2),
        array(2, dtype="float64"),
        source="numpy",
        kind="linalg",
    )


def test_cross(same, refused):
    x, y = array(3, 4, 3), array(4, 3)
    same(lambda x, y: [np.linalg.cross(x, y), np.linalg.cross(y, x)], x, y, source="numpy")
    same(lambda x, y: [jnp.linalg.cross(x, y), jnp.linalg.cross(y, x)], x, y, source="jax")
    same(lambda x, y: torch.linalg.cross(x, y[None]), x, y, source="torch")
    same(lambda x, y: np.cross(x, y), x, y, source="numpy")
    same(
        lambda x: [np.cross(x, x + 1, axis=0), np.cross(x, x[:1, :1])],
        x.astype("int32"),
        source="numpy",
        kind="exact",
    )
    same(lambda x: jnp.cross(x, x[::-1], axis=0), x, source="jax")
    same(lambda x: torch.cross(x, x.flip(0)), x, source="torch")
    same(lambda x: torch.cross(x, x.flip(0), dim=-1), x, source="torch")
    refused(lambda x: np.cross(x, x), array(4, 2), source="numpy", match="size 3")


@pytest.mark.parametrize("dtype", DTYPES)
def test_solve_triangular(same, dtype):
    a, b = positive(2, 3, 3, dtype=dtype), array(2, 3, 4, dtype=dtype)
    triangular, linalg = jax.scipy.linalg.solve_triangular, torch.linalg.solve_triangular
    same(
        lambda a, b: [
            triangular(a[0], b[0], lower=True),
            triangular(a[0], b[0, :, 0]),
            triangular(a, b, lower=True, unit_diagonal=True),
        ],
        a,
        b,
        source="jax",
        kind="linalg",
    )
    same(
        lambda a, b: [linalg(a, b, upper=u, unitriangular=not u) for u in (True, False)],
        a,
        b,
        source="torch",
        kind="linalg",
    )
    same(
        lambda a, b: scipy.linalg.solve_triangular(a, b, lower=True),
        a[0],
        b[0, :, 0],
        source="numpy",
        kind="linalg",
    )


@pytest.mark.parametrize("source", MODULES)
def test_matrix_power(same, source):
    power = MODULES[source].matrix_power
    same(lambda x: [power(x, n) for n in (0, 1, 3, -2)], array(2, 3, 3), source=source, kind="linalg")
    numbers = (0, 1, 3) if source == "torch" else (0, 1, 3, -2)
    same(
        lambda x: [power(x, n) for n in numbers],
        np.array([[1, 2], [3, 5]], "int32"),
        source=source,
        kind="linalg",
    )


def test_refusals(refused):
    x = array(3, 3)
    refused(lambda x: np.linalg.pinv(x), x, source="numpy", match="pinv")
    refused(lambda x: torch.linalg.matrix_rank(x), x, source="torch", match="matrix_rank")
    refused(lambda x: np.linalg.lstsq(x, x)[0], x, source="numpy", match="lstsq")
    refused(lambda x: np.linalg.qr(x, mode="r"), x, source="numpy", match="mode")
    refused(lambda x: np.linalg.svd(x, hermitian=True), x, source="numpy", match="hermitian")
    refused(lambda x: torch.linalg.solve(x, x, left=False), x, source="torch", match="left")
    refused(lambda x: jnp.linalg.eigh(x, UPLO="U"), x, source="jax", match="symmetrize_input")
    refused(lambda x: np.linalg.inv(x), array(3, 3, dtype="float16"), source="numpy", match="float16")


def test_it_reads_well(same):
    x, b = positive(3, 3), array(3)
    assert (
        "return jnp.linalg.solve(a, b)"
        in same(lambda a, b: torch.linalg.solve(a, b), x, b, source="torch", kind="linalg")["jax"]
    )
    assert (
        "torch.linalg.cholesky(x)"
        in same(lambda x: np.linalg.cholesky(x), x, source="numpy", kind="linalg")["torch"]
    )
