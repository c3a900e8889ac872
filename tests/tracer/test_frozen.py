"""Objects and functions among the arguments, which the text is the program for: others are refused."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import argparse
import collections
import copy
import datetime
import enum
import fractions
import functools
import itertools
import math
import types
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

X = np.array([1.0, 2.0, 3.0], np.float32)


class Mode(enum.Enum):
    SUM = "sum"
    MEAN = "mean"


class Config:
    kind = "plain"

    def __init__(self, scale: float, layers: Any = (2, 3), **more: Any) -> None:
        self.scale = scale
        self.layers = layers
        self.inner = argparse.Namespace(k=3)
        self.mode = Mode.SUM
        vars(self).update(more)

    def get(self) -> float:
        return self.scale * self.inner.k

    @property
    def double(self) -> float:
        return 2 * self.scale


class Special(Config):
    def get(self) -> float:
        return 100.0


class Other:
    scale = 2.0


class Unlike:
    scale = 3.0


def a_namespace(x, args):
    return x * args.scale


def a_method(x, cfg):
    return x * cfg.get()


def a_property(x, cfg):
    return x * cfg.double


def its_list(x, cfg):
    for k in cfg.layers:
        x = x + k
    return x


def its_function(x, cfg):
    return cfg.act(x)


def if_it_has(x, cfg):
    return x * getattr(cfg, "factor", 1.0)


def all_it_has(x, cfg):
    return x * len(vars(cfg))


def its_class(x, cfg):
    return x * (2 if cfg.kind == "plain" else 3)


def its_mode(x, cfg):
    return x.sum() if cfg.mode is Mode.SUM else x.mean()


def one_of_a_list(x, cfgs):
    for cfg in cfgs:
        x = x * cfg.scale
    return x


def a_deque(x, numbers):
    return x * numbers[0]


def a_fraction(x, f):
    return x * float(f)


def a_date(x, day):
    return x * day.year


def a_function(f, x):
    return f(x) * 2


def functions(fs, x):
    for f in fs:
        x = f(x)
    return x


def cube(x):
    return x * x * x


def square(x):
    return x * x


def matched(x, cfg):
    match cfg:
        case Config(scale=s, inner=argparse.Namespace(k=3)):
            return x * s
        case _:
            return x


def copied(x, cfg):
    own = copy.copy(cfg)
    own.scale *= 2
    return x * own.scale


def by_function(x, cfg):
    return x * cfg.table[square]


def by_member(x, cfg):
    return x * cfg.table[Mode.SUM]


def filled(x, cfg):
    return x * len(cfg.fill)


def of_its_class(x, args):
    return x * 2 if isinstance(args, argparse.Namespace) else x


def a_partial(x, f):
    return f(x)


def a_bound_method(x, f):
    return x * f()


def a_class(x, kind):
    return x * kind.scale


def held_by_others(x, held):
    return x * held["cfgs"][0].inner.k * held["pair"][1].get()


def slotted(x, slots):
    return x * slots.a


class Slots:
    __slots__ = ("a", "b")

    def __init__(self, a: int, b: int) -> None:
        self.a = a
        self.b = b


#: A program, its example's other argument, one that is as good, and others, which are not.
CASES: list[tuple[Callable[..., Any], Any, Any, list[Any]]] = [
    (a_namespace, argparse.Namespace(scale=0.5), types.SimpleNamespace(scale=0.5, more=1),
     [argparse.Namespace(scale=2.0), Other()]),
    (a_method, Config(0.5), Config(0.5, (9,)), [Config(2.0), Special(0.5), Other()]),
    (a_property, Config(0.5), Config(0.5), [Config(2.0), Other()]),
    (its_list, Config(0.5), Config(7.0), [Config(0.5, (2, 3, 4)), Config(0.5, (2, 4))]),
    (its_list, Config(0.5, [2, 3]), Config(7.0, [2, 3]), [Config(0.5, [2])]),
    (its_function, Config(1.0, act=np.tanh), Config(2.0, act=np.tanh), [Config(1.0, act=np.sin)]),
    (its_function, Config(1.0, act=square), Config(2.0, act=square), [Config(1.0, act=cube)]),
    (if_it_has, Config(1.0), Config(2.0), [Config(1.0, factor=3.0)]),
    (if_it_has, Config(1.0, factor=3.0), Config(2.0, factor=3.0), [Config(1.0), Config(1.0, factor=4.0)]),
    (all_it_has, argparse.Namespace(a=1), argparse.Namespace(a=1), [argparse.Namespace(a=1, b=2)]),
    (its_class, Config(1.0), Config(2.0), [Config(1.0, kind="other")]),
    (its_mode, Config(1.0), Config(2.0), [Config(1.0, mode=Mode.MEAN)]),
    (one_of_a_list, [Config(2.0), Config(3.0)], [Config(2.0), Config(3.0)],
     [[Config(2.0)], [Config(3.0), Config(2.0)], [Config(2.0), Other()]]),
    (a_deque, collections.deque([2, 3]), collections.deque([2, 3]), [collections.deque([4])]),
    (a_fraction, fractions.Fraction(1, 3), fractions.Fraction(1, 3), [fractions.Fraction(2, 3)]),
    (matched, Config(0.5), Config(0.5), [Config(2.0), Other()]),
    (copied, Config(0.5), Config(0.5), [Config(2.0)]),
    (by_function, Config(1.0, table={square: 2}), Config(2.0, table={square: 2}),
     [Config(1.0, table={square: 3}), Config(1.0, table={cube: 2, square: 4})]),
    (by_member, Config(1.0, table={Mode.SUM: 2}), Config(2.0, table={Mode.SUM: 2}),
     [Config(1.0, table={Mode.SUM: 3}), Config(1.0, table={Mode.MEAN: 2, Mode.SUM: 5})]),
    (filled, Config(1.0, fill=[math.nan]), Config(2.0, fill=[math.nan]),
     [Config(1.0, fill=[]), Config(1.0, fill=[1])]),
    (of_its_class, argparse.Namespace(), argparse.Namespace(k=1), [types.SimpleNamespace(), Other()]),
    (a_partial, functools.partial(np.clip, a_min=0, a_max=2), functools.partial(np.clip, a_min=0, a_max=2),
     [functools.partial(np.clip, a_min=0, a_max=1), functools.partial(np.maximum, 0), square]),
    (a_bound_method, Config(0.5).get, Config(0.5).get, [Config(2.0).get, Special(0.5).get, cube]),
    (a_class, Other, Other, [Config, Unlike]),
    (held_by_others, {"cfgs": [Config(1.0)], "pair": (1, Config(2.0))},
     {"cfgs": [Config(5.0)], "pair": (1, Config(2.0))},
     [{"cfgs": [Config(1.0)], "pair": (1, Config(3.0))}, {"cfgs": [Special(1.0)], "pair": (1, Config(2.0))}]),
    (slotted, Slots(2, 3), Slots(2, 4), [Slots(3, 3), Other()]),
    (a_date, datetime.date(2000, 1, 1), datetime.date(2000, 1, 1), [datetime.date(2001, 1, 1)]),
]  # fmt: skip


@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("fn", "example", "alike", "others"), CASES)
def test_another_object_is_refused(fn, example, alike, others, target) -> None:
    out: Any = tl.transpile(fn, source="numpy", to=target, args=(X, example))
    for given in (example, alike):
        np.testing.assert_allclose(to_numpy(out(convert(X, target), given)), fn(X, given), rtol=1e-6)
    for other in others:
        with pytest.raises((AssertionError, AttributeError)):
            out(convert(X, target), other)


def test_an_object_that_changes_is_another() -> None:
    """JAX compiles nothing for an object that is the same and holds something else."""
    out: Any = tl.transpile(a_method, source="numpy", to="jax", args=(X, config := Config(0.5)))
    assert out(jnp.asarray(X), config).tolist() == (X * 1.5).tolist()
    config.scale = 2.0
    with pytest.raises(AssertionError):
        out(jnp.asarray(X), config)


@pytest.mark.parametrize("f", [np.sin, np.abs, np.tanh, square], ids=lambda f: f.__name__)
def test_a_function_of_another_name_is_refused(f: Any) -> None:
    """That of the target may be given in its place."""
    own = {"numpy": np, "torch": torch, "jax": jnp}
    for target, module in own.items():
        out: Any = tl.transpile(a_function, source="numpy", to=target, args=(f, X))
        x = convert(X, target)
        for given in {f, getattr(module, {"absolute": "abs"}.get(f.__name__, f.__name__), f)}:
            np.testing.assert_allclose(to_numpy(out(given, x)), a_function(f, X), rtol=1e-6)
        for other in (np.cos, cube, 3.0):
            with pytest.raises((AssertionError, AttributeError)):
                out(other, x)


def test_a_list_of_functions_is_the_examples() -> None:
    out: Any = tl.transpile(functions, source="numpy", to="torch", args=([square, np.tanh], X))
    x = torch.from_numpy(X)
    torch.testing.assert_close(out([square, np.tanh], x), torch.tanh(x * x))
    for other in ([square], [np.tanh, square], [square, np.tanh, square]):
        with pytest.raises(AssertionError):
            out(other, x)


class Model:
    def __init__(self, w: Any) -> None:
        self.w = w

    def __call__(self, x):
        return x @ self.w


@pytest.mark.parametrize("w", [X, [X]], ids=["array", "list"])
def test_arrays_in_an_object_are_refused(w: Any) -> None:
    def predict(model, x):
        return x @ (model.w if isinstance(model.w, np.ndarray) else model.w[0])

    with pytest.raises(tl.UnsupportedError, match=r"model\.w.*an array in an object") as error:
        tl.transpile(predict, source="numpy", to="jax", args=(Model(w), X))
    assert "make model a dataclass" in str(error.value)
    assert error.value.span is not None


def test_arrays_of_an_object_that_is_bound_before_are_constants() -> None:
    model = Model(np.eye(3, dtype=np.float32) * 2)
    out: Any = tl.transpile(lambda x: model(x), source="numpy", to="jax", args=(X,))
    assert out(jnp.asarray(X)).tolist() == (X * 2).tolist()


def test_what_has_no_end_is_not_gone_through() -> None:
    out: Any = tl.transpile(lambda x, c: x * 2, source="numpy", to="numpy", args=(X, itertools.count()))
    assert out(X, itertools.count()).tolist() == (X * 2).tolist()


def test_objects_are_what_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config(0.5)
    before = dict(vars(config))
    tl.transpile(a_method, source="jax", to="numpy", args=(jax.numpy.asarray(X), config))
    assert vars(config) == before
