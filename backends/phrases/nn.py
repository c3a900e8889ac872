"""How neural networks are said. Same order as in ir/ops/nn.py. NumPy has no word for any of it."""

from __future__ import annotations

from typing import Any

from ...ir.ops import nn
from ..context import Reading, Refusal
from ..rows import reads, say

F = "torch.nn.functional"
DROPOUTS = "dropout dropout1d dropout2d dropout3d alpha_dropout feature_alpha_dropout"

# fmt: off
say(nn.layer_norm,
    torch="""
        F.layer_norm(x, normalized_shape, weight=weight, bias=bias, eps=eps)
        F.layer_norm(x, normalized_shape, weight=weight, eps=eps)
        F.layer_norm(x, normalized_shape, bias=bias, eps=eps)
        F.layer_norm(x, normalized_shape, eps=eps)
    """,
    reads="torch.layer_norm(x, normalized_shape, weight=weight, bias=bias, eps=eps)",
    types="torch: float, beside")
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
    types="torch: float, beside")
say(nn.instance_norm,
    torch="""
        F.instance_norm(x, weight=weight, bias=bias, eps=eps)
        F.instance_norm(x, weight=weight, eps=eps)
        F.instance_norm(x, bias=bias, eps=eps)
        F.instance_norm(x, eps=eps)
    """,
    types="torch: beside")
say(nn.batch_norm,
    torch="""
        F.batch_norm(x, mean, var, weight=weight, bias=bias, eps=eps)
        F.batch_norm(x, mean, var, weight=weight, eps=eps)
        F.batch_norm(x, mean, var, bias=bias, eps=eps)
        F.batch_norm(x, mean, var, eps=eps)
    """,
    types="torch: float, beside")
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
    types="torch: uint8 int inexact, alike, loose line")
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
    types="jax: float, unsaid, strong")
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
