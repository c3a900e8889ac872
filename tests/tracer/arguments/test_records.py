"""What an object of a dataclass holds: its fields that have a value, and what it was given beside them. What
is declared as `ClassVar` or `InitVar` is no field, and stays with the class.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field, fields
from typing import Any, ClassVar

import jax
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import map_arrays

MOVED: dict[str, Any] = {"numpy": np.copy, "torch": torch.tensor, "jax": jax.numpy.asarray}
X, Y = np.array([1, 2, 3], np.float32), np.array([4, 5, 6], np.float32)


@dataclass
class Plain:
    w: Any
    gain: ClassVar[float] = 2.0
    names: ClassVar[list[str]] = ["a"]
    table: ClassVar[Any] = Y


@dataclass
class Started:
    w: Any
    k: InitVar[int] = 2
    b: Any = 1

    def __post_init__(self, k: int) -> None:
        self.w = self.w * k


@dataclass
class Needing:
    w: Any
    k: InitVar[int]

    def __post_init__(self, k: int) -> None:
        self.w = self.w * k


@dataclass
class Declared:
    w: Any
    kind: ClassVar[str]


@dataclass
class Later:
    w: Any
    n: Any = field(init=False)


@dataclass(slots=True)
class Slotted:
    w: Any
    n: Any = field(init=False)


@dataclass
class Squared:
    w: Any

    def __post_init__(self) -> None:
        self.square = self.w**2
        self.scale = 2.0
        self.mode = "sum" if self.w.ndim else "none"


@dataclass
class Other:
    w: Any
    n: Any = 2.0


def shadowing(gain: float) -> Plain:
    made: Any = Plain(Y)
    made.gain = gain
    return made


def later(kind: Any, *n: Any) -> Any:
    made = kind(Y)
    for value in n:
        made.n = value
    return made


def squared(w: Any, mode: str = "sum") -> Squared:
    made = Squared(w)
    made.mode = mode
    return made


def caught(x: Any, o: Any) -> Any:
    try:
        return x * o.n
    except AttributeError:
        return x


def matched(x: Any, o: Any) -> Any:
    match o:
        case Later(n=n):
            return x * n
    return x


def kind(x: Any, o: Any) -> Any:
    return x * 2 if o.mode == "sum" else x


#: A function, what it is traced with, and other arguments.
PROGRAMS: dict[str, tuple[Callable[..., Any], Any, list[Any]]] = {
    "how many": (lambda x, o: x * len(vars(o)), Plain(Y), [Plain(X), shadowing(3.0)]),
    "each": (lambda x, o: [v * x for v in vars(o).values()], Plain(Y), [Plain(X), shadowing(3.0)]),
    "of the class": (lambda x, o: x * o.w * o.gain, Plain(Y), [Plain(X)]),
    "an array of the class": (lambda x, o: x * o.table, Plain(Y), [Plain(X)]),
    "before the class's": (lambda x, o: x * o.gain, shadowing(3.0), [shadowing(5.0), Plain(X)]),
    "after InitVar": (lambda x, o: o.w * x + o.b + o.k, Started(Y), [Started(X, 3), Started(X, b=2)]),
    "InitVar alone": (lambda x, o: o.w * x, Needing(Y, 2), [Needing(X, 5)]),
    "declared only": (lambda x, o: o.w * x, Declared(Y), [Declared(X)]),
    "beside an unset one": (lambda x, o: o.w * x, later(Later), [later(Later, 3.0)]),
    "beside an unset slot": (lambda x, o: o.w * x, later(Slotted), [later(Slotted, 3.0)]),
    "computed": (lambda x, o: x * o.square * o.scale, Squared(Y), [Squared(X)]),
    "a computed flag": (kind, Squared(Y), [Squared(X), squared(Y, "none")]),
    **{
        f"{what} of {name}": (function, example, [later(Later), later(Later, 3.0), later(Later, Y)])
        for what, function in {
            "hasattr": lambda x, o: x * 2 if hasattr(o, "n") else x,
            "getattr": lambda x, o: x * getattr(o, "n", 5.0),
            "vars": lambda x, o: x * len(vars(o)),
            "dir": lambda x, o: x * 2 if "n" in dir(o) else x,
            "try": caught,
            "match": matched,
        }.items()
        for name, example in {"unset": later(Later), "set": later(Later, 3.0)}.items()
    },
    "hasattr of a slot": (
        lambda x, o: x * 2 if hasattr(o, "n") else x, later(Slotted), [later(Slotted, 3.0), later(Slotted)]
    ),
    "another class": (caught, Plain(Y), [Plain(X), Other(X), X]),
}  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_an_object_is_what_it_holds(name: str, to: str) -> None:
    function, example, others = PROGRAMS[name]
    out = tl.transpile(function, (X, example), to=to)
    for given in (example, *others):
        try:
            wanted = function(X, copy.deepcopy(given))
            found = out(*moved((X, copy.deepcopy(given)), to))
        except (AssertionError, AttributeError, TypeError):
            assert given is not example
            continue
        assert len(wanted) == len(found)
        for one, other in zip(wanted, found):
            assert np.array_equal(one, np.asarray(other)), out.source


def moved(value: Any, to: str) -> Any:
    return map_arrays(value, MOVED[to])


def returned(x: Any, o: Any) -> Any:
    return o


MADE: dict[str, Callable[[Any, Any], Any]] = {
    "given": returned,
    "made": lambda x, o: Plain(x),
    "started": lambda x, o: Started(x, 3, b=o.w),
    "needing": lambda x, o: Needing(x, 3),
    "declared": lambda x, o: Declared(x),
}


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("name", MADE)
def test_a_result_has_the_fields_and_the_class_the_rest(name: str, to: str) -> None:
    function = MADE[name]
    wanted = function(X, Plain(Y))
    given = (X, Plain(Y))
    found = tl.transpile(function, given, to=to, verify=True)(*moved(given, to))
    assert [f.name for f in fields(found)] == [f.name for f in fields(wanted)]
    assert list(vars(found)) == list(vars(wanted))
    for attribute in ("gain", "names", "table", "k"):
        assert hasattr(found, attribute) == hasattr(wanted, attribute)
        if hasattr(wanted, attribute):
            assert np.array_equal(np.asarray(getattr(found, attribute)), getattr(wanted, attribute))


@dataclass
class Registered:
    w: Any
    known: ClassVar[Any] = {"a": np.add}


@pytest.mark.parametrize("function, example, words", [
    (lambda x: later_of(x), (X,), "its field n has no value yet"),
    (lambda x: Registered(x), (X,), "Registered.known, which is a dict, has no literal"),
])  # fmt: skip
def test_a_result_that_no_text_can_make_is_refused(function: Any, example: Any, words: str) -> None:
    with pytest.raises(tl.UnsupportedError, match=words):
        tl.transpile(function, example, to="numpy")


def later_of(x: Any) -> Later:
    return Later(x)


def test_an_attribute_that_is_not_there_is_the_programs_own_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'n'"):
        tl.transpile(lambda x, o: x * o.n, (X, Plain(Y)), to="numpy")


def test_what_holds_itself_is_refused() -> None:
    above, below = Other(X), Other(Y)
    above.n, below.up = below, above  # type: ignore[attr-defined]
    with pytest.raises(tl.TraceError, match="holds itself"):
        tl.transpile(lambda x, o: x * o.w, (X, above), to="numpy")


# Dicts that answer to whatever they are asked for.


class Getting(dict):  # type: ignore[type-arg]
    __getattr__ = dict.get


class Answering(dict):  # type: ignore[type-arg]
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.get(name)


class Missing(dict):  # type: ignore[type-arg]
    def __missing__(self, key: str) -> int:
        return 1

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]


ASKED: dict[str, Callable[..., Any]] = {
    "item": lambda x, m: x * m.w,
    "one that is not there": lambda x, m: x * m.w if m.b is None else x * m.w + m.b,
    "whole": lambda x, m: m,
}


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("made", [Getting, Answering, Missing])
def test_a_dict_may_answer_to_any_name(made: Any, name: str) -> None:
    out = tl.transpile(ASKED[name], (X, made(w=Y)), to="numpy")
    for given in (made(w=Y), made(w=X), made(w=Y, b=X)):
        wanted = ASKED[name](X, given)
        try:
            found = out(X, given)
        except AssertionError:
            assert "b" in given
            continue
        if isinstance(wanted, dict):
            assert wanted == found
        else:
            assert np.array_equal(wanted, found)


# functools.singledispatch


@functools.singledispatch
def inner(v: Any) -> Any:
    return v


@inner.register(list)
def _(v: Any) -> Any:
    return inner(v[0])


def dispatching(x: Any) -> Any:
    return inner([x])


def dispatch_cache(function: Any) -> Any:
    dispatch = function.dispatch
    cells = dict(zip(dispatch.__code__.co_freevars, dispatch.__closure__))
    return cells["dispatch_cache"].cell_contents


def test_what_dispatches_is_as_it_was() -> None:
    inner._clear_cache()  # type: ignore[attr-defined]
    for _ in range(2):
        before = dict(dispatch_cache(inner))
        out = tl.transpile(dispatching, (X,), to="numpy")
        assert dict(dispatch_cache(inner)) == before
        assert np.array_equal(out(X), X)
        dispatching(X)  # fills it
