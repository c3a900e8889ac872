"""Programs that go through lists of arrays, as models of functions do, with their examples."""

from __future__ import annotations

import numpy as np


def layered(x, params):
    for w, b in params:
        x = np.tanh(x @ w + b)
    return x


def last_is_linear(x, params):
    for i, (w, b) in enumerate(params):
        x = x @ w + b
        if i < len(params) - 1:
            x = np.maximum(x, 0)
    return x


def dicts(x, layers):
    for p in layers:
        h = x @ p["w"]
        if p["b"] is not None:
            h = h + p["b"]
        x = x + np.tanh(h)
    return x


def helped(x, layers):
    for p in layers:
        x = layer(x, p, 0.5)
    return x


def layer(x, p, scale):
    return x + scale * np.tanh(x @ p["w"] + p["b"])


def helped_with_all(x, layers):
    return through_all(x, layers) / len(layers)


def through_all(x, layers):
    for w in layers:
        x = np.tanh(x @ w)
    return x


def summed(ws):
    total = 0.0
    for w in ws:
        total += (w**2).sum()
    return total


def counted(ws):
    n = 0
    for w in ws:
        n += w.size
    return n / len(ws)


def decayed(x, ws):
    s = 1.0
    for w in ws:
        x = x + s * w
        s *= 0.5
    return x, s


def first_is_other(x, ws):
    for i, w in enumerate(ws):
        if i == 0:
            x = x * w
        else:
            x = x + w
    return x


def begun_with_none(ws):
    h = None
    for w in ws:
        h = w if h is None else h + w
    return h


def begun_with_the_first(ws):
    best = ws[0]
    for w in ws[1:]:
        best = np.where(w.sum() > best.sum(), w, best)
    return best


def best_by_if(ws):
    best, score = ws[0], -np.inf
    for w in ws:
        if w.sum() > score:
            best, score = w * 1.0, w.sum()
    return best


def accumulated_into_the_first(ws):
    acc = ws[0]
    for w in ws:
        acc += w
    return acc


def accumulated_into_another(x, ws):
    for w in ws:
        x += w
    return x


def items_written(ws):
    for w in ws:
        w *= 2.0
    return ws[0]


def parts_of_items_written(ws):
    for w in ws:
        w[0] = 1.0
    return ws


def last_written_later(ws):
    for w in ws:
        pass
    w[0] = 5.0
    return w


def view_of_item_written_later(ws):
    for w in ws:
        v = w[1:]
    v += 1.0
    return v, ws


def collected(x, ws):
    outs = []
    for w in ws:
        x = np.tanh(x + w)
        outs.append(x)
    return x, outs


def collected_and_stacked(ws):
    outs = []
    for w in ws:
        outs.append(w.mean(axis=0))
    return np.stack(outs), len(outs)


def items_collected(ws):
    kept = []
    for w in ws:
        kept.append(w)
    kept[0] += 1.0
    return kept


def dicts_collected(layers):
    kept = []
    for p in layers:
        kept.append(p)
    return [p["w"] * 2 for p in kept]


def item_changed(layers):
    for p in layers:
        p["w"] = p["w"] * 2
    return layers


def item_gains(layers, x):
    for p in layers:
        p["out"] = p["w"] * x
    return layers[0]["out"]


def skipped(x, ws):
    for w in ws:
        if w.shape[0] > 100:
            continue
        x = x + w
    return x


def left_early(x, ws):
    for i, w in enumerate(ws):
        if i == 1:
            break
        x = x + w
    return x


def left_by_data(x, ws):
    for w in ws:
        x = x + w
        if x.sum() > 100:
            break
    return x


def returned_early(x, ws):
    for w in ws:
        x = x + w
        if x.sum() > 100:
            return x * 0
    return x


def otherwise(x, ws):
    for w in ws:
        x = x + w
    else:
        x = x * 2
    return x


def zipped(xs, ys):
    out = 0.0
    for a, b in zip(xs, ys):
        out = out + (a * b).sum()
    return out


def zipped_with_rows(x, ws):
    out = 0.0
    for row, w in zip(x, ws):
        out = out + (row * w).sum()
    return out


def zipped_with_a_count(x, ws):
    for k, w in zip(range(1, 10), ws):
        x = x + k * w
    return x


def counted_from_one(x, ws):
    for k, w in enumerate(ws, 1):
        x = x + w / k
    return x


def backwards(x, ws):
    for w in reversed(ws):
        x = x @ w
    return x


def all_but_the_last(x, params):
    for w in params[:-1]:
        x = np.tanh(x @ w)
    return x @ params[-1]


def by_index(x, ws):
    for i in range(len(ws)):
        x = x + ws[i] * (i + 1)
    return x


def nested_lists(x, groups):
    for group in groups:
        for w in group:
            x = x * w
        x = x + 1
    return x


def pairs_of(ws):
    out = 0.0
    for a in ws:
        for b in ws:
            out = out + (a * b).sum()
    return out


def twice_through(ws):
    m = sum_of(ws) / len(ws)
    v = 0.0
    for w in ws:
        v = v + (w - m) ** 2
    return v


def sum_of(ws):
    total = ws[0] * 0
    for w in ws:
        total = total + w
    return total


def made_here(x):
    for a in (x, x + 1, x * 2):
        x = x * a
    return x


def made_of_slices(x):
    out = 0.0
    for part in [x[:2], x[1:3]]:
        out = out + part.prod()
    return out


def written_while_gone_through(x):
    a = x * 1
    for part in [a, a + 1]:
        a[0] = a[0] + part[1]
    return a


def length_decides(x, ws):
    if len(ws) > 2:
        x = x * 2
    for w in ws:
        x = x + w
    return x / max(len(ws), 1)


def unused_items(x, ws):
    for _ in ws:
        x = x * 2
    return x


def name_after_the_loop(x, ws):
    for w in ws:
        x = x + w
    return x + w


def ranks_decide(x, ws):
    for w in ws:
        if w.ndim == 1:
            x = x + w
        else:
            x = x @ w
    return x


def dtypes_decide(x, ws):
    for w in ws:
        if w.dtype == np.float32:
            x = x * 2
        x = x + w
    return x


def grows(x, ws):
    for w in ws:
        x = np.concatenate([x, w])
    return x


def means_of(ws):
    return np.array([w.mean() for w in ws])


def in_a_dict(model, x):
    for w, b in zip(model["w"], model["b"]):
        x = np.tanh(x @ w + b)
    return x @ model["out"]


def many(x, *ws):
    for w in ws:
        x = x + w
    return x
