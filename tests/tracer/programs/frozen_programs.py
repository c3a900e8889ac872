"""Programs that are given objects and functions: an example, what is as good, and what is not."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import argparse
import collections
import copy
import datetime
import enum
import fractions
import functools
import math
import types
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

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


class Failure(ValueError):
    pass


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


def copied_slots(x, slots):
    return x * copy.copy(slots).b


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


def its_k(x, a):
    return x * 2 if a.k else x * 3


def in_its_k(x, a):
    return x * a.k[1]


def by_its_k(x, a):
    return x * a.k


def is_its_own(x, a):
    return x * 2 if a.k is True else x


def one_of_two(x, pair):
    return x * 2 if pair["a"] is pair["b"] else x * 3


def far(x, o):
    return x * o.next.next.next.lr


def asked(x, a):
    return x * 2 if "lr" in a else x


def compared(x, a):
    return x * 2 if a == argparse.Namespace(lr=1.0) else x


def spelled_out(x, a):
    return x * len("{a.lr}".format(a=a)) + len(str(a))


def raised(x, error):
    try:
        raise ValueError
    except error:
        return x * 2
    except Exception:
        return x * 3


def odd_names(x, a):
    return x * getattr(a, "learning-rate") * vars(a)["lambda"]


def link(*rates: float) -> argparse.Namespace:
    first, *rest = (argparse.Namespace(lr=rate) for rate in rates)
    last = first
    for each in rest:
        last.next = each
        last = each
    last.next = last if len(rates) == 1 else None
    return first


class Pair(NamedTuple):
    a: float
    b: Any


ONE = argparse.Namespace(lr=1.0)


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
    (its_k, argparse.Namespace(k=OrderedDict(a=1)), argparse.Namespace(k=OrderedDict(a=1)),
     [argparse.Namespace(k=None), argparse.Namespace(k={"a": 1}), argparse.Namespace(k=OrderedDict())]),
    (its_k, argparse.Namespace(k=types.SimpleNamespace()), argparse.Namespace(k=types.SimpleNamespace()),
     [argparse.Namespace(k=None)]),
    (its_k, argparse.Namespace(k=object()), argparse.Namespace(k=object()), [argparse.Namespace(k=None)]),
    (in_its_k, argparse.Namespace(k=Pair(1.0, 2.0)), argparse.Namespace(k=Pair(1.0, 2.0)),
     [argparse.Namespace(k=Pair(1.0, 3.0)), argparse.Namespace(k=(1.0, 2.0))]),
    (in_its_k, argparse.Namespace(k=collections.UserList([1.0, 2.0])),
     argparse.Namespace(k=collections.UserList([1.0, 2.0])),
     [argparse.Namespace(k=collections.UserList([1.0, 3.0]))]),
    (in_its_k, argparse.Namespace(k=[1, 2]), argparse.Namespace(k=[1, 2]), [argparse.Namespace(k=[1, 2.0])]),
    (by_its_k, argparse.Namespace(k=1), argparse.Namespace(k=1),
     [argparse.Namespace(k=k) for k in (1.0, True, 1 + 0j, np.float64(1), np.int64(1))]),
    (by_its_k, argparse.Namespace(k=np.float32(2)), argparse.Namespace(k=np.float32(2)),
     [argparse.Namespace(k=k) for k in (2.0, np.float64(2))]),
    (by_its_k, argparse.Namespace(k=0.0), argparse.Namespace(k=0.0), [argparse.Namespace(k=-0.0)]),
    (is_its_own, argparse.Namespace(k=1), argparse.Namespace(k=1), [argparse.Namespace(k=True)]),
    (one_of_two, {"a": ONE, "b": ONE}, {"a": ONE, "b": ONE}, [{"a": ONE, "b": argparse.Namespace(lr=1.0)}]),
    (one_of_two, {"a": ONE, "b": argparse.Namespace()}, {"a": argparse.Namespace(), "b": ONE},
     [{"a": ONE, "b": ONE}]),
    (far, link(2.0), link(2.0), [link(2.0, 2.0, 2.0, 5.0)]),
    (asked, ONE, argparse.Namespace(lr=1.0), [argparse.Namespace(), argparse.Namespace(lr=2.0, k=1)]),
    (compared, ONE, argparse.Namespace(lr=1.0),
     [argparse.Namespace(lr=2.0), argparse.Namespace(lr=1.0, k=1)]),
    (spelled_out, ONE, argparse.Namespace(lr=1.0), [argparse.Namespace(lr=10.0)]),
    (raised, Failure, Failure, [KeyError, Unlike]),
    (odd_names, argparse.Namespace(**{"learning-rate": 0.5, "lambda": 2}),
     argparse.Namespace(**{"learning-rate": 0.5, "lambda": 2}),
     [argparse.Namespace(**{"learning-rate": 0.5, "lambda": 3})]),
    (copied_slots, Slots(2, 3), Slots(2, 3), [Slots(2, 4), Other()]),
    (slotted, Slots(2, 3), Slots(2, 4), [Slots(3, 3), Other()]),
    (a_date, datetime.date(2000, 1, 1), datetime.date(2000, 1, 1), [datetime.date(2001, 1, 1)]),
]  # fmt: skip
