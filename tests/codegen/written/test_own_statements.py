"""Conditions stand where the user has them, and tuples are taken apart where he does it, under his names."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from own_text import EVERYWHERE, OF, X, body

import tracelate as tl


def chosen(x: Any, mask: Any = None, scale: Any = None) -> Any:
    y = x * 2
    y = y if mask is None else jnp.where(mask, y, 0)
    return y if scale is None else y * scale


@EVERYWHERE
def test_a_condition_stands_where_it_stood(to: str) -> None:
    text = body(chosen, to, OF["jax"](X), OF["jax"](X > 2))
    assert "y = y if mask is None else" in text, text


def taken_apart(q: Any, k: Any) -> Any:
    B, T = q.size()
    scale = math.sqrt(q.size(-1))
    D, E = k.shape
    return q.reshape(T, B) * scale + D


@EVERYWHERE
def test_shapes_are_taken_apart_where_they_were(to: str) -> None:
    text = body(taken_apart, to, OF["torch"](X), OF["torch"](X))
    assert "B, T = q.shape" in text and "D, E = k.shape" in text and "reshape(T, B) * scale + D" in text, text


def last_of_two(q: Any, k: Any) -> Any:
    B, T = q.size()
    y = q.reshape(-1, B)
    C, E = k.shape
    return y * math.sqrt(q.size(-1)) + C


@EVERYWHERE
def test_the_last_size_is_not_that_of_another_array(to: str) -> None:
    """What is read as `q.shape[-1]` alone was `_`, and so was what nobody read of the next shape."""
    text = body(last_of_two, to, OF["torch"](X), torch.ones(4, 5))
    assert "_" not in text.replace("_2", ""), text


def test_what_is_read_has_its_name_before_what_is_not() -> None:
    def fn(x: Any) -> Any:
        N = x.sum()
        _, D = x.shape
        return N * D

    def other(x: Any) -> Any:
        D = x.sum()
        y = x * D
        N, D = x.shape
        return y * N

    assert "_, D = x.shape" in body(fn, "jax", OF["numpy"](X))
    assert "N, D = x.shape" in body(other, "jax", OF["numpy"](X))


def beside(x: Any, y: Any) -> Any:
    a, b = x + y, x - y
    c, d = a * 2, b.sum()
    a, b = b * c, a * d
    return a, b


@EVERYWHERE
def test_several_in_one_statement_stay_in_one(to: str) -> None:
    text = body(beside, to, OF["torch"](X), OF["torch"](X + 1))
    assert text.splitlines()[:2] == ["a, b = x + y, x - y", "    c, d = a * 2, b.sum()"], text


def one_after_the_other(x: Any) -> Any:
    a = x * 2
    a, b = a + 1, a * 3
    first, second, third = x.softmax(0), x.sum(), x.mean()
    return a * b, first * second * third


@EVERYWHERE
def test_what_reads_another_is_a_statement_of_its_own(to: str) -> None:
    body(one_after_the_other, to, OF["torch"](X))


def test_a_word_that_is_checked_is_no_part_of_a_test() -> None:
    def scaled(x, z=None, on="on", off="on"):
        if z is not None and on.lower() == "on":
            x = x * z
        if z is None or off.lower() == "off":
            x = x + 1
        return x

    source = tl.transpile(scaled, (np.ones(3), np.ones(3)), to="numpy").source
    assert "    if z is not None:\n" in source and "    if z is None:\n" in source, source


def test_a_flag_stays_in_a_test() -> None:
    def scaled(x, z=None, on=True, off=False):
        if z is not None and on:
            x = x * z
        if z is None or off:
            x = x + 1
        return x

    source = tl.transpile(scaled, (np.ones(3), np.ones(3)), to="numpy").source
    assert "if z is not None and on:\n" in source and "if z is None or off:\n" in source, source


def sizes(x: Any) -> Any:
    rows, columns = x.shape[0], x.shape[1]
    y = x.reshape(columns, -1) * columns
    z = x * rows
    a, b = z * 2, z + 1
    return y, b - a, a


@EVERYWHERE
def test_they_keep_their_order_whatever_is_needed_first(to: str) -> None:
    text = body(sizes, to, OF["torch"](X))
    assert "rows, columns = x.shape[0], x.shape[1]" in text and "a, b = z * 2, z + 1" in text, text


def ranked(x: Any) -> Any:
    ordered, index = x.sort(dim=-1, descending=True)
    drop = ordered > 0.5
    drop[:, 1:] = drop[:, :-1].clone()
    kept = torch.zeros_like(drop).scatter(1, index, drop)
    return kept, index + 1


@EVERYWHERE
def test_results_keep_their_names_where_several_calls_say_one(to: str) -> None:
    text = body(ranked, to, OF["torch"](X))
    assert "ordered = " in text and "index = " in text or "ordered, index = " in text, text
    if to == "numpy":
        assert "index = np.flip(np.argsort(x), axis=-1)\n" in text, text


def by_keys(x: Any, p: Any, form: str = "wide") -> Any:
    skip = x @ p["k"] if "k" in p else x
    wide = skip * 2 if form.lower() == "wide" else skip
    return (skip + x) * wide


@EVERYWHERE
def test_what_python_chose_while_tracing_has_its_name(to: str) -> None:
    text = body(by_keys, to, OF["torch"](X), {"k": torch.ones(X.shape[1], X.shape[1])})
    assert 'skip = x @ p["k"]\n' in text and "wide = skip * 2\n" in text and "(skip + x) * wide" in text, text


@EVERYWHERE
def test_what_was_there_before_gets_no_name_by_being_chosen(to: str) -> None:
    text = body(by_keys, to, OF["torch"](X), {}, "thin")
    assert "skip" not in text and "wide" not in text and "(x + x) * x" in text, text


class Measure:
    def __init__(self, power: float) -> None:
        self.power = power

    def of(self, x: Any) -> Any:
        return (x**self.power).sum()


def measured(x: Any) -> Any:
    def longest(y: Any) -> Any:
        return abs(y).max()

    size = longest(x)
    total = Measure(2.0).of(x)
    return x / size + total


@EVERYWHERE
def test_what_functions_give_has_the_name_of_the_caller(to: str) -> None:
    text = body(measured, to, OF["torch"](X))
    assert "size = " in text and "total = " in text and "x / size + total" in text, text


def between(x: Any, k: int) -> Any:
    n = x.shape[0]
    if 1 < n < 10:
        x = x + 1
    if 0 < k <= n <= 100 and k != 3:
        x = x * 2
    if n > 3 or 7 == k:
        x = x - 1
    while 5 >= k > 0:
        x = x + k
        k -= 1
    return x * (0 < x)


@EVERYWHERE
def test_comparisons_stand_as_the_user_has_them(to: str) -> None:
    text = body(between, to, OF["numpy"](X), 2)
    for said in ("1 < n < 10", "0 < k <= n <= 100 and k != 3", "n > 3 or 7 == k", "5 >= k > 0", "(0 < x)"):
        assert said in text, text


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_what_several_comparisons_look_at_is_read_once(to: str) -> None:
    def fn(x: Any) -> Any:
        if 0 < x.sum() < 100:
            return x + 1
        return x

    text = body(fn, to, OF["numpy"](X))
    assert "0 < " in text and " < 100:" in text and " and " not in text, text


def gathered(x: Any) -> Any:
    outs = []
    for i in range(x.shape[0]):
        z = x[i] + 1  # one more
        outs.append(z)
    return jnp.stack(outs)


@EVERYWHERE
def test_what_is_appended_has_its_name(to: str) -> None:
    text = body(gathered, to, OF["jax"](X))
    assert "z = x[i] + 1  # one more" in text and ("outs.append(z)" in text or "return None, z" in text), text
