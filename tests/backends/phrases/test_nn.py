"""Parts of neural networks: every spelling, into every framework, against its own framework."""

from __future__ import annotations

import functools
from typing import Any

import jax
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from calls import calling, every, normal

RNG = np.random.default_rng(0)
array = functools.partial(normal, RNG, scale=2)
INF = float("inf")


# Activations. Many in one function, since JAX compiles each anew.

JAX_NAMES = (
    "relu relu6 leaky_relu elu celu selu gelu silu swish mish"
    " softplus log_sigmoid hard_sigmoid hard_swish hard_tanh soft_sign glu softmax log_softmax"
).split()
JAX = [calling(getattr(jax.nn, name)) for name in JAX_NAMES] + [
    calling(jax.nn.leaky_relu, 0.3),
    calling(jax.nn.elu, alpha=2.0),
    calling(jax.nn.celu, 2.0),
    calling(jax.nn.gelu, approximate=False),
    calling(jax.nn.glu, axis=0),
    calling(jax.nn.softmax, axis=0),
    calling(jax.nn.softmax, axis=None),
    calling(jax.nn.log_softmax, axis=(0, -1)),
]
TORCH_NAMES = (
    "relu relu6 leaky_relu elu celu selu gelu silu mish"
    " softplus logsigmoid hardsigmoid hardswish hardtanh softsign glu"
).split()
TORCH = [calling(getattr(F, name)) for name in TORCH_NAMES] + [
    calling(torch.relu),
    lambda x: x.relu(),
    calling(torch.selu),
    calling(F.leaky_relu, 0.3),
    calling(F.elu, alpha=2.0),
    calling(F.celu, alpha=2.0),
    calling(F.gelu, approximate="tanh"),
    calling(F.glu, 0),
    calling(F.hardtanh, -2, 2.5),
    calling(F.softplus, beta=3),
    calling(F.softplus, 3, 5.0),
    calling(torch.softmax, -1),
    calling(F.softmax, dim=0),
    lambda x: x.softmax(1),
    calling(F.log_softmax, 1),
]
SPECIAL = np.array([[0.0, -0.0, 1e-8, -1e-8, 19.9, 20.1], [100.0, -100.0, 3.0, -3.0, 6.0, 0.5]])


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_activations(same, dtype):
    same(every(JAX), SPECIAL.astype(dtype), source="jax")
    same(every(TORCH), SPECIAL.astype(dtype), source="torch")


@pytest.mark.usefixtures("without_onednn")
def test_activations_of_nan_and_inf(same):
    x = np.array(
        [[np.nan, 1.0, -1.0, 2.0], [INF, 0.0, 1.0, 0.0], [-INF, 0.0, 1.0, 2.0], [-INF, -INF, -INF, -INF]],
        "float32",
    )
    tame = ("relu", "leaky_relu", "elu", "gelu", "silu", "softplus")
    same(every([getattr(jax.nn, name) for name in (*tame, "softmax", "log_softmax")]), x, source="jax")
    same(
        every([*(getattr(F, name) for name in tame), calling(torch.softmax, -1), calling(F.log_softmax, -1)]),
        x,
        source="torch",
    )


def test_jax_activations_of_ints(same):
    names = ("relu", "leaky_relu", "elu", "gelu", "softplus", "selu", "hard_tanh")
    same(
        every([getattr(jax.nn, name) for name in names]),
        np.array([[-3, 0, 4], [1, 2, 3]], "int32"),
        source="jax",
    )


def test_what_reckons_with_ints_as_they_are_is_refused(refused):
    x = np.array([[-(2**31), 0, 4], [1, 2, 2**31 - 1]], "int32")
    for function in (jax.nn.softmax, jax.nn.log_softmax, jax.nn.soft_sign):
        refused(calling(function), x, source="jax", match="cast it to a float")
    refused(calling(F.softsign), x, source="torch", match="cast it to a float")


def test_what_overflows_in_float16_elsewhere_does_not(same):
    same(calling(F.hardswish), np.array([6e4, 2e4, -6e4, 1, -1], "float16"), source="torch")


def test_prelu(same):
    for x in (SPECIAL, SPECIAL[..., None], SPECIAL[0]):
        same(lambda x, w: F.prelu(x, w), x.astype("float32"), array(1), source="torch")
    same(lambda x, w: F.prelu(x, w), SPECIAL[..., None].astype("float32"), array(6), source="torch")


def test_softmax_in_another_dtype(same):
    same(calling(torch.softmax, -1, dtype=torch.float64), SPECIAL.astype("float16"), source="torch")


def test_bfloat16(same):
    x = torch.from_numpy(array(3, 8)).bfloat16()
    for fn in (
        calling(torch.softmax, -1),
        calling(F.gelu),
        calling(F.silu),
        calling(F.layer_norm, (8,)),
        calling(F.rms_norm, (8,)),
    ):
        same(fn, x, to=["jax", "torch"])
    same(calling(F.layer_norm, (8,)), x, to=["numpy"])


# Normalisation and layers.

W, B = array(4), array(4)
X, ROWS, IMAGE = array(2, 4, 6), array(3, 4), array(2, 4, 3, 3)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_norms(same, dtype):
    x, rows, image, w, b = (a.astype(dtype) for a in (X, ROWS, IMAGE, W, B))
    same(
        lambda x: [
            F.layer_norm(x, [4, 6]),
            F.layer_norm(x, (6,), eps=1e-3),
            F.layer_norm(x, x.shape[-1:]),
            F.rms_norm(x, (6,)),
            F.rms_norm(x * 1e-4, (6,)),
            F.group_norm(x, 2),
            F.instance_norm(x),
        ],
        x,
        source="torch",
    )
    same(
        lambda x, w, b: [
            F.layer_norm(x, (4,), w),
            F.layer_norm(x, (4,), w, b, 1e-3),
            F.layer_norm(x, (4,), bias=b),
            torch.layer_norm(x, (4,), w, b),
            F.rms_norm(x, (4,), w, 1e-5),
            F.group_norm(x, 2, w, b),
            F.batch_norm(x, w, abs(b), momentum=0.7),
        ],
        rows,
        w,
        b,
        source="torch",
    )
    same(
        lambda x, w, b: [
            F.group_norm(x, 4, w, b, 1e-3),
            F.instance_norm(x, weight=w, bias=b, eps=1e-3),
            F.batch_norm(x, w, abs(b)),
            F.batch_norm(x, w, abs(b), b, w, eps=1e-3),
        ],
        image,
        w,
        b,
        source="torch",
    )


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_lengths_and_layers(same, dtype):
    rows, w, b = (a.astype(dtype) for a in (ROWS, array(5, 4), array(5)))
    same(
        lambda x: [
            F.normalize(x),
            F.normalize(x, p=1.0, dim=0),
            F.normalize(x, 3, -1),
            F.normalize(x * 0),
            F.normalize(x, dim=()),
            F.cosine_similarity(x, x.flip(0)),
            F.cosine_similarity(x, x[0], dim=-1, eps=1e-3),
        ],
        rows,
        source="torch",
    )
    same(
        lambda x, w, b: [F.linear(x, w), F.linear(x, w, b), F.linear(x[0], w, b), F.linear(x, w[0])],
        rows,
        w,
        b,
        source="torch",
    )


def test_float16_far_from_zero_is_normalised_in_float32(same):
    x = (1000 + array(2, 4, 64)).astype("float16")
    same(calling(F.layer_norm, (64,)), x, source="torch")
    same(calling(F.group_norm, 2), x, source="torch")
    same(
        lambda x, m, v: F.batch_norm(x, m, v),
        x,
        np.full(4, 1000, "float16"),
        np.ones(4, "float16"),
        source="torch",
    )


def test_weights_may_be_wider_than_the_input(same):
    x, w = torch.from_numpy(array(3, 4)).bfloat16(), torch.from_numpy(W)
    same(lambda x, w: F.layer_norm(x, (4,), w, w), x, w, to=["jax", "torch"])
    same(lambda x, m, v: F.batch_norm(x, m, v), x, w, abs(w), to=["jax", "torch"])


def test_dropout(same, refused):
    same(calling(F.dropout, 0.3, training=False), X, source="torch", kind="exact")
    same(calling(F.dropout, p=0.0), X, source="torch", kind="exact")
    same(calling(torch.dropout, 0.3, False), X, source="torch", kind="exact")
    refused(calling(F.dropout), X, source="torch", match="random numbers")
    refused(calling(torch.dropout, 0.3, True), X, source="torch", match="random numbers")


# Attention.

Q, K, V = array(2, 3, 5, 4), array(2, 3, 7, 4), array(2, 3, 7, 6)
MASK = RNG.random((5, 7)) > 0.4
MASK[1] = False
FLOAT = np.where(MASK, array(5, 7), -INF).astype("float32")


def sdpa(*arrays: Any, **kwargs: Any) -> Any:
    return F.scaled_dot_product_attention(*arrays, **kwargs)


def test_attention(same):
    same(calling(sdpa), Q, K, V, source="torch")
    same(calling(sdpa), Q[0, 0], K[0, 0], V[0, 0], source="torch")
    same(calling(sdpa, scale=0.7), Q, K, V, source="torch")
    same(calling(sdpa, dropout_p=0), Q, K, V, source="torch")
    for dtype in ("float64", "float16"):
        same(calling(sdpa), *(x.astype(dtype) for x in (Q, K, V)), source="torch")
    same(calling(sdpa), *(torch.from_numpy(x).bfloat16() for x in (Q, K, V)), to=["jax", "torch"])


def test_causal_attention_begins_at_the_first_key(same):
    same(calling(sdpa, is_causal=True), Q, K, V, source="torch")
    same(calling(sdpa, is_causal=True, scale=0.3), K, Q, array(2, 3, 5, 6), source="torch")


MASKS = {
    "bool": MASK,
    "float": FLOAT,
    "bool4": MASK[None, None],
    "float3": FLOAT[None],
    "keys": RNG.random((2, 1, 1, 7)) > 0.3,
}


@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)
def test_masks_even_where_a_query_sees_no_key(same, mask):
    same(lambda q, k, v, m: sdpa(q, k, v, attn_mask=m), Q, K, V, mask, source="torch")


def test_jax_attention(same):
    q, k, v = array(2, 5, 3, 4), array(2, 7, 3, 4), array(2, 7, 3, 4)
    fn = jax.nn.dot_product_attention
    same(lambda q, k, v: fn(q, k, v), q, k, v, source="jax")
    same(lambda q, k, v: fn(q, k, v, scale=0.5, is_causal=True), q, k, v, source="jax")
    same(lambda q, k, v, b: fn(q, k, v, b), q, k, v, array(1, 3, 5, 7), source="jax")
    same(lambda q, k, v, m: fn(q, k, v, mask=m), q, k, v, MASK[None, None], source="jax")
    same(
        lambda q, k, v, b, m: fn(q, k, v, b, m, is_causal=True),
        q,
        k,
        v,
        array(2, 3, 5, 7),
        MASK[None, None],
        source="jax",
    )


def test_attention_refusals(refused):
    refused(calling(sdpa, dropout_p=0.1), Q, K, V, source="torch", match="dropout_p")
    refused(calling(sdpa, enable_gqa=True), Q, K, V, source="torch", match="enable_gqa")
    fn = jax.nn.dot_product_attention
    refused(
        lambda q: fn(q, q, q, local_window_size=2), array(2, 5, 3, 4), source="jax", match="local_window_size"
    )


def test_refusals(refused):
    x = array(2, 3)
    refused(lambda x: F.softmax(x), x, source="torch", match="axis is not int")
    refused(lambda x: jax.nn.softmax(x, where=x > 0), x, source="jax", match="where")
    refused(lambda x: F.batch_norm(x, None, None, training=True), x, source="torch", match="training")
    refused(lambda x: F.interpolate(x[None], 4), x, source="torch", match="interpolate")


def test_it_reads_well(same):
    texts = same(
        lambda x, w, b: torch.relu(F.linear(x, w, b)), array(2, 3), array(4, 3), array(4), source="torch"
    )
    assert "return jax.nn.relu(x @ w.T + b)" in texts["jax"]
    assert "return np.maximum(x @ w.T + b, 0)" in texts["numpy"]
    assert "return torch.relu(F.linear(x, w, b))" in texts["torch"]
    assert "jax.nn.gelu(x, approximate=False)" in same(lambda x: F.gelu(x), array(2), source="torch")["jax"]
    assert 'F.gelu(x, approximate="tanh")' in same(lambda x: jax.nn.gelu(x), array(2), source="jax")["torch"]
    assert "F.softplus(x)" in same(lambda x: jax.nn.softplus(x), array(2), source="jax")["torch"]


def test_cosine_similarity_of_large_numbers(same):
    """Their norms are inf in float32, where the similarity is 0."""
    x = np.array([[1, 2, 3, 4]], "float32")
    same(lambda x, y: F.cosine_similarity(x, y, dim=-1), x * 1e20, x * 1e20, source="torch")
    same(lambda x, y: F.cosine_similarity(x, y, dim=-1), x * 1e30, x * 1e10, source="torch")
