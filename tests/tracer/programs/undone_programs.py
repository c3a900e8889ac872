"""Kinds of state that are no container, each with what changes and what reads it: for test_cores_undone.py.
What they are changed and put back in is in undone_ways.py.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import array
import contextvars
import ctypes
import decimal
import functools
import random
import threading
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

EXAMPLES = [
    np.array(row, np.float32)
    for row in ([1, 2, 3], [-1, -2, -3], [1, 2], [3, 2, 1], [0, 0, 0], [3, 0.5, 0.7, 0.1], [-1, 5, 0])
]


class One:
    n = 1


class Two:
    n = 2


def named():
    def inner(k=1, *, j=1):
        "A."
        return k + j

    inner.n = 1
    return inner


def cached():
    made: Any = functools.cache(named())
    made.n = 1
    return made


def static():
    made: Any = staticmethod(named())
    made.n = 1
    return made


def twice(k=1, *, j=1):
    return 2 * k + j


ONCE = named().__code__
CHILD = ET.Element("b")
RANDOM = random.Random(1).getstate(), random.Random(2).getstate()


def variable():
    made: contextvars.ContextVar[int] = contextvars.ContextVar("made", default=0)
    made.set(1)
    return made


def setting(name: str, value: Any, before: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    return lambda o: setattr(o, name, value), lambda o: setattr(o, name, before)


def putting(key: Any, value: Any, before: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    def put(o):
        o[key] = value

    def undo(o):
        o[key] = before

    return put, undo


def unnamed(f):
    del f.n


def attribute(f):
    f.n = 3


def attribute_undone(f):
    f.n = 1


def by_default(f):
    f.__kwdefaults__["j"] = 3


def by_default_undone(f):
    f.__kwdefaults__["j"] = 1


def annotated(f):
    f.__annotations__["a"] = 1


def annotated_undone(f):
    f.__annotations__.clear()


def has_class(o):
    o.__class__ = Two


def has_class_undone(o):
    o.__class__ = One


Kind = tuple[Callable[[], Any], Callable[[Any], Any], Callable[[Any], Any], Callable[[Any], Any]]
#: How an object is made, what changes it, what undoes that, and what tells of it without changing it.
OF_FUNCTIONS: list[Kind] = [
    (named, attribute, attribute_undone, lambda f: f.n),
    (named, *setting("n", 3, 1), lambda f: f.n),
    (named, *setting("m", 3, 1), lambda f: getattr(f, "m", 2)),
    (named, unnamed, attribute_undone, lambda f: getattr(f, "n", 5)),
    (named, lambda f: f.__dict__.update(n=3), lambda f: f.__dict__.update(n=1), lambda f: f.n),
    (named, lambda f: vars(f).pop("n"), attribute_undone, lambda f: getattr(f, "n", 5)),
    (named, *setting("__dict__", {"n": 3}, {"n": 1}), lambda f: f.n),
    (named, *setting("__defaults__", (3,), (1,)), lambda f: f()),
    (named, *setting("__kwdefaults__", {"j": 3}, {"j": 1}), lambda f: f()),
    (named, by_default, by_default_undone, lambda f: f()),
    (named, *setting("__code__", twice.__code__, ONCE), lambda f: f(5)),
    (named, *setting("__doc__", "Abc.", "A."), lambda f: len(f.__doc__)),
    (named, *setting("__name__", "abc", "inner"), lambda f: len(f.__name__)),
    (named, *setting("__qualname__", "abc", "inner"), lambda f: len(f.__qualname__)),
    (named, *setting("__module__", "abc", "abcde"), lambda f: len(f.__module__)),
    (named, *setting("__annotations__", {"a": 1}, {}), lambda f: len(f.__annotations__)),
    (named, annotated, annotated_undone, lambda f: len(f.__annotations__)),
    (cached, *setting("n", 3, 1), lambda f: f.n), (static, *setting("n", 3, 1), lambda f: f.n),
    (static, *setting("__defaults__", (3,), (1,)), lambda f: f()),
    (lambda: property(named(), doc="A."), *setting("__doc__", "Abc.", "A."), lambda p: len(p.__doc__)),
]  # fmt: skip
OTHERS: list[Kind] = [
    (lambda: type("Made", (), {"n": 1, "__module__": __name__}), lambda c: type.__setattr__(c, "n", 3),
     lambda c: type.__setattr__(c, "n", 1), lambda c: c.n),
    (lambda: bytearray(b"\1"), *putting(0, 3, 1), lambda b: b[0]),
    (lambda: bytearray(b"\1"), lambda b: b.append(1), lambda b: b.pop(), len),
    (lambda: array.array("d", [1.0, 2.0]), *putting(0, 3.0, 1.0), sum),
    (lambda: memoryview(bytearray(b"\1")), *putting(0, 3, 1), lambda b: b[0]),
    (lambda: ctypes.c_int(1), *setting("value", 3, 1), lambda c: c.value),
    (lambda: (ctypes.c_int * 2)(1, 2), *putting(0, 3, 1), sum),
    (lambda: ValueError("a"), *setting("args", ("b", "c"), ("a",)), lambda e: len(e.args)),
    (lambda: random.Random(1), lambda r: r.setstate(RANDOM[1]), lambda r: r.setstate(RANDOM[0]),
     lambda r: r.getstate()[1][1] % 7),
    (threading.Lock, lambda e: e.acquire(blocking=False), lambda e: e.release(), lambda e: int(e.locked())),
    (threading.RLock, lambda e: e.acquire(blocking=False), lambda e: e.release(),
     lambda e: len(repr(e).split("count=1"))),
    (lambda: decimal.Context(prec=3), *setting("prec", 7, 3), lambda c: c.prec),
    (variable, lambda c: c.set(5), lambda c: c.set(1), lambda c: c.get()),
    (lambda: ET.Element("a"), lambda e: e.append(CHILD), lambda e: e.remove(CHILD), len),
    (lambda: ET.Element("a"), *setting("tag", "abc", "a"), lambda e: len(e.tag)),
    (lambda: functools.partial(max, 1), lambda p: p.__setstate__((max, (4,), {}, None)),
     lambda p: p.__setstate__((max, (1,), {}, None)), lambda p: p(2)),
    (lambda: np.random.RandomState(0), lambda r: r.seed(3), lambda r: r.seed(0),
     lambda r: int(r.get_state()[1][0]) % 7),
    (One, has_class, has_class_undone, lambda o: o.n),
    (lambda: torch.nn.Dropout(0.5), lambda m: m.eval(), lambda m: m.train(), lambda m: int(m.training)),
]  # fmt: skip
KINDS = [*OF_FUNCTIONS, *OTHERS]
