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


def test_a_mock_is_refused_soon() -> None:
    mock = MagicMock()

    def f(x: Any) -> Any:
        mock.log(1)
        return x * 2

    with pytest.raises(tl.UnsupportedError, match="outlives the call"):
        tl.symbolic_trace(f, (X,), source="numpy")
    assert len(mock.mock_calls) == 0
