"""How neural networks are said. Same order as in ir/ops/nn.py. NumPy has no word for any of it."""

from __future__ import annotations

from typing import Any

from ...ir.ops import nn
from ..context import Reading, Refusal
from ..rows import reads, say

F = "torch.nn.functional"
DROPOUTS = "dropout dropout1d dropout2d dropout3d alpha_dropout feature_alpha_dropout"

# fmt: off
say(nn.softmax,
    jax="jax.nn.softmax(x, axis=axis)",
    torch="torch.softmax(x, dim=axis)  if axis: int",
    reads="F.softmax(x, dim=axis)      if axis: int",
    types="""
        jax: inexact, wraps, strong
        torch: float
    """)
say(nn.log_softmax,
    jax="jax.nn.log_softmax(x, axis=axis)",
    torch="torch.log_softmax(x, dim=axis)  if axis: int",
    reads="F.log_softmax(x, dim=axis)      if axis: int",
    types="""
        jax: inexact, wraps, strong
        torch: float
    """)

say(nn.relu,
    jax="jax.nn.relu(x)",
    torch="torch.relu(x)",
    reads="F.relu(x)",
    types="""
        jax: num
        torch: uint8 int float
    """)
# JAX reckons beside 6.0; of float16, torch makes a dtype of its own.
say(nn.relu6,
    jax="jax.nn.relu6(x)",
    torch="F.relu6(x)",
    types="""
        jax: bool|integer>weak inexact
        torch: float, unsaid
    """)
say(nn.leaky_relu,
    jax="jax.nn.leaky_relu(x, negative_slope=negative_slope)",
    torch="F.leaky_relu(x, negative_slope=negative_slope)",
    types="""
        jax: bool|integer>weak inexact
        torch: float
    """)
say(nn.prelu,
    torch="F.prelu(x, weight)",
    reads="torch.prelu(x, weight)",
    types="torch: float")
say(nn.elu,
    jax="jax.nn.elu(x, alpha=alpha)",
    torch="F.elu(x, alpha=alpha)",
    types="""
        jax: bool|integer>weak inexact
        torch: float
    """)
say(nn.celu,
    jax="jax.nn.celu(x, alpha=alpha)",
    torch="F.celu(x, alpha=alpha)",
    reads="torch.celu(x, alpha=alpha)",
    types="""
        jax: bool|integer>weak inexact
        torch: float
    """)
say(nn.selu,
    jax="jax.nn.selu(x)",
    torch="F.selu(x)",
    reads="torch.selu(x)",
    types="""
        jax: bool|integer>weak inexact
        torch: float
    """)
say(nn.gelu,
    jax="""
        jax.nn.gelu(x, approximate=True)   if approximate='tanh'
        jax.nn.gelu(x, approximate=False)  if approximate='none'
    """,
    torch="F.gelu(x, approximate=approximate)",
    types="""
        jax: strong
        torch: float
    """)
say(nn.silu,
    jax="jax.nn.silu(x)",
    torch="F.silu(x)",
    reads="jax.nn.swish(x)",
    types="""
        jax: inexact
        torch: inexact
    """)
say(nn.mish,
    jax="jax.nn.mish(x)",
    torch="F.mish(x)",
    types="""
        jax: bool>weak integer>float float
        torch: float
    """)
say(nn.softplus,
    jax="""
        jax.nn.softplus(x)
        jax.nn.softplus(x)                             if threshold=20, x: float32|float16|bfloat16
    """,
    torch="""
        F.softplus(x, beta=beta, threshold=threshold)  if threshold: number
        F.softplus(x)                                  if threshold=None, x: float32|float16|bfloat16
    """,
    types="""
        jax: bool>weak integer>float float
        torch: float
    """)
say(nn.log_sigmoid,
    jax="jax.nn.log_sigmoid(x)",
    torch="F.logsigmoid(x)",
    types="""
        jax: float, unsaid
        torch: float
    """)
say(nn.hard_sigmoid,
    jax="jax.nn.hard_sigmoid(x)",
    torch="F.hardsigmoid(x)",
    types="""
        jax: bool|integer>weak inexact
        torch: float
    """)
say(nn.hard_swish,
    jax="jax.nn.hard_swish(x)",
    torch="F.hardswish(x)",
    reads="jax.nn.hard_silu(x)",
    types="""
        jax: bool|integer>weak inexact
        torch: float
    """)
say(nn.hard_tanh,
    jax="jax.nn.hard_tanh(x)",
    torch="F.hardtanh(x, min_val=low, max_val=high)",
    types="""
        jax: bool>int64 int float
        torch: uint8 int float
    """)
say(nn.soft_sign,
    jax="jax.nn.soft_sign(x)",
    torch="F.softsign(x)",
    types="""
        jax: bool>weak inexact, wraps
        torch: inexact, wraps
    """)
say(nn.glu,
    jax="jax.nn.glu(x, axis=axis)",
    torch="F.glu(x, dim=axis)",
    types="""
        jax: inexact
        torch: float
    """)

say(nn.layer_norm,
    torch="""
        F.layer_norm(x, normalized_shape, weight=weight, bias=bias, eps=eps)
        F.layer_norm(x, normalized_shape, weight=weight, eps=eps)
        F.layer_norm(x, normalized_shape, bias=bias, eps=eps)
        F.layer_norm(x, normalized_shape, eps=eps)
    """,
    reads="torch.layer_norm(x, normalized_shape, weight=weight, bias=bias, eps=eps)",
    types="torch: float")
say(nn.rms_norm,
    torch="""
        F.rms_norm(x, normalized_shape, weight=weight, eps=eps)
        F.rms_norm(x, normalized_shape, eps=eps)
    """,
    reads="torch.rms_norm(x, normalized_shape, weight=weight, eps=eps)")
say(nn.group_norm,
    torch="""
        F.group_norm(x, num_groups, weight=weight, bias=bias, eps=eps)
        F.group_norm(x, num_groups, weight=weight, eps=eps)
        F.group_norm(x, num_groups, bias=bias, eps=eps)
        F.group_norm(x, num_groups, eps=eps)
    """,
    reads="torch.group_norm(x, num_groups, weight=weight, bias=bias, eps=eps)",
    types="torch: float")
say(nn.instance_norm,
    torch="""
        F.instance_norm(x, weight=weight, bias=bias, eps=eps)
        F.instance_norm(x, weight=weight, eps=eps)
        F.instance_norm(x, bias=bias, eps=eps)
        F.instance_norm(x, eps=eps)
    """)
say(nn.batch_norm,
    torch="""
        F.batch_norm(x, mean, var, weight=weight, bias=bias, eps=eps)
        F.batch_norm(x, mean, var, weight=weight, eps=eps)
        F.batch_norm(x, mean, var, bias=bias, eps=eps)
        F.batch_norm(x, mean, var, eps=eps)
    """,
    types="torch: float")
say(nn.normalize,
    torch="F.normalize(x, p=p, dim=dims(axis), eps=eps)",
    types="torch: inexact")
say(nn.cosine_similarity,
    torch="F.cosine_similarity(x, y, dim=axis, eps=eps)",
    reads="torch.cosine_similarity(x, y, dim=axis, eps=eps)",
    types="torch: float")

say(nn.linear,
    torch="""
        F.linear(x, weight, bias)
        F.linear(x, weight)
    """,
    types="torch: uint8 int inexact, alike, loose")
say(nn.scaled_dot_product_attention,
    torch="""
        F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=is_causal, scale=scale)
        F.scaled_dot_product_attention(q, k, v, is_causal=is_causal, scale=scale)
    """,
    types="torch: float, alike")
say(nn.dot_product_attention,
    jax="""
        jax.nn.dot_product_attention(q, k, v, bias=bias, mask=mask, is_causal=is_causal, scale=scale)
        jax.nn.dot_product_attention(q, k, v, bias=bias, is_causal=is_causal, scale=scale)
        jax.nn.dot_product_attention(q, k, v, mask=mask, is_causal=is_causal, scale=scale)
        jax.nn.dot_product_attention(q, k, v, is_causal=is_causal, scale=scale)
    """,
    types="jax: float, unsaid")
# fmt: on


@reads(f"{F}.batch_norm")
def batch_norm(
    reading: Reading, input: Any, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None,
    training: Any = False, momentum: Any = 0.1, eps: Any = 1e-05,
) -> Any:  # fmt: skip
    """That of a trained model; `momentum` only tells how training would go on."""
    if training is not False:
        raise Refusal(
            "with training=True it normalises by the batch and changes its running statistics",
            "call model.eval() first",
        )
    return reading.op(nn.batch_norm, input, running_mean, running_var, weight, bias, eps=eps)


@reads(
    *(f"{F}.{name}" for name in DROPOUTS.split()),
    "torch.dropout", "torch.alpha_dropout", "torch.feature_dropout", gives="torch: view",
)  # fmt: skip
def dropout(reading: Reading, input: Any, p: Any = 0.5, training: Any = True, train: Any = True) -> Any:
    """Nothing happens to the input where the model is not in training."""
    if (training and train) is not False and p != 0:
        raise Refusal(
            "it draws random numbers, and no two frameworks draw the same",
            "training=False, or call model.eval() first",
        )
    return input
