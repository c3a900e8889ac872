"""How neural networks are said. Same order as in ir/ops/nn.py. NumPy has no word for any of it."""

from __future__ import annotations

from typing import Any

from ...ir.ops import nn
from ..context import Reading, Refusal
from ..rows import reads, say

F = "torch.nn.functional"
NARROW = "float32|float16|bfloat16"  # in which log(1 + exp(20)) is 20

# fmt: off
#    op                  jax                                                                                   torch
say( nn.softmax,         None, "jax.nn.softmax(x, axis=axis)",                                                 "torch.softmax(x, dim=axis) if axis: int",
     also=[f"{F}.softmax(x, dim=axis) if axis: int"])
say( nn.log_softmax,     None, "jax.nn.log_softmax(x, axis=axis)",                                             "torch.log_softmax(x, dim=axis) if axis: int",
     also=[f"{F}.log_softmax(x, dim=axis) if axis: int"])

say( nn.relu,            None, "jax.nn.relu(x)",                                                               "torch.relu(x)",
     also=[f"{F}.relu(x)"])
say( nn.relu6,           None, "jax.nn.relu6(x)",                                                              f"{F}.relu6(x)")
say( nn.leaky_relu,      None, "jax.nn.leaky_relu(x, negative_slope=negative_slope)",                          f"{F}.leaky_relu(x, negative_slope=negative_slope)")
say( nn.prelu,           None, None,                                                                           f"{F}.prelu(x, weight)",
     also=["torch.prelu(x, weight)"])
say( nn.elu,             None, "jax.nn.elu(x, alpha=alpha)",                                                   f"{F}.elu(x, alpha=alpha)")
say( nn.celu,            None, "jax.nn.celu(x, alpha=alpha)",                                                  f"{F}.celu(x, alpha=alpha)",
     also=["torch.celu(x, alpha=alpha)"])
say( nn.selu,            None, "jax.nn.selu(x)",                                                               f"{F}.selu(x)",
     also=["torch.selu(x)"])
say( nn.gelu,            None, ("jax.nn.gelu(x, approximate=True) if approximate='tanh'",
                                "jax.nn.gelu(x, approximate=False) if approximate='none'"),                    f"{F}.gelu(x, approximate=approximate)")
say( nn.silu,            None, "jax.nn.silu(x)",                                                               f"{F}.silu(x)",
     also=["jax.nn.swish(x)"])
say( nn.mish,            None, "jax.nn.mish(x)",                                                               f"{F}.mish(x)")
say( nn.softplus,        None, ("jax.nn.softplus(x)", f"jax.nn.softplus(x) if threshold=20, x: {NARROW}"),
                               (f"{F}.softplus(x, beta=beta, threshold=threshold) if threshold: number",
                                f"{F}.softplus(x) if threshold=None, x: {NARROW}"))
say( nn.log_sigmoid,     None, "jax.nn.log_sigmoid(x)",                                                        f"{F}.logsigmoid(x)")
say( nn.hard_sigmoid,    None, "jax.nn.hard_sigmoid(x)",                                                       f"{F}.hardsigmoid(x)")
say( nn.hard_swish,      None, "jax.nn.hard_swish(x)",                                                         f"{F}.hardswish(x)",
     also=["jax.nn.hard_silu(x)"])
say( nn.hard_tanh,       None, "jax.nn.hard_tanh(x)",                                                          f"{F}.hardtanh(x, min_val=low, max_val=high)")
say( nn.soft_sign,       None, "jax.nn.soft_sign(x)",                                                          f"{F}.softsign(x)")
say( nn.glu,             None, "jax.nn.glu(x, axis=axis)",                                                     f"{F}.glu(x, dim=axis)")

say( nn.layer_norm,      None, None,                                           tuple(f"{F}.layer_norm(x, normalized_shape{given}, eps=eps)" for given in
                                                                               (", weight=weight, bias=bias", ", weight=weight", ", bias=bias", "")),
     also=["torch.layer_norm(x, normalized_shape, weight=weight, bias=bias, eps=eps)"])
say( nn.rms_norm,        None, None,                                           (f"{F}.rms_norm(x, normalized_shape, weight=weight, eps=eps)",
                                                                                f"{F}.rms_norm(x, normalized_shape, eps=eps)"),
     also=["torch.rms_norm(x, normalized_shape, weight=weight, eps=eps)"])
say( nn.group_norm,      None, None,                                           tuple(f"{F}.group_norm(x, num_groups{given}, eps=eps)" for given in
                                                                               (", weight=weight, bias=bias", ", weight=weight", ", bias=bias", "")),
     also=["torch.group_norm(x, num_groups, weight=weight, bias=bias, eps=eps)"])
say( nn.instance_norm,   None, None,                                           tuple(f"{F}.instance_norm(x{given}, eps=eps)" for given in
                                                                               (", weight=weight, bias=bias", ", weight=weight", ", bias=bias", "")))
say( nn.batch_norm,      None, None,                                           tuple(f"{F}.batch_norm(x, mean, var{given}, eps=eps)" for given in
                                                                               (", weight=weight, bias=bias", ", weight=weight", ", bias=bias", "")))
say( nn.normalize,       None, None,                                           f"{F}.normalize(x, p=p, dim=dims(axis), eps=eps)")
say( nn.cosine_similarity, None, None,                                         f"{F}.cosine_similarity(x, y, dim=axis, eps=eps)",
     also=["torch.cosine_similarity(x, y, dim=axis, eps=eps)"])

say( nn.linear,          None, None,                                           (f"{F}.linear(x, weight, bias)", f"{F}.linear(x, weight)"))
say( nn.scaled_dot_product_attention, None, None,                              (f"{F}.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=is_causal, scale=scale)",
                                                                                f"{F}.scaled_dot_product_attention(q, k, v, is_causal=is_causal, scale=scale)"))
say( nn.dot_product_attention, None, tuple(f"jax.nn.dot_product_attention(q, k, v{given}, is_causal=is_causal, scale=scale)" for given in
                                     (", bias=bias, mask=mask", ", bias=bias", ", mask=mask", "")),            None)
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
    *(f"{F}.{name}" for name in ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout")),
    "torch.dropout", "torch.alpha_dropout", "torch.feature_dropout",
)  # fmt: skip
def dropout(reading: Reading, input: Any, p: Any = 0.5, training: Any = True, train: Any = True) -> Any:
    """Nothing happens to the input where the model is not in training."""
    if (training and train) is not False and p != 0:
        raise Refusal(
            "it draws random numbers, and no two frameworks draw the same",
            "training=False, or call model.eval() first",
        )
    return input
