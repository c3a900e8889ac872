"""Recurrent nets unrolled by hand, for when cuDNN hides too much."""

import torch
import torch.nn.functional as F

FORGET_BIAS = 1.0  # start out remembering


def lstm_cell(x_t, h, c, p):
    gates = F.linear(x_t, p["w_ih"], p["bias"]) + F.linear(h, p["w_hh"])
    i, f, g, o = gates.chunk(4, dim=1)
    c = torch.sigmoid(f + FORGET_BIAS) * c + torch.sigmoid(i) * torch.tanh(g)
    h = torch.sigmoid(o) * torch.tanh(c)
    return h, c


def run_direction(x, mask, p, reverse=False):
    """Unroll over (B, T, D). The state is frozen where mask (B, T) is zero."""
    batch, steps = x.shape[:2]
    hidden = p["w_hh"].shape[1]
    h = x.new_zeros(batch, hidden)
    c = torch.zeros_like(h)

    out = x.new_zeros(batch, steps, hidden)
    order = reversed(range(steps)) if reverse else range(steps)
    for t in order:
        m = mask[:, t : t + 1]
        h_new, c_new = lstm_cell(x[:, t], h, c, p)
        h = m * h_new + (1 - m) * h
        c = m * c_new + (1 - m) * c
        out[:, t] = m * h
    return out, h


def bilstm_classify(x, layers, head, lengths=None):
    """Stacked bidirectional LSTM, attention pooling and a linear classifier.

    x: (B, T, D) padded features
    layers: one {"fwd": ..., "bwd": ...} dict of cell parameters per layer
    head: {"query": (2H,), "w": (C, 2H), "b": (C,)}
    lengths: (B,) number of valid steps; everything is valid when missing
    """
    batch, steps, _ = x.shape
    if lengths is None:
        mask = torch.ones(batch, steps, device=x.device)
    else:
        mask = torch.arange(steps, device=x.device)[None, :] < lengths[:, None]
        mask = mask.to(x.dtype)

    for depth, layer in enumerate(layers):
        fwd, h_fwd = run_direction(x, mask, layer["fwd"])
        bwd, h_bwd = run_direction(x, mask, layer["bwd"], reverse=True)
        out = torch.cat([fwd, bwd], dim=-1)
        x = out if depth == 0 else out + x  # residual once the widths agree

    # attention pooling, padding excluded
    score = torch.tanh(x) @ head["query"]
    score = score.masked_fill(mask == 0, float("-inf"))
    alpha = torch.softmax(score, dim=1)
    pooled = (alpha.unsqueeze(-1) * x).sum(dim=1)

    logits = F.linear(pooled, head["w"], head["b"])
    return logits, alpha, torch.cat([h_fwd, h_bwd], dim=-1)
