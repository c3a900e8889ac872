"""Indexing: keys of every kind, in each framework's own reading of them."""

from __future__ import annotations

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from calls import sourced

import tracelate.api as api

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4) - 5
M = X[0].copy()
V = np.arange(7, dtype=np.float32)
IDS = np.array([1, 0, 1])
N = np.array([[0, -1], [1, 1]], np.int32)
B = X > 2

# fmt: off
ANY = [
    (lambda x: (x[0], x[-1], x[0, 1], x[0, -1, 2], x[1:, 0], x[:, :2], x[..., 0], x[..., 1:3], x[:, -2:],
         x[()], x[...]), X),
    (lambda x: (x[None], x[:, None], x[..., None], x[None, ..., 0, None], x[:, None, 1, :, None], x[0, ...,
         None]), X),
    (lambda x: (x[::2], x[1::2], x[:, ::3], x[5:], x[:-9], x[2:1], x[-1:], x[:, 1:-1, ::2]), X),
    (lambda x: (x[:x.shape[0]], x[:, x.shape[1] - 1], x[:x.shape[2] // 2], x[:, :x.shape[0], 1:x.shape[1]]),
         X),
    (lambda x, i: (x[i], x[:, i], x[..., i], x[i, 0], x[i, :, 1:], x[i, None], x[None, i]), X, IDS),
    (lambda x, i: (x[i, i], x[i, :, i], x[i, ..., i], x[:, i, i], x[i, i, i], x[i, None, i], x[i, i, None]),
         X, IDS),
    (lambda x, n: (x[n], x[:, n], x[n, n], x[n, :, n], x[0, n], x[n, 1], x[:, 1, n], x[:, n, 1]), X, N),
    (lambda x, i, n: (x[i[:2], n], x[n, i[:2]], x[:, n, i[1:]]), X, IDS, N),
    (lambda x, i: (x[0, :, i], x[:, 0, :][:, i], x[0, ..., i], x[0, None, i], x[i, :, 0], x[i, None, 0],
         x[i, ..., 0]), X, IDS),
    (lambda x, n: (x[0, :, n], x[0, None, n], x[n, :, 0], x[:, 0, None, n]), X, N),
]

SCALARS = [
    (lambda x, i: (x[i[0]], x[:, i[0]], x[i[0], :, i[1]], x[i[0], 1:]), X, IDS),
    (lambda x, i: (x[i[0], i], x[i[0], :, i], x[0, :, i[2]], x[:, i[0], None, i]), X, IDS),
]

NUMPY = [
    (lambda x: (x[::-1], x[:, ::-1], x[..., ::-2], x[::-1, 1:, ::-1], x[:, ::-1, None, 0], x[None, ...,
         ::-1, :]), X),
    (lambda x: tuple((x[a:b:c] for a in (None, 0, 2, 6, 9, -1, -3, -9) for b in (None, 0, 3, 7, 9, -1, -4,
         -9) for c in (-1, -2, -3))), V),
    (lambda x: (x[x.shape[0] - 1::-1], x[:x.shape[0] - 4:-2]), V),
    (lambda x: (x[[0, 1]], x[:, [2, 0]], x[[1, 0], [0, 1]], x[[[0, 1], [1, 0]]], x[[-1]], x[[]], x[0, 1],
         x[0, [0, 1]]), X),
    (lambda x: (x[np.array([0, 1])], x[:, np.arange(3)], x[np.int64(1)], x[np.array(1), :, np.array([0,
         1])]), X),
    (lambda x: (x[np.array([0, 1], dtype=np.uint8)], x[np.array([[1, 0]], dtype=np.int8), 1]), X),
    (lambda x, i: (np.take(x, i), np.take(x, i, axis=1), x.take(i, axis=-1), np.take(x, 1, axis=1),
         np.take(x, [0, 1], axis=-2)), X, IDS),
    (lambda x, i: np.take_along_axis(x, i, axis=1), M, np.array([[0, 3, -1], [2, 2, 0], [1, 0, 3]])),
    (lambda x, i: np.take_along_axis(x, i, 0), M, np.array([[2, 0, 1, 1]], np.int32)),
    (lambda x: (x.T, x[0].T, x.mT), X),
    (lambda x: (x.real, x.imag), np.array([1 + 2j, 3j])),
]

JAX = [
    (lambda x: (x[::-1], x[:, ::-2], x[::-1, 1:, ::-1], x[jnp.array([0, 1])], x[:, jnp.array([2, 0])], x[0,
         :, jnp.array([0, 1])]), X),
    (lambda x, i: (jnp.take(x, i), jnp.take(x, i, axis=1), x.take(i, axis=-1), jnp.take(x, 1, axis=1),
         jnp.take(x, i, mode="fill")), X, IDS),
    (lambda x, i: (jnp.take_along_axis(x, i.ravel(), None), jnp.take_along_axis(x, i, 1, mode="fill")), M,
         np.array([[0, 3], [2, 2], [1, 0]])),
    (lambda x, i: jnp.take_along_axis(x, i, axis=1), M, np.array([[0, 3], [2, 2], [1, 0]])),
    (lambda x: (jax.nn.one_hot(x, 4), jax.nn.one_hot(x, 3, dtype=int)), N),
    (lambda x: (x.T, x[0].mT, jax.lax.slice_in_dim(x, 1, 3, axis=1)), X),
    (lambda x: tuple(jax.lax.dynamic_slice_in_dim(x, i, 2, axis=1) for i in (0, 1, 2, 7, -1, -2, -9)), X),
    (lambda x: tuple(jax.lax.dynamic_slice(x, (0, i, -i), (2, 1, 3)) for i in (0, 1, 9, -9)), X),
    (lambda x: tuple(jax.lax.dynamic_update_slice_in_dim(x, x[:, :2] * 2, i, 1) for i in (0, 1, 9, -1)), X),
    (lambda x: tuple(jax.lax.dynamic_update_slice(x, x[:1, :1] * 2, (0, i, -i)) for i in (0, 1, 9, -9)), X),
    (lambda x: tuple(jax.lax.dynamic_index_in_dim(x, i, 1) for i in (0, 2, 5, -1, -9)), X),
    (lambda x: jax.lax.dynamic_index_in_dim(x, 3, -1, keepdims=False), X),
    (lambda x: jax.lax.fori_loop(0, 6, lambda i, v: v + jax.lax.dynamic_slice_in_dim(x, i, 2).max(), 0.0), V),
    (lambda x: jax.lax.fori_loop(0, 9, lambda i, v: v * 2 + jax.lax.dynamic_slice_in_dim(x, i, 3)[1],
         0.0), V),
    (lambda x: jax.lax.fori_loop(0, 9, lambda i, v: v * 2 + jax.lax.dynamic_slice_in_dim(x, i - 4, 3)[1],
         0.0), V),
    (lambda x: jax.lax.fori_loop(0, 5, lambda i, v: jax.lax.dynamic_update_slice(v, v[:2] + i, (i,)), x), V),
    (lambda x, n: tuple(jax.lax.dynamic_slice_in_dim(x, i, 2, 1)
         for i in (n[0, 0], n[0, 1], n[1, 0], n[0, 1] * 9)), X, N),
    (lambda x, n: tuple(jax.lax.dynamic_update_slice_in_dim(x, x[:, :2] * 2, i, 1)
         for i in (n[0, 1], n[1, 0] * 7)), X, N),
    (lambda x, n: jax.lax.dynamic_index_in_dim(x, n[1, 1], -1, keepdims=False), X, N),
    (lambda x: jax.lax.scan(lambda c, i: (c, jax.lax.dynamic_slice_in_dim(x, i, 3)), None, jnp.arange(5))[1],
         V),
]

TORCH = [
    (lambda x: (x[[0, 1]], x[:, [2, 0]], x[[1, 0], [0, 1]], x[[-1]], x[torch.tensor([0, 1])], x[0, :, [0,
         1]]), X),
    (lambda x, i: (torch.index_select(x, 1, i), x.index_select(-1, i), torch.take(x, i), x.take(i)), X, IDS),
    (lambda x: (x.select(1, 2), torch.select(x, -1, 0), x.narrow(1, 1, 2), torch.narrow(x, -1, 0,
         x.shape[0])), X),
    (lambda x, i: torch.take_along_dim(x, i), M, np.array([[0, 3], [2, 9]])),
    (lambda x, i: (torch.gather(x, 1, i), x.gather(0, i), torch.take_along_dim(x, i, 1)), M[:, :3].copy(),
         np.array([[0, 2, 1], [2, 2, 0], [1, 0, 0]])),
    (lambda x, i: (torch.gather(x, 1, i), x.gather(-1, i)), M, np.array([[0, 3], [2, 2]])),
    (lambda x, i: x.gather(-1, i.unsqueeze(-1)).squeeze(-1), M, np.array([3, 0, 2])),
    (lambda i, w: (F.embedding(i, w), F.embedding(i, w, padding_idx=0), F.embedding(i[0], w)), np.array([[0,
         2], [1, 1]]), M),
    (lambda x: F.one_hot(x, 4), np.array([[0, 2], [1, 3]])),
    (lambda x: F.one_hot(x, num_classes=3), np.array([0, 2])),
    (lambda x: (x.T, x[0].T, x.mT, x[0].mT), X),
]
# fmt: on

MASKS = [
    (lambda x, m: (x[m], x[m].sum(), x[x > 0]), X, B),
    (lambda x, m: (x[:, m[0]], x[0, m[0]], x[m[:, :, 0]], x[m[:, :, 0], 1:], x[..., m[0, 0]]), X, B),
]


@pytest.mark.parametrize("source", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("case", ANY)
def test_getitem(case, source, same):
    same(*case, source=source)


@pytest.mark.parametrize("source", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("case", SCALARS)
def test_index_arrays_without_axes(case, source, same):
    same(*case, source=source)


@pytest.mark.parametrize(("source", "case"), sourced(NUMPY, JAX, TORCH))
def test_spellings(case, source, same):
    same(*case, source=source)


@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("case", MASKS)
def test_getitem_mask(case, source, same, refused):
    same(*case, source=source, to=("numpy", "torch"))
    refused(*case, source=source, to=("jax",), match="the size of its result depends on the values")


ENTRIES = [0, slice(None), None, ..., "array", "scalar", "pair"]


@pytest.mark.slow
@pytest.mark.parametrize("source", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_every_mixture(length, source, same):
    """All keys of ints, slices, None, `...`, and index arrays of rank 0, 1 and 2."""
    for key in itertools.product(ENTRIES, repeat=length):
        if key.count(...) > 1 or sum(k is not None and k is not ... for k in key) > 3 or key.count(None) > 1:
            continue
        if length == 4 and not ("array" in key and (0 in key or "scalar" in key)):
            continue

        def fn(x, i, n, key=key):
            arrays = {"array": i, "scalar": i[0], "pair": n}
            return x[tuple(arrays[k] if isinstance(k, str) else k for k in key)]

        same(
            lambda x, i, n: fn(x, i, n),
            X,
            IDS[:2].copy(),
            np.array([[0, 1], [1, 1]]),
            source=source,
            to=("numpy", "torch"),
        )


# fmt: off
REFUSED = [
    ("numpy", lambda x: x[True], "must be an int"),
    ("numpy", lambda x: x[2], "out of range"),
    ("numpy", lambda x: x[0, 0, 0, 0], "4 indices for an array of rank 3"),
    ("numpy", lambda x: x[x[0, 0, :2]], "an index cannot be float32"),
    ("numpy", lambda x: x[:x[0, 0, 0].astype(int)], "a bound of a slice is an array"),
    ("torch", lambda x: x[x[0, 0, 0].long():], "a bound of a slice is an array"),
    ("numpy", lambda x: np.take(x, [0, 9], mode="clip"), "mode 'clip'"),
    ("jax", lambda x: jnp.take(x, jnp.array([0, 9]), mode="wrap"), "mode 'wrap'"),
    ("jax", lambda x: x[[0, 1]], "takes no such list"),
    ("jax", lambda x: x.at[0].power(2), "not read yet"),
    ("torch", lambda x: x[x[:, 0, 0].to(torch.uint8)], "uint8|must be long"),
    ("torch", lambda x: F.one_hot(x.long()), "give num_classes"),
    ("torch", lambda x: F.embedding(x.long(), x[0], max_norm=1.0), "max_norm"),
]
# fmt: on


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case, refused):
    source, fn, match = case
    refused(fn, X, source=source, match=match)


def test_text_is_as_written():
    def fn(x, i):
        return x[0, 1:-1, None], x[..., ::2], x[:, [0, 2]], x[i, i]

    text = api.symbolic_trace(fn, (X, IDS), source="numpy").source("torch")
    assert "x[0, 1:-1, None], x[..., ::2], x[:, [0, 2]], x[i, i]" in text


def moving(x):
    total = x[0] * 0
    for i in range(1, x.shape[0]):
        total = total + x[i : i + 2].sum(0) + x[:i].sum(0)
    return total


@pytest.mark.parametrize("source", ["numpy", "torch"])
def test_slices_that_a_loop_moves(source, same):
    texts = same(moving, X.reshape(6, 4), source=source)
    assert "x[i : i + 2]" in texts["torch"] and "x[i : i + 2]" in texts["jax"]


def test_what_may_be_a_view_or_a_copy_is_not_written_into(refused):
    """NumPy gives a view at a number of its own, and a copy at an array without axes."""

    def fn(x, k):
        row = x[k]
        row += 1
        return x

    refused(fn, M, np.array(1), match="it may share memory")


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_no_axes_are_not_flipped(to: str) -> None:
    """Of an array of unknown rank that an array picks from."""
    text = api.symbolic_trace(lambda x: x[x.argmax()], source="torch").source(to)
    assert "flip" not in text
