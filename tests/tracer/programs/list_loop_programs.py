"""Programs that go through lists of arrays, as models of functions do, with their examples."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import torch


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


def attend(x, layers, mask=None):
    for p in layers:
        q, k, v = (x @ p["qkv"]).chunk(3, dim=-1)
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        x = x + scores.softmax(dim=-1) @ v
    return x


def momentum(params, grads, speeds, lr=0.1):
    for p, g, v in zip(params, grads, speeds):
        v.mul_(0.9).add_(g)
        p.sub_(lr * v)
    return params


def norm_of(grads):
    total = 0.0
    for g in grads:
        total = total + g.pow(2).sum()
    return total**0.5


def clipped(grads, most=1.0):
    total = norm_of(grads)
    scale = torch.clamp(most / (total + 1e-6), max=1.0)
    return [g * scale for g in grads]


def residual(x, layers):
    skip = x
    for w in layers:
        x = jnp.tanh(x @ w)
    return x + skip


def scanned_inside(x, layers):
    for w in layers:
        x, _ = jax.lax.scan(lambda c, row: (c * 0.5 + row, None), x, w)
    return x


def a(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng([seed, *shape]).normal(size=shape).astype(dtype)


def several(make, *shape, n=3, **options):
    return [make(a(*shape, seed=i, **options)) for i in range(n)]


def examples():
    """The programs by name: function, arguments."""
    own = np.asarray
    sizes = [(2, 4), (4, 4), (4, 3)]
    mlp = [(a(*s), a(s[1])) for s in sizes]
    square = [(a(4, 4), a(4)) for _ in range(3)]
    layers = [{"w": a(4, 4, seed=i), "b": a(4, seed=i)} for i in range(2)]
    ws, vectors, ints = several(own, 4, 4), several(own, 4), [np.arange(4), np.arange(4) * 2]
    x, m = a(4), a(5, 4)
    torches = [torch.from_numpy(a(4, dtype=np.float32)) for _ in range(3)]

    def torch_copy(values):
        return [value.clone() for value in values]

    heads = [{"qkv": torch.from_numpy(a(4, 12, seed=i, dtype=np.float32))} for i in range(2)]
    tx = torch.from_numpy(a(3, 4, dtype=np.float32))
    jx, js = jnp.asarray(a(5, 4, dtype=np.float32)), several(jnp.asarray, 4, 4, dtype=np.float32)
    return {
        "layered": (layered, (a(5, 2), mlp)),
        "last_is_linear": (last_is_linear, (a(5, 2), mlp)),
        "layers_of_one_size": (layered, (a(5, 4), square)),
        "one_layer": (layered, (a(5, 4), square[:1])),
        "dicts": (dicts, (m, layers)),
        "dicts_without": (dicts, (m, [{"w": a(4, 4), "b": None}] * 2)),
        "helped": (helped, (m, layers)),
        "helped_with_all": (helped_with_all, (m, ws)),
        "summed": (summed, (ws,)),
        "summed_ints": (summed, (ints,)),
        "counted": (counted, (vectors,)),
        "decayed": (decayed, (x, vectors)),
        "first_is_other": (first_is_other, (x, vectors)),
        "begun_with_none": (begun_with_none, (vectors,)),
        "begun_with_the_first": (begun_with_the_first, (vectors,)),
        "best_by_if": (best_by_if, (vectors,)),
        "accumulated_into_the_first": (accumulated_into_the_first, (vectors,)),
        "accumulated_into_another": (accumulated_into_another, (x, vectors)),
        "items_written": (items_written, (vectors,)),
        "parts_of_items_written": (parts_of_items_written, (vectors,)),
        "last_written_later": (last_written_later, (vectors,)),
        "view_of_item_written_later": (view_of_item_written_later, (vectors,)),
        "collected": (collected, (x, vectors)),
        "collected_and_stacked": (collected_and_stacked, (ws,)),
        "items_collected": (items_collected, (vectors,)),
        "dicts_collected": (dicts_collected, (layers,)),
        "item_changed": (item_changed, (layers,)),
        "item_gains": (item_gains, (layers, x)),
        "skipped": (skipped, (x, vectors)),
        "left_early": (left_early, (x, vectors)),
        "left_by_data": (left_by_data, (x, vectors)),
        "returned_early": (returned_early, (x, vectors)),
        "otherwise": (otherwise, (x, vectors)),
        "zipped": (zipped, (vectors, vectors[::-1])),
        "zipped_unequal": (zipped, (vectors, vectors[:2])),
        "zipped_with_rows": (zipped_with_rows, (a(3, 4), vectors)),
        "zipped_with_a_count": (zipped_with_a_count, (x, vectors)),
        "counted_from_one": (counted_from_one, (x, vectors)),
        "backwards": (backwards, (m, ws)),
        "all_but_the_last": (all_but_the_last, (m, ws)),
        "by_index": (by_index, (x, vectors)),
        "nested_lists": (nested_lists, (x, [vectors[:2], vectors[1:]])),
        "pairs_of": (pairs_of, (vectors,)),
        "twice_through": (twice_through, (vectors,)),
        "made_here": (made_here, (x,)),
        "made_of_slices": (made_of_slices, (x,)),
        "written_while_gone_through": (written_while_gone_through, (x,)),
        "length_decides": (length_decides, (x, vectors)),
        "unused_items": (unused_items, (x, vectors)),
        "name_after_the_loop": (name_after_the_loop, (x, vectors)),
        "ranks_decide": (ranks_decide, (m, ws)),
        "dtypes_decide": (dtypes_decide, (x, vectors)),
        "grows": (grows, (x, vectors)),
        "means_of": (means_of, (vectors,)),
        "in_a_dict": (in_a_dict, ({"w": ws, "b": vectors, "out": a(4, 2)}, m)),
        "many": (many, (x, *vectors)),
        "attend": (attend, (tx, heads)),
        "attend_masked": (attend, (tx, heads, torch.ones(3, 3))),
        "momentum": (momentum, (torches, torch_copy(torches), torch_copy(torches))),
        "norm_of": (norm_of, (torches,)),
        "clipped": (clipped, (torches,)),
        "residual": (residual, (jx, js)),
        "scanned_inside": (scanned_inside, (jx[0], js)),
        "tied": (layered, (a(5, 4), square[:1] * 3)),
        "of_a_tuple": (layered, (a(5, 4), tuple(square))),
    }
