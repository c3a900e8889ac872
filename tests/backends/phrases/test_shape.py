"""Shapes, as each framework spells them."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import torch
from calls import sourced

import tracelate.api as api
from tracelate.ir.errors import UnsupportedError

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4) - 5
Y = -X[:, ::-1].copy()
M = X[0].copy()
V = np.array([1.5, np.nan, -0.0, np.inf], np.float32)
ONES = np.arange(3, dtype=np.float32).reshape(1, 3, 1)

# fmt: off
NUMPY = [
    (lambda x: x.reshape(4, 6), X),
    (lambda x: x.reshape((4, -1)), X),
    (lambda x: np.reshape(x, -1), X),
    (lambda x: np.reshape(x, shape=(2, 12)), X),
    (lambda x: x.reshape(x.shape[0], -1), X),
    (lambda x: x.reshape(x.shape[0] * x.shape[1], 4), X),
    (lambda x, y: x.reshape(y.shape), X, Y),
    (lambda x, y: x.reshape(*y.shape[:2], -1), X, Y),
    (lambda x: (x.ravel(), np.ravel(x), x.flatten()), X),
    (lambda x: np.broadcast_to(x, (5, 2, 3, 4)), X),
    (lambda x: np.broadcast_to(x, (5, 3, x.shape[1])), ONES),
    (lambda x, y: np.broadcast_to(x, y.shape), V, X),
    (lambda x, y: np.broadcast_arrays(x, y), ONES, X),
    (lambda x: (np.expand_dims(x, 0), np.expand_dims(x, -1), np.expand_dims(x, (0, -2))), X),
    (lambda x: (np.squeeze(x), x.squeeze(0), np.squeeze(x, axis=(0, -1)), np.squeeze(x, -1)), ONES),
    (lambda x: (x.T, x.transpose(), np.transpose(x), x.transpose(2, 0, 1), x.transpose((0, -1, 1)),
         np.transpose(x, [1, 0, 2])), X),
    (lambda x: (x.T, x.transpose(1, 0), x.mT, np.swapaxes(x, 0, 1)), M),
    (lambda x: (x.T, x.transpose()), V),
    (lambda x: (x.swapaxes(0, -1), np.swapaxes(x, 1, 1), np.matrix_transpose(x), x.mT), X),
    (lambda x: (np.permute_dims(x, (2, 1, 0)), np.moveaxis(x, 0, -1), np.moveaxis(x, [0, 1], [-1, 0])), X),
    (lambda x: (np.flip(x), np.flip(x, 1), np.flip(x, (0, -1)), np.fliplr(x), np.flipud(x)), X),
    (lambda x: (np.roll(x, 1), np.roll(x, -2, axis=1), np.roll(x, (1, 2), axis=(0, 2)), np.roll(x, 1,
         axis=(0, 2)), np.roll(x, (1, 1), 2), np.roll(x, (1, -2),
         axis=(0,)), np.roll(x, (1,), axis=(0, 2))), X),
    (lambda x, y: (np.concatenate([x, y]), np.concatenate((x, y), axis=-1), np.concatenate([x, y],
         axis=None), np.concat([x, y, x], 1)), X, Y),
    (lambda x, y: (np.stack([x, y]), np.stack((x, y), axis=-1), np.stack([x, y], 1)), X, Y),
    (lambda x, y: (np.hstack([x, y]), np.vstack([x, y]), np.column_stack([x[0, 0], y[0, 0]]),
         np.hstack([x[0, 0], y[1, 1]])), X, Y),
    (lambda x: np.concatenate([x, [[1.0, 2.0, 3.0, 4.0]]]), M),
    (lambda x: np.stack([x[0], 2.0, 3]), V),
    (lambda x: np.array([x[0], 2.0]), V),
    (lambda x: np.array([[x[0], 1], [x[1], x[2]]]), V),
    (lambda x: (np.roll(x, (1, 2)), np.roll(x, 1, axis=[0, 1]), np.hstack([1, x[0, 0]])), X),
    (lambda x: (np.array_split(x, 7), np.array_split(x, [1, 3]), np.hsplit(x, [2])), V),
    (lambda x: np.ascontiguousarray(x.T), X),
    (lambda x: np.split(x, 3, axis=1), X),
    (lambda x: np.split(x, [1, 3], -1), X),
    (lambda x: np.array_split(x, 3, axis=-1), X),
    (lambda x: np.array_split(x, 2, axis=2), X),
    (lambda x: (np.hsplit(x, 3), np.vsplit(x, 2), np.hsplit(x[0, 0], 2)), X),
    (lambda x: [part * 2 for part in np.split(x, 2)], X),
    (lambda x, y: np.meshgrid(x, y), V, V[:3]),
    (lambda x, y: np.meshgrid(x, y, indexing="ij"), V, V[:3]),
    (lambda x, y: np.meshgrid(x, y[0], x), M, V),
    (lambda x: (np.diagonal(x, 7), np.diagonal(x, -9, 1, 2), np.diagonal(x, offset=3)), X),
    (lambda x: (np.pad(x, 1), np.pad(x, ((0, 0), (1, 2))), np.pad(x, (2, 0), constant_values=-1.5)), M),
    (lambda x: (np.pad(x, ((0, 0), (1, 2)), mode="reflect"), np.pad(x, 1, mode="edge"), np.pad(x, ((1, 0),
         (0, 2)), "wrap")), M),
    (lambda x: (np.pad(x, (2, 1), mode="symmetric"), np.pad(x, 3, "edge"), np.pad(x, (1, 3), "reflect"),
         np.pad(x, 2, mode="wrap")), V),
    (lambda x: np.pad(x, ((0, 0), (0, 0), (2, 1)), mode="reflect"), X),
    (lambda x: np.pad(x, {-1: (1, 2)}), X),
    (lambda x: (np.tile(x, 2), np.tile(x, (2, 1, 3)), np.tile(x, (2,))), M),
    (lambda x: (np.repeat(x, 2), np.repeat(x, 3, axis=-1), x.repeat(2, axis=0)), M),
    (lambda x: (np.diagonal(x), np.diagonal(x, 1, 1, 2), x.diagonal(offset=-1)), X),
    (lambda x: (np.diag(x), np.diag(x, -1), np.trace(x), x.trace(offset=1)), M),
    (lambda x: (np.diag(x), np.diag(x, 1)), V),
    (lambda x: np.trace(x, axis1=1, axis2=-1), X),
    (lambda x: (np.tril(x), np.triu(x, 1), np.tril(x, k=-1)), X),
    (lambda x: (x.copy(), np.copy(x), np.ascontiguousarray(x), np.asarray(x)), X),
]

JAX = [
    (lambda x: (x.reshape(4, 6), x.reshape((4, -1)), jnp.reshape(x, -1), jnp.reshape(x, (2, 12)),
         x.reshape(x.shape[0], -1)), X),
    (lambda x: (x.ravel(), jnp.ravel(x), x.flatten(), jax.lax.reshape(x, (4, 6))), X),
    (lambda x, y: jnp.broadcast_to(x, y.shape), V, X),
    (lambda x, y: jnp.broadcast_arrays(x, y), ONES, X),
    (lambda x: (jnp.expand_dims(x, 0), jnp.expand_dims(x, (0, -1)), jax.lax.expand_dims(x, (1,)), x[:,
         None]), X),
    (lambda x: (jnp.squeeze(x), x.squeeze(0), jnp.squeeze(x, axis=(0, -1)), jax.lax.squeeze(x, (2,))),
         ONES),
    (lambda x: (x.T, x.mT, x.transpose(), x.transpose(2, 0, 1), jnp.transpose(x, (0, 2, 1)),
         jnp.permute_dims(x, (1, 0, 2))), X),
    (lambda x: (x.swapaxes(0, -1), jnp.swapaxes(x, 1, 2), jnp.matrix_transpose(x), jnp.moveaxis(x, 0, -1),
         jax.lax.transpose(x, (2, 0, 1))), X),
    (lambda x: (jnp.flip(x), jnp.flip(x, 1), jnp.flip(x, (0, -1)), jnp.fliplr(x), jnp.flipud(x)), X),
    (lambda x: (jnp.roll(x, 1), jnp.roll(x, -2, axis=1), jnp.roll(x, (1, 2), axis=(0, 2)), jnp.roll(x, 1,
         (0, 2))), X),
    (lambda x, y: (jnp.concatenate([x, y]), jnp.concatenate((x, y), axis=-1), jnp.concatenate([x, y], None),
         jnp.concat([x, y], axis=1)), X, Y),
    (lambda x, y: (jnp.stack([x, y]), jnp.stack((x, y), axis=-1), jnp.hstack([x, y]), jnp.vstack([x, y])),
         X, Y),
    (lambda x: (jnp.stack([x[0], 2.0]), jnp.array([x[0], 2.0]), jnp.array([[x[0], 1], [x[1], x[2]]])), V),
    (lambda x: (jnp.split(x, 3, axis=1), jnp.split(x, [1, 3], -1), jnp.array_split(x, 3, axis=-1),
         jnp.hsplit(x, 3), jnp.vsplit(x, 2)), X),
    (lambda x: jnp.unstack(x, axis=1), X),
    (lambda x, y: (jnp.meshgrid(x, y), jnp.meshgrid(x, y, indexing="ij")), V, V[:3]),
    (lambda x: (jnp.pad(x, 1), jnp.pad(x, ((0, 0), (1, 2))), jnp.pad(x, (2, 0), constant_values=-1.5),
         jnp.pad(x, 1, mode="edge")), M),
    (lambda x: (jnp.pad(x, ((0, 0), (1, 2)), mode="reflect"), jnp.pad(x, ((0, 0), (2, 1)), "wrap"),
         jnp.pad(x, 1, "symmetric")), M),
    (lambda x: (jnp.tile(x, 2), jnp.tile(x, (2, 1, 3)), jnp.repeat(x, 2), jnp.repeat(x, 3, axis=-1),
         x.repeat(2, 0)), M),
    (lambda x: (jnp.diagonal(x), jnp.diag(x, -1), jnp.trace(x), jnp.tril(x), jnp.triu(x, 1), jnp.diag(x[0]),
         x.copy(), jnp.copy(x)), M),
]

TORCH = [
    (lambda x: (x.flatten(), x.flatten(1), torch.flatten(x, 0, 1), x.unflatten(1, (3, 1)),
         torch.unflatten(x, -1, (2, -1))), X),
    (lambda x, y: (x.view_as(y), x.reshape_as(y), y[:1, :1].expand_as(y)), X, X.reshape(4, 6)),
    (lambda x: (x.roll(1, dims=(0,)), torch.roll(x, 1), torch.roll(x, (1, 2), (0, -1)), x.T), X),
    (lambda x: (x.t(), x.tile(2), x.repeat(2, 1), torch.tensor_split(x, 3), x.contiguous().cpu()), V),
    (lambda x: (x.reshape(4, 6), x.view(4, -1), torch.reshape(x, (2, 12)), x.view((4, 6)), x.reshape(-1)),
         X),
    (lambda x: (x.view(x.size(0), -1), x.reshape(x.shape[0], -1), x.view(*x.shape[:1], 12),
         x.reshape(x.shape)), X),
    (lambda x, y: (x.view_as(y), x.reshape_as(y), x.view(y.shape), x.view(y.size())), X, Y),
    (lambda x: (x.flatten(), torch.flatten(x, 1), x.flatten(0, 1), x.flatten(-2), x.ravel(),
         torch.flatten(x, 1, 1)), X),
    (lambda x: (x.unflatten(2, (2, 2)), x.unflatten(-1, (2, -1)), torch.unflatten(x, 1, (3, 1))), X),
    (lambda x: (x.expand(2, 3, 4), x.expand(-1, -1, 4), x.expand(5, -1, -1, 2), torch.broadcast_to(x, (2, 3,
         1))), ONES),
    (lambda x, y: (x.expand_as(y), x.expand(y.shape), *torch.broadcast_tensors(x, y)), ONES, X),
    (lambda x: (x.unsqueeze(0), x.unsqueeze(-1), torch.unsqueeze(x, 1), x[:, None], x[..., None, :]), X),
    (lambda x: (x.squeeze(), x.squeeze(0), x.squeeze(1), torch.squeeze(x, -1), x.squeeze((0, 1, 2))), ONES),
    (lambda x: (x.T, x.mT, x.permute(2, 0, 1), x.permute((0, -1, 1)), torch.permute(x, (1, 0, 2))), X),
    (lambda x: (x.T, x.t(), x.mT, torch.t(x), x.transpose(0, 1)), M),
    (lambda x: (x.t(), x.T), V),
    (lambda x: (x.transpose(0, -1), torch.transpose(x, 1, 2), x.swapaxes(0, 1), x.swapdims(0, 2),
         torch.swapaxes(x, 1, 2)), X),
    (lambda x: (x.movedim(0, -1), torch.moveaxis(x, (0, 1), (-1, 0)), x.moveaxis(2, 0)), X),
    (lambda x: (torch.flip(x, (0,)), x.flip(0, -1), torch.flip(x, [1]), x.flip((0, 2)), x.fliplr(),
         torch.flipud(x)), X),
    (lambda x: (torch.roll(x, 1), x.roll(-2, 1), torch.roll(x, (1, 2), (0, 2)), x.roll(1, 0), torch.roll(x,
         (1,), (2,))), X),
    (lambda x, y: (torch.cat([x, y]), torch.cat((x, y), dim=-1), torch.cat([x, y], 1), torch.concat([x,
         y])), X, Y),
    (lambda x, y: (torch.stack([x, y]), torch.stack((x, y), -1), torch.hstack([x, y]), torch.vstack((x,
         y))), X, Y),
    (lambda x: (torch.split(x, 1), x.split(2, dim=2), x.split(3, -1), x.split([1, 2], dim=1), torch.split(x,
         [4], 2), x.split_with_sizes((1, 3), 2)), X),
    (lambda x: x.split(x.shape[2] // 2, dim=2), X),
    (lambda x: (x.chunk(2), torch.chunk(x, 3, dim=2), x.chunk(5, 1), x.chunk(2, -1)), X),
    (lambda x: (torch.tensor_split(x, 3, 2), x.tensor_split((1, 2), dim=1), x.hsplit(3), torch.vsplit(x,
         (1,))), X),
    (lambda x: (x.unbind(), torch.unbind(x, 1), x.unbind(-1)), X),
    (lambda x, y: (torch.meshgrid(x, y, indexing="xy"), torch.meshgrid([x, y], indexing="ij"),
         torch.meshgrid(x, y)), V, V[:3]),
    (lambda x: (torch.nn.functional.pad(x, (1, 2)), torch.nn.functional.pad(x, (0, 1, 2, 0), value=-1.5)),
         X),
    (lambda x: torch.nn.functional.pad(x, (-1, 1, 1, -1)), X),
    (lambda x: (torch.nn.functional.pad(x, (1, 2), mode="reflect"), torch.nn.functional.pad(x, (2, 1),
         mode="replicate")), X),
    (lambda x: torch.nn.functional.pad(x, (1, 2, 0, 1), mode="circular"), X),
    (lambda x: (x.repeat(2, 1), x.repeat(2, 1, 3), torch.tile(x, (2,)), x.tile(2, 1)), M),
    (lambda x: (torch.repeat_interleave(x, 2), x.repeat_interleave(3, dim=-1)), M),
    (lambda x: (torch.diagonal(x), torch.diagonal(x, 1, 1, 2), x.diagonal(-1, dim1=0, dim2=-1)), X),
    (lambda x: (torch.diag(x), x.diag(1), torch.trace(x), torch.tril(x), x.triu(1), x.tril(diagonal=-1)),
         M[:, :3].copy()),
    (lambda x: (torch.diag(x), torch.diag(x, -1)), V),
    (lambda x: (x.contiguous(), x.clone(), torch.clone(x)), X),
]
# fmt: on


@pytest.mark.parametrize(("source", "case"), sourced(NUMPY, JAX, TORCH))
def test_spellings(case, source, same):
    same(*case, source=source)


# Every dtype, and arrays of no axes, of none or one element.

# fmt: off
MOVES = {
    "numpy": lambda x: (x.reshape(-1), x.T, np.flip(x), np.roll(x, 1), np.concatenate([x, x]), np.stack([x,
         x], -1), np.tile(x, 2), np.repeat(x, 2, 0), np.pad(x, 1), np.pad(x, 1, mode="edge"), np.tril(x),
         np.diag(x), np.diag(x[0]), x[::-1, 1], x[[0, -1]], x.copy(), *np.split(x, 2), np.zeros_like(x),
         np.ones_like(x), np.full_like(x, 1), np.broadcast_to(x, (3, 2, 2)), np.expand_dims(x, 1),
         np.squeeze(x[:1], 0), np.take(x, [1, 0], 1), *np.meshgrid(x[0], x[1]), np.swapaxes(x, 0, 1),
         np.pad(x, ((0, 0), (1, 1)), "reflect")),
    "jax": lambda x: (x.reshape(-1), x.T, jnp.flip(x), jnp.roll(x, 1), jnp.concatenate([x, x]),
         jnp.stack([x, x], -1), jnp.tile(x, 2), jnp.repeat(x, 2, 0), jnp.pad(x, 1), jnp.pad(x, 1,
         mode="edge"), jnp.tril(x), jnp.diag(x), jnp.diag(x[0]), x[::-1, 1], x.copy(), *jnp.split(x, 2),
         jnp.zeros_like(x), jnp.ones_like(x), jnp.full_like(x, 1), jnp.broadcast_to(x, (3, 2, 2)),
         jnp.expand_dims(x, 1)),
    "torch": lambda x: (x.reshape(-1), x.T, torch.flip(x, (0, 1)), torch.roll(x, 1), torch.cat([x, x]),
         torch.stack([x, x], -1), x.repeat(2, 1), x.repeat_interleave(2, 0), torch.nn.functional.pad(x, (1,
         1, 1, 1)), torch.tril(x), torch.diag(x), torch.diag(x[0]), x[[0, -1]], x.clone(), *x.split(1),
         torch.zeros_like(x), torch.ones_like(x), torch.full_like(x, 1), x.expand(3, 2, 2), x.unsqueeze(1),
         *torch.meshgrid(x[0], x[1], indexing="ij"), x.transpose(0, 1), x.new_zeros(2), x.new_full((2,),
         1)),
}
# fmt: on
DTYPES = "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128".split()


@pytest.mark.parametrize("source", MOVES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(source, dtype, same):
    x = np.array([[1, 0], [3, 1]]).astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    same(MOVES[source], x, source=source, x64=True)


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d != "bfloat16"])
def test_trace(dtype, same):
    same(
        lambda x: (np.trace(x), x.trace(offset=1)),
        np.array([[1, 0], [3, 1]]).astype(dtype),
        source="numpy",
        x64=True,
    )


# fmt: off
SMALL = {
    "numpy": lambda x: (x.reshape(-1), np.ravel(x), x.T, np.flip(x), np.roll(x, 1), np.expand_dims(x, -1),
         np.stack([x, x]), np.tile(x, 2), np.repeat(x, 2), np.squeeze(x), x[...], x[None], x[..., None],
         np.zeros_like(x), np.broadcast_to(x, (2, *x.shape)), x.copy(), np.hstack([x, x])),
    "jax": lambda x: (x.reshape(-1), x.T, jnp.flip(x), jnp.roll(x, 1), jnp.expand_dims(x, -1), jnp.stack([x,
         x]), jnp.tile(x, 2), jnp.repeat(x, 2), jnp.squeeze(x), x[...], x[None], x[..., None],
         jnp.zeros_like(x), jnp.broadcast_to(x, (2, *x.shape)), x.copy()),
    "torch": lambda x: (x.reshape(-1), x.flatten(), x.T, torch.roll(x, 1), x.unsqueeze(-1), torch.stack([x,
         x]), torch.tile(x, (2,)), x.repeat_interleave(2), x.squeeze(), x[...], x[None], x[..., None],
         torch.zeros_like(x), x.expand(2, *x.shape), x.clone()),
}
# fmt: on


@pytest.mark.parametrize("source", SMALL)
@pytest.mark.parametrize("shape", [(), (1,), (0,), (1, 1), (0, 3), (2, 0, 1)])
def test_small(source, shape, same):
    same(SMALL[source], np.ones(shape, np.float32), source=source)


# fmt: off
REFUSED = [
    (lambda x: np.reshape(x, (4, 6), order="F"), "order='F'"),
    (lambda x: x.ravel(order="K"), "order='K'"),
    (lambda x: np.pad(x, 1, mode="mean"), "mode 'mean'"),
    (lambda x: np.pad(x, 1, constant_values=(1, 2)), "one number"),
    (lambda x: np.meshgrid(x[0, 0], x[0, 1], sparse=True), "sparse"),
    (lambda x: np.tile(x, x[0, 0].astype(int)), "known while tracing"),
    (lambda x: np.reshape(x, (4, 7)), "has no shape"),
    (lambda x: np.squeeze(x, 1), "cannot be squeezed"),
    (lambda x: np.transpose(x, (0, 1)), "no order of the axes"),
    (lambda x: np.split(x, 2, axis=1), "no 2 equal parts"),
    (lambda x: np.concatenate(x), "list of arrays"),
]
# fmt: on


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case, refused):
    fn, match = case
    refused(fn, X, source="numpy", match=match)


def test_what_is_looked_at_is_guarded():
    def fn(x):
        return x.squeeze(), x.split(x.shape[2] // 2, dim=2)

    text = api.symbolic_trace(fn, (torch.ones(2, 1, 4),)).source("numpy")
    assert text.count("assert") == 4


COUNTED = [
    ("numpy", lambda x: (np.repeat(x, [1, 0, 2]), np.repeat(x, (2,)), x.repeat([2, 1, 0]),
         np.repeat(x[None], [3], axis=0))),
    ("torch", lambda x: (torch.repeat_interleave(x, torch.tensor([1, 0, 2])),
         x.repeat_interleave(torch.tensor([2, 1, 0]), 0))),
    ("jax", lambda x: (jnp.repeat(x, jnp.array([1, 0, 2]), total_repeat_length=3),
         jnp.repeat(x, jnp.array([1, 0, 2])))),
]  # fmt: skip


@pytest.mark.parametrize(("source", "fn"), COUNTED)
def test_each_element_as_often_as_a_list_says(source, fn, same):
    same(fn, V[:3], source=source)


def test_how_often_an_array_says():
    def fn(x, n):
        return np.repeat(x, n)

    for to in ("numpy", "torch"):
        out = api.transpile(fn, (V[:3], np.array([1, 0, 2])), to=to)
        n = torch.tensor([0, 3, 1]) if to == "torch" else np.array([0, 3, 1])
        x = torch.tensor(V[:3]) if to == "torch" else V[:3]
        np.testing.assert_array_equal(out(x, n), fn(V[:3], np.array([0, 3, 1])))
    with pytest.raises(UnsupportedError, match="the size of its result depends on the values"):
        api.transpile(fn, (V[:3], np.array([1, 0, 2])), to="jax")


def test_a_length_that_is_not_the_sum_cuts_off_or_fills_up_in_jax_alone():
    def fn(x):
        return jnp.repeat(x, jnp.array([1, 0, 2]), total_repeat_length=4)

    with pytest.raises(UnsupportedError, match="total=4"):
        api.transpile(fn, (jnp.array(V[:3]),), to="numpy")
