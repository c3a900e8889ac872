"""Attributes that a descriptor or a property guards: what a trace puts back, it does not notice."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from as_written import gives_the_same

X, W = np.arange(4.0) + 1, np.array([0.5, -1, 2, 3])


class Doubled:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, obj, owner=None):
        return self if obj is None else obj.__dict__[self.name]

    def __set__(self, obj, value):
        obj.__dict__[self.name] = value * 2


class Layer:
    w = Doubled()

    def __init__(self, w):
        self.w = w

    def __call__(self, y):
        if y.sum() > 1:
            return y * self.w
        return y - self.w


class Read:
    def __init__(self, w):
        self.__dict__["w"] = w * 2

    @property
    def w(self):
        return self.__dict__["w"]

    def __call__(self, y):
        if y.sum() > 1:
            return self.w + y
        return y


class Counted:
    def __init__(self, w):
        self.n, self.w = 0, w

    @property
    def w(self):
        return self.__dict__["w"]

    @w.setter
    def w(self, value):
        self.__dict__["w"] = value.copy()
        self.__dict__["n"] += 1


class Slots:
    __slots__ = ("w",)

    def __init__(self, w):
        self.w = w


def called(x, w):
    return Layer(w)(x)


def read(x, w):
    held = Read(w)
    return held(x), held.w


def in_turns(x, w):
    layer = Layer(w)
    for _ in range(3):
        layer.w = layer.w + x
    return layer.w


def counted_in_turns(x, w):
    held = Counted(w)
    for _ in range(3):
        held.w = held.w + x
    return held.w, held.n


def in_branches(x, w):
    layer = Layer(w)
    if x.sum() > 1:
        layer.w = x
    else:
        layer.w = layer.w + x
    return layer.w


def in_slots(x, w):
    held = Slots(w)
    for _ in range(3):
        held.w = held.w + x
    return held.w


PROGRAMS = [called, read, in_turns, counted_in_turns, in_branches, in_slots]
NAMES = {"ids": lambda value: getattr(value, "__name__", None)}


@pytest.mark.parametrize("program, to", product(PROGRAMS, ["numpy", "jax", "torch"]), **NAMES)
def test_it_is_what_the_program_gives(program: Any, to: str) -> None:
    gives_the_same(program, [(X, W), (W, X), (-X, W)], to)
