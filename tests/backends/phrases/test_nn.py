"""Parts of neural networks: every spelling, into every framework, against the framework that it was written for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest
import torch
import torch.nn.functional as F

RNG = np.random.default_rng(0)
INF = float("inf")


def array(*shape: int, dtype: str = "float32") -> np.ndarray[Any, Any]:
    return (2 * RNG.standard_normal(shape)).astype(dtype)


def calling(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[..., Any]:
    return lambda *arrays: fn(*arrays, *args, **kwargs)


# Activations.

JAX = {name: calling(getattr(jax.nn, name)) for name in
       "relu relu6 leaky_relu elu celu selu gelu silu swish mish softplus log_sigmoid hard_sigmoid hard_swish hard_tanh soft_sign glu"
       " softmax log_softmax".split()} | {  # fmt: skip
    "leaky 0.3": calling(jax.nn.leaky_relu, 0.3), "elu 2": calling(jax.nn.elu, alpha=2.0), "celu 2": calling(jax.nn.celu, 2.0),
    "gelu exact": calling(jax.nn.gelu, approximate=False), "glu 0": calling(jax.nn.glu, axis=0),
    "softmax 0": calling(jax.nn.softmax, axis=0), "softmax all": calling(jax.nn.softmax, axis=None),
    "softmax axes": calling(jax.nn.log_softmax, axis=(0, -1)),
}  # fmt: skip
TORCH = {name: calling(getattr(F, name)) for name in
         "relu relu6 leaky_relu elu celu selu gelu silu mish softplus logsigmoid hardsigmoid hardswish hardtanh softsign glu".split()} | {  # fmt: skip
    "torch.relu": calling(torch.relu), "x.relu": lambda x: x.relu(), "torch.selu": calling(torch.selu),
    "leaky 0.3": calling(F.leaky_relu, 0.3), "elu 2": calling(F.elu, alpha=2.0), "celu 2": calling(F.celu, alpha=2.0),
    "gelu tanh": calling(F.gelu, approximate="tanh"), "glu 0": calling(F.glu, 0), "hardtanh 2": calling(F.hardtanh, -2, 2.5),
    "softplus 3": calling(F.softplus, beta=3), "softplus 3 5": calling(F.softplus, 3, 5.0),
    "softmax": calling(torch.softmax, -1), "softmax dim": calling(F.softmax, dim=0), "x.softmax": lambda x: x.softmax(1),
    "log_softmax": calling(F.log_softmax, 1), "softmax dtype": calling(torch.softmax, -1, dtype=torch.float64),
}  # fmt: skip
SPECIAL = np.array([[0.0, -0.0, 1e-8, -1e-8, 19.9, 20.1], [100.0, -100.0, 3.0, -3.0, 6.0, 0.5]])


@pytest.mark.parametrize("name", JAX)
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_jax_activations(same, name, dtype):
    same(JAX[name], SPECIAL.astype(dtype), source="jax")


@pytest.mark.parametrize("name", TORCH)
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_torch_activations(same, name, dtype):
    same(TORCH[name], SPECIAL.astype(dtype), source="torch")


@pytest.mark.parametrize("name", ["relu", "leaky_relu", "elu", "gelu", "silu", "softplus", "softmax", "log_softmax"])
def test_activations_of_nan_and_inf(same, name):
    x = np.array([[np.nan, 1.0, -1.0], [INF, 0.0, 1.0], [-INF, 0.0, 1.0], [-INF, -INF, -INF]], "float32")
    same(JAX[name], x, source="jax")
    same(TORCH[name], x, source="torch")


@pytest.mark.parametrize("name", ["relu", "leaky_relu", "elu", "gelu", "softplus", "softmax", "selu", "hard_tanh"])
def test_jax_activations_of_ints(same, name):
    same(JAX[name], np.array([[-3, 0, 4], [1, 2, 3]], "int32"), source="jax")


def test_bfloat16(same):
    x = torch.from_numpy(array(3, 8)).bfloat16()
    for fn in (calling(torch.softmax, -1), calling(F.gelu), calling(F.silu), calling(F.layer_norm, (8,)), calling(F.rms_norm, (8,))):
        same(fn, x, to=["jax", "torch"])
    same(calling(F.layer_norm, (8,)), x, to=["numpy"])


# Normalisation.

W, B = array(4), array(4)
X = array(2, 4, 6)
NORMS = {
    "layer": (calling(F.layer_norm, (4,)), array(3, 4)), "layer 2": (calling(F.layer_norm, [4, 6]), X),
    "layer weight": (lambda x, w: F.layer_norm(x, (4,), w), array(3, 4), W), "layer all": (lambda x, w, b: F.layer_norm(x, (4,), w, b, 1e-3), array(3, 4), W, B),
    "layer bias": (lambda x, b: F.layer_norm(x, (4,), bias=b), array(3, 4), B), "torch.layer_norm": (lambda x, w, b: torch.layer_norm(x, (4,), w, b), array(3, 4), W, B),
    "layer of its own shape": (lambda x: F.layer_norm(x, x.shape[-1:]), array(3, 4)),
    "rms": (calling(F.rms_norm, (6,)), X), "rms small": (calling(F.rms_norm, (6,)), X * 1e-4), "rms weight": (lambda x, w: F.rms_norm(x, (4,), w, 1e-5), array(3, 4), W),
    "group": (calling(F.group_norm, 2), X), "group all": (lambda x, w, b: F.group_norm(x, 4, w, b, 1e-3), array(2, 4, 3, 3), W, B),
    "group rank 2": (lambda x, w, b: F.group_norm(x, 2, w, b), array(5, 4), W, B),
    "instance": (calling(F.instance_norm), X), "instance all": (lambda x, w, b: F.instance_norm(x, weight=w, bias=b, eps=1e-3), array(2, 4, 3, 3), W, B),
    "batch": (lambda x, m, v: F.batch_norm(x, m, abs(v)), X, W, B), "batch rank 2": (lambda x, m, v: F.batch_norm(x, m, abs(v), momentum=0.7), array(5, 4), W, B),
    "batch all": (lambda x, m, v: F.batch_norm(x, m, abs(v), v, m, eps=1e-3), array(2, 4, 3, 3), W, B),
    "normalize": (calling(F.normalize), array(3, 4)), "normalize 1": (calling(F.normalize, p=1.0, dim=0), array(3, 4)), "normalize p": (calling(F.normalize, 3, -1), array(3, 4)),
    "normalize zeros": (calling(F.normalize), np.zeros((2, 3), "float32")), "cosine": (calling(F.cosine_similarity), array(3, 4), array(3, 4)),
    "cosine dim": (calling(F.cosine_similarity, dim=-1, eps=1e-3), array(3, 4), array(4)), "linear": (calling(F.linear), array(2, 3, 4), array(5, 4)),
    "linear bias": (calling(F.linear), array(3, 4), array(5, 4), array(5)), "linear vector": (calling(F.linear), array(3, 4), array(4)), "linear of vector": (calling(F.linear), array(4), array(5, 4), array(5)),
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("name", NORMS)
def test_norms_and_layers(same, name, dtype):
    fn, *arrays = NORMS[name]
    same(fn, *(a.astype(dtype) for a in arrays), source="torch")


def test_float16_far_from_zero_is_normalised_in_float32(same):
    x = (1000 + array(2, 4, 64)).astype("float16")
    same(calling(F.layer_norm, (64,)), x, source="torch")
    same(calling(F.group_norm, 2), x, source="torch")
    same(lambda x, m, v: F.batch_norm(x, m, v), x, np.full(4, 1000, "float16"), np.ones(4, "float16"), source="torch")


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


@pytest.mark.parametrize("mask", [MASK, FLOAT, MASK[None, None], FLOAT[None], RNG.random((2, 1, 1, 7)) > 0.3], ids=["bool", "float", "bool4", "float3", "keys"])
def test_masks_even_where_a_query_sees_no_key(same, mask):
    same(lambda q, k, v, m: sdpa(q, k, v, attn_mask=m), Q, K, V, mask, source="torch")


def test_jax_attention(same):
    q, k, v = array(2, 5, 3, 4), array(2, 7, 3, 4), array(2, 7, 3, 4)
    fn = jax.nn.dot_product_attention
    same(lambda q, k, v: fn(q, k, v), q, k, v, source="jax")
    same(lambda q, k, v: fn(q, k, v, scale=0.5, is_causal=True), q, k, v, source="jax")
    same(lambda q, k, v, b: fn(q, k, v, b), q, k, v, array(1, 3, 5, 7), source="jax")
    same(lambda q, k, v, m: fn(q, k, v, mask=m), q, k, v, MASK[None, None], source="jax")
    same(lambda q, k, v, b, m: fn(q, k, v, b, m, is_causal=True), q, k, v, array(2, 3, 5, 7), MASK[None, None], source="jax")


def test_attention_refusals(refused):
    refused(calling(sdpa, dropout_p=0.1), Q, K, V, source="torch", match="dropout_p")
    refused(calling(sdpa, enable_gqa=True), Q, K, V, source="torch", match="enable_gqa")
    fn = jax.nn.dot_product_attention
    refused(lambda q: fn(q, q, q, local_window_size=2), array(2, 5, 3, 4), source="jax", match="local_window_size")


# Losses.

PREDICTED, TARGET, PROBABLE = array(3, 4), array(3, 4), RNG.random((3, 4)).astype("float32")
LOSSES = {
    "mse": (F.mse_loss, {}), "l1": (F.l1_loss, {}), "smooth": (F.smooth_l1_loss, {}), "smooth 0.5": (F.smooth_l1_loss, {"beta": 0.5}),
    "smooth 0": (F.smooth_l1_loss, {"beta": 0.0}), "huber": (F.huber_loss, {}), "huber 2": (F.huber_loss, {"delta": 2.0}),
    "logits": (F.binary_cross_entropy_with_logits, {}), "kl": (F.kl_div, {}), "kl log": (F.kl_div, {"log_target": True}),
}  # fmt: skip


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("name", LOSSES)
def test_losses(same, name, reduction):
    fn, kwargs = LOSSES[name]
    target = PROBABLE if name in ("logits", "kl") else TARGET
    same(calling(fn, reduction=reduction, **kwargs), PREDICTED, target, source="torch")


def test_losses_of_their_own(same):
    ends = np.array([[0.0, 1.0, 0.5], [1.0, 0.0, 0.25]], "float32")
    same(calling(F.binary_cross_entropy), ends, np.array([[1.0, 0.0, 0.5], [1.0, 0.0, 1.0]], "float32"), source="torch")
    same(lambda x, t, w: F.binary_cross_entropy(x, t, w), PROBABLE, (TARGET > 0).astype("float32"), PROBABLE, source="torch")
    same(lambda x, t, w: F.binary_cross_entropy_with_logits(x, t, pos_weight=w), PREDICTED, PROBABLE, PROBABLE[0], source="torch")
    same(lambda x, t, w: F.binary_cross_entropy_with_logits(x, t, w, pos_weight=w), PREDICTED, PROBABLE, PROBABLE, source="torch")
    same(calling(F.kl_div, reduction="batchmean"), PREDICTED, PROBABLE, source="torch")
    same(calling(F.kl_div), PREDICTED, np.array([[0.0, 0.5, 0.5, 0.0]], "float32").repeat(3, 0), source="torch")
    same(lambda x, t: F.mse_loss(x, t), PREDICTED, TARGET.astype("float64"), source="torch")


CLASSES = np.array([1, 3, -100, 0, 1])
ENTROPIES = {
    "plain": {}, "sum": {"reduction": "sum"}, "none": {"reduction": "none"}, "ignore": {"ignore_index": 1}, "smooth": {"label_smoothing": 0.1},
    "smooth none": {"label_smoothing": 0.2, "reduction": "none"}, "smooth sum": {"label_smoothing": 0.2, "reduction": "sum", "ignore_index": 3},
}  # fmt: skip


@pytest.mark.parametrize("name", ENTROPIES)
@pytest.mark.parametrize("weighted", [False, True])
def test_cross_entropy(same, name, weighted):
    kwargs = ENTROPIES[name]
    classes = np.where(CLASSES < 0, 2, CLASSES) if "ignore_index" in kwargs else CLASSES
    weights = [RNG.random(4).astype("float32")] * weighted

    def f(x: Any, t: Any, *w: Any) -> Any:
        return F.cross_entropy(x, t, *w, **kwargs)

    same(f, array(5, 4), classes, *weights, source="torch")
    same(f, array(2, 4, 3, 5), RNG.integers(0, 4, (2, 3, 5)), *weights, source="torch")
    if "ignore_index" not in kwargs:
        same(f, array(5, 4), RNG.random((5, 4)).astype("float32"), *weights, source="torch")
    if "label_smoothing" not in kwargs:
        same(lambda x, t, *w: F.nll_loss(F.log_softmax(x, 1), t, *w, **kwargs), array(5, 4), classes, *weights, source="torch")


def test_cross_entropy_of_one_and_of_none(same):
    same(calling(F.cross_entropy), array(4), np.array(2), source="torch")
    same(calling(F.cross_entropy), array(3, 4), np.array([-100, -100, -100]), source="torch")
    for dtype in ("float16", "float64"):
        same(calling(F.cross_entropy), array(5, 4, dtype=dtype), CLASSES, source="torch")


def test_refusals(refused):
    x = array(2, 3)
    refused(lambda x: F.softmax(x), x, source="torch", match="axis is not int")
    refused(lambda x: jax.nn.softmax(x, where=x > 0), x, source="jax", match="where")
    refused(lambda x: F.relu(x, inplace=True), x, source="torch", match="")
    refused(lambda x: F.batch_norm(x, None, None, training=True), x, source="torch", match="training")
    refused(lambda x: F.mse_loss(x, x, size_average=True), x, source="torch", match="size_average")
    refused(lambda x: F.interpolate(x[None], 4), x, source="torch", match="interpolate")


def test_it_reads_well(same):
    texts = same(lambda x, w, b: torch.relu(F.linear(x, w, b)), array(2, 3), array(4, 3), array(4), source="torch")
    assert "return jax.nn.relu(x @ w.T + b)" in texts["jax"]
    assert "return np.maximum(x @ w.T + b, 0)" in texts["numpy"]
    assert "return torch.relu(F.linear(x, w, b))" in texts["torch"]
    assert "jax.nn.gelu(x, approximate=False)" in same(lambda x: F.gelu(x), array(2), source="torch")["jax"]
    assert 'F.gelu(x, approximate="tanh")' in same(lambda x: jax.nn.gelu(x), array(2), source="jax")["torch"]
    assert "F.softplus(x)" in same(lambda x: jax.nn.softplus(x), array(2), source="jax")["torch"]

