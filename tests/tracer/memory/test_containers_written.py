"""Arrays in containers that are written into before a helper is given these: it gets what they are then."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays


@dataclass
class State:
    w: Any
    b: Any


class Pair(NamedTuple):
    w: Any
    b: Any


def total(xs):
    t = 0
    for x in xs:
        t = t + x
    return t


def norm(d):
    return (d["w"] ** 2).sum() + d["b"].sum()


def used(s):
    return s.w * 2 + s.b


def an_item(xs, y):
    xs[0][0] = 5
    return xs, total(xs)


def all_items(xs, y):
    for x in xs:
        x *= y
    return xs, total(xs) / 2


def one_by_one(xs, y):
    for x in xs:
        x -= total(xs) / 2
    return xs


def a_dict(d, y):
    d["w"] += 1
    n = norm(d)
    d["b"] *= n
    return d, norm(d)


def nested(d, y):
    d["h"]["w"] += y
    return d, norm(d["h"])


def a_tuple(t, y):
    a, b = t
    a += y
    return a, b, total(t)


def of_a_class(s, y):
    s.w -= 0.5 * y
    return s.w, s.b, used(s)


def in_a_loop(xs, y):
    w = xs[0]
    for _ in range(3):
        if w.sum() > 20:
            break
        w += y
        y = y + total(xs)
    return y, xs


def on_a_way(xs, y):
    if y.sum() > 0:
        xs[1][1:] = -1
    return total(xs), xs


def by_another_name(xs, y):
    first = xs[0]
    first[y > 2] = 0
    return total(xs), xs


def by_a_closure(xs, y):
    def of_all():
        return total(xs)

    before = of_all()
    xs[1] *= 2
    return before, of_all(), xs


def an_item_replaced(d, y):
    d["h"]["w"] = y * 2
    return d, norm(d["h"]), deep(d)


def a_list_grown(d, y):
    before = deep(d)
    d["h"]["xs"].append(y)
    return d, before, deep(d)


def a_number_in_it(d, y):
    d["h"]["k"] = 3
    return d, deep(d)


def deep(d):
    return d["h"]["w"] * d["h"].get("k", 2) + sum(d["h"]["xs"])


def kept_before(xs, y):
    out = [total(xs), {"a": total(xs) * 2}]
    xs[0] *= 2
    return out, xs


def on_one_way(xs, y):
    if y.sum() > 0:
        n = total(xs)
        xs[0][0] = 5
    else:
        n = y
    return n, xs


def by_turns(xs, y):
    hist = []
    for _ in range(3):
        hist.append(total(xs))
        xs[0] += y
    return hist, xs


def several(xs):
    return xs[0] * 2, total(xs)


def of_several(xs, y):
    out = [several(xs)[1], several(xs)]
    xs[1][:] = y
    return out, xs


def deep_before(d, y):
    out = [deep(d), norm(d["h"]) + 1]
    d["h"]["w"] *= y
    return out, d


READ = [kept_before, on_one_way, by_turns, of_several]
DEEP = [deep_before, an_item_replaced, a_list_grown, a_number_in_it]


def arrays(name: str, program: Any) -> Any:
    x, b, y = (np.array(each, np.float32) for each in ([1, 2, 3], [3, 1, 2], [2, 4, 6]))
    held: Any = {
        **dict.fromkeys(DEEP, {"h": {"b": b, "k": 2, "w": x, "xs": [x + 1, b * 2]}}),
        a_dict: {"b": b, "w": x}, nested: {"h": {"b": b, "w": x}}, a_tuple: (x, b), of_a_class: State(x, b),
    }.get(program, [x, b])  # fmt: skip
    return map_arrays(copy.deepcopy([held, y]), lambda array: convert(array, name))


PROGRAMS = [
    an_item, all_items, one_by_one, a_dict, nested, a_tuple, of_a_class, in_a_loop, on_a_way, by_another_name,
    by_a_closure, *DEEP, *READ,
]  # fmt: skip


@pytest.mark.covering
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_a_helper_gets_what_was_written(program, to, source) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    try:
        out = tl.transpile(program, arrays(source, program), to=to, source=source)
    except tl.UnsupportedError:  # the shape of a sum over a list is not known
        assert program in (in_a_loop, on_one_way) and to == "jax"
        return
    for sign in (1, -1):
        mine, theirs = arrays(source, program), arrays(to, program)
        mine[1], theirs[1] = sign * mine[1], sign * theirs[1]
        assert not [*compare(program(*mine), out(*theirs), narrowed=to == "jax")], out.source
        assert to == "jax" or not [*compare(mine, theirs)], out.source


def test_a_container_of_the_helpers_own_is_what_it_was() -> None:
    def made(x):
        return Pair(x * 2, x + 1)

    def program(x):
        s = made(x)
        s.w[0] = 7
        return used(s), s.w

    x = np.arange(3.0, dtype=np.float32)
    for to in ("numpy", "torch", "jax"):
        out = tl.transpile(program, (x,), to=to)
        assert not [*compare(program(x), out(convert(x, to)), narrowed=to == "jax")], out.source


@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_what_is_written_may_lie_in_a_container(to, source) -> None:
    def program(xs, y):
        before = [total(xs)]
        y[0] = 9
        return before, y

    out = tl.transpile(program, arrays(source, program), to=to, source=source)
    mine, theirs = arrays(source, program), arrays(to, program)
    mine[1], theirs[1] = mine[0][1], theirs[0][1]
    assert not [*compare(program(*mine), out(*theirs)), *compare(mine, theirs)], out.source
