"""Numbers, texts and containers of classes made of Python's own, among the arguments and as keys: what the
program asks of their classes is checked, and those that have attributes of their own are refused.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import enum
import functools
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
import pytest

import tracelate as tl

X = np.array([1.0, 2.0, 3.0], np.float32)


class Colour(str):
    def shout(self):
        return self + "!"


class Other(str):
    def shout(self):
        return self + "?"


class Folded(str):
    def __eq__(self, other):
        return self.lower() == other.lower()

    def __hash__(self):
        return hash(self.lower())


class Word(str, enum.Enum):
    A = "a"
    B = "b"


class Text(enum.StrEnum):
    A = "a"
    B = "b"


class Number(enum.IntEnum):
    A = 1
    B = 2


class Member(enum.Enum):
    A = 1


class Count(int):
    def twice(self):
        return self * 2


KEYS = [Word.A, Text.A, Number.A, Colour("a"), np.str_("a")]


def chooses(x, s):
    return x * 2 if s == "a" else x


def shouts(x, s):
    return x * 2 if s.shout() == "a!" else x


def holds(program: Callable[..., Any], *examples: tuple[Any, ...], to: str = "numpy") -> Any:
    source = "jax" if isinstance(examples[0][0], jnp.ndarray) else "numpy"
    out = tl.transpile(program, source=source, to=to, args=examples[0])
    for given in examples:
        np.testing.assert_array_equal(out(*given), program(*given))
    return out


@pytest.mark.parametrize("text", [np.str_("a"), Colour("a"), Word.A, Text.A, "a"])
def test_a_text_is_compared_as_what_it_is(text: str) -> None:
    out = holds(chooses, (X, text))
    if type(text) is str:  # which the text compares itself
        assert np.array_equal(out(X, "b"), X)
        return
    with pytest.raises(AssertionError):
        out(X, type(text)("b"))


@pytest.mark.parametrize(
    ("program", "make"),
    [
        (shouts, lambda s: s),
        (lambda x, s: shouts(x, s[0]), lambda s: [s]),
        (lambda x, s: shouts(x, s["k"]), lambda s: {"k": s, "n": 3}),
    ],
)
def test_its_class_is_checked(program: Callable[..., Any], make: Callable[[Any], Any]) -> None:
    out = holds(program, (X, make(Colour("a"))))
    for other in (Other("a"), "a"):
        with pytest.raises(AssertionError):
            out(X, make(other))


def test_so_is_that_of_a_number() -> None:
    out = holds(lambda x, n: x * n.twice(), (X, Count(3)))
    with pytest.raises(AssertionError):
        out(X, 3)


@pytest.mark.parametrize("key", KEYS, ids=repr)
@pytest.mark.parametrize(
    "program",
    [
        lambda x, d: x * sum(d.values()),
        lambda x, d: x * d["a" if "a" in d else 1],
        lambda x, d: sum((x * v for v in d.values()), x),
        lambda x, d: x * max(d.values()) * len(d),
    ],
)
def test_such_a_key_is_read(program: Callable[..., Any], key: Any) -> None:
    holds(program, (X, {key: 2.0, "z": 3.0}), (X, {key: 4.0, "z": 1.0}))


def test_the_classes_of_keys_that_are_looked_at_are_checked() -> None:
    def program(x, d):
        return x * sum(v for k, v in d.items() if k is Word.A)

    out = holds(program, (X, {Word.A: 2.0, Word.B: 3.0}))
    with pytest.raises(AssertionError):
        out(X, {"a": 2.0, "b": 3.0})
    in_jax = holds(program, (jnp.asarray(X), {Word.A: 2.0, Word.B: 3.0}), to="jax")
    with pytest.raises(AssertionError):
        in_jax(jnp.asarray(X), {"a": 2.0, "b": 3.0})


def handed(d):
    return d[Word.A] * 2


def gives(x):
    return {Word.A: x, "n": x * 2}


@pytest.mark.parametrize(
    "program",
    [
        lambda x: handed({Word.A: x}),
        lambda x: gives(x)[Word.A] + gives(x)["a"],
        lambda x: gives(x)[Text.A],
    ],
)
def test_helpers_have_such_keys(program: Callable[..., Any]) -> None:
    holds(program, (X,), (-X,))


@pytest.mark.parametrize("key", [*KEYS, Member.A, np.int64(3), (1, Word.A)], ids=repr)
@pytest.mark.parametrize("make", [lambda x, k: {k: x}, lambda x, k: (x, [{"n": {k: x}}])])
def test_a_result_with_such_a_key_is_refused(make: Callable[..., Any], key: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match="returning a dict with the key"):
        tl.transpile(lambda x: make(x, key), source="numpy", to="numpy", args=(X,))


@pytest.mark.parametrize("text", [Colour("a"), np.str_("a"), Text.A])
def test_so_is_such_a_text(text: str) -> None:
    with pytest.raises(tl.UnsupportedError, match="returning a"):
        tl.transpile(lambda x: (x, text), source="numpy", to="numpy", args=(X,))


@pytest.mark.parametrize("value", [Colour("a"), Number.A, {Word.A: 2.0}])
def test_and_such_as_an_argument_is_left_with(value: Any) -> None:
    def program(x, d):
        d["z"] = value

    with pytest.raises(tl.UnsupportedError, match="changing the dict"):
        tl.transpile(program, source="numpy", to="numpy", args=(X, {"a": X}))


@pytest.mark.parametrize("argument", [{"k": Folded("A"), "n": 3}, {Folded("A"): 2.0}, Folded("A")])
def test_a_text_that_is_compared_in_another_way_is_refused(argument: Any) -> None:
    def program(x, s):
        return x * 2 if s == "a" or [*s][0] == "a" or s["k"] == "a" else x

    with pytest.raises(tl.UnsupportedError):
        tl.transpile(program, source="numpy", to="numpy", args=(X, argument))


# Attributes of their own.


class Float(float):
    pass


class Int(int):
    pass


class Bytes(bytes):
    pass


class Tuple(tuple):  # type: ignore[type-arg]
    pass


class Dict(dict):  # type: ignore[type-arg]
    pass


class Slots(list):  # type: ignore[type-arg]
    __slots__ = ("scale",)


class Scaled(list):  # type: ignore[type-arg]
    def __init__(self, *args, scale=1):
        super().__init__(*args)
        self.scale = scale


class ScaledTuple(tuple):  # type: ignore[type-arg]
    def __new__(cls, items, scale=1):
        made = super().__new__(cls, items)
        made.scale = scale
        return made


class Itself(dict):  # type: ignore[type-arg]
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self


class Pair(NamedTuple):
    first: Any
    second: Any


class Measured(Pair):
    @functools.cached_property
    def size(self):
        return self.first * self.second


def made(kind: Any, *args: Any) -> Any:
    found = kind(*args)
    found.scale = 2
    return found


CARRIERS = [
    made(Float, 1.0), made(Int, 1), made(Bytes, b"a"), made(Colour, "a"), made(Tuple, (1,)),
    made(Tuple, (X,)),
    made(Dict, {"a": 1}), made(Dict, {"a": X}), made(Slots, [1]), Scaled([1], scale=2), Scaled([X], scale=2),
    ScaledTuple([1], 2), Itself(a=X, scale=2),
]  # fmt: skip


class Thing:
    def __init__(self, held):
        self.held = held


@dataclass
class Record:
    array: Any
    held: Any


@pytest.mark.parametrize("carrier", CARRIERS, ids=lambda c: type(c).__name__)
@pytest.mark.parametrize(
    ("program", "make"),
    [
        (lambda x, o: x * o.scale, lambda o: o),
        (lambda x, o: x * o[0].scale, lambda o: [o]),
        (lambda x, o: x * o["k"].scale, lambda o: {"k": o, "x": X}),
        (lambda x, o: x * o.held.scale, lambda o: Record(X, o)),
        (lambda x, o: x * o[0].held.scale, lambda o: (Record(1.0, o),)),
        (lambda x, o: x * o.held.scale, lambda o: Thing(o)),
        (lambda x, o: x * o.held[0].scale, lambda o: Thing([o])),
    ],
)
def test_what_has_attributes_of_its_own_is_refused(
    program: Callable[..., Any], make: Callable[[Any], Any], carrier: Any
) -> None:
    with pytest.raises(tl.UnsupportedError, match=f"class {type(carrier).__name__}, an? .* with attributes"):
        tl.transpile(program, source="numpy", to="numpy", args=(X, make(carrier)))


@pytest.mark.parametrize(
    "value",
    [Float(1.0), Int(1), Colour("a"), Tuple((X,)), Dict({"a": X}), Slots([X]), Slots([1]), Pair(X, 2.0),
     Measured(X, 2.0), Word.A, Number.A, OrderedDict(a=X), {"a": Member.A}],
    ids=lambda v: type(v).__name__,
)  # fmt: skip
def test_what_has_none_is_not(value: Any) -> None:
    holds(lambda x, o: x * 2, (X, value))


def test_a_property_that_is_remembered_is_none() -> None:
    pair = Measured(X, 2.0)
    assert pair.size is not None
    holds(lambda x, o: x * o.second, (X, pair), (X, Measured(X, 3.0)))


def scaled(x, o):
    return x * o.scale


def own(x, o):
    o.scale = 3
    return scaled(x, o)


class Plain(tuple):  # type: ignore[type-arg]
    scale = 1


def sets(x, o):
    o.scale = 3
    return x * 2


def set_by_a_helper(x):
    held = Plain((x,))
    found = sets(x, held)
    return found * held.scale


def gives_one(x):
    return Scaled([x], scale=3)


HELD = Scaled([1], scale=5)


@pytest.mark.parametrize(
    "program",
    [
        lambda x: scaled(x, Scaled([1], scale=3)),
        lambda x: scaled(x, Scaled([x], scale=3)),
        lambda x: scaled(x, ScaledTuple([x], scale=3)),
        lambda x: own(x, Dict(a=x)),
        lambda x: own(x, Float(2.0)),
        lambda x: own(x, Colour("a")),
        lambda x: scaled(x, HELD),
        lambda x: gives_one(x).scale * gives_one(x)[0],
        lambda x: x * Itself(a=x, b=2).b,
        set_by_a_helper,
    ],
)
def test_what_a_program_makes_keeps_them(program: Callable[..., Any]) -> None:
    holds(program, (X,), (-X,))


def in_a_loop(x):
    held = ScaledTuple([x], scale=3)
    for v in x:
        if v > 2:
            held = ScaledTuple([x + 1], scale=4)
    return held[0] * held.scale


def in_a_branch(x):
    held = Scaled([x], scale=3)
    if x.sum() > 2:
        held = Scaled([x + 1], scale=4)
    return held[0] * held.scale


@pytest.mark.parametrize("program", [in_a_loop, in_a_branch])
def test_two_of_them_are_no_third(program: Callable[..., Any]) -> None:
    with pytest.raises(tl.UnsupportedError, match="or another"):
        tl.transpile(program, source="numpy", to="numpy", args=(X,))
