"""Containers that a loop changes, and binds to the name again, or to another's: the caller, and whoever else
holds them, sees the change, or the program is refused.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
import pytest

import tracelate as tl

X = np.array([0.5, -1.0, 2.0])


@dataclass
class Body:
    position: Any
    speed: Any
    time: float = 0.0


def step(body, dt):
    body.speed = body.speed - dt * body.position
    body.position = body.position + dt * body.speed
    body.time += dt
    return body


def doubled(items):
    items[0] = items[0] * 2
    return items


def of_the_caller(body, dt, n):
    for _ in range(n):
        body = step(body, dt)
    return body.position, body.time


def of_its_own(position, speed, dt, n):
    body = Body(position, speed)
    for _ in range(n):
        body = step(body, dt)
    return body.position, body.speed, body.time


def bound_to_itself(d, n):
    for i in range(n):
        d["x"] = d["x"] + i
        d = d
    return d["x"]


def given_back(d, n):
    for i in range(n):
        d["x"] = d["x"] + i
        d = d
    return d


def by_a_helper(items, n):
    for _ in range(n):
        items = doubled(items)
    return items


def on_one_way(d, n):
    for i in range(n):
        if i > 1:
            d["x"] = d["x"] * 2
        d = d
    return d["x"]


def left_early(d, n):
    for i in range(n):
        d["x"] = d["x"] + i
        if d["x"].sum() > 3:
            break
        d = d
    return d["x"]


def counted_down(d, n):
    while n > 0:
        d["x"] = d["x"] * 2
        d = d
        n = n - 1
    return d["x"]


def to_a_new_one(items, n):
    for _ in range(n):
        items[0] = items[0] + 1
        items = [items[1], items[0]]
    return items[0]


def exchanged(x, n):
    a, b = [x], [x + 1]
    first = a
    for _ in range(n):
        a, b = b, a
        a[0] = a[0] * 2
    return first[0]


def exchanged_and_both_returned(x, n):
    a, b = [x], [x + 1]
    first = a
    for _ in range(n):
        a, b = b, a
        a[0] = a[0] + 1
    return first, a


def exchanged_of_the_caller(a, b, n):
    for _ in range(n):
        a, b = b, a
        a[0] = a[0] + 1
    return a[0], b[0]


def changed_behind(x, n):
    a, b = [x], [x + 1]
    first = a
    for _ in range(n):
        a, b = b, a
    b[0] = b[0] * 5
    return first[0]


def of_the_caller_changed_behind(a, b, n):
    for _ in range(n):
        a, b = b, a
    a[0] = a[0] * 5
    return a[0]


def exchanged_of_its_own(x, n):
    a, b = [x], [x + 1]
    for _ in range(n):
        a, b = b, a
        a[0] = a[0] * 2
    return a[0], b[0]


def exchanged_unchanged(a, b, n):
    for _ in range(n):
        a, b = b, a
    return a[0] - b[0]


def made_anew(d, n):
    for _ in range(n):
        d = {k: v * 0.9 for k, v in d.items()}
        d["x"] = d["x"] + 1
    return d


def cases() -> list[tuple[Any, Any, str]]:
    """Programs, examples, and which targets must take them."""
    d, items = {"x": X}, [X, X + 1]
    return [
        (of_the_caller, (Body(X, X + 1), 0.1, 4), ""),
        (of_its_own, (X, X + 1, 0.1, 4), "numpy torch jax"),
        (bound_to_itself, (d, 3), "numpy torch"),
        (given_back, (d, 3), "numpy torch jax"),
        (by_a_helper, (items, 3), "numpy torch jax"),
        (on_one_way, (d, 3), "numpy torch"),
        (left_early, (d, 3), "numpy torch"),
        (counted_down, (d, 3), "numpy torch"),
        (to_a_new_one, (items, 3), ""),
        (exchanged, (X, 3), ""),
        (exchanged_and_both_returned, (X, 3), ""),
        (exchanged_of_the_caller, ([X], [X + 1], 3), ""),
        (changed_behind, (X, 3), ""),
        (of_the_caller_changed_behind, ([X], [X + 1], 3), ""),
        (exchanged_of_its_own, (X, 3), "numpy torch jax"),
        (exchanged_unchanged, ([X], [X + 1], 3), "numpy torch jax"),
        (made_anew, (d, 3), "numpy torch jax"),
    ]


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("case", cases(), ids=lambda case: case[0].__name__)
def test_whoever_holds_a_container_sees_it_change(case: Any, to: str) -> None:
    fn, args, taken = case
    with jax.enable_x64(to == "jax"):
        try:
            report = tl.check(fn, copy.deepcopy(args), to=to, x64=to == "jax" or None, vary=16)
        except tl.UnsupportedError:
            assert to not in taken
        else:
            assert report.ok, str(report)
