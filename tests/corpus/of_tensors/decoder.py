"""A small Llama-like decoder: RMSNorm, RoPE, grouped-query attention, SwiGLU."""

import torch
import torch.nn.functional as F

ROPE_THETA = 10_000.0
NORM_EPS = 1e-5


def rms_norm(x, weight, eps=NORM_EPS):
    var = x.pow(2).mean(dim=-1, keepdim=True)
    return x * torch.rsqrt(var + eps) * weight


def rope_tables(seq_len, head_dim, offset=0, device=None):
    """cos and sin tables of shape (seq_len, head_dim)."""
    inv_freq = ROPE_THETA ** (
        -torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim
    )
    pos = torch.arange(offset, offset + seq_len, dtype=torch.float32, device=device)
    freqs = torch.outer(pos, inv_freq)
    emb = torch.cat((freqs, freqs), dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def repeat_kv(x, n_rep):
    """(B, KV, T, D) -> (B, KV * n_rep, T, D), each head repeated in place."""
    if n_rep == 1:
        return x
    b, n_kv, t, d = x.shape
    x = x[:, :, None, :, :].expand(b, n_kv, n_rep, t, d)
    return x.reshape(b, n_kv * n_rep, t, d)


def gqa(x, p, cos, sin, n_heads, n_kv_heads):
    b, t, d = x.shape
    hd = d // n_heads

    q = F.linear(x, p["wq"]).view(b, t, n_heads, hd).transpose(1, 2)
    k = F.linear(x, p["wk"]).view(b, t, n_kv_heads, hd).transpose(1, 2)
    v = F.linear(x, p["wv"]).view(b, t, n_kv_heads, hd).transpose(1, 2)

    # rotate before repeating: fewer heads to touch
    q = q * cos + rotate_half(q) * sin
    k = k * cos + rotate_half(k) * sin
    k = repeat_kv(k, n_heads // n_kv_heads)
    v = repeat_kv(v, n_heads // n_kv_heads)

    scores = q @ k.transpose(2, 3) / hd**0.5
    mask = torch.full((t, t), float("-inf"), device=x.device).triu(1)
    probs = F.softmax(scores + mask, dim=-1)

    out = (probs @ v).transpose(1, 2).reshape(b, t, d)
    return F.linear(out, p["wo"])


def swiglu(x, p):
    return F.linear(F.silu(F.linear(x, p["gate"])) * F.linear(x, p["up"]), p["down"])


def decoder_logits(
    tokens, embed, layers, final_norm, lm_head=None, n_heads=4, n_kv_heads=2
):
    """Next-token logits for a batch of token ids.

    tokens is (B, T) int64, embed is (V, D). If lm_head is None the embedding is
    tied. All weights are stored the nn.Linear way, (out, in).
    """
    x = embed[tokens]  # (B, T, D)
    t, d = x.shape[1], x.shape[2]
    cos, sin = rope_tables(t, d // n_heads, device=x.device)

    for p in layers:
        x = x + gqa(rms_norm(x, p["attn_norm"]), p, cos, sin, n_heads, n_kv_heads)
        x = x + swiglu(rms_norm(x, p["mlp_norm"]), p)

    x = rms_norm(x, final_norm)
    head = embed if lm_head is None else lm_head
    return F.linear(x, head)
