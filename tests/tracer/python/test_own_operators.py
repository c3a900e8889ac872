"""Operators of the user's own classes, beside arrays: Python asks one operand after the other."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ways import agrees_or_raises

import tracelate as tl

X = np.float32([[1, 2], [3, 4]])


class Value:
    def __init__(self, a):
        self.a = a

    def __add__(self, other):
        return Value(self.a + (other.a if isinstance(other, Value) else other))

    def __radd__(self, other):
        return Value(other - self.a)

    def __mul__(self, other):
        return NotImplemented

    def __rmul__(self, other):
        return Value(self.a * other)

    def __imul__(self, other):
        self.a = self.a * other
        return self

    def __isub__(self, other):
        return NotImplemented

    def __sub__(self, other):
        return Value(self.a - other)

    def __lt__(self, other):
        return self.a.sum() < other

    def __matmul__(self, other):
        return Value(self.a @ other)


class Narrower(Value):
    def __radd__(self, other):
        return Value(self.a * 100)

    def __rmul__(self, other):
        return Value(self.a * 7)


def beside_arrays(x):
    v = Value(x)
    return (v + x).a, (2 + v).a, (v @ x).a


def of_a_subclass(x):
    v, w = Value(x), Narrower(x * 2)
    return (v + w).a, (v * w).a


def in_place(x):
    v = Value(x)
    for row in x:
        v *= 2
        v -= row
    if v < 3:
        v = v + 1
    return v.a


def behind_an_array(x):
    return (x + Value(x)).a


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [beside_arrays, of_a_subclass, in_place])
def test_operators_of_own_classes(fn: Any, source: str, to: str) -> None:
    agrees_or_raises(fn, source, (X,), [(X * 2,), (-X,)], to)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_an_array_of_torch_asks_the_other_operand(to: str) -> None:
    agrees_or_raises(behind_an_array, "torch", (X,), [(X * 2,)], to)


def test_an_array_of_numpy_takes_it_for_an_element() -> None:
    with pytest.raises(tl.UnsupportedError, match="Value is no array operand"):
        tl.transpile(behind_an_array, (X,), to="torch")


CODES = [("f4", np.float32), ("<f8", np.float64), ("i2", np.int16), ("d", float)]


@pytest.mark.parametrize(("code", "dtype"), CODES)
def test_dtypes_by_their_codes(code: str, dtype: Any) -> None:
    out = tl.transpile(lambda x: x.astype(code) * 2, (X,), to="numpy")
    assert out(X).dtype == dtype
