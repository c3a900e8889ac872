"""Programs that change dicts, lists, objects and shared variables where arrays decide, with arguments that
take every way. The first arguments are the example that each is traced with.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

RNG = np.random.default_rng(0)
X = [RNG.standard_normal(4), -np.abs(RNG.standard_normal(4)), np.abs(RNG.standard_normal(4))]


def dict_branch(x):
    d = {"a": x, "n": x * 0}
    if x.sum() > 0:
        d["a"] = d["a"] * 2
        d["n"] = d["n"] + 1
    return d["a"] + d["n"]


def dict_loop(x, n: int):
    d = {"pos": x, "vel": x * 0}
    for i in range(n):
        d["vel"] = d["vel"] - 0.1 * d["pos"]
        d["pos"] = d["pos"] + 0.1 * d["vel"]
    return d["pos"], d["vel"]


def dict_while(x):
    s = {"x": np.abs(x) + 1, "k": 0}
    while s["x"].max() > 0.1:
        s["x"] = s["x"] / 2
        s["k"] += 1
    return s["x"], s["k"]


def dict_break(x, n: int):
    s = {"x": x, "best": x.max()}
    for i in range(n):
        s["x"] = s["x"] * 0.5 + 0.1
        if s["x"].max() < 0.3:
            s["best"] = s["best"] - 1
            break
        s["best"] = np.maximum(s["best"], s["x"].max())
    return s["x"], s["best"]


class Counter:
    def __init__(self, x):
        self.total = x * 0
        self.n = 0
    def add(self, x):
        if x.sum() > 0:
            self.total = self.total + x
        self.n = self.n + 1
        return self.total


def obj_branch(x):
    c = Counter(x)
    c.add(x)
    c.add(x * 2)
    return c.total / c.n


def obj_loop(x, n: int):
    c = Counter(x)
    for i in range(n):
        c.add(x + i)
    return c.total, c.n


@dataclass
class State:
    x: Any
    v: Any


def dc_loop(x, n: int):
    s = State(x, x * 0)
    for _ in range(n):
        s.v = s.v - 0.1 * s.x
        s.x = s.x + 0.1 * s.v
    return s.x, s.v


def list_item(x):
    st = [x, x * 2]
    if x.sum() > 0:
        st[0] = st[0] + 1
    return st[0] + st[1]


def list_both(x):
    out = [x]
    if x.sum() > 0:
        out.append(x + 1)
    else:
        out.append(x - 1)
    return np.stack(out)


def list_swap_loop(x, n: int):
    st = [x, x * 0 + 1]
    for _ in range(n):
        st[0], st[1] = st[1], st[0] + st[1]
    return st[0]


def early_return_dict(x):
    d = {"a": x}
    if x.sum() > 0:
        d["a"] = d["a"] + 1
        return d["a"] * 2
    d["a"] = d["a"] - 1
    return d["a"]




def nested_dict(x, n: int):
    s = {"opt": {"m": x * 0, "t": 0}, "w": x}
    for _ in range(n):
        s["opt"]["m"] = 0.9 * s["opt"]["m"] + 0.1 * s["w"]
        s["opt"]["t"] += 1
        s["w"] = s["w"] - s["opt"]["m"] / s["opt"]["t"]
    return s["w"], s["opt"]["t"]


def shared_variable(x, n: int):
    total = x * 0
    def add(v):
        nonlocal total
        if v.sum() > 0:
            total = total + v
    for i in range(n):
        add(x + i)
    return total


def dict_cond_in_loop(x, n: int):
    s = {"best": x.max(), "count": 0}
    for i in range(n):
        y = np.sin(x * (i + 1))
        if y.max() > s["best"]:
            s["best"] = y.max()
            s["count"] += 1
    return s["best"], s["count"]


def dict_key_new(x):
    d = {}
    if x.sum() > 0:
        d["a"] = x
    else:
        d["a"] = x * 2
    return d["a"]


def while_obj(x):
    s = State(np.abs(x), 0)
    while s.x.max() > 0.1:
        s.x = s.x * 0.5
        s.v += 1
    return s.x, s.v


def dict_return_in_loop(x, n: int):
    s = {"x": x}
    for i in range(n):
        s["x"] = s["x"] * 0.5
        if s["x"].max() < 0.2:
            return s["x"] + 100
    return s["x"]


def continued(x, n: int):
    s = {"x": x, "k": 0}
    for i in range(n):
        s["x"] = s["x"] * 0.9
        if s["x"].sum() > 1:
            continue
        s["k"] = s["k"] + 1
    return s["x"], s["k"]


def helper_state(s, x):
    if x.sum() > 0:
        s["h"] = s["h"] + x
    return s["h"].sum()


def with_helper(x, n: int):
    s = {"h": x * 0}
    out = x * 0
    for i in range(n):
        out = out + helper_state(s, x - i * 0.1)
    return out, s["h"]



@dataclass(slots=True)
class Slotted:
    x: Any
    v: Any


def slots(x, n: int):
    s = Slotted(x, 0)
    for i in range(n):
        if s.x.sum() > 0:
            s.x = s.x - i
            s.v += 1
    return s.x, s.v


def double_ended(x):
    q = deque([x, x * 2])
    if x.sum() > 0:
        q[0] = q[0] + 1
        q.rotate(1)
    return q[0] - q[1]


def rebound_in_a_branch(x):
    s = {"a": x, "b": x * 2}
    if x.sum() > 0:
        s = {"a": x + 1, "b": x * 3}
    s["a"] = s["a"] + s["b"]
    return s["a"]


def list_of_dicts(x, n: int):
    layers = [{"w": x, "b": x * 0}, {"w": x * 2, "b": x * 0 + 1}]
    for _ in range(n):
        for layer in layers:
            layer["w"] = layer["w"] * 0.5 + layer["b"]
    return layers[0]["w"], layers[1]["w"]


class Account:
    def __init__(self, x):
        self._x = x
        self.taken = 0

    @property
    def x(self):
        return self._x * 2

    @x.setter
    def x(self, value):
        if value.min() > 0:
            self._x = value
            self.taken += 1


def property_setter(x):
    a = Account(x)
    a.x = x + 1
    a.x = x - 1
    return a.x, a.taken


class Base:
    def step(self, x):
        if x.sum() > 0:
            self.seen = self.seen + x
        return self.seen


class Derived(Base):
    def __init__(self, x):
        self.seen = x * 0

    def step(self, x):
        return super().step(x) + 1


def inherited(x, n: int):
    d = Derived(x)
    for i in range(n):
        d.step(x - i * 0.1)
    return d.seen


class Vector:
    def __init__(self, x):
        if x.sum() > 0:
            self.x = x
        else:
            self.x = x * 2

    def __add__(self, other):
        if self.x.sum() > 0:
            return Vector(self.x + other.x)
        return Vector(self.x - other.x)

    def __getitem__(self, i):
        return self.x[i]

    def __call__(self, y):
        if y.sum() > 1:
            return self.x * y
        return self.x

    @property
    def norm(self):
        n = (self.x ** 2).sum()
        if n > 4:
            n = n * 2
        return n

    def __neg__(self):
        return Vector(-self.x)

    def __eq__(self, other):
        return self.x is other.x


def decided_in_init(x):
    return Vector(x).x


def operators_of_a_class(x):
    a = Vector(x)
    return (-a).x, a.norm, a[0]


def an_object_is_called(x):
    return Vector(x)(x)


def an_object_compares(x):
    a = Vector(x)
    return x + 1 if a == a else x


class Sum:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        t = self.x + other.x
        if t.sum() > 0:
            t = t * 2
        return Sum(t)


def objects_in_a_loop(x):
    s = Sum(x)
    for i in range(3):
        s = s + Sum(x * i)
    return s.x


ONCE = [(x,) for x in X]
COUNTED = [(x, n) for x in X for n in (3, 0, 1, 12)]
PROGRAMS: list[tuple[Any, list[tuple[Any, ...]]]] = [
    (dict_branch, ONCE),
    (dict_loop, COUNTED),
    (dict_while, ONCE),
    (dict_break, COUNTED),
    (obj_branch, ONCE),
    (obj_loop, COUNTED),
    (dc_loop, COUNTED),
    (list_item, ONCE),
    (list_both, ONCE),
    (list_swap_loop, COUNTED),
    (early_return_dict, ONCE),
    (nested_dict, COUNTED),
    (shared_variable, COUNTED),
    (dict_cond_in_loop, COUNTED),
    (dict_key_new, ONCE),
    (while_obj, ONCE),
    (dict_return_in_loop, COUNTED),
    (continued, COUNTED),
    (with_helper, COUNTED),
    (slots, COUNTED),
    (double_ended, ONCE),
    (rebound_in_a_branch, ONCE),
    (list_of_dicts, COUNTED),
    (property_setter, ONCE),
    (inherited, COUNTED),
    (decided_in_init, ONCE),
    (operators_of_a_class, ONCE),
    (an_object_is_called, ONCE),
    (an_object_compares, ONCE),
    (objects_in_a_loop, ONCE),
]
