"""New arrays: dtypes are the source's, said only where the target's own default is another one."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate.api as api
from tracelate.backends.arrays import convert, to_numpy
from tracelate.ir.errors import UnsupportedError

X = np.arange(6, dtype=np.float32).reshape(2, 3)
H = X.astype(np.float16)
INTS = np.arange(6, dtype=np.int32).reshape(2, 3)

# fmt: off
NUMPY = [
    (lambda x: (np.zeros(3), np.zeros((2, 3)), np.zeros((), dtype=np.float32), np.ones((2,), int),
         np.ones(2, dtype="complex64")), X),
    (lambda x: (np.zeros(x.shape), np.ones(x.shape[0]), np.zeros((x.shape[1], 2), dtype=x.dtype),
         np.zeros(0)), X),
    (lambda x: (np.full((2,), 1.5), np.full(3, 2), np.full((2, 1), True), np.full((2,), 1,
         dtype=np.float32), np.full((), -0.0)), X),
    (lambda x: (np.full((2,), 1 + 2j), np.full(2, 1.7, dtype=int), np.full((2, 3), x[0]), np.full(3,
         np.inf), np.full((2,), np.float32(1.5))), X),
    (lambda x: (np.arange(5), np.arange(2, 7), np.arange(0, 7, 2), np.arange(7, 0, -3), np.arange(0),
         np.arange(3, 1)), X),
    (lambda x: (np.arange(3.0), np.arange(0, 1, 0.25), np.arange(5, dtype=np.float32), np.arange(1, 4,
         dtype="int8")), X),
    (lambda x: (np.arange(2, dtype=bool), np.arange(3, dtype=np.complex64),
         np.array([1.7, -0.7], dtype=np.uint8), np.array(-0.5, dtype=int)), X),
    (lambda x: (np.arange(x.shape[1]), np.arange(1, x.shape[1]), np.arange(x.shape[0] * 2)), X),
    (lambda x: (np.linspace(0, 1, 5), np.linspace(-1.5, 2, 4, endpoint=False), np.linspace(0, 1, 3,
         dtype=np.float32), np.linspace(1, 0)), X),
    (lambda x: (np.eye(3), np.eye(2, 3), np.eye(3, k=1), np.eye(2, 4, k=-1, dtype=int), np.identity(2),
         np.tri(3), np.eye(x.shape[0])), X),
    (lambda x: (np.zeros_like(x), np.ones_like(x), np.full_like(x, 2), np.full_like(x, -np.inf),
         np.zeros_like(x, dtype=int)), X),
    (lambda x: (np.full_like(x, 1.7), np.ones_like(x, dtype=bool), np.zeros_like(x, shape=(4,)),
         np.full_like(x, 3, dtype=np.float16)), INTS),
    (lambda x: (np.array([1, 2, 3]), np.array([1.0, 2.0]), np.array([[1, 2.5], [np.nan, -np.inf]]),
         np.array(2.0), np.array(True), np.array([])), X),
    (lambda x: (np.array([1, 2], dtype=np.float32), np.asarray((1, 2)), np.array([[True], [False]]),
         np.array([1j, 2]), np.array(3, "uint8")), X),
    (lambda x: (np.array(x), np.asarray(x), np.array(x, dtype=np.float64), np.asarray(x, dtype=int)), X),
    (lambda x: np.array([x[0, 0], x[1, 1], 2]), X),
    (lambda x: np.array([1, 2, 3]) + x, X),
    (lambda x: np.zeros(3) + x, H),
    (lambda x: np.full((3,), 1.0) * x, H),
    (lambda x: np.ones(3, dtype=np.float32) * x, H),
    (lambda x: np.full((3,), 1.0, dtype=np.float32) + x, H),
    (lambda x: np.arange(3) * x, H),
    (lambda x: np.array(2.0) * x, H),
]

JAX = [
    (lambda x: (jnp.tri(3), jnp.tri(2, 3, k=1, dtype=int), jnp.identity(2), jnp.zeros_like(x, shape=4),
         jnp.empty_like(x) * 0), X),
    (lambda x: (jnp.zeros(3), jnp.zeros((2, 3)), jnp.ones((2,), int), jnp.ones(2, dtype="complex64"),
         jnp.zeros(x.shape), jnp.empty(2) * 0), X),
    (lambda x: (jnp.full((2,), 1.5), jnp.full(3, 2), jnp.full((2, 1), True), jnp.full((2,), 1,
         dtype=jnp.float16), jnp.full((2, 3), x[0])), X),
    (lambda x: (jnp.arange(5), jnp.arange(2, 7), jnp.arange(7, 0, -3), jnp.arange(3.0), jnp.arange(0, 1,
         0.25), jnp.arange(x.shape[1])), X),
    (lambda x: (jnp.linspace(0, 1, 5), jnp.linspace(-1.5, 2, 4, endpoint=False), jnp.eye(3), jnp.eye(2, 3,
         k=1), jnp.identity(2)), X),
    (lambda x: (jnp.zeros_like(x), jnp.ones_like(x, dtype=int), jnp.full_like(x, 2), jnp.full_like(x, x[0]),
         jnp.zeros(2, dtype=float)), X),
    (lambda x: (jnp.array([1, 2, 3]), jnp.array([1.0, 2.0]), jnp.array(2.0), jnp.asarray([[True], [False]]),
         jnp.asarray(x), jnp.array(x, int)), X),
    (lambda x: (jnp.zeros(3) + x, jnp.full((3,), 1.0) + x, jnp.full((3,), 1) * x, jnp.full((3,), 1.0,
         dtype=jnp.float32) + x), H),
    (lambda x: (jnp.array(2.0) * x, jnp.array([2.0]) * x, jnp.asarray(1) + x, jnp.array([1, 2, 3]) * x,
         jnp.arange(3) * x), H),
    (lambda x: (jnp.full_like(jnp.full((3,), 1.0), 2.0) + x, jnp.zeros_like(jnp.array(1.0)) + x,
         jnp.ones_like(jnp.zeros(3)) + x), H),
    (lambda x: (jnp.array(jnp.array(1.0), dtype=jnp.float32) + x, jnp.asarray(jnp.array(1.0)) + x), H),
    (lambda x: (jnp.triu(jnp.full((2, 3), 1.0)) + x, jnp.tril(jnp.full((2, 3), 1.0)) + x), H),
    (lambda x: (jnp.full((3,), 1.0) + x, jnp.full((3,), True) * x, jnp.full((3,), 2) * x), INTS),
    (lambda x: (jnp.stack([jnp.full((3,), 1.0), x[0]]), jnp.concatenate([jnp.full((2, 3), 1.0), x]),
         jnp.stack([1.0, x[0, 0]])), H),
]

TORCH = [
    (lambda x: (torch.zeros(3), torch.zeros(2, 3), torch.zeros((2, 3)), torch.zeros(()), torch.ones(2,
         dtype=torch.int32), torch.ones([2])), X),
    (lambda x: (torch.zeros(x.shape), torch.ones(x.size(0)), torch.zeros(x.shape[1], 2, dtype=x.dtype),
         torch.zeros(0)), X),
    (lambda x: (torch.full((2,), 1.5), torch.full((3,), 2), torch.full((2, 1), True), torch.full([2], 1,
         dtype=torch.float64)), X),
    (lambda x: (torch.full((2,), 1 + 2j), torch.full((2,), 1.7, dtype=torch.int64),
         torch.full((x.shape[0],), float("-inf"))), X),
    (lambda x: (torch.arange(5), torch.arange(2, 7), torch.arange(0, 7, 2), torch.arange(7, 0, -3),
         torch.arange(0), torch.arange(end=4)), X),
    (lambda x: (torch.arange(3.0), torch.arange(0, 1, 0.25), torch.arange(5, dtype=torch.float64),
         torch.arange(x.shape[1])), X),
    (lambda x: (torch.linspace(0, 1, 5), torch.linspace(-1.5, 2, steps=4), torch.eye(3), torch.eye(2, 3),
         torch.eye(2, dtype=torch.int32)), X),
    (lambda x: (torch.zeros_like(x), torch.ones_like(x, dtype=torch.bool), torch.full_like(x, 2),
         torch.full_like(x, float("nan"))), X),
    (lambda x: (torch.tensor([1, 2, 3]), torch.tensor([1.0, 2.0]), torch.tensor(2.0), torch.tensor(True),
         torch.tensor([[1, 2.5]])), X),
    (lambda x: (torch.tensor([1, 2], dtype=torch.float16), torch.as_tensor([1, 2]), torch.as_tensor(x),
         torch.asarray(x), torch.tensor([1j])), X),
    (lambda x: (torch.zeros(size=(2,)), x.new_ones((2, 3), dtype=torch.float64), x.new_zeros(())), X),
    (lambda x: (x.new_zeros(2), x.new_zeros((2, 3)), x.new_ones(2, 2), x.new_full((2,), 1.5),
         x.new_tensor([1, 2]), x.new_zeros(x.shape)), H),
    (lambda x: (torch.zeros(3) + x, torch.full((3,), 1.0) * x, torch.arange(3) * x, torch.tensor(2.0) * x,
         torch.tensor([2.0, 1, 3]) * x), H),
    (lambda x: (torch.full((3,), 1.0) + x, torch.full((3,), True) * x, torch.full_like(x, 2.7)), INTS),
]
# fmt: on


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("case", NUMPY)
def test_numpy(case, x64, same):
    same(*case, source="numpy", x64=True) if x64 else same(*case, source="numpy", to=("numpy", "torch"))


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("case", JAX)
def test_jax(case, x64, same):
    same(*case, source="jax", x64=x64)


@pytest.mark.parametrize("case", TORCH)
def test_torch(case, same):
    same(*case, source="torch")


# fmt: off
REFUSED = [
    ("numpy", lambda x: np.arange(0, 1, 0.5, dtype=int), "floats in steps"),
    ("numpy", lambda x: np.arange(x[0, 0]), "values of an array"),
    ("numpy", lambda x: np.full(2, np.nan, dtype=int), "no number of int64"),
    ("numpy", lambda x: np.full(2, 300, dtype=np.uint8), "out of bounds"),
    ("numpy", lambda x: np.linspace(0, 5, 3, dtype=int), "equal distances"),
    ("numpy", lambda x: np.array(x, ndmin=3), "ndmin"),
]
# fmt: on


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case, refused):
    source, fn, match = case
    refused(fn, X, source=source, match=match)


def test_a_dtype_is_said_only_where_the_default_differs():
    def fn(x):
        return torch.zeros(2), torch.arange(3), torch.full((2,), 1.5), torch.tensor([1, 2])

    numpy, jax = (api.symbolic_trace(fn, (torch.ones(2),)).source(to) for to in ("numpy", "jax"))
    said = (
        "np.zeros((2,), dtype=np.float32)",
        "np.arange(3),",
        "np.full((2,), 1.5, dtype=np.float32)",
        "np.array([1, 2])",
    )
    assert all(text in numpy for text in said)
    assert "jnp.zeros((2,)), jnp.arange(3), jnp.full((2,), 1.5), jnp.array([1, 2])" in jax


@pytest.mark.parametrize("fn", [jnp.diagonal, jnp.diag])
def test_a_diagonal_of_numbers_without_a_dtype_has_one_by_its_sizes(fn):
    def program(x):
        return fn(jnp.full((3, 3), 1.0)) + x

    assert {fn(jnp.full(shape, 1.0)).weak_type for shape in [(3, 3), (2, 3)]} == {False, True}
    with pytest.raises(UnsupportedError, match="has one by its sizes"):
        api.symbolic_trace(program, (jnp.ones(3),))


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_a_range_that_ends_before_it_begins_is_empty(to):
    def program(x, size):
        return np.arange(len(x) - size)

    out = api.transpile(program, (np.ones(3), 5), to=to)
    assert to_numpy(out(convert(np.ones(3), to), 5)).shape == (0,)
    with pytest.raises(AssertionError):
        out(convert(np.ones(3), to), 4)
