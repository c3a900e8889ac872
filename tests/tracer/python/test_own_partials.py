"""Classes made of functools.partial: Python's C code calls what it was given, whatever attributes such a
class has, and a `__call__` of its own says how it is called.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tracelate as tl

X = np.array([1.0, 2.0, 3.0])


class Bare(functools.partial):  # type: ignore[type-arg]
    pass


class Doubling(functools.partial):  # type: ignore[type-arg]
    def __call__(self, *args):
        return super().__call__(*args) * 2


class ByName(functools.partial):  # type: ignore[type-arg]
    def __call__(self, *args):
        return functools.partial.__call__(self, *args) * 3


class Further(ByName):
    pass


class Scaled(functools.partial):  # type: ignore[type-arg]
    def __new__(cls, f, *args, scale=1):
        made = super().__new__(cls, f, *args)
        made.scale = scale
        return made

    def __call__(self, *args):
        return super().__call__(*args) * self.scale


class Renamed(functools.partial):  # type: ignore[type-arg]
    @property
    def func(self):  # type: ignore[override]
        return np.add

    args = (7,)  # type: ignore[assignment]


def clip(low, x):
    if x.sum() > low:
        x = x * 2
    return x + low


def apply(f, x):
    return f(x)


MADE: dict[str, Any] = {
    "bare": Bare(clip, 3),
    "call": Doubling(clip, 3),
    "call by name": ByName(clip, 3),
    "inherited": Further(clip, 3),
    "attribute": Scaled(clip, 3, scale=5),
    "func": Renamed(clip, 3),
    "in a partial": functools.partial(Doubling(clip), 3),
    "of a partial": Doubling(functools.partial(clip, 3)),
    "of NumPy's": Doubling(np.multiply, 3),
    "func of NumPy's": Renamed(np.multiply, 3),
}


def looped(f: Any) -> Any:
    def program(x):
        for v in x:
            if v > 2:
                x = f(x)
        return x

    return program


USES: dict[str, Callable[[Any], Any]] = {
    "called": lambda f: lambda x: f(x),
    "mapped": lambda f: lambda x: sum(map(f, [x, x + 1])),
    "handed on": lambda f: lambda x: apply(f, x),
    "in a loop": looped,
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("made", MADE)
def test_such_an_object_is_called_as_python_calls_it(made: str, use: str) -> None:
    program = USES[use](MADE[made])
    out = tl.transpile(program, source="numpy", to="numpy", args=(X,))
    for given in (X, -X, X[:2]):
        np.testing.assert_array_equal(out(given), program(given))


def test_one_that_the_program_makes() -> None:
    def program(x):
        return functools.reduce(Doubling(np.multiply), [x, x]) + Renamed(clip, 3)(x)

    out = tl.transpile(program, source="numpy", to="numpy", args=(X,))
    np.testing.assert_array_equal(out(-X), program(-X))


@pytest.mark.parametrize("fn", [Doubling(clip, 3), Renamed(clip, 3), functools.partial(Doubling(clip), 3)])
def test_one_that_is_traced_itself_has_other_parameters_than_python_says(fn: Any) -> None:
    with pytest.raises(tl.TraceError, match="wrap it in a function"):
        tl.transpile(fn, source="numpy", to="numpy", args=(X,))


def test_a_partial_of_a_function_of_numpys_is_refused() -> None:
    with pytest.raises(tl.TraceError, match="a function of numpy itself"):
        tl.transpile(functools.partial(np.multiply, 3), source="numpy", to="numpy", args=(X,))
