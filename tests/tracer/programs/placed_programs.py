"""Loops that take the items of lists by the number of their turn."""


def layered(ws, x):
    for i in range(len(ws)):
        x = x + ws[i]
    return x


def two_lists(ws, bs, x):
    n = len(ws)
    for i in range(n):
        x = x * ws[i] + bs[i]
        if i < n - 1:
            x = abs(x)
    return x


def named(ws, bs, x):
    for i in range(len(ws)):
        w, b = ws[i], bs[i]
        x = x * w + b
    return x


def pairs(ps, x):
    for i in range(len(ps)):
        w, b = ps[i]
        x = x * w + b
    return x


def records(ls, x):
    for i in range(len(ls)):
        p = ls[i]
        h = x * p["w"] + p["b"]
        x = x + h * p["w"]
    return x


def helper(p, x):
    return x * p["w"] + p["b"]


def helped(ls, x):
    for i in range(len(ls)):
        x = helper(ls[i], x)
    return x


def of_an_argument(model, x):
    for i in range(len(model["w"])):
        x = x + model["w"][i]
    return x


def part_of_an_argument(model, x):
    layers = model["w"]
    for i in range(len(layers)):
        w = layers[i]
        x = x * w + w
    return x


def beside_the_items(ws, bs, x):
    for i, w in enumerate(ws):
        x = x * w + bs[i]
    return x


def beside_pairs(ws, vs, bs, x):
    for i, (w, v) in enumerate(zip(ws, vs)):
        x = x * w + bs[i] * v
    return x


def collected(ws, x):
    out = []
    for i in range(len(ws)):
        out.append(x * ws[i] + i)
    return out


def made_before(ws, x):
    doubled = [w * 2 for w in ws]
    for i in range(len(ws)):
        x = x + doubled[i] * ws[i]
    return x


def comprehended(ws, gs):
    return [ws[i] - 0.1 * gs[i] for i in range(len(ws))]


def summed(ws, x):
    return sum(ws[i] * i for i in range(len(ws))) + x


def number_is_read(ws, x):
    for i in range(len(ws)):
        x = x + ws[i] * (i + 1) ** 2
    return x


def twice(ws, x):
    for i in range(len(ws)):
        x = x + ws[i]
    for i in range(len(ws)):
        x = x * ws[i]
    return x


def in_a_branch(ws, x):
    if x.sum() > 0:
        for i in range(len(ws)):
            x = x + ws[i]
    return x


def chosen(ws, x):
    for i in range(len(ws)):
        x = x + ws[i] if i % 2 == 0 else x - ws[i]
    return x


def ranks_decide(ws, x):
    for i in range(len(ws)):
        if ws[i].ndim == 1:
            x = x + ws[i].sum()
    return x


def in_a_loop(ws, x):
    for _ in range(3):
        for i in range(len(ws)):
            x = x + ws[i] * 0.5
    return x


def triangle(ws, x):
    for t in range(len(ws)):
        for i in range(t):
            x = x + ws[i] * t
    return x


def best(ws, x):
    found = ws[0]
    for i in range(len(ws)):
        if ws[i].sum() > found.sum():
            found = ws[i]
    return found + x


def skips(ws, x):
    for i in range(len(ws)):
        if i == 1:
            continue
        w = ws[i]
        x = x + w * w
    return x


def as_many_as(ws, x, n):
    for i in range(n):
        x = x + ws[i]
    return x


def config_says(ws, x, config):
    for i in range(config["n"]):
        x = x * ws[i]
    return x


def three(ws, x):
    for i in range(3):
        x = x + ws[i]
    return x


def rows(ws, x):
    for i in range(x.shape[0]):
        x = x + ws[i] * x[i]
    return x


# Of these it is only asked that they give the same, or raise.


def changed_behind(ws, x):
    ws = list(ws)
    for i in range(len(ws)):
        x = x + ws[i]
        ws[len(ws) - 1] = ws[0] * 2
    return x


def changed_meanwhile(ws, x):
    for i in range(len(ws)):
        x = x + ws[i]
        ws[-1] = x * 2
    return x


def changed_by_a_helper(ws, x):
    def put(at):
        ws[0] = ws[at] + 1

    for i in range(len(ws)):
        put(i)
        x = x + ws[i]
    return x


def replaced(ws, x):
    for i in range(len(ws)):
        ws[i] = ws[i] * 2
    for i in range(len(ws)):
        x = x + ws[i]
    return x


def replaced_and_kept(ws, x):
    for i in range(len(ws)):
        w = ws[i]
        ws[i] = w + x
        x = x + w
    return ws, x


def appended(ws, x):
    n = len(ws)
    for i in range(n):
        ws.append(ws[i] * 2)
    return x + ws[-1]


def popped(ws, x):
    for i in range(len(ws)):
        x = x + ws[i]
        ws.pop()
    return x


def written(ws, x):
    for i in range(len(ws)):
        ws[i] *= 2
        x = x + ws[i]
    return x


def written_first(ws, x):
    for i in range(len(ws)):
        w = ws[i]
        w[0] = 7
        x = x + w
    return x


def written_through_another(ws, x):
    first = ws[0]
    for i in range(len(ws)):
        first[:] = first + ws[i]
        x = x + ws[i]
    return x


def exchanged(ws, vs, x):
    for i in range(len(ws)):
        ws, vs = vs, ws
        x = x + ws[i]
    return x


def other_number(ws, x):
    for i in range(len(ws)):
        i = len(ws) - 1 - i
        x = x * 2 + ws[i]
    return x


def backwards(ws, x):
    for i in reversed(range(len(ws))):
        x = x * 2 + ws[i]
    return x


def from_one(ws, x):
    for i in range(1, len(ws)):
        x = x * 2 + ws[i] - ws[i - 1]
    return x


def stops(ws, x):
    for i in range(len(ws)):
        if i == 2:
            break
        x = x + ws[i]
    return x


def gives_back(ws, x):
    for i in range(len(ws)):
        if ws[i].sum() > 1:
            return ws[i] + x
    return x


def counts_itself(ws, x):
    i = 0
    while i < len(ws):
        x = x + ws[i]
        i += 1
    return x


def too_many(ws, x):
    try:
        for i in range(5):
            x = x + ws[i]
    except IndexError:
        x = x * 100
    return x


def number_after(ws, x):
    for i in range(len(ws)):
        x = x + ws[i]
    return x * i


def last_after(ws, x):
    for i in range(len(ws)):
        w = ws[i]
        x = x + w
    return x * w


def is_the_first(ws, x):
    for i in range(len(ws)):
        if ws[i] is ws[0]:
            x = x + ws[i]
    return x


def closures(ws, x):
    def layer(h, at):
        return h + ws[at]

    for i in range(len(ws)):
        x = layer(x, i)
    return x


def kept_for_later(ws, x):
    later = []
    for i in range(len(ws)):
        w = ws[i]
        later.append(lambda: w + i)
    return x + later[0]() + later[-1]()


def nested(rows, x):
    for i in range(len(rows)):
        for j in range(len(rows[i])):
            x = x + rows[i][j] * (i + 1)
    return x


def nested_places(rows, x):
    for i in range(len(rows)):
        for j in range(len(rows[0])):
            x = x + rows[j][i]
    return x


def data_says(ws, x):
    for i in range(int(abs(x).max())):
        x = x + ws[i]
    return x


def name_is_another(ws, x):
    w = x * 2
    for i in range(len(ws)):
        x = x + ws[i] * w
    w = ws[0]
    return x + w


def named_in_two(ws, bs, x):
    for i in range(len(ws)):
        w = ws[i]
        x = x + w * w
    for i in range(len(bs)):
        w = bs[i]
        x = x - w * w
    return x
