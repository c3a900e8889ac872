"""A transformer block as in GPT-2, as plain torch functions of the input and a dict of weights."""

import math

import torch
import torch.nn.functional as F

HEADS = 4


def block(x, params):
    """x float[B, T, C] -> the same shape: attention, then a small network, each added to what came in."""
    x = x + causal_self_attention(layer_norm(x, params["ln_1"]), params["attn"])
    return x + mlp(layer_norm(x, params["ln_2"]), params["mlp"])


def causal_self_attention(x, params):
    """Every position looks at itself and at what came before it."""
    B, T, C = x.shape
    q, k, v = linear(x, params["c_attn"]).split(C, dim=2)
    q = q.reshape(B, T, HEADS, C // HEADS).transpose(1, 2)
    k = k.reshape(B, T, HEADS, C // HEADS).transpose(1, 2)
    v = v.reshape(B, T, HEADS, C // HEADS).transpose(1, 2)
    att = q @ k.transpose(-2, -1) * (1.0 / math.sqrt(k.shape[-1]))
    time = torch.arange(T)
    att = torch.where(time[:, None] >= time, att, float("-inf"))
    att = F.softmax(att, dim=-1)
    y = (att @ v).transpose(1, 2).reshape(B, T, C)
    return linear(y, params["c_proj"])


def mlp(x, params):
    x = F.gelu(linear(x, params["c_fc"]))
    return linear(x, params["c_proj"])


def linear(x, params):
    return F.linear(x, params["weight"], params["bias"])


def layer_norm(x, params):
    return F.layer_norm(x, params["weight"].shape, params["weight"], params["bias"], 1e-5)


def inputs(batch=2, time=8, width=32):
    """An input and random weights for `block`, the same at every call."""
    generator = torch.Generator().manual_seed(0)

    def normal(*shape):
        return torch.randn(*shape, generator=generator)

    def layer(fan_in, fan_out):
        return {"weight": normal(fan_out, fan_in) / math.sqrt(fan_in), "bias": 0.1 * normal(fan_out)}

    def norm():
        return {"weight": 1 + 0.1 * normal(width), "bias": 0.1 * normal(width)}

    params = {
        "ln_1": norm(),
        "attn": {"c_attn": layer(width, 3 * width), "c_proj": layer(width, width)},
        "ln_2": norm(),
        "mlp": {"c_fc": layer(width, 4 * width), "c_proj": layer(4 * width, width)},
    }
    return normal(batch, time, width), params


if __name__ == "__main__":
    print(block(*inputs()))
