"""1-d residual encoder with FiLM conditioning (audio, trajectories, ...)."""

import torch
import torch.nn.functional as F
from torch import Tensor

N_GROUPS = 4
GN_EPS = 1e-5
Params = dict[str, Tensor]


def causal_conv(x: Tensor, w: Tensor, b: Tensor | None, dilation: int = 1) -> Tensor:
    """Convolution that only sees the past; keeps the length."""
    pad = (w.shape[-1] - 1) * dilation
    return F.conv1d(F.pad(x, (pad, 0)), w, b, dilation=dilation)


def res_block(x: Tensor, p: Params, emb: Tensor | None, dilation: int) -> Tensor:
    h = F.group_norm(x, N_GROUPS, p["gn1_w"], p["gn1_b"], eps=GN_EPS)
    h = causal_conv(F.silu(h), p["conv1_w"], p["conv1_b"], dilation)

    h = F.group_norm(h, N_GROUPS, p["gn2_w"], p["gn2_b"], eps=GN_EPS)
    if emb is not None:
        scale, shift = F.linear(emb, p["film_w"], p["film_b"]).chunk(2, dim=-1)
        h = h * (1 + scale[:, :, None]) + shift[:, :, None]
    h = causal_conv(F.silu(h), p["conv2_w"], p["conv2_b"], dilation)

    # 1x1 projection where the width changes
    skip = F.conv1d(x, p["skip_w"]) if "skip_w" in p else x
    return (skip + h) * 2**-0.5


def encode(
    x: Tensor,
    stem: tuple[Tensor, Tensor],
    blocks: list[Params],
    emb: Tensor | None = None,
    downsample: tuple[int, ...] = (1,),
) -> tuple[Tensor, Tensor]:
    """Run the encoder.

    Args:
        x: (B, C_in, T) signal.
        stem: weight and bias of the first convolution (odd kernel).
        blocks: parameters of the residual blocks; block i has dilation 2 ** i.
        emb: (B, E) conditioning vector, e.g. of the diffusion time.
        downsample: after which blocks the length is halved.

    Returns:
        The last feature map (B, C, T') and its pooled mean and max (B, 2 * C).
    """
    w, b = stem
    x = F.conv1d(x, w, b, padding=w.size(-1) // 2)

    for i, p in enumerate(blocks):
        x = res_block(x, p, emb, dilation=2**i)
        if i in downsample:
            x = F.avg_pool1d(x, kernel_size=2, stride=2)

    pooled = torch.cat([x.mean(dim=-1), x.amax(dim=-1)], dim=1)
    return x, pooled
