"""Arguments that are kept as they are, functions, classes, modules, bytes, sets, keys, and defaults that no
text can say: given another, or none, a text gives what the program gives, or raises.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import enum
import functools
import math
import types
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays

X = np.array([1.0, 2.0, 3.0], np.float32)
ABSENT = object()
ONE: list[int] = [1]
NS = types.SimpleNamespace


class Mode(enum.Enum):
    A = 1
    B = 2


class Other(enum.Enum):
    A = 5


class Rated:
    rate = 2


def module(**held: Any) -> types.ModuleType:
    made = types.ModuleType("cfg")
    vars(made).update(held)
    return made


def tagging(k: int) -> Any:
    def tag(v):
        return v * k

    tag.k = k  # type: ignore[attr-defined]
    return tag


def function_by_default(x, act=np.tanh):
    return x if act is None else act(x)


def own_function_by_default(x, act=lambda v: v * 3):
    return x if act is None else act(x)


def marked(x, y=ABSENT):
    return x if y is ABSENT else (-x if y is None else x * 2)


def built(x, kind=list):
    return kind([x])


def by_module(x, xp=np):
    return xp.tanh(x)


def skipping(p, skip=frozenset()):
    return {k: v if k in skip else v * 2 for k, v in p.items()}


def by_bytes(x, mode=b"a"):
    return x if mode == b"a" else -x


def partly(x, act=functools.partial(np.multiply, 2)):
    return x if act is None else act(x)


def raised(x, error=ValueError):
    return x if error is ValueError else -x


def looked_up(x, table):
    return x * table.get((0, 1), 0.5)


def over_edges(x, edges):
    return sum((x[i] - x[j]) ** 2 for i, j in edges)


def greatest_key(x, d):
    return x * max(d)


def member_in(x, d):
    return x if Mode.A in d else -x


def is_class(x, kind):
    return -x if kind is dict else x


def of_a_module(x, cfg):
    return x * cfg.k


def whether_it_has(x, m):
    return x * 2 if hasattr(m, "sin") else x


def by_a_bound_method(x, look):
    return x * look("lr", 0.5)


def by_value(x, mode):
    return x * mode.value


def with_underscores(x, o):
    return x * getattr(o, "__version__", 7)


def ends(x, r):
    return x * r.stop


def one_list(x, o):
    return x * (2 if o.a is o.b else 3)


def among(x, o, k):
    return x * (k in [o])


def its_attribute(x, f):
    return x * f.k


def its_class(x, o):
    return x * type(o).rate


def item_in(x, s):
    return x if b"a" in s else -x


def held_module(x, o):
    return x * o.m.k


def held_method(x, o):
    return x * o.f("lr", 0.5)


class Factor(float):
    pass


class Named(functools.partial):
    pass


def its_factor(x, o):
    return x * float(o.k)


def applied(x, act):
    return act(x)


EDGES = {(0, 1): 1.0}
ROWS: list[tuple[Any, tuple[Any, ...], tuple[tuple[Any, ...], ...]]] = [
    (function_by_default, (X,), ((X, np.sin), (X, None), (X, np.tanh))),
    (function_by_default, (X, None), ((X,), (X, np.tanh))),
    (function_by_default, (X, np.sin), ((X,), (X, None))),
    (own_function_by_default, (X,), ((X, None), (X, np.sin))),
    (own_function_by_default, (X, None), ((X,), (X, np.sin))),
    (marked, (X,), ((X, None), (X, 1.0), (X, ABSENT))),
    (marked, (X, None), ((X,), (X, ABSENT))),
    (built, (X,), ((X, tuple), (X, list))),
    (built, (X, tuple), ((X,), (X, list))),
    (by_module, (X,), ((X, math), (X, np.linalg))),
    (skipping, ({"w": X},), (({"w": X}, {"w"}), ({"w": X}, ["w"]), ({"w": X}, frozenset()))),
    (by_bytes, (X,), ((X, b"b"), (X, None), (X, b"a"))),
    (partly, (X,), ((X, None), (X, functools.partial(np.multiply, 3)))),
    (raised, (X,), ((X, ZeroDivisionError), (X, ValueError))),
    (raised, (X, KeyError), ((X, ZeroDivisionError), (X,))),
    (looked_up, (X, {(0, 0): 1.0}), ((X, {(0, 1): 1.0}), (X, {(0, 0): 2.0}))),
    (over_edges, (X, EDGES), ((X, {(0, 2): 1.0}), (X, {(0, 1): 2.0}))),
    (greatest_key, (X, {0.1: 1.0, 0.5: 2.0}), ((X, {0.1: 1.0, 0.7: 2.0}),)),
    (member_in, (X, {Mode.A: 1.0}), ((X, {Mode.B: 1.0}), (X, {}), (X, {Other.A: 1.0}))),
    (member_in, (X, {Mode.B: "b"}), ((X, {Mode.A: "b"}),)),
    (is_class, (X, dict), ((X, list), (X, Mode))),
    (is_class, (X, Mode), ((X, dict), (X, Other))),
    (of_a_module, (X, module(k=2)), ((X, module(k=3)), (X, NS(k=3)))),
    (whether_it_has, (X, np), ((X, np.linalg), (X, math))),
    (by_a_bound_method, (X, {"lr": 2.0}.get), ((X, {"lr": 3.0}.get), (X, {}.get))),
    (by_value, (X, Mode.A), ((X, Other.A), (X, Mode.B))),
    (with_underscores, (X, NS(__version__=1.0)), ((X, NS(__version__=2.0)), (X, NS()))),
    (ends, (X, range(0, 3, 2)), ((X, range(0, 4, 2)), (X, range(0, 5, 2)))),
    (one_list, (X, NS(a=[1], b=[1])), ((X, NS(a=ONE, b=ONE)), (X, NS(a=[2], b=[1])))),
    (one_list, (X, NS(a=ONE, b=ONE)), ((X, NS(a=[1], b=[1])),)),
    (among, (X, NS(a=1), NS(a=2)), ((X, *[NS(a=1)] * 2),)),
    (its_attribute, (X, tagging(1)), ((X, tagging(2)), (X, Mode.A))),
    (item_in, (X, {b"a"}), ((X, {("a", 1)}), (X, set()))),
    (item_in, (X, {frozenset({1})}), ((X, {b"a"}),)),
    (held_module, (X, NS(m=module(k=2))), ((X, NS(m=module(k=3))),)),
    (its_factor, (X, NS(k=Factor(2.0))), ((X, NS(k=Factor(3.0))), (X, NS(k=2.0)), (X, NS(k=Factor(2.0))))),
    (applied, (X, Named(np.multiply, 2)), ((X, Named(np.multiply, 3)), (X, functools.partial(np.add, 2)))),
    (held_method, (X, NS(f={"lr": 2.0}.get)), ((X, NS(f={"lr": 3.0}.get)),)),
]  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("fn", "example", "others"), ROWS)
def test_another_is_no_example(fn: Any, example: Any, others: Any, to: str) -> None:
    out = tl.transpile(fn, example, source="numpy", to=to)
    for given in (example, *others):
        try:
            expected = fn(*given)
        except Exception:
            continue  # the text of it may give something
        try:
            found = out(*map_arrays(given, lambda a: convert(a, to)))
        except (AssertionError, TypeError):  # a check, or jax.jit takes no such argument
            assert given is not example
            continue
        assert not list(compare(expected, found)), out.source


def test_a_class_that_changes_is_another() -> None:
    out: Any = tl.transpile(its_class, (X, Rated()), to="numpy")
    assert np.array_equal(out(X, Rated()), X * 2)
    Rated.rate = 3
    try:
        with pytest.raises(AssertionError):
            out(X, Rated())
    finally:
        Rated.rate = 2


def test_a_default_is_written_in_the_words_of_the_target() -> None:
    assert "act=jnp.tanh" in tl.transpile(function_by_default, (X,), to="jax").source
    assert "xp=...)" in tl.transpile(by_module, (X,), to="numpy").source
    assert "skip=frozenset()" in tl.transpile(skipping, ({"w": X},), to="numpy").source


class Key:
    pass


def test_keys_that_no_text_can_say_are_refused() -> None:
    with pytest.raises(tl.UnsupportedError, match="the key .*Key object.* cannot be translated"):
        tl.transpile(lambda x, d: x * len(list(d)), (X, {Key(): 1.0}), to="numpy").source


class Slotted(list[float]):
    __slots__ = ("__scale",)

    def __init__(self, values: list[float], scale: float) -> None:
        super().__init__(values)
        self.__scale = scale

    @property
    def scale(self) -> float:
        return self.__scale


def test_what_a_list_carries_in_private_slots_is_seen() -> None:
    with pytest.raises(tl.UnsupportedError, match="a list with attributes of its own"):
        tl.symbolic_trace(lambda x, given: x * given.scale, (X, Slotted([1.0], 3.0)))
