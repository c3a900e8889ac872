"""Comprehensions and sums over lists of arrays, and what programs do with what they make."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations


def doubled(ws):
    return [w * 2 for w in ws]


def named(ws, x):
    new = [w * 2 + x for w in ws]
    return new, len(new)


def stepped(ws, gs, lr):
    return [w - lr * g for w, g in zip(ws, gs)]


def bound_anew(ws, gs, lr):
    ws = [w - lr * g for w, g in zip(ws, gs)]
    gs = [g * 0.5 for g in gs]
    return ws, gs


def momentum(ws, gs, ms):
    ms = [m * 0.9 + g for m, g in zip(ms, gs)]
    return [w - m * 0.1 for w, m in zip(ws, ms)], ms


def pairs(ps, x):
    return [(w * x, b + x) for w, b in ps]


def nested_pairs(ps, gs):
    new = [(w - g, b - h) for (w, b), (g, h) in zip(ps, gs)]
    total = 0.0
    for w, b in new:
        total = total + w.sum() * b.sum()
    return new, total


def dicts(ls):
    return [{"w": p["w"] * 2, "b": p["b"], "both": [p["w"], p["b"]]} for p in ls]


def dicts_again(ls):
    new = [{"w": p["w"] * 2, "b": p["b"] + 1} for p in ls]
    ws = [p["w"] + p["b"].sum() for p in new]
    return [w * 3 for w in ws], len(new)


def counted(ws):
    return [w * i for i, w in enumerate(ws, 1)]


def through_two(ws, vs):
    new = [w + 1 for w in ws]
    return [a + b for a, b in zip(new, vs)], [a.sum() for a in new]


def carried(ws, x):
    for h in [w.sum() for w in ws]:
        x = x + h
    return x


def chosen(ws):
    return [w if w.ndim > 5 else -w for w in ws]


def by_value(ws):
    return [w * 2 if w.sum() > 0 else w for w in ws]


def layer(w, x):
    h = w * x
    return h + h.sum()


def helped(ws, x):
    return [layer(w, x) for w in ws]


def made_by_helper(ws, x):
    new = doubled(ws)
    return sum((w * x).sum() for w in new)


def summed(ws):
    return sum((w**2).sum() for w in ws)


def summed_whole(ws):
    total = sum(ws)
    return total * 2


def summed_list(ws):
    return sum([w.sum() for w in ws]) / len(ws)


def norms(ws, gs):
    return sum((w * g).sum() for w, g in zip(ws, gs)) ** 0.5


def clipped(ws):
    n = sum((w**2).sum() for w in ws) ** 0.5
    return [w / (n + 1) for w in ws]


def sized(ws, x):
    return x * sum(w.shape[0] for w in ws)


def listed(ws):
    return list(w + 1 for w in ws)


def items_themselves(ws, x):
    return [w for w in ws], x * 1


def views(ws):
    return [w[0] for w in ws], [w.T for w in ws]


def in_a_dict(model):
    return {"w": [w * 2 for w in model["w"]], "b": model["b"] + sum(w.sum() for w in model["w"])}


def in_a_loop(ws, x):
    for w in ws:
        x = x * 0.5 + sum((v * w).sum() for v in ws)
    return x


def in_a_while(ws, x):
    while x.sum() < 100:
        x = x * 2 + sum((w**2).sum() for w in ws) + 1
    return x


def in_a_branch(ws, x):
    if x.sum() > 0:
        x = x + sum(w.sum() for w in ws)
    return x


def collected_by_hand(ws, x):
    out = []
    for w in ws:
        out.append((w * x, w.sum()))
    return out


def uneven_by_hand(ws):
    out = []
    for w in ws:
        out.append(w * 2)
    return sum(v.sum() for v in out), out


def training_step(params, grads, moments, x, lr=0.1, decay=0.9):
    """Momentum, with gradients of at most one norm."""
    # one scale for all of them
    norm = sum((g["w"] ** 2).sum() + (g["b"] ** 2).sum() for g in grads) ** 0.5
    scale = 1 / (norm + 1e-6)
    grads = [{"w": g["w"] * scale, "b": g["b"] * scale} for g in grads]

    moments = [
        {"w": decay * m["w"] + g["w"], "b": decay * m["b"] + g["b"]} for m, g in zip(moments, grads)
    ]
    params = [
        {"w": p["w"] - lr * m["w"], "b": p["b"] - lr * m["b"]} for p, m in zip(params, moments)
    ]
    for i, p in enumerate(params):
        x = x @ p["w"] + p["b"]
        if i < len(params) - 1:
            x = x * (x > 0)
    return params, moments, x, norm


def kept_written(ws):
    kept = [w for w in ws]
    kept[0] += 1.0
    return kept


def new_written(ws):
    new = [w * 2 for w in ws]
    new[0] += 1.0
    return new


def views_written(ws):
    vs = [w[1:] for w in ws]
    vs[-1] += 1.0
    return vs


def all_written(ws):
    new = [w * 2 for w in ws]
    for v in new:
        v += 1.0
    return new


def items_replaced(ws, x):
    new = [w * 2 for w in ws]
    new[1] = x
    return new


def appended(ws, x):
    new = [w * 2 for w in ws]
    new.append(x)
    return new, len(new)


def appended_between(ws, x):
    new = [w * 2 for w in ws]
    kept = [v + 1 for v in new]
    new.append(x)
    return new, kept


def put_together(ws, x):
    return [w * 2 for w in ws] + [x], [x] + [w for w in ws], [w + 1 for w in ws] * 2


def part_of(ws):
    new = [w * 2 for w in ws]
    return new[1:], new[-1], new[0], new[::-1]


def unpacked(ws):
    first, *others = [w * 2 for w in ws]
    return first, others


def spread(ws):
    return third(*[w * 2 for w in ws])


def third(one, two, *more):
    return one - two


def stacked(ws):
    return sum(w for w in ws) / len(ws), max([float(w.sum()) for w in ws]) * 2


def as_a_tuple(ws):
    return tuple(w * 2 for w in ws), tuple([w + 1 for w in ws])


def as_a_dict(ws):
    return dict(zip("abc", [w * 2 for w in ws])), {i: w for i, w in enumerate(w + 1 for w in ws)}


def asked(ws, x):
    if any([w.shape[0] > 100 for w in ws]) or all(w.ndim == 3 for w in ws):
        return x
    return x * 2


def truth_of(ws, x):
    new = [w * 2 for w in ws]
    return x * 2 if new else x


def twice(ws):
    new = [w * 2 for w in ws]
    return new, new


def changed_by_helper(ws, x):
    new = [w * 2 for w in ws]
    gain(new, x)
    return new


def gain(items, x):
    items.append(x)


def nested(groups):
    return [[w * 2 for w in g] for g in groups], sum(sum(w.sum() for w in g) for g in groups)


def begun(ws, x):
    gen = (w.sum() for w in ws)
    x = x + next(gen)
    return x * sum(gen)


def used_twice(ws, x):
    gen = (w.sum() for w in ws)
    x = x + sum(gen)
    return x + sum(gen)


def older_than_a_loop(ws, x):
    gen = (w.sum() for w in ws)
    for _ in range(3):
        x = x + sum(gen)
    return x


def late(ws, x):
    k = 2.0
    gen = (w.sum() * k for w in ws)
    k = 3.0
    return x * sum(gen)


def list_changed_meanwhile(ws, x):
    vs = [w for w in ws]
    gen = (w.sum() for w in vs)
    vs.append(x)
    return sum(gen)


def written_in(ws):
    def double(w):
        w *= 2.0
        return w.sum()

    return [double(w) for w in ws]


def noted_outside(ws):
    seen = []

    def note(w):
        seen.append(w * 3)
        return w * 2

    return [note(w) for w in ws], seen


def running(ws, x):
    state = {"h": x}

    def turn(w):
        state["h"] = state["h"] * 0.5 + w
        return state["h"]

    return [turn(w) for w in ws], state["h"]


def begun_with(ws, x):
    return sum((w for w in ws), x), sum([w for w in ws], 0.0)


def of_constants(ws, x):
    return x * sum(1 for w in ws), [0 for w in ws], [None for _ in ws]


def same_ones(ws):
    return [w is ws[0] for w in ws], [w for w in ws][0] is ws[0]


def out_of_one(ws):
    return [w * ws[0].sum() for w in ws], [w + ws[-1].sum() for w in ws]


def ints_and_floats(ws):
    return [w / 2 for w in ws], [w // 2 for w in ws], sum(w.sum() / 2 for w in ws)


def sums_of_truths(ws):
    return sum((w > 0).sum() for w in ws), sum(w.sum() > 0 for w in ws)


def shadowing(ws, sum, w):
    new = [w * sum for w in ws]
    return new, w, sum
