"""Of which class a container is, and what is in it: a program that looks at it holds for that class."""

from __future__ import annotations

import copy
from collections import Counter, OrderedDict, defaultdict, namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

Pair = namedtuple("Pair", "a b")
Couple = namedtuple("Couple", "a b")


@dataclass
class Weights:
    a: Any
    b: Any


@dataclass
class Biases:
    a: Any
    b: Any


def a_class(c):
    return c[0] * 2 if isinstance(c, Pair) else c[0] + c[1]


def fields(c):
    return c[0] * 2 if hasattr(c, "_fields") else c[0] + c[1]


def itself(c):
    return c["a"] * 2 if type(c) is dict else c["a"] * 3


def a_record(c):
    return c.a * 2 if isinstance(c, Weights) else c.a * 3


def class_pattern(c):
    match c:
        case Pair(a, _):
            return a
        case (_, b):
            return b


def record_pattern(c):
    match c:
        case Weights(a=a):
            return a
        case Biases(b=b):
            return b


def kinds_in_a_dict(c):
    match c:
        case {"k": int(b)}:
            return np.zeros(3) + b
        case {"k": float(b)}:
            return np.ones(3) * b
        case {"k": (a,)}:
            return np.ones(3) * a
        case _:
            return np.full(3, 7.0)


def missing(c):
    return np.ones(3) * c["b"] + c["a"]


X = np.arange(12.0).reshape(3, 4)
A, B = np.ones(3), np.arange(3.0)


def picked(c):
    return X[c]


def placed(c):
    y = np.zeros((3, 4))
    y[c] = -1.0
    return y


CASES: tuple[tuple[Callable[..., Any], Any, tuple[Any, ...]], ...] = (
    (a_class, Pair(A, B), ((A, B), Couple(A, B), Pair(B, A))),
    (a_class, (A, B), (Pair(A, B), (B, A))),
    (fields, (A, B), (Pair(A, B), [A, B])),
    (fields, Pair(A, B), ((A, B), Couple(B, A))),
    (itself, {"a": A}, (OrderedDict(a=A), defaultdict(int, a=A))),
    (itself, OrderedDict(a=A), ({"a": A},)),
    (a_record, Weights(A, B), (Biases(A, B), Weights(B, A))),
    (class_pattern, Pair(A, B), ((A, B), Couple(A, B))),
    (class_pattern, (A, B), (Pair(A, B),)),
    (record_pattern, Weights(A, B), (Biases(A, B),)),
    (kinds_in_a_dict, {"k": 3}, tuple({"k": v} for v in (2.5, (1,), [4.0], np.int64(3), True, "a"))),
    (kinds_in_a_dict, {"k": 2.5}, tuple({"k": v} for v in (2, (1.0,), np.float32(3)))),
    (missing, Counter(a=2), (defaultdict(lambda: 5, a=2), Counter(a=3, b=1))),
    (picked, [0, 1], ((0, 1), [2, 1], np.array([0, 1]))),
    (picked, (0, 1), ([0, 1], (2, 1))),
    (placed, [0, 1], ((0, 1), [2, 1])),
    (placed, (0, 1), ([0, 1], (2, 1))),
)


def convert(value: Any, to: str) -> Any:
    if isinstance(value, np.ndarray):
        return {"numpy": np.copy, "torch": torch.tensor, "jax": jnp.asarray}[to](value)
    if hasattr(value, "_fields"):
        return type(value)(*(convert(v, to) for v in value))
    if isinstance(value, (Weights, Biases)):
        return type(value)(convert(value.a, to), convert(value.b, to))
    if isinstance(value, (list, tuple)):
        return type(value)(convert(v, to) for v in value)
    if isinstance(value, dict):
        made = copy.copy(value)
        for key, item in value.items():
            made[key] = convert(item, to)
        return made
    return value


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("to", ("numpy", "torch", "jax"))
@pytest.mark.parametrize("fn, example, others", CASES)
def test_the_class_that_was_looked_at_is_checked(
    fn: Callable[..., Any], example: Any, others: tuple[Any, ...], to: str
) -> None:
    try:
        made = tl.transpile(fn, (example,), to=to, source="numpy", x64=to == "jax" or None)
    except tl.UnsupportedError:
        assert to == "jax"
        return
    assert np.allclose(made(convert(example, to)), fn(example))
    for other in others:
        try:
            expected = fn(other)
        except (TypeError, ValueError):
            continue  # no program for these
        try:
            found = made(convert(other, to))
        except (AssertionError, TypeError):
            continue
        assert np.shape(found) == np.shape(expected) and np.allclose(found, expected), made.source


def test_a_bool_that_an_array_decides_is_no_subject() -> None:
    """`case True` asks whether it is True itself, which no number of an array's is known to be."""

    def chosen(x, c):
        match {"positive": bool(x[0] > 0), "by": c}:
            case {"positive": True, "by": n}:
                return x * n
            case {"by": n}:
                return x - n

    with pytest.raises(tl.TraceError, match="case True"):
        tl.symbolic_trace(chosen, (A, 2.0))


def test_patterns_that_ask_for_keys_alone_ask_for_no_kinds() -> None:
    def linear(p, x):
        match p:
            case {"w": w, "b": b}:
                return w * x + b
            case {"w": w}:
                return w * x

    out = tl.transpile(linear, ({"w": A, "b": B}, A), to="numpy")
    assert "isinstance" not in out.source
    assert np.array_equal(out({"w": 2.0, "b": 1.0}, B), linear({"w": 2.0, "b": 1.0}, B))


def item_in_place(ws):
    ws[0] *= 2
    return ws[0]


def item_again(ws):
    ws[0] = ws[0]
    return ws[0] + 1


def items_in_a_loop(ws):
    for i in range(len(ws)):
        ws[i] *= 2
    return ws[0]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [item_in_place, item_again, items_in_a_loop], ids=lambda f: f.__name__)
def test_a_tuple_takes_no_item(fn: Any, to: str) -> None:
    example = [np.ones(3), np.ones(3)]
    out = tl.symbolic_trace(fn, (example,)).to(to)
    with pytest.raises(TypeError):
        fn((np.ones(3), np.ones(3)))
    with pytest.raises((AssertionError, TypeError)):
        out(tuple(convert(w, to) for w in example))
