"""Contractions: every spelling, into every framework, against the framework that it was written for."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from calls import normal

import tracelate as tl
from tracelate.backends.arrays import compare, convert

RNG = np.random.default_rng(0)
array = functools.partial(normal, RNG)


RANKS = [
    ((3,), (3,)),
    ((3,), (3, 4)),
    ((2, 3), (3,)),
    ((2, 3), (3, 4)),
    ((5, 2, 3), (3, 4)),
    ((3,), (5, 3, 4)),
    ((5, 1, 2, 3), (4, 3, 7)),
    ((0, 3), (3, 2)),
    ((2, 0), (0, 3)),
    ((1, 1), (1, 1)),
]


@pytest.mark.parametrize("source", ["numpy", "jax", "torch"])
def test_matmul(same, source):
    same(
        lambda pairs: [a @ b for a, b in pairs],
        [[array(*s) for s in shapes] for shapes in RANKS],
        source=source,
    )


SPELLINGS = {
    "np.matmul": ("numpy", lambda a, b: np.matmul(a, b), (2, 3), (3, 4)),
    "np.dot scalar": ("numpy", lambda a, b: np.dot(a, b), (), (3, 4)),
    "np.dot vectors": ("numpy", lambda a, b: np.dot(a, b), (3,), (3,)),
    "np.dot matrices": ("numpy", lambda a, b: np.dot(a, b), (2, 3), (3, 4)),
    "np.dot stacks": ("numpy", lambda a, b: np.dot(a, b), (2, 2, 3), (2, 3, 4)),
    "np.dot vector of stack": ("numpy", lambda a, b: np.dot(a, b), (3,), (2, 3, 4)),
    "np.dot method": ("numpy", lambda a, b: a.dot(b), (2, 3), (3, 4)),
    "np.inner": ("numpy", lambda a, b: np.inner(a, b), (2, 3), (4, 3)),
    "np.inner scalar": ("numpy", lambda a, b: np.inner(a, b), (2, 3), ()),
    "np.vdot": ("numpy", lambda a, b: np.vdot(a, b), (2, 3), (2, 3)),
    "np.vecdot": ("numpy", lambda a, b: np.vecdot(a, b), (2, 3), (4, 1, 3)),
    "np.outer": ("numpy", lambda a, b: np.outer(a, b), (2,), (3,)),
    "np.outer of matrices": ("numpy", lambda a, b: np.outer(a, b), (2, 2), (3,)),
    "np.tensordot": ("numpy", lambda a, b: np.tensordot(a, b), (2, 3, 4), (3, 4, 5)),
    "np.tensordot 0": ("numpy", lambda a, b: np.tensordot(a, b, 0), (2,), (3, 4)),
    "np.tensordot 1": ("numpy", lambda a, b: np.tensordot(a, b, axes=1), (2, 3), (3, 4)),
    "np.tensordot pair": ("numpy", lambda a, b: np.tensordot(a, b, axes=(0, 1)), (2, 3), (3, 2)),
    "np.tensordot lists": (
        "numpy",
        lambda a, b: np.tensordot(a, b, axes=([0, -1], [1, 0])),
        (2, 3, 4),
        (4, 2),
    ),
    "np.einsum": ("numpy", lambda a, b: np.einsum("ij,jk->ki", a, b), (2, 3), (3, 4)),
    "np.einsum implicit": ("numpy", lambda a, b: np.einsum("bc, ca", a, b), (2, 3), (3, 4)),
    "np.einsum ellipsis": ("numpy", lambda a, b: np.einsum("...ij,...jk->...ik", a, b), (5, 2, 3), (3, 4)),
    "np.einsum diagonal": ("numpy", lambda a, b: np.einsum("ii,jk->ij", a, b), (2, 2), (3, 4)),
    "np.einsum optimize": ("numpy", lambda a, b: np.einsum("ij,jk", a, b, optimize=True), (2, 3), (3, 4)),
    "jnp.dot": ("jax", lambda a, b: jnp.dot(a, b), (2, 3), (2, 3, 4)),
    "jnp.vdot": ("jax", lambda a, b: jnp.vdot(a, b), (2, 3), (2, 3)),
    "jnp.inner": ("jax", lambda a, b: jnp.inner(a, b), (2, 3), (4, 3)),
    "jnp.outer": ("jax", lambda a, b: jnp.outer(a, b), (2,), (3, 2)),
    "jnp.tensordot": ("jax", lambda a, b: jnp.tensordot(a, b, axes=((0,), (1,))), (2, 3), (3, 2)),
    "jnp.einsum": ("jax", lambda a, b: jnp.einsum("aB,Bc->ca", a, b), (2, 3), (3, 4)),
    "lax.batch_matmul": ("jax", lambda a, b: jax.lax.batch_matmul(a, b), (2, 2, 3), (2, 3, 4)),
    "torch.mm": ("torch", lambda a, b: torch.mm(a, mat2=b), (2, 3), (3, 4)),
    "torch.bmm": ("torch", lambda a, b: a.bmm(b), (5, 2, 3), (5, 3, 4)),
    "torch.addmm": ("torch", lambda a, b: torch.addmm(a, a, b), (3, 3), (3, 3)),
    "torch.addmm scaled": ("torch", lambda a, b: torch.addmm(a[0], a, b, beta=0.5, alpha=2), (3, 3), (3, 3)),
    "torch.addmm of nothing": (
        "torch",
        lambda a, b: torch.addmm(a * float("nan"), a, b, beta=0),
        (3, 3),
        (3, 3),
    ),
    "torch.baddbmm": ("torch", lambda a, b: torch.baddbmm(a, a, b), (2, 3, 3), (2, 3, 3)),
    "torch.addmv": ("torch", lambda a, b: torch.addmv(b, a, b), (3, 3), (3,)),
    "np.dot of a list": ("numpy", lambda a, b: np.dot(a, [1, 2, 3]) + b, (2, 3), (2,)),
    "np.inner of vectors": ("numpy", lambda a, b: np.inner(a, b), (3,), (3,)),
    "np.inner of stacks": ("numpy", lambda a, b: np.inner(a, b), (2, 3), (5, 4, 3)),
    "torch.mv": ("torch", lambda a, b: torch.mv(a, b), (2, 3), (3,)),
    "torch.dot": ("torch", lambda a, b: torch.dot(a, b), (3,), (3,)),
    "torch.inner": ("torch", lambda a, b: torch.inner(a, b), (2, 3), (4, 3)),
    "torch.vdot": ("torch", lambda a, b: torch.vdot(a, b), (3,), (3,)),
    "torch.linalg.vecdot": ("torch", lambda a, b: torch.linalg.vecdot(a, b), (2, 3), (3,)),
    "torch.outer": ("torch", lambda a, b: torch.outer(a, b), (2,), (3,)),
    "torch.tensordot": ("torch", lambda a, b: torch.tensordot(a, b), (2, 3, 4), (3, 4, 5)),
    "torch.tensordot dims": ("torch", lambda a, b: torch.tensordot(a, b, dims=([1], [0])), (2, 3), (3, 4)),
    "torch.einsum": ("torch", lambda a, b: torch.einsum("bij,bjk->bik", a, b), (5, 2, 3), (5, 3, 4)),
    "torch.einsum list": ("torch", lambda a, b: torch.einsum("Bi,iB", [a, b]), (2, 3), (3, 2)),
    "torch.einsum implicit": ("torch", lambda a, b: torch.einsum("bA,AC", a, b), (2, 3), (3, 4)),
}


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
@pytest.mark.parametrize("source", ["numpy", "jax", "torch"])
def test_spellings(same, source, dtype):
    cases = [(fn, shapes) for framework, fn, *shapes in SPELLINGS.values() if framework == source]

    def every(operands: Any) -> Any:
        return [fn(a, b) for (fn, _), (a, b) in zip(cases, operands)]

    same(every, [[array(*s, dtype=dtype) for s in shapes] for _, shapes in cases], source=source)


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "float16"])
@pytest.mark.parametrize("source", ["numpy", "jax", "torch"])
def test_dtypes(same, dtype, source):
    a, b = array(2, 30, dtype=dtype), array(30, 4, dtype=dtype)
    same(lambda a, b: a @ b, a, b, source=source)
    einsum = {"numpy": np.einsum, "jax": jnp.einsum, "torch": torch.einsum}[source]
    same(lambda a, b: einsum("ij,jk->ik", a, b), a, b, source=source)


def test_bfloat16(same):
    a, b = (torch.from_numpy(array(4, 4)).bfloat16() for _ in "ab")
    same(lambda a, b: a @ b, a, b, to=["jax", "torch"])


def test_mixed_dtypes(same):
    same(lambda a, b: a @ b, array(2, 3, dtype="int32"), array(3, 4), source="numpy")
    same(lambda a, b: np.einsum("ij,jk", a, b), array(2, 3, dtype="float64"), array(3, 4), source="numpy")
    same(lambda a, b: np.tensordot(a, b, 1), array(2, 3, dtype="float16"), array(3, 4), source="numpy")
    same(lambda a, b: jnp.matmul(a, b), array(2, 3, dtype="float16"), array(3, 4), source="jax")


def test_bools_multiply_as_truth_values(same, refused):
    a, b = RNG.random((3, 3)) > 0.5, RNG.random((3, 3)) > 0.5
    same(lambda a, b: a @ b, a, b, source="numpy", to=["numpy", "jax"])
    refused(lambda a, b: a @ b, a, b, source="numpy", to=["torch"], match="bool")


def test_vdot_of_ints(same):
    same(lambda a: np.vdot(a, a), array(2, 3, dtype="int32"), source="numpy", kind="exact")


def test_refusals(refused):
    a, ints = array(3, 3), array(3, 3, dtype="int32")
    refused(lambda a: np.dot(2.0, a), a, source="numpy", match="a Python number")
    refused(lambda a: np.einsum(a, [0, 1], [1, 0]), a, source="numpy", match="lists")
    refused(lambda a: np.einsum("ij->i", a), ints, source="numpy", match="sum the axis")
    refused(lambda a: np.einsum("ii", a), ints, source="numpy", match="sum the axis")
    refused(lambda a: np.einsum("ij,jk", a, a, dtype="float64"), a, source="numpy", match="dtype")
    refused(lambda a: np.matmul(a, a, axes=[(0, 1)] * 3), a, source="numpy", match="axes")
    refused(lambda a: np.vecdot(a, a, axis=0), a, source="numpy", match="axis")
    refused(lambda a: torch.linalg.vecdot(a, a, dim=0), a, source="torch", match="dim")


def test_it_reads_well(same):
    texts = same(
        lambda q, k: torch.einsum("bhid,bhjd->bhij", q, k),
        array(1, 2, 3, 4),
        array(1, 2, 3, 4),
        source="torch",
    )
    assert 'return jnp.einsum("bhid,bhjd->bhij", q, k)' in texts["jax"]
    texts = same(lambda a, b: torch.mm(a, b), array(2, 3), array(3, 2), source="torch")
    assert "return np.matmul(a, b)" in texts["numpy"]


def einsum(subscripts):
    """The function that says it in torch, and in NumPy; of what is computed, too."""
    return {
        "torch": lambda *xs: torch.einsum(subscripts, *xs),
        "numpy": lambda *xs: np.einsum(subscripts, *xs),
        "torch computed": lambda x, *xs: torch.einsum(subscripts, x * 2, *(y.relu() for y in xs)),
        "numpy computed": lambda x, *xs: np.einsum(subscripts, x * 2, *(abs(y) for y in xs)),
    }


MIXED = {
    "i,j->ij": ((3,), (2,)),
    "ij,ij->ij": ((2, 3), (2, 3)),
    "ij,j->ij": ((2, 3), (3,)),
    "ij,k->i": ((2, 3), (3,)),
    "i,i->i": ((3,), (3,)),
    "ij,jk->ik": ((2, 3), (3, 2)),
    "ij,j,ij->ij": ((2, 3), (3,), (2, 3)),
    "i,i,i->": ((3,), (3,), (3,)),
    "ij,jk,i->ik": ((2, 3), (3, 4), (2,)),
}


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("example", ["given", "none"])
@pytest.mark.parametrize("form", ["numpy", "torch", "numpy computed", "torch computed"])
@pytest.mark.parametrize("subscripts", MIXED)
def test_several_dtypes_where_they_are_taken(subscripts: str, form: str, example: str, to: str) -> None:
    """torch refuses most products of several dtypes, and not those that sum nothing.
    Of the cases those that have all pairs of values, see covering.py.
    """
    fn, source = einsum(subscripts)[form], form.split()[0]
    arrays = [np.ones(shape, "float32") for shape in MIXED[subscripts]]

    def program(x, y, z=None):
        return fn(x, y) if z is None else fn(x, y, z)

    run = program if len(arrays) == 3 else lambda x, y: fn(x, y)
    given = tuple(convert(array, source) for array in arrays) if example == "given" else None
    try:
        out = tl.transpile(run, given, to=to, source=source)
    except tl.UnsupportedError:
        assert example == "none"
        return
    for dtype in ("int32", "float16", "uint8", *(["float64"] if to != "jax" else [])):
        for number in range(len(arrays)):
            each = [a.astype(dtype) if i == number else a for i, a in enumerate(arrays)]
            try:
                want = run(*(convert(array, source) for array in each))
            except RuntimeError:
                continue
            try:
                got = out(*(convert(array, to) for array in each))
            except (AssertionError, RuntimeError, TypeError):
                continue
            if to == "jax":  # 64 bits are 32 there
                want = np.asarray(want).astype(str(got.dtype)) if str(want.dtype)[-2:] == "64" else want
            assert not list(compare(want, got)), (dtype, number, out.source)
