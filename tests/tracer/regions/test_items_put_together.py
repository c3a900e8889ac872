"""Loops over what a program puts together of the items of a list: the text says that, and not the list, which
may hold more; and lists in items that helpers go through.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays, to_numpy

V = np.arange(3.0)


def averaged(clients: Any) -> Any:
    out = []
    for layer in list(zip(*clients)):
        out.append(sum(layer) / len(layer))
    return out


def transposed(x: Any, gs: Any) -> Any:
    for a, b in list(zip(*gs)):
        x = x - a * b
    return x


def chosen(x: Any, gs: Any) -> Any:
    for a, b in [(gs[0][0], gs[1][0]), (gs[0][1], gs[1][1])]:
        x = x * 0.5 - a * b
    return x


def tied(x: Any, ps: Any) -> Any:
    for p in [{"w": p["w"], "b": p["w"]} for p in ps]:
        x = x * p["w"] + p["b"]
    return x


def displayed(x: Any, ws: Any) -> Any:
    for w in (ws[0], ws[1]):
        x = x * 0.5 + w
    return x


def turned(x: Any, ws: Any) -> Any:
    for w in (ws[1], ws[0]):
        x = x * 0.5 + w
    return x


def behind_the_first(x: Any, ws: Any) -> Any:
    for w in ws:
        x = x + w
    for w in (ws[1], ws[2]):
        x = x * 0.5 + w
    return x


def affine(x: Any, p: Any) -> Any:
    return x * p[0] + p[1] + len(p)


def wrapped(x: Any, ps: Any) -> Any:
    for p in ps:
        x = affine(x, (p[0], p[1]))
    return x


def handed_on(x: Any, ps: Any) -> Any:
    for p in ps:
        x = affine(x, p)
    return x


def dense(x: Any, p: Any) -> Any:
    return x * p["w"] + p["b"]


def wrapped_dict(x: Any, ps: Any) -> Any:
    for p in ps:
        x = dense(x, {"w": p["w"], "b": p["b"]})
    return x


def exps(x: Any, ws: Any) -> Any:
    for w in ws:
        x = x + np.exp(w)
    return x


def grouped(x: Any, groups: Any) -> Any:
    for g in groups:
        x = exps(x, g)
    return x


def by_rank(x: Any, ws: Any) -> Any:
    for w in ws:
        if w.ndim == 1:
            x = x + w
        else:
            x = x + w.sum(axis=0) * 2
    return x


def grouped_by_rank(x: Any, groups: Any) -> Any:
    for g in groups:
        x = by_rank(x, g)
    return x


def acts(x: Any, ws: Any) -> Any:
    for w, act in ws:
        x = x + w
        if act == "relu":
            x = np.maximum(x, 0)
    return x


def grouped_acts(x: Any, groups: Any) -> Any:
    for g in groups:
        x = acts(x, g)
    return x


BYTES = np.array([1, 2, 3], np.uint8)
PAIR, RELU = {"w": V, "b": V + 1}, (V, "relu")
#: Functions, the example, and other arguments: of those that raise in the source nothing is asked.
PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...], list[tuple[Any, ...]]]] = [
    (averaged, ([[V, V + 1], [V * 10, V - 5]],), [([[V, V], [V, V], [V, V]],), ([[V] * 3] * 2,)]),
    (transposed, (V, [[V, V + 1], [V * 10, V - 5]]), [(V, [[V], [V + 1]]), (V, [[V] * 3] * 2)]),
    (chosen, (V, [[V, V + 1], [V * 10, V - 5]]), [(V, [[V] * 3] * 3)]),
    (tied, (V, [PAIR, {"w": V + 2, "b": V + 3}]), [(V, [PAIR] * 3), (V, [])]),
    (displayed, (V, [V, V + 1]), [(V, [V, V + 1, V + 2]), (V, (V, V))]),
    (turned, (V, [V, V + 1]), [(V, [V, V + 1, V + 2])]),
    (behind_the_first, (V, [V, V + 1, V + 2]), [(V, [V, V + 1, V + 2, V + 3])]),
    (wrapped, (V, [(V, V), (V, V)]), [(V, [(V, V, V)] * 2), (V, [(V, V)] * 3), (V, [[V, V]])]),
    (handed_on, (V, [(V, V), (V, V)]), [(V, [(V, V, V)] * 2), (V, [(V, V)] * 3)]),
    (wrapped_dict, (V, [PAIR, PAIR]), [(V, [{**PAIR, "c": V}] * 2), (V, [PAIR])]),
    (grouped, (V, [[V, V], [V, V]]), [(V, [[V, V, BYTES], [V, V]]), (V, [[V, V, V], [V, V]]), (V, [[V, V]])]),
    (grouped_by_rank, (V, [[V, V], [V, V]]), [(V, [[V, V, np.ones((2, 3))], [V, V]])]),
    (grouped_acts, (V, [[RELU, RELU]] * 2), [(V, [[RELU] * 3] * 2), (V, [[RELU, RELU]] * 3)]),
]


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p[0].__name__)
def test_other_items_agree_or_are_refused(program: Any, to: str) -> None:
    fn, example, others = program
    with jax.enable_x64(True):
        out = tl.transpile(fn, example, to=to)
        for args in (example, *others):
            given = map_arrays(copy.deepcopy(args), lambda a: convert(a, to))
            try:
                expected = fn(*copy.deepcopy(args))
            except ValueError:
                continue
            try:
                got = out(*given)
            except AssertionError:
                assert args is not example
                continue
            assert not list(compare(expected, map_arrays(got, to_numpy))), out.source


def test_what_is_handed_on_as_it_is_stays_so() -> None:
    assert "affine(x, p)" in tl.transpile(handed_on, (V, [(V, V), (V, V)]), to="torch").source
    assert "affine(x, (p[0], p[1]))" in tl.transpile(wrapped, (V, [(V, V), (V, V)]), to="torch").source
