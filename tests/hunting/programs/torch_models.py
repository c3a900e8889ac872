"""Layers, losses and small models by hand, for torch."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

import torch
import torch.nn.functional as F

EXAMPLES = {
    "x": torch.arange(12.0).reshape(3, 4) / 8 - 0.5,
    "q": torch.arange(24.0).reshape(2, 3, 4) / 16,
    "k": torch.arange(24.0).flip(0).reshape(2, 3, 4) / 16,
    "v": torch.arange(24.0).reshape(2, 3, 4) / 8 - 1,
    "w": torch.arange(8.0).reshape(2, 4) / 8 - 0.25,
    "u": torch.arange(16.0).reshape(4, 4) / 16 - 0.5,
    "b": torch.tensor([0.25, -0.5]),
    "h": torch.tensor([0.5, 0.0, -0.25, 1.0]),
    "labels": torch.tensor([0, 1, 1]),
    "tokens": torch.tensor([[1, 2, 0], [3, 0, 0]]),
    "table": torch.arange(20.0).reshape(5, 4) / 4,
    "image": torch.arange(32.0).reshape(1, 2, 4, 4) / 8 - 1,
    "kernel": torch.arange(18.0).reshape(1, 2, 3, 3) / 16 - 0.5,
    "mask": torch.tensor([[True, True, False], [True, False, False]]),
    "steps": 3,
    "heads": 2,
    "eps": 1e-5,
    "p": {
        "w1": torch.arange(8.0).reshape(4, 2) / 8,
        "b1": torch.tensor([0.5, -0.5]),
        "w2": torch.tensor([[1.0], [-1.0]]),
    },
}


def linear(x, w, b):
    return F.linear(x, w, b)


def mlp(x, p):
    hidden = torch.relu(x @ p["w1"] + p["b1"])
    return hidden @ p["w2"]


def mlp_with_optional_bias(x, w, b=None):
    y = x @ w.t()
    if b is not None:
        y = y + b
    return torch.tanh(y)


def layer_norm(x, eps):
    mean = x.mean(-1, keepdim=True)
    var = ((x - mean) ** 2).mean(-1, keepdim=True)
    return (x - mean) / torch.sqrt(var + eps)


def rms_norm(x, h, eps=1e-6):
    scale = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    return x * scale * h


def batch_norm(x, eps):
    mean, var = x.mean(0), x.var(0, unbiased=False)
    return (x - mean) * (var + eps).rsqrt()


def group_norm(image, heads, eps):
    n, c, hh, ww = image.shape
    g = image.reshape(n, heads, -1)
    g = (g - g.mean(-1, keepdim=True)) / (g.std(-1, keepdim=True) + eps)
    return g.reshape(n, c, hh, ww)


def softmax_by_hand(x):
    e = (x - x.max(-1, keepdim=True).values).exp()
    return e / e.sum(-1, keepdim=True)


def cross_entropy(x, labels):
    return F.cross_entropy(x[:, :2], labels)


def cross_entropy_by_hand(x, labels):
    logp = x - torch.logsumexp(x, 1, keepdim=True)
    return -logp[torch.arange(len(labels)), labels].mean()


def smoothed_loss(x, labels, eps=0.1):
    logp = F.log_softmax(x, -1)
    hard = logp.gather(1, labels[:, None]).squeeze(1)
    return -((1 - eps) * hard + eps * logp.mean(-1)).mean()


def attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.softmax(-1) @ v


def causal_attention(q, k, v):
    n = q.shape[1]
    scores = q @ k.mT / n**0.5
    future = torch.triu(torch.ones(n, n, dtype=torch.bool), 1)
    scores = scores.masked_fill(future, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v


def padded_attention(q, k, v, mask):
    scores = torch.einsum("bqd,bkd->bqk", q, k)
    scores = scores.masked_fill(~mask[:, None, :], -1e9)
    return torch.einsum("bqk,bkd->bqd", scores.softmax(-1), v)


def multi_head(q, u, heads):
    b, n, d = q.shape
    h = (q @ u).view(b, n, heads, d // heads).transpose(1, 2)
    scores = h @ h.transpose(-1, -2)
    out = scores.softmax(-1) @ h
    return out.transpose(1, 2).reshape(b, n, d)


def rotary(q):
    half = q.shape[-1] // 2
    angles = torch.arange(q.shape[1])[:, None] / 10 ** torch.arange(half)
    one, two = q[..., :half], q[..., half:]
    return torch.cat([one * angles.cos() - two * angles.sin(), one * angles.sin() + two * angles.cos()], -1)


def relative_bias(q, k):
    n = q.shape[1]
    place = torch.arange(n)
    distance = (place[:, None] - place[None, :]).abs().float()
    return (q @ k.transpose(1, 2) - distance).softmax(-1)


def rnn_cell(x, u, h):
    for row in x:
        h = torch.tanh(row + u @ h)
    return h


def rnn_all_states(x, u, h):
    states = []
    for row in x:
        h = torch.tanh(row + h @ u)
        states.append(h)
    return torch.stack(states), h


def gru_cell(x, u, h):
    for row in x:
        z = torch.sigmoid(row @ u + h)
        r = torch.sigmoid(row - h @ u)
        n = torch.tanh(row + r * h)
        h = (1 - z) * n + z * h
    return h


def lstm_cell(x, u, h):
    c = torch.zeros_like(h)
    for row in x:
        i, f = torch.sigmoid(row + h @ u), torch.sigmoid(row - h @ u)
        g, o = torch.tanh(row @ u), torch.sigmoid(h)
        c = f * c + i * g
        h = o * torch.tanh(c)
    return h, c


def embedding_mean(tokens, table):
    e = F.embedding(tokens, table)
    keep = (tokens != 0).unsqueeze(-1).to(e.dtype)
    return (e * keep).sum(1) / keep.sum(1).clamp(min=1)


def embedding_max(tokens, table):
    e = table[tokens]
    e = e.masked_fill((tokens == 0)[..., None], float("-inf"))
    return e.amax(1)


def convolved(image, kernel):
    return F.conv2d(image, kernel, padding=1)


def conv_by_unfold(image, kernel):
    n, c, hh, ww = image.shape
    columns = F.unfold(image, 3)
    return (kernel.view(1, -1) @ columns).view(n, 1, hh - 2, ww - 2)


def pooled(image):
    return F.max_pool2d(image, 2), F.avg_pool2d(image, 2)


def global_pool(image):
    return image.mean((2, 3)), image.flatten(2).max(-1).values


def patches(image):
    n, c, hh, ww = image.shape
    p = image.reshape(n, c, hh // 2, 2, ww // 2, 2)
    return p.permute(0, 2, 4, 1, 3, 5).reshape(n, -1, c * 4)


def upsampled(image):
    return image.repeat_interleave(2, -1).repeat_interleave(2, -2)


def residual(x, u):
    return x + F.gelu(x @ u)


def gated(x, u):
    a, b = (x @ u).chunk(2, dim=-1)
    return a * torch.sigmoid(b)


def swish_stack(x, u, steps):
    for _ in range(steps):
        x = F.silu(x @ u) + x
    return x


def huber(x, h):
    d = (x - h).abs()
    return torch.where(d < 0.5, 0.5 * d * d, 0.5 * (d - 0.25)).mean()


def triplet(x, h):
    a, p, n = x
    return F.relu((a - p).pow(2).sum() - (a - n).pow(2).sum() + h[0])


def cosine(x, h):
    return F.cosine_similarity(x, h[None, :], dim=-1)


def contrastive(x):
    z = F.normalize(x, dim=-1)
    logits = z @ z.t() * 2
    logits.fill_diagonal_(-100.0)
    return torch.logsumexp(logits, -1).mean()


def focal(x, labels):
    p = x[:, :2].softmax(-1)[torch.arange(3), labels]
    return (-((1 - p) ** 2) * p.log()).mean()


def kl_of_gaussians(x, h):
    return 0.5 * (x.pow(2) + h.exp() - 1 - h).sum(-1).mean()


def reparameterised(x, h, q):
    noise = q[0]
    return x + torch.exp(0.5 * h) * noise


def greedy_decoding(table, steps):
    state = table[0]
    out = []
    for _ in range(steps):
        token = (table @ state).argmax()
        out.append(token)
        state = (state + table[token]) / 2
    return torch.stack(out)


def one_hot_accuracy(x, labels):
    guess = F.one_hot(x.argmax(-1), 4)
    truth = F.one_hot(labels, 4)
    return (guess * truth).sum().float() / len(labels)


def confusion(x, labels):
    guess = x[:, :2].argmax(-1)
    m = torch.zeros(2, 2, dtype=torch.long)
    for g, t in zip(guess, labels):
        m[t, g] += 1
    return m


def gradient_clipped(x):
    norm = x.norm()
    return x * torch.clamp(0.5 / (norm + 1e-6), max=1.0)


def warmup_schedule(x, steps):
    rate = 0.5 * (1 + math.cos(math.pi * steps / 10)) if steps > 2 else steps / 2
    return x * rate


def mixture_of_experts(x, u):
    gate = (x @ u[:, :2]).softmax(-1)
    outs = torch.stack([x * 2, x - 1], 1)
    return (gate[..., None] * outs).sum(1)


def top_one_routing(x, u):
    gate = (x @ u).softmax(-1)
    best, index = gate.max(-1)
    return best[:, None] * u[index]


def quantised(x):
    scale = x.abs().max() / 127
    q = torch.round(x / scale).clamp(-127, 127).to(torch.int8)
    return q.float() * scale, q


def squeeze_and_excite(image, u):
    s = image.mean((2, 3))
    s = torch.sigmoid(s @ u[:2, :2])
    return image * s[:, :, None, None]


def positional(x):
    n, d = x.shape
    place = torch.arange(n, dtype=x.dtype)[:, None]
    rate = torch.exp(torch.arange(0, d, 2) * (-math.log(100.0) / d))
    out = torch.zeros(n, d)
    out[:, 0::2] = torch.sin(place * rate)
    out[:, 1::2] = torch.cos(place * rate)
    return x + out


def alibi(heads, q):
    slopes = torch.tensor([2.0 ** -(h + 1) for h in range(heads)])
    n = q.shape[1]
    return slopes[:, None, None] * -torch.arange(n).float().flip(0)[None, None, :]
