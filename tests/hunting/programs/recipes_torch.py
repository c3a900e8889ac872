"""Training loops, layers and decoding, of twenty lines and more, for torch."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

import torch
import torch.nn.functional as F

EXAMPLES = {
    "x": torch.arange(12.0).reshape(3, 4) / 8 - 0.5,
    "y": torch.tensor([1.0, -0.5, 0.25]),
    "labels": torch.tensor([0, 1, 1]),
    "tokens": torch.tensor([1, 3, 2]),
    "table": torch.arange(20.0).reshape(5, 4) / 8 - 1,
    "u": torch.arange(16.0).reshape(4, 4) / 16 - 0.5,
    "w": torch.tensor([0.5, -0.25, 0.0, 1.0]),
    "image": torch.arange(32.0).reshape(2, 4, 4) / 8 - 1,
    "boxes": torch.tensor([[0.0, 0.0, 2.0, 2.0], [0.5, 0.5, 2.5, 2.5], [3.0, 3.0, 4.0, 4.0]]),
    "scores": torch.tensor([0.9, 0.8, 0.7]),
    "steps": 3,
    "rate": 0.25,
    "p": {"w": torch.arange(8.0).reshape(4, 2) / 8, "b": torch.tensor([0.5, -0.5])},
}


def adam_with_decay(x, y, w, steps, rate):
    """AdamW on a linear model, by hand."""
    w = w.clone()
    m = torch.zeros_like(w)
    v = torch.zeros_like(w)
    losses = []
    for t in range(1, steps + 1):
        error = x @ w - y
        losses.append((error**2).mean())
        g = 2 * x.T @ error / len(y)
        m = 0.9 * m + 0.1 * g
        v = 0.99 * v + 0.01 * g * g
        mhat = m / (1 - 0.9**t)
        vhat = v / (1 - 0.99**t)
        w = w - rate * 0.01 * w
        w = w - rate * mhat / (vhat.sqrt() + 1e-8)
    best = losses[0]
    for loss in losses:
        if loss < best:
            best = loss
    return w, torch.stack(losses), best


def adam_in_place(x, y, w, steps, rate):
    """The same with buffers that are written into, and the argument's own memory."""
    m, v = torch.zeros(4), torch.zeros(4)
    history = torch.zeros(steps)
    for t in range(steps):
        error = x @ w - y
        history[t] = error.abs().max()
        g = torch.mv(x.t(), error)
        m.mul_(0.5).add_(g, alpha=0.5)
        v.mul_(0.75).addcmul_(g, g, value=0.25)
        scale = rate / (1 - 0.5 ** (t + 1))
        w.addcdiv_(m, v.sqrt().add_(1e-6), value=-scale)
        if history[t] > 10:
            w.mul_(0.5)
        m[m.abs() < 1e-6] = 0
    norm = w.norm()
    if norm > 1:
        w.div_(norm)
    largest = w.abs().max()
    return history, norm, largest


def two_layer_training(x, y, p, steps, rate):
    """Backpropagation written out."""
    w1, b1 = p["w"].clone(), p["b"].clone()
    w2 = torch.ones(2) / 2
    losses = torch.zeros(steps)
    for step in range(steps):
        pre = x @ w1 + b1
        hidden = torch.relu(pre)
        out = hidden @ w2
        error = out - y
        losses[step] = 0.5 * (error**2).mean()
        d_out = error / len(y)
        d_w2 = hidden.t() @ d_out
        d_hidden = d_out[:, None] * w2[None, :]
        d_pre = torch.where(pre > 0, d_hidden, torch.zeros_like(d_hidden))
        d_w1 = x.t() @ d_pre
        d_b1 = d_pre.sum(0)
        w2 -= rate * d_w2
        w1 -= rate * d_w1
        b1 -= rate * d_b1
    return {"w": w1, "b": b1}, w2, losses


def lstm_over_time(x, u, w):
    """With gates from one matrix, and the states kept."""
    h = torch.zeros(4)
    c = w.clone()
    states = []
    for row in x:
        z = row @ u + h @ u.t()
        i = torch.sigmoid(z)
        f = torch.sigmoid(z + 1)
        g = torch.tanh(row - h)
        o = torch.sigmoid(z * 2)
        c = f * c + i * g
        h = o * torch.tanh(c)
        states.append(h)
    states = torch.stack(states)
    attention = (states @ h).softmax(0)
    context = attention @ states
    pooled = torch.cat([h, context])
    return pooled, states, attention.argmax()


def transformer_block(x, u):
    """Attention and a feed-forward net, with norms before them."""
    n, d = x.shape
    heads, size = 2, d // 2

    def norm(v):
        mean = v.mean(-1, keepdim=True)
        var = v.var(-1, keepdim=True, unbiased=False)
        return (v - mean) / torch.sqrt(var + 1e-5)

    h = norm(x)
    q = (h @ u).view(n, heads, size).transpose(0, 1)
    k = (h @ u.t()).view(n, heads, size).transpose(0, 1)
    v = h.view(n, heads, size).transpose(0, 1)
    scores = q @ k.transpose(-2, -1) / math.sqrt(size)
    mask = torch.ones(n, n).tril()
    scores = scores.masked_fill(mask == 0, float("-inf"))
    out = scores.softmax(-1) @ v
    x = x + out.transpose(0, 1).reshape(n, d)
    inner = F.gelu(norm(x) @ u)
    return x + inner @ u.t()


def beam_decoding(table, steps):
    """Two beams, their scores and tokens."""
    width = 2
    logp = F.log_softmax(table @ table.t(), -1)
    scores = torch.zeros(1)
    last = torch.zeros(1, dtype=torch.long)
    paths = torch.zeros(1, 0, dtype=torch.long)
    for _ in range(steps):
        spread = scores[:, None] + logp[last]
        flat = spread.reshape(-1)
        top, index = flat.topk(width)
        rows = index // logp.shape[1]
        last = index % logp.shape[1]
        paths = torch.cat([paths[rows], last[:, None]], 1)
        scores = top
    best = scores.argmax()
    length = (paths[best] != 0).sum()
    normal = scores / paths.shape[1]
    margin = (normal[0] - normal[1]).abs()
    return paths[best], scores[best], length, margin


def greedy_with_penalty(table, tokens, steps):
    """What has been said is said less."""
    counts = torch.zeros(table.shape[0])
    for t in tokens:
        counts[t] += 1
    state = table[tokens].mean(0)
    said = []
    total = 0.0
    for step in range(steps):
        logits = table @ state - counts
        p = logits.softmax(-1)
        token = p.argmax()
        total = total + torch.log(p[token])
        counts[token] += 1
        state = 0.5 * state + 0.5 * table[token]
        said.append(token)
        if step > 0 and p.max() > 0.99:
            break
    perplexity = torch.exp(-total / len(said))
    return counts, perplexity, said[-1]


def non_maximum_suppression(boxes, scores):
    """The best boxes that do not overlap."""
    n = boxes.shape[0]
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    order = scores.argsort(descending=True)
    boxes, area = boxes[order], area[order]
    keep = torch.ones(n, dtype=torch.bool)
    overlaps = torch.zeros(n, n)
    for i in range(n):
        for j in range(i + 1, n):
            low = torch.maximum(boxes[i, :2], boxes[j, :2])
            high = torch.minimum(boxes[i, 2:], boxes[j, 2:])
            size = (high - low).clamp(min=0)
            inter = size[0] * size[1]
            overlaps[i, j] = inter / (area[i] + area[j] - inter)
            if keep[i] and overlaps[i, j] > 0.25:
                keep[j] = False
    count = keep.sum()
    mean = (overlaps.sum() / max(n * (n - 1) / 2, 1)) if n > 1 else overlaps.sum()
    return keep, count, mean, order


def batch_norm_with_running_numbers(x, w, steps, rate):
    """Training steps move the running mean; evaluation uses it."""
    mean = torch.zeros(4)
    var = torch.ones(4)
    seen = 0
    outs = []
    for step in range(steps):
        batch = x * (step + 1)
        m = batch.mean(0)
        v = batch.var(0, unbiased=False)
        n = batch.shape[0]
        mean.lerp_(m, rate)
        unbiased = v * n / max(n - 1, 1)
        var.mul_(1 - rate).add_(rate * unbiased)
        out = (batch - m) / torch.sqrt(v + 1e-5) * w
        outs.append(out.abs().mean())
        seen += n
    evaluated = (x - mean) * torch.rsqrt(var + 1e-5) * w
    drift = (mean - x.mean(0)).norm()
    return evaluated, torch.stack(outs), drift, seen


def convolution_by_loops(image, u):
    """Three nested loops, padding and stride."""
    channels, height, width = image.shape
    kernel = u[:3, :3]
    padded = torch.zeros(channels, height + 2, width + 2)
    padded[:, 1:-1, 1:-1] = image
    stride = 2
    rows = (height + 2 - 3) // stride + 1
    columns = (width + 2 - 3) // stride + 1
    out = torch.zeros(channels, rows, columns)
    for c in range(channels):
        for i in range(rows):
            for j in range(columns):
                top, left = i * stride, j * stride
                window = padded[c, top : top + 3, left : left + 3]
                out[c, i, j] = (window * kernel).sum()
    bias = out.mean((1, 2), keepdim=True)
    active = torch.relu(out - bias)
    share = (active > 0).float().mean()
    return active, share, out.amax((1, 2))


def connectionist_loss(x, labels):
    """The forward sums of connectionist temporal classification."""
    logp = F.log_softmax(x, -1)
    blank = 3
    n = labels.shape[0]
    extended = torch.full((2 * n + 1,), blank)
    extended[1::2] = labels
    size = extended.shape[0]
    alpha = torch.full((size,), -1e9)
    alpha[0] = logp[0, blank]
    alpha[1] = logp[0, extended[1]]
    for t in range(1, logp.shape[0]):
        new = torch.full((size,), -1e9)
        for s in range(size):
            ways = alpha[s]
            if s > 0:
                ways = torch.logaddexp(ways, alpha[s - 1])
            if s > 1 and extended[s] != blank and extended[s] != extended[s - 2]:
                ways = torch.logaddexp(ways, alpha[s - 2])
            new[s] = ways + logp[t, extended[s]]
        alpha = new
    return -torch.logaddexp(alpha[-1], alpha[-2]), alpha


def policy_returns(x, y, rate):
    """Discounted returns, advantages and a clipped loss."""
    n = y.shape[0]
    returns = torch.zeros(n)
    running = torch.zeros(())
    for t in range(n - 1, -1, -1):
        running = y[t] + (1 - rate) * running
        returns[t] = running
    values = x.mean(1)
    advantage = returns - values
    spread = advantage.std() if n > 1 else torch.ones(())
    advantage = (advantage - advantage.mean()) / (spread + 1e-8)
    logp = F.log_softmax(x, -1)[:, 0]
    old = logp.detach() * 0.5
    ratio = torch.exp(logp - old)
    clipped = ratio.clamp(0.8, 1.2)
    loss = -torch.minimum(ratio * advantage, clipped * advantage).mean()
    value_loss = (returns - values).pow(2).mean()
    entropy = -(F.softmax(x, -1) * F.log_softmax(x, -1)).sum(-1).mean()
    return loss + 0.5 * value_loss - 0.01 * entropy, returns, advantage


def power_method_and_spectral_norm(u, w, steps):
    """A weight divided by its largest singular value."""
    left = w.clone()
    right = torch.ones(u.shape[1])
    trace = []
    for _ in range(steps):
        right = u.t() @ left
        size = right.norm()
        right = right / (size + 1e-12)
        left = u @ right
        size = left.norm()
        left = left / (size + 1e-12)
        trace.append(left @ u @ right)
    sigma = trace[-1]
    scaled = u / sigma
    again = scaled @ right
    gap = again.norm() - 1
    rising = True
    for a, b in zip(trace, trace[1:]):
        if b < a - 1e-6:
            rising = False
    return scaled, sigma, gap.abs() < 1e-3, rising


def bucketed_positions(x, steps):
    """T5's relative buckets, as an integer table."""
    n = x.shape[0]
    place = torch.arange(n)
    relative = place[None, :] - place[:, None]
    buckets = torch.zeros(n, n, dtype=torch.long)
    half = 4
    for i in range(n):
        for j in range(n):
            d = relative[i, j]
            b = torch.where(d > 0, half, 0)
            d = d.abs()
            if d < 2:
                buckets[i, j] = b + d
            else:
                far = 2 + int(math.log(2.0) * steps)
                buckets[i, j] = b + min(far, half - 1)
    counts = torch.zeros(2 * half)
    for row in buckets:
        for b in row:
            counts[b] += 1
    bias = torch.arange(2.0 * half)[buckets]
    return (x @ x.t() + bias).softmax(-1), counts
