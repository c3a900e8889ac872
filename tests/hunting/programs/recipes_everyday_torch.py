"""Longer programs as they are written every day, for torch."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import torch

EXAMPLES = {
    "x": torch.arange(12.0).reshape(3, 4) / 4 - 1,
    "context": torch.arange(20.0).reshape(5, 4) / 8,
    "weights": [torch.eye(4) * 0.5, torch.ones(4, 4) / 4],
    "velocity": [torch.zeros(4, 4), torch.ones(4, 4) / 8],
    "mask": torch.tensor([[True, True, False], [True, False, True], [True, True, True]]),
    "k": 2,
    "rate": 0.1,
}


def _nudged(w, v, rate):
    v.mul_(0.9).add_(w, alpha=rate)
    w.sub_(v)


def steps_by_a_helper(weights, velocity, rate):
    before = [w.clone() for w in weights]
    for w, v in zip(weights, velocity):
        _nudged(w, v, rate)
    moved = [(w - b).abs().max() for w, b in zip(weights, before)]
    largest = max(moved)
    for w in weights:
        norm = w.norm()
        if norm > 1:
            w.div_(norm)
    total = torch.zeros(())
    for w, v in zip(weights, velocity):
        total = total + (w * v).sum()
    first, last = weights[0], weights[-1]
    first[0] = last[-1]
    drift = torch.stack([w.diagonal().sum() for w in weights])
    sparse = [(w.abs() < 1e-2).sum() for w in weights]
    count = sum(sparse)
    return weights, largest, total, drift, count


def attended_or_alone(x, context=None, mask=None, k=2):
    source = x if context is None else context
    rows, width = source.shape
    part = width // k
    outs = []
    for head in range(k):
        q = x[:, head * part : (head + 1) * part]
        s = source[:, head * part : (head + 1) * part]
        scores = q @ s.T / part**0.5
        if mask is not None:
            scores = scores.masked_fill(~mask[: x.shape[0], : scores.shape[1]], -1e9)
        outs.append(torch.softmax(scores, dim=-1) @ s)
    out = torch.cat(outs, dim=-1)
    gate = torch.sigmoid(out.mean(dim=-1, keepdim=True))
    mixed = gate * out + (1 - gate) * x
    mean = mixed.mean(dim=-1, keepdim=True)
    spread = mixed.std(dim=-1, keepdim=True)
    normal = (mixed - mean) / (spread + 1e-5)
    best = normal.max(dim=-1).values
    return normal, best, rows


def expanded_and_written(x, k):
    a = x * 1
    row = a[1:2]
    wide = row.expand(k, 4)
    a[1, 0] = 9
    turned = a.t()
    column = turned[1:2].expand(k, 3)
    a[:, 1] += 1
    seen = wide.sum(dim=0) + column.sum()
    pieces = a.split([1, 2])
    halves = pieces[1].chunk(2)
    halves[1].add_(5)
    flipped = a.flip(0)
    flipped[0] = 0
    low, high = a.min(), a.max()
    values, places = a.max(0)
    a[0] = values * 2
    again = a.max(0)[0]
    a[:] = a.clamp(low, high)
    tail = pieces[1][-1]
    return a, seen, values, places, again, tail


def decayed_maxima(x, rate):
    state = x.clone()
    total = torch.zeros(x.shape[1])
    history = []
    for step in range(12):
        best = state.max(0).values
        state *= 1 - rate
        total = total + best
        if step % 4 == 3:
            history.append(state.min(1)[0])
            state[0] += rate * step
    lows = torch.stack(history)
    ranked, order = lows.sort(dim=0)
    top = ranked.topk(2, dim=0).values
    middle = ranked[1]
    total -= top.mean()
    change = (lows[1:] - lows[:-1]).abs()
    steady = change.max() < 1
    scaled = total / total.norm()
    scaled[0] = -scaled[0]
    return state, scaled, order, middle, steady


def scores_with_a_margin(x, mask, rate):
    logits = x[:, :3]
    hidden = logits.masked_fill(~mask, float("-inf"))
    top = hidden.max(dim=1, keepdim=True)[0]
    odds = (hidden - top).exp()
    odds = odds / odds.sum(dim=1, keepdim=True)
    entropy = -(odds * (odds + 1e-9).log()).sum(dim=1)
    sure = entropy < entropy.mean()
    chosen = odds.argmax(dim=1)
    hot = torch.zeros_like(odds)
    for i in range(odds.shape[0]):
        hot[i, chosen[i]] = 1
    loss = ((odds - hot) ** 2).sum(dim=1)
    loss[sure] = loss[sure] * (1 - rate)
    weights = mask.sum(dim=1).to(loss.dtype)
    total = (loss * weights).sum() / weights.sum()
    margin = odds.sort(dim=1, descending=True)[0]
    gap = margin[:, 0] - margin[:, 1]
    hard = gap < rate
    if hard.any():
        total = total + gap[hard].sum()
    return total, gap, chosen
