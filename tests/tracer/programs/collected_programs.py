"""What becomes of lists that comprehensions and loops over lists have made."""

import numpy as np


def branch_takes_one(ws, x):
    hs = [w * 2 for w in ws]
    if x.sum() > 0:
        y = hs[0] + 1
    else:
        y = hs[1] - 1
    return y


def loop_takes_one(ws, x):
    hs = [w * 2 for w in ws]
    for i in range(x.shape[0]):
        x = x + hs[0] * x[i]
    return x


def returns_two(ws, x):
    hs = [w * 2 for w in ws]
    return hs[0], hs[-1]


def item_written(ws, x):
    hs = [w.copy() for w in ws]
    hs[0][0] = 2
    return hs[0], hs[1]


def item_written_by_closure(ws, x):
    hs = [w.copy() for w in ws]

    def write(items):
        items[0][0] = 2
    write(hs)
    return hs


def write_first(items):
    items[0][0] = 2
    return items


def item_written_by_helper(ws, x):
    hs = [w.copy() for w in ws]
    return write_first(hs)


def written_by_place(ws, x):
    hs = [np.zeros_like(w) for w in ws]
    for i in range(len(ws)):
        hs[i][0] = ws[i].sum()
    return hs


def item_in_place(ws, x):
    hs = [w * 2 for w in ws]
    hs[0] *= 3
    return hs


def head(items):
    return items[0] * 2


def helper_takes_one(ws, x):
    hs = [w * 2 for w in ws]
    return head(hs)


def appended_and_written(ws, x):
    hs = []
    for w in ws:
        hs.append(w * 1)
    hs[0][0] = 2
    return hs


def place_by_length(ws, x):
    hs = [w * 2 for w in ws]
    k = 1 if len(ws) > 1 else 0
    return hs[k] + x


def place_is_given(ws, x, i):
    hs = [w * 2 for w in ws]
    return hs[i] + 1


def taken_twice_and_part(ws, x):
    hs = [w * 2 for w in ws]
    h = hs[0]
    for w in ws:
        h = h + w
    return h, hs[1:]


def unpacked(ws, x):
    hs = [w * 2 for w in ws]
    a, b = hs
    return a, b


def another_name_written(ws, x):
    hs = [w * 2 for w in ws]
    y = hs[0]
    y[0] = 5
    return hs


def written_in_a_loop(ws, x):
    hs = [w.copy() for w in ws]
    for h in hs:
        h[0] = 4
    return hs


def gone_through_in_a_loop(ws, x):
    hs = [w * 2 for w in ws]
    for t in range(x.shape[0]):
        for h in hs:
            x = x + h * 0.5
    return x


def by_place_in_a_loop(ws, x):
    hs = [w * 2 for w in ws]
    for t in range(x.shape[0]):
        for i in range(len(hs)):
            x = x + hs[i] * 0.5
    return x


def while_takes_one(ws, x):
    hs = []
    for w in ws:
        hs.append(w * 2)
    while x.sum() < 100:
        x = x + hs[0] + 1
    return x


def part_gone_through(ws, x):
    hs = [w * 2 for w in ws]
    for h in hs[1:]:
        x = x + h
    return x


def last_and_part(ws, x):
    hs = [w * 2 for w in ws]
    return x + hs[-1], hs[:1]


def gone_through_in_a_branch(ws, x):
    hs = [w * 2 for w in ws]
    if x.sum() > 0:
        for h in hs:
            x = x + h
    return x


def tuples_in_a_branch(ws, x):
    hs = [(w * 2, w) for w in ws]
    if x.sum() > 0:
        x = x + hs[0][0] - hs[1][1]
    return x, hs[0][1]


def made_of_made(ws, x):
    hs = [w * 2 for w in ws]
    gs = [h + 1 for h in hs]
    for i in range(len(gs)):
        gs[i] += 1
    return gs


def closure_takes_one(ws, x):
    hs = [w * 2 for w in ws]

    def f(y):
        return y + hs[0]
    return f(x)
