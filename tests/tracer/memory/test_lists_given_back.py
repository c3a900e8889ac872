"""Lists and dicts that functions give back are their caller's: who changes one changes the other."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import collections
from itertools import product
from typing import Any

import numpy as np
import pytest
from as_written import gives_the_same

import tracelate as tl

X, W = np.arange(4.0) + 1, np.array([0.5, -1, 2, 3])
Pair = collections.namedtuple("Pair", "items k")


def same(xs):
    return xs


def with_a_number(xs, k):
    return xs, xs[0] * k


def inner(d):
    return d["items"]


def twice(xs):
    return [xs, xs]


def copied(xs):
    return list(xs)


def step(params, x):
    return {**params, "w": params["w"] - x}, (params["w"] * x).sum()


def kept(params, x):
    return params, (params["w"] * x).sum()


def pick(xs, ys, y):
    if y.sum() > 1:
        return xs
    return ys


class Holder:
    def __init__(self, x, w):
        self.xs, self.ys = [x * 1], [w * 1]
        self.d, self.e = {"a": x * 1}, {"a": w * 1}

    def one_list(self, y):
        if y.sum() > 1:
            return self.xs
        return self.ys

    def one_dict(self, y):
        if y.sum() > 1:
            return self.d
        return self.e

    def with_a_number(self, y):
        if y.sum() > 1:
            return self.xs, 1
        return self.ys, 1


def appended_under_its_first_name(x, w):
    xs = [x * 1, w]
    r = same(xs)
    xs.append(x)
    xs[0] = w
    return len(r), r[0] + 0


def set_under_both(x, w):
    xs = [x * 1, w]
    r, k = with_a_number(xs, 2)
    r[0] = w
    xs[1] = k
    return xs[0] + 0, r[1] + 0, k


def an_item_of_a_dict(x, w):
    d = {"items": [x, w]}
    r = inner(d)
    r[0] = w * 3
    return d["items"][0] + 0, r


def in_a_tuple_of_its_own(x, w):
    pair = Pair([x], w)
    r = same(pair)
    pair.items[0] = w * 7
    return r.items[0] + 0, r.k


def of_a_closure(x, w):
    xs = [x, w]

    def f(v):
        return xs

    r = f(x)
    xs[0] = w * 2
    return r[0] + 0


def made_anew(x, w):
    params, losses = {"w": w * 1, "b": x}, []
    for _ in range(3):
        params, loss = step(params, x)
        losses.append(loss)
    return params, losses


def given_back_beside(x, w):
    params = {"w": w * 1, "b": x}
    again, loss = kept(params, x)
    again["w"] = x * 9
    return params["w"] + 0, loss, params


def through_two(x, w):
    xs = [x]
    r = same(same(xs))
    r.append(w)
    return len(xs), xs is r


def there_twice(x, w):
    xs = [x]
    r = twice(xs)
    r[0].append(w)
    return len(r[1]), len(xs)


def a_copy(x, w):
    xs = [x]
    r = copied(xs)
    r.append(w)
    return len(xs), len(r)


def only_read(x, w):
    o = Holder(x, w)
    return o.one_dict(x)["a"] + 0, o.d, o.one_list(w)[0] + 1


# Which of two it is, only the running program knows.


def one_of_two_appended(x, w):
    xs, ys = [x * 1], [w * 1]
    r = pick(xs, ys, x)
    xs.append(x)
    return len(r), r[0] + 0


def one_of_two_set(x, w):
    xs, ys = [x * 1], [w * 1]
    r = pick(xs, ys, x)
    xs[0] = x - 7
    return r[0] + 0


def one_of_an_object(x, w):
    o = Holder(x, w)
    r = o.one_list(x)
    o.xs[0] = x - 7
    return r[0] + 0


def a_dict_of_an_object(x, w):
    o = Holder(x, w)
    r = o.one_dict(x)
    o.d["a"] = x - 7
    return r["a"] + 0


def one_in_a_tuple(x, w):
    o = Holder(x, w)
    r, _ = o.with_a_number(x)
    o.xs.append(x)
    return len(r), r[0]


def in_turns(x, w):
    best = [x * 0]
    for i in range(3):
        current = [x * i]
        best = pick(best, current, x)
        current[0] = w
    return best[0] + 0


SAME = [
    appended_under_its_first_name, set_under_both, an_item_of_a_dict, in_a_tuple_of_its_own, of_a_closure,
    made_anew, given_back_beside, through_two, there_twice, a_copy, only_read,
]  # fmt: skip
ONE_OF_TWO = [
    one_of_two_appended, one_of_two_set, one_of_an_object, a_dict_of_an_object, one_in_a_tuple, in_turns,
]  # fmt: skip
NAMES = {"ids": lambda value: getattr(value, "__name__", None)}


@pytest.mark.parametrize("program, to", product(SAME, ["numpy", "jax", "torch"]), **NAMES)
def test_what_is_given_back_is_the_callers(program: Any, to: str) -> None:
    gives_the_same(program, [(X, W), (W, X), (-X, W)], to)


@pytest.mark.parametrize("program", ONE_OF_TWO, **NAMES)
def test_one_of_two_that_is_changed_is_refused(program: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match="may stand for"):
        tl.symbolic_trace(program, (X.copy(), W.copy()))
