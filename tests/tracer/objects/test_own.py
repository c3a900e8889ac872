"""Objects of the user's are asked nothing that they would notice: their class is."""

from __future__ import annotations

import dataclasses
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest

import tracelate as tl

X = np.array([1.0, 2.0])
ASKED: list[str] = []


class Null:
    """Answers every name with itself."""

    def __getattr__(self, name: str) -> Any:
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self


class Seven:
    def __getattr__(self, name: str) -> int:
        return 7

    def __enter__(self) -> Seven:
        return self

    def __exit__(self, *error: Any) -> None:
        return None

    def __call__(self, x: Any) -> Any:
        return x * self.factor


class Listening:
    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("__"):
            ASKED.append(name)
        return object.__getattribute__(self, name)

    def __getattr__(self, name: str) -> Any:
        ASKED.append(name)
        raise AttributeError(name)

    def __call__(self, x: Any) -> Any:
        return x * 2


class Unhashable:
    def __hash__(self) -> int:
        raise ValueError("never")

    def __call__(self, x: Any) -> Any:
        return x * 2


class Equal:
    def __eq__(self, other: Any) -> bool:
        raise ValueError("never")

    def __hash__(self) -> int:
        raise ValueError("never")

    def __call__(self, x: Any) -> Any:
        return x * 2


@dataclasses.dataclass(frozen=True)
class Frozen:
    weight: Any

    def __call__(self, x: Any) -> Any:
        return x * self.weight


NULL, SEVEN, LISTENING, UNHASHABLE, EQUAL = Null(), Seven(), Listening(), Unhashable(), Equal()


def logs(x: Any) -> Any:
    NULL.log("a", x)
    NULL(x)
    return x * 2


def enters(x: Any) -> Any:
    with SEVEN as held:
        return x * held.factor


def makes(x: Any) -> Any:
    return Frozen(x)(x) + Frozen(2.0)(x)


@pytest.mark.parametrize(
    "fn",
    [logs, enters, makes, lambda x: SEVEN(x), lambda x: LISTENING(x), lambda x: UNHASHABLE(x),
     lambda x: EQUAL(x), lambda x: [*map(UNHASHABLE, [x])][0], lambda x: x * isinstance(NULL, Null)],
)  # fmt: skip
def test_no_object_of_the_users_notices(fn: Any) -> None:
    ASKED.clear()
    out = tl.transpile(fn, (X,), to="numpy")
    assert ASKED == []
    np.testing.assert_array_equal(out(X), fn(X))


@pytest.mark.parametrize("fn", [UNHASHABLE, LISTENING, Frozen(3.0)])
def test_such_an_object_is_traced_itself(fn: Any) -> None:
    np.testing.assert_array_equal(tl.transpile(fn, (X,), to="numpy", source="numpy")(X), fn(X))


def by_object(x: Any) -> Any:
    class Own:
        def __init__(self, value: Any) -> None:
            self.value = value

        def __getattribute__(self, name: str) -> Any:
            return object.__getattribute__(self, name)

        def times(self, other: Any) -> Any:
            return self.value * other

    return Own(x).value + Own(x).times(3)


def by_super(x: Any) -> Any:
    @dataclasses.dataclass
    class Own:
        value: Any

        def __getattribute__(self, name: str) -> Any:
            return 5 if name == "five" else super().__getattribute__(name)

    return Own(x).value * Own(x).five  # type: ignore[attr-defined]


def in_a_loop(x: Any) -> Any:
    class Base:
        def __getattribute__(self, name: str) -> Any:
            held = object.__getattribute__(self, "__dict__")
            return held[name] if name in held else object.__getattribute__(self, name)

    class Own(Base):
        def __init__(self, value: Any) -> None:
            self.value = value

    own = Own(x)
    for v in x:
        if v > 1:
            own.value = own.value + 1
    return own.value


def of_a_class(x: Any) -> Any:
    class Meta(type):
        def __getattribute__(cls, name: str) -> Any:
            return 4 if name == "four" else super().__getattribute__(name)

    class Own(metaclass=Meta):
        five = 5

    return x * Own.four * Own.five  # type: ignore[attr-defined]


def counted(x: Any) -> Any:
    class Own:
        def __init__(self) -> None:
            self.count = 0

        def __getattribute__(self, name: str) -> Any:
            held = object.__getattribute__(self, "__dict__")
            held["count"] += 1
            return object.__getattribute__(self, name)

    own = Own()
    return x * own.count + [own.count, len([own, own])][0] + (own == 3)


def says_its_class(x: Any) -> Any:
    class Own:
        def __getattribute__(self, name: str) -> Any:
            return int if name == "__class__" else object.__getattribute__(self, name)

    own: Any = Own()
    return x * isinstance(own, int) + isinstance(own, Own) + (type(own) is Own) + (own.__class__ is int)


def answers_none(x: Any) -> Any:
    class Own:
        def __getattr__(self, name: str) -> Any:
            return 7

    own = Own()
    return x * own.seven + getattr(own, "shape", 2) + hasattr(own, "ndim")


@pytest.mark.parametrize(
    "fn", [by_object, by_super, in_a_loop, of_a_class, counted, says_its_class, answers_none]
)
def test_one_that_is_made_inside_is_asked_what_the_program_asks(fn: Any) -> None:
    out = tl.transpile(fn, (X,), to="numpy")
    for given in (X, -X):
        np.testing.assert_array_equal(out(given), fn(given))


def test_a_mock_is_refused_soon() -> None:
    mock = MagicMock()

    def f(x: Any) -> Any:
        mock.log(1)
        return x * 2

    with pytest.raises(tl.UnsupportedError, match="outlives the call"):
        tl.symbolic_trace(f, (X,), source="numpy")
    assert len(mock.mock_calls) == 0
