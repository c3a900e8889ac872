"""Functions of the user's that are handed on, compared and looked for: each stays the one that it is, also
where Python's own code has it; and what is read of a module by a name that no code says.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import bisect
import collections
import functools
import heapq
import inspect
import itertools
import logging
import operator
import queue
import re
import types
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import to_numpy

X = np.array([1.0, 2.0, 3.0], np.float32)


def relu(x):
    return np.maximum(x, 0)


def square(x):
    return x * x


class Class:
    def method(self):
        return 1

    @property
    def read(self):
        return 2


class Event:
    def __init__(self) -> None:
        self.handlers: list[Any] = []

    def on(self, f: Any) -> None:
        self.handlers.append(f)

    def off(self, f: Any) -> None:
        if f in self.handlers:
            self.handlers.remove(f)

    def fire(self, x):
        for handler in self.handlers:
            x = handler(x)
        return x


FACTORS = {relu: 2}
KNOWN = {Class.method}
LIST: list[int] = []
LOG = logging.getLogger(__name__)


def looked_up(x):
    return x * FACTORS.get(relu, 0) + x * {np.tanh: 3}.get(np.tanh, 0)


def seen(x):
    met: set[Any] = set()
    count = 0
    for f in (square, relu, square):
        if f in met:
            continue
        met.add(f)
        count += 1
    met.discard(relu)
    return x * count + len(met)


def listed(x):
    fs: list[Any] = []
    fs.append(relu)
    fs.insert(0, square)
    fs.extend([relu])
    return fs[1](x) * fs.index(relu) + fs.count(relu)


def marked(x):
    def f(v):
        return v

    fs: list[Any] = []
    fs.append(f)
    fs[0].k = 3
    return x * f.k  # type: ignore[attr-defined]


def popped(x):
    d = {"a": relu}
    f = d.pop("a", square)
    g = d.setdefault("b", square)
    return f(x) * (2 if f is relu else 1) * (3 if g is square else 1)


def queued(x):
    q = collections.deque([relu])
    q.append(square)
    q.appendleft(relu)
    return x * q.count(relu) + q.pop()(x)


def partly(x):
    f = functools.partial(relu)
    return sum(map(f, x)) * (2 if f.func is relu else 1)


def compared(x):
    return x * (2 if operator.eq(relu, relu) else 1) * (3 if operator.is_(relu, relu) else 1)


def in_a_class(x):
    own = vars(Class)["method"] is Class.method and Class.__dict__.get("method") is Class.method
    count = sum(1 for f in vars(Class).values() if isinstance(f, types.FunctionType) and f in KNOWN)
    static = inspect.getattr_static(Class, "read") is vars(Class)["read"]
    return x * own + count + static


def registered(x):
    event = Event()
    event.on(relu)
    event.on(square)
    event.off(relu)
    return event.fire(x)


def remembered(x):
    memo: dict[Any, Any] = {}

    def run(f, y):
        if f not in memo:
            memo[f] = f(y)
        return memo[f]

    return run(square, x) + run(square, x) + len(memo)


class Family:
    pass


class Child(Family):
    pass


def among_classes(x):
    return x * len([kind.__name__ for kind in Family.__subclasses__()])


class Record(NamedTuple):
    f: Any
    n: int


HASH, TEXT = hash(square), str(square)


def asked_about(x):
    return x * (2 if hash(square) == HASH and str(square) == f"{square!r}" == TEXT else 1)


def held_in_c(x):
    heap: list[Any] = []
    heapq.heappush(heap, square)
    q: Any = queue.SimpleQueue()
    q.put(square)
    ordered: list[Any] = []
    bisect.insort(ordered, square, key=id)
    found = [
        heap[0], q.get(), ordered[0], next(iter([]), square), next(itertools.repeat(square, 1)),
        weakref.ref(square)(),
        types.MappingProxyType({}).get("a", square), Record(square, 1).f, Record._make([square, 1]).f,
        types.MethodType(square, 3).__func__, property(square).fget, staticmethod(square).__func__,
    ]  # fmt: skip
    return x * sum(f is square for f in found)


def sent(x):
    def going():
        f = yield
        yield f

    g = going()
    next(g)
    return x * (2 if g.send(square) is square else 1)


def called_by_c(x):
    table: Any = collections.defaultdict(lambda: x * 2)
    total = table["a"] + sum(map(square, x)) + functools.reduce(lambda a, b: a * b, [x, x])
    total = total + list(itertools.accumulate([x, x], lambda a, b: a * b))[1]
    total = total + next(itertools.starmap(lambda a, b: a + b, [(x, x)]))
    keyed = sorted([3, 1, 2], key=functools.cmp_to_key(lambda a, b: b - a))[0] + max([1, 5], key=lambda v: -v)
    keyed += next(iter(lambda: 3, 4)) + len(re.sub("a", lambda _: "bb", "aab"))
    keyed += len(list(itertools.groupby([1, 1, 2], key=lambda v: v > 1)))
    keyed += next(itertools.takewhile(lambda v: v < 2, [1, 5]))
    return total * keyed


class Own(weakref.WeakMethod):  # type: ignore[type-arg]
    pass


class Scaling:
    def __init__(self, scale: Any) -> None:
        self.scale = scale

    def times(self, x):
        if x.sum() > 1:
            x = x + 1
        return x * self.scale


SCALING = Scaling(3)


def weakly_held(x):
    made = Scaling(x)
    first, second = weakref.WeakMethod(made.times), weakref.WeakMethod(SCALING.times)
    found = first()(x) + second()(x) + Own(SCALING.times)()(x)
    same = (second == weakref.WeakMethod(SCALING.times)) + (second() == SCALING.times)
    handlers = weakref.WeakSet([SCALING])
    return found * same + sum(h.times(x) for h in handlers) + weakref.proxy(made).times(x)


PROGRAMS = (
    weakly_held, asked_about, held_in_c, sent, called_by_c,
    looked_up, seen, listed, marked, popped, queued, partly, compared, in_a_class, registered, remembered,
    among_classes,
)  # fmt: skip


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_a_function_is_itself(fn: Callable[..., Any]) -> None:
    for target in ("numpy", "torch"):
        out: Any = tl.transpile(fn, source="numpy", to=target, args=(X,))
        for x in (X, -X):
            given = torch.from_numpy(x) if target == "torch" else x
            np.testing.assert_allclose(to_numpy(out(given)), fn(x), rtol=1e-6)


def by_name(name: str) -> Any:
    return globals()[name]


def read_in_a_branch(x):
    if x.sum() > 0:
        by_name("LIST").append(1)
    count = len(by_name("LIST"))
    by_name("LIST").clear()
    return x * (count + 1)


def read_by_a_method(x):
    held = by_name.__globals__
    if x.sum() > 0:
        held.get("LIST").append(1)
    count = len(held["LIST"])
    held["LIST"].clear()
    return x * (count + 1)


def read_of_the_module(x):
    import sys

    held = getattr(sys.modules[__name__], "LI" + "ST")
    if x.sum() > 0:
        held.append(1)
    count = len(held)
    held.clear()
    return x * (count + 1)


def left_changed(x):
    globals()["LIST"].append(1)
    return x


def a_level(x):
    if x.sum() > 100:
        LOG.setLevel(10)
    return x * 2


def no_gradients(x):
    torch.set_grad_enabled(False)
    return x * 2


@pytest.mark.parametrize(
    "fn",
    [read_in_a_branch, read_by_a_method, read_of_the_module, left_changed, a_level, no_gradients],
    ids=lambda fn: fn.__name__,
)
def test_what_no_code_names_is_looked_at_too(fn: Callable[..., Any]) -> None:
    """Refused; and then all is what it was."""
    with pytest.raises(tl.UnsupportedError, match="LIST|held|setting"):
        tl.transpile(fn, source="numpy", to="numpy", args=(X,))
    assert [] == LIST
    assert LOG.level == logging.NOTSET
    assert torch.is_grad_enabled()
