"""Programs in which branches and loops give objects: of the user's classes, dataclasses, named tuples.

The first arguments are the example that each is traced with.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np


@dataclasses.dataclass
class Record:
    x: Any
    n: Any


class Pair(NamedTuple):
    x: Any
    n: Any


class Point:
    def __init__(self, x, n):
        self.x = x
        self.n = n

    def moved(self, d):
        return Point(self.x + d, self.n + 1)


class Vector:
    __slots__ = ("u", "v")

    def __init__(self, u, v):
        self.u = u
        self.v = v

    def __add__(self, other):
        return Vector(self.u + other.u, self.v + other.v)

    def __mul__(self, factor):
        return Vector(self.u * factor, self.v * factor)

    def norm(self):
        return np.sqrt(np.sum(self.u * self.u) + np.sum(self.v * self.v))


def record_of_a_branch(x):
    if x.sum() > 0:
        s = Record(x, 1.0)
    else:
        s = Record(-x, 2.0)
    return s.x * s.n


def pair_of_a_branch(x):
    s = Pair(x, 1.0) if x.sum() > 0 else Pair(-x, 2.0)
    return s.x * s.n


def point_of_a_branch(x):
    if x.sum() > 0:
        p = Point(x, 1.0)
    else:
        p = Point(-x, 2.0).moved(1.0)
    return p.x * p.n


def returned_early(x):
    if x.max() > 2:
        return Pair(x, 0.0)
    return Pair(x * 2, 1.0)


def record_in_a_while(x):
    s = Record(x, 0)
    while np.abs(s.x).sum() < 10:
        s = Record(s.x * 2, s.n + 1)
    return s.x, s.n


def pair_replaced(x):
    s = Pair(x, 0)
    while np.abs(s.x).sum() < 10:
        s = s._replace(x=s.x * 2, n=s.n + 1)
    return s


def record_replaced(x, n: int):
    s = Record(x, 0.0)
    for i in range(n):
        s = dataclasses.replace(s, x=s.x * 0.5, n=s.n + i)
    return s.x, s.n


def point_in_a_while(x):
    p = Point(x, 0)
    while p.x.sum() < 10:
        p = p.moved(1.0)
    return p.x, p.n


def point_in_a_for(x, n: int):
    p = Point(x, 0)
    for i in range(n):
        p = p.moved(i * 0.5)
        if p.x.sum() > 3:
            p = Point(p.x * 0.5, p.n)
    return p.x, p.n


def leapfrog(x, n: int):
    state = Vector(x, x * 0.0)
    for _ in range(n):
        state = state + Vector(state.v, -state.u) * 0.1
        if state.norm() > 2:
            state = state * 0.5
    return state.u, state.v


def best_so_far(x, n: int):
    best = Point(x, np.sum(x))
    for i in range(n):
        tried = Point(x * (0.3 * i - 1), np.sum(x * (0.3 * i - 1)))
        if tried.n > best.n:
            best = tried
    return best.x, best.n


def in_a_list(x):
    points = [Point(x, 1.0), Point(-x, 2.0)]
    if x.sum() > 0:
        points = [points[1], points[0]]
    return points[0].x * points[0].n


def of_objects(x):
    a = Record(Point(x, 1.0), 0.0)
    if x.max() > 1:
        a = Record(Point(x * 2, 3.0), a.n + 1)
    return a.x.x * a.x.n + a.n


def left_by_break(x, n: int):
    p = Point(x, 0)
    for _ in range(n):
        q = p.moved(0.5)
        if q.x.sum() > 4:
            break
        p = q
    return p.x, p.n


X = [np.array([1.0, 2.0, -0.5]), np.array([-1.0, -2.0, 0.25]), np.array([3.0, 0.5, 1.0])]
UP = [np.array([1.0, 2.0, -0.5]), np.array([0.25, 0.5, 0.25]), np.array([3.0, 0.5, 1.0])]
ONCE = [(x,) for x in X]
UPWARDS = [(x,) for x in UP]
COUNTED = [(x, n) for x in X for n in (3, 1, 12)]
PROGRAMS: list[tuple[Any, list[tuple[Any, ...]]]] = [
    (record_of_a_branch, ONCE),
    (pair_of_a_branch, ONCE),
    (point_of_a_branch, ONCE),
    (returned_early, ONCE),
    (record_in_a_while, UPWARDS),
    (pair_replaced, UPWARDS),
    (record_replaced, COUNTED),
    (point_in_a_while, UPWARDS),
    (point_in_a_for, COUNTED),
    (leapfrog, COUNTED),
    (best_so_far, COUNTED),
    (in_a_list, ONCE),
    (of_objects, ONCE),
    (left_by_break, COUNTED),
]
