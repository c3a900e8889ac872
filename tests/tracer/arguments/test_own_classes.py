"""Members of enumerations as arguments, and callables that hold what cannot be hashed."""

from __future__ import annotations

import enum
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

X = np.array([1, 2, 3], np.float32)


class Bits(enum.IntFlag):
    A = 1
    B = 2


class Flags(enum.Flag):
    A = 1
    B = 2


class Level(enum.IntEnum):
    A = 1
    B = 2


class Mode(enum.StrEnum):
    A = "a"
    B = "b"


class Part(float, enum.Enum):
    A = 1.5
    B = 2.5


class Plain(int):
    pass


MEMBERS = [Bits.A, Bits.A | Bits.B, Bits(0), Bits(5), Flags.A, Flags.A | Flags.B, Flags(0), Level.A, Level.B,
           Mode.A, Mode.B, Part.A, Part.B]  # fmt: skip


def compared(x: Any, f: Any) -> Any:
    return x + 1 if f == type(f)(1 if not isinstance(f, (Mode, Part)) else f.value) else x * 2


def masked(x: Any, f: Any) -> Any:
    return x + 1 if f & type(f).A else x


def valued(x: Any, f: Any) -> Any:
    return x * f.value if not isinstance(f, Mode) else x


@pytest.mark.parametrize("member", MEMBERS, ids=repr)
@pytest.mark.parametrize("fn", [compared, masked, valued])
def test_a_member_is_checked_by_what_it_is(fn: Any, member: Any) -> None:
    if fn is masked and not isinstance(member, enum.Flag):
        return
    out = tl.transpile(fn, (X, member), to="numpy")
    np.testing.assert_array_equal(out(X, member), fn(X, member))
    for other in type(member):
        if other is not member:
            with pytest.raises(AssertionError):
                out(X, other)


@pytest.mark.parametrize("member", MEMBERS, ids=repr)
def test_a_member_as_a_default(member: Any) -> None:
    def f(x: Any, f: Any = member) -> Any:
        return x + 1 if f is member else x

    np.testing.assert_array_equal(tl.transpile(f, (X,), to="numpy")(X), X + 1)


#: Numbers of classes of their own, where they are no operands.
PLACES = [
    lambda x: x.reshape(Level.A, -1), lambda x: x[Level.A], lambda x: x[Level.A : Plain(2)],
    lambda x: x.sum(axis=Level.A - 1), lambda x: np.full(3, Level.B) + x, lambda x: np.roll(x, Plain(2)),
    lambda x: x * int(Level.B) + Level.B.value,
]  # fmt: skip


@pytest.mark.parametrize("fn", PLACES)
def test_a_number_of_a_class_of_its_own(fn: Any) -> None:
    found = tl.transpile(fn, (X,), to="numpy")(X)
    np.testing.assert_array_equal(found, fn(X))
    assert found.dtype == fn(X).dtype


@pytest.mark.parametrize("number", [Level.B, Plain(2), Part.A])
@pytest.mark.parametrize("fn", [lambda x, k: x * k, lambda x, k: k - x, lambda x, k: np.multiply(x, k)])
def test_which_numpy_takes_for_an_array(fn: Any, number: Any) -> None:
    with pytest.raises(tl.TraceError, match="no plain number to NumPy") as error:
        tl.transpile(lambda x: fn(x, number), (X,), to="numpy")
    assert f"{'float' if number is Part.A else 'int'}(...)" in str(error.value.hint)


@pytest.mark.parametrize(("x", "to"), [(torch.ones(3), "torch"), (jnp.ones(3), "jax")])
def test_which_others_take_for_a_number(x: Any, to: str) -> None:
    out = tl.transpile(lambda x: x * Level.B + Plain(2), (x,), to=to)
    np.testing.assert_array_equal(np.asarray(out(x)), [4, 4, 4])


class Called(NamedTuple):
    w: Any

    def __call__(self, x: Any) -> Any:
        return x * self.w


class Items(tuple[Any, ...]):
    def __call__(self, x: Any) -> Any:
        return x * self[0]


class Some(frozenset[Any]):
    def __call__(self, x: Any) -> Any:
        return x * len(self)


def entered(p: Any, x: Any) -> Any:
    return p(x)


def mapped(p: Any, x: Any) -> Any:
    return list(map(p, [x, x]))[1]


def through(p: Any, x: Any) -> Any:
    return (lambda f: f(x))(p) if callable(p) else x


@pytest.mark.parametrize("fn", [entered, mapped, through])
@pytest.mark.parametrize("p", [Called(X), Called(2.0), Items([X]), Some([1, 2])])
def test_what_is_called_may_hold_anything(p: Any, fn: Any) -> None:
    out = tl.transpile(fn, (p, X), to="numpy")
    np.testing.assert_array_equal(out(p, X), fn(p, X))
    closed = tl.transpile(lambda x: fn(p, x), (X,), to="numpy")
    np.testing.assert_array_equal(closed(X), fn(p, X))
