"""Attention in a few flavours, written as plain functions on tensors."""

import math

import torch
from torch import Tensor

NEG_BIG = -1e9  # finite on purpose: a fully masked row must not become nan
ALIBI_BASE = 8.0


def split_heads(x: Tensor, n_heads: int) -> Tensor:
    """(B, T, D) -> (B, H, T, D / H)"""
    b, t, d = x.shape
    return x.view(b, t, n_heads, d // n_heads).transpose(1, 2)


def merge_heads(x: Tensor) -> Tensor:
    """(B, H, T, C) -> (B, T, H * C)"""
    b, h, t, c = x.shape
    return x.transpose(1, 2).contiguous().view(b, t, h * c)


def multi_head_attention(
    params: dict[str, Tensor],
    x: Tensor,
    context: Tensor | None = None,
    key_mask: Tensor | None = None,
    n_heads: int = 4,
    causal: bool = False,
) -> tuple[Tensor, Tensor]:
    """Multi-head attention, self or cross.

    Args:
        params: "wq", "wk", "wv", "wo" of shape (D, D), and optionally "bo".
        x: queries, (B, T, D).
        context: where keys and values come from, (B, S, D); `x` if absent.
        key_mask: (B, S) bool, True for real tokens and False for padding.
        n_heads: has to divide D.
        causal: hide the future. Only makes sense for self attention.

    Returns:
        The output (B, T, D) and the attention map averaged over heads (B, T, S).
    """
    source = x if context is None else context

    q = split_heads(x @ params["wq"], n_heads)
    k = split_heads(source @ params["wk"], n_heads)
    v = split_heads(source @ params["wv"], n_heads)

    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))

    if causal:
        t, s = scores.shape[-2:]
        future = torch.ones(t, s, dtype=torch.bool, device=x.device).triu(diagonal=1)
        scores = scores.masked_fill(future, NEG_BIG)
    if key_mask is not None:
        scores = scores.masked_fill(~key_mask[:, None, None, :], NEG_BIG)

    weights = scores.softmax(dim=-1)
    out = merge_heads(weights @ v) @ params["wo"]
    if "bo" in params:
        out = out + params["bo"]

    return out, weights.mean(dim=1)


def alibi_slopes(n_heads: int) -> list[float]:
    # geometric sequence for powers of two; otherwise fill up from the next power
    if math.log2(n_heads).is_integer():
        start = 2.0 ** (-ALIBI_BASE / n_heads)
        return [start ** (i + 1) for i in range(n_heads)]
    closest = 2 ** math.floor(math.log2(n_heads))
    extra = alibi_slopes(2 * closest)[0::2]
    return alibi_slopes(closest) + extra[: n_heads - closest]


def sliding_window_attention(
    qkv: Tensor, n_heads: int = 3, window: int = 4, n_sink: int = 0
) -> Tensor:
    """Causal attention over the last `window` positions, with ALiBi biases.

    `qkv` is the output of a fused projection, (B, T, 3 * D). The first `n_sink`
    tokens stay visible for ever (attention sinks).
    """
    q, k, v = (split_heads(z, n_heads) for z in qkv.chunk(3, dim=-1))
    t, d_head = q.shape[-2], q.shape[-1]

    pos = torch.arange(t, device=qkv.device)
    dist = pos[:, None] - pos[None, :]  # > 0 looks back

    visible = (dist >= 0) & (dist < window)
    if n_sink > 0:
        visible |= (dist >= 0) & (pos[None, :] < n_sink)

    slopes = torch.tensor(alibi_slopes(n_heads), dtype=qkv.dtype, device=qkv.device)
    bias = -slopes.view(-1, 1, 1) * dist.clamp(min=0).to(qkv.dtype)

    att = torch.einsum("bhqd,bhkd->bhqk", q, k) * d_head**-0.5 + bias
    att = att.masked_fill(visible.logical_not(), float("-inf"))
    att = torch.softmax(att, dim=-1)

    return merge_heads(torch.einsum("bhqk,bhkd->bhqd", att, v))
