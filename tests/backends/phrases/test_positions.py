"""Positions of grids and triangles: in every spelling, dtypes, and of other sizes than the example's."""

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from calls import calling, every

import tracelate as tl
from tracelate.backends.arrays import compare, convert
from tracelate.backends.backend import NAMES
from tracelate.ir.ops.positions import lower, upper
from tracelate.ir.sizes.dim import hint_of, sym

X = np.arange(12.0, dtype="float32").reshape(3, 4)
FLAT = [(0, 0, None), (1, 1, None), (4, 1, None), (4, 0, 2), (3, -1, 5), (3, -7, None), (3, 9, None)]


@pytest.mark.parametrize("of", ["tril_indices", "triu_indices"])
def test_triangles_in_every_spelling(same, of):
    for module, source in ((np, "numpy"), (jnp, "jax")):
        each = [calling(lambda x, *args, f=getattr(module, of): f(*args), *given) for given in FLAT]
        same(every(each), X, source=source)
    function = getattr(torch, of)
    each = [calling(lambda x, *args: function(*args), n, n if m is None else m, k) for n, k, m in FLAT]
    same(every(each), X, source="torch")
    same(lambda x: function(3, 4, offset=1, dtype=torch.int32), X, source="torch")
    same(lambda x: function(row=3, col=4), X, source="torch")


@pytest.mark.parametrize("of", ["tril_indices", "triu_indices"])
def test_triangles_count_in_64_bits_where_jax_does(same, of):
    for module, source in ((np, "numpy"), (jnp, "jax")):
        same(lambda x, f=getattr(module, of): f(3, 1), X, source=source, x64=True)


def test_how_many_elements_a_triangle_has():
    for n, k, m in [(n, k, m) for n in range(5) for k in range(-6, 7) for m in (None, 0, 1, 3, 6)]:
        for of, reckoned in ((np.tril_indices, lower), (np.triu_indices, upper)):
            wanted = len(of(n, k, m)[0])
            assert reckoned(n_rows=n, n_cols=m, k=k) == [(wanted,)] * 2
            (size,) = reckoned(n_rows=sym("n", n), n_cols=m, k=k)[0]
            assert hint_of(size) == wanted


def moved(fn, source, x, others):
    """Translated for x, a function gives what it gives for the others."""
    traced = tl.symbolic_trace(fn, (convert(x, source),), source=source)
    for name in NAMES:
        out = traced.to(name, x64=False)
        for other in others:
            wanted, got = fn(convert(other, source)), out(convert(other, name))
            found = list(compare(wanted, got, narrowed=name == "jax"))
            assert not found, f"{name}, {other.shape}: {found}\n{out.source}"


def pairs(x):
    n = len(x)
    i, j = np.triu_indices(n, k=1)
    return x[i] - x[j], i, np.tril_indices(n), np.tril_indices(n, -1, n + 2)


def corners(x):
    n, m = x.shape
    t = torch.triu_indices(n, m, 1)
    i, j = torch.tril_indices(n, n)
    return t, i + j, x[t[0], t[1]]


def grids(x):
    n = x.shape[0]
    i, j = np.indices((n - 1, n + 1))
    rows, columns = np.indices(x.shape, sparse=True)
    return (i + j) % 2 == 0, rows - columns, np.indices((n,), np.float32), np.indices(dimensions=[n, 2])


@pytest.mark.parametrize(("fn", "source"), [(pairs, "numpy"), (corners, "torch"), (grids, "numpy")])
def test_sizes_are_those_of_the_arguments(fn, source):
    moved(fn, source, X, [np.ones((n, n + 1), "float32") for n in (1, 2, 5)])


@pytest.mark.parametrize("fn", [pairs, corners])
def test_a_triangle_may_be_empty(fn):
    moved(fn, "torch" if fn is corners else "numpy", X, [np.ones((0, 3), "float32")])


def test_numbers_without_arrays_are_indices_of_one_axis(same):
    same(lambda x: (np.indices((5,)), np.indices((2, 0, 3)), np.indices((2, 3), dtype=np.int32)), X)
    same(lambda x: jnp.indices((2, 3), dtype=jnp.float32), X, source="jax")
    same(lambda x: jnp.indices((2, 3)), X, source="jax", x64=True)


def test_what_is_refused_is_told(refused):
    refused(lambda x: np.indices(()), X, to=("torch",), match="no counterpart of indices")
    refused(lambda x: np.triu_indices(x.sum()), X, match="is an array")
    refused(lambda x: np.indices((2, 1), dtype=bool), X, match="no indices as bool")


def test_a_tuple_of_positions_stays_one(same):
    texts = same(lambda x: np.triu_indices(len(x)), X)
    assert "torch.triu_indices" in texts["torch"]
