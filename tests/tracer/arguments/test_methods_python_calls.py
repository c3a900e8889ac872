"""Methods of the user's classes that Python itself calls, and functions that libraries' decorators call: what
they ask of their arguments is seen.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import bisect
import collections
import collections.abc
import contextlib
import copy
import functools
import heapq
import operator
from typing import Any

import numpy as np
import pytest
import torch
from ways import agrees_or_raises

import tracelate as tl

X = np.arange(6, dtype=np.float32).reshape(2, 3) - 2
B = np.float32([1, -2, 3])


class Of:
    @staticmethod
    def number(m):
        """Which of several kinds a value is of."""
        return 1 if m is None else 2 if isinstance(m, (int, float)) else 3 if type(m) is list else 4

    @staticmethod
    @torch.no_grad()
    def another(m):
        return 5 if m is None else 6


class Holds:
    def __init__(self, m):
        self.m = m

    def __bool__(self):
        return self.m is not None

    def __len__(self):
        return 1 if self.m is None else 2

    def __eq__(self, other):
        return Of.number(self.m) == Of.number(other.m)

    def __lt__(self, other):
        return Of.number(self.m) < Of.number(other.m)

    def __contains__(self, key):
        return hasattr(self.m, key)

    def __iter__(self):
        yield 1
        if self.m is None:
            yield 2

    def __str__(self):
        return "none" if self.m is None else "some"

    def __format__(self, spec):
        return "none" if self.m is None else "some"

    def __hash__(self):
        return Of.number(self.m)

    def __int__(self):
        return Of.number(self.m)

    def __float__(self):
        return Of.number(self.m) / 1

    def __index__(self):
        return Of.number(self.m)

    def __abs__(self):
        return Of.number(self.m)

    def __round__(self, digits=None):
        return Of.number(self.m)

    def __divmod__(self, other):
        return Of.number(self.m), 1

    def __reversed__(self):
        return iter([Of.number(self.m)])

    def __copy__(self):
        return Of.number(self.m)

    def __getattr__(self, name):
        if name == "given":
            return Of.number(self.m)
        raise AttributeError(name)

    def __enter__(self):
        return Of.number(self.m)

    def __exit__(self, *error):
        return None

    @property
    def kind(self):
        return Of.number(self.m)

    @contextlib.contextmanager
    def opened(self):
        yield Of.number(self.m)

    def of(self, x):
        return x * Of.number(self.m)


class Counts:
    def __init__(self, m):
        self.m, self.at = m, 0

    def __iter__(self):
        return self

    def __next__(self):
        self.at += 1
        if self.at > Of.number(self.m):
            raise StopIteration
        return self.at


class Table(dict):
    def __missing__(self, key):
        return Of.number(self["m"])


class Params(collections.abc.Mapping):
    def __init__(self, m):
        self.m = m

    def __getitem__(self, key):
        if key == "k" or self.m is not None:
            return Of.number(self.m)
        raise KeyError(key)

    def __iter__(self):
        return iter(["k"] if self.m is None else ["k", "m"])

    def __len__(self):
        return Of.number(self.m)


@functools.total_ordering
class Ordered:
    def __init__(self, m):
        self.m = m

    def __eq__(self, other):
        return Of.number(self.m) == Of.number(other.m)

    def __lt__(self, other):
        return Of.number(self.m) < Of.number(other.m)


class Kind:
    def __get__(self, owner, kind=None):
        return Of.number(owner.m)


class Described:
    kind = Kind()

    def __init__(self, m):
        self.m = m


class Asked:
    def __init__(self, m):
        self.m = m

    def __getattribute__(self, name):
        held = object.__getattribute__(self, "m")
        return Of.number(held) if name == "kind" else object.__getattribute__(self, name)


@contextlib.contextmanager
def opened(m):
    yield Of.number(m)


class Swapped(contextlib.ContextDecorator):
    def __init__(self, m):
        self.m = m

    def __enter__(self):
        return Of.number(self.m)

    def __exit__(self, *error):
        return None


def looped(x, m):
    for v in Holds(m):
        x = x + v
    return x


def turned(x, m):
    total = 0
    while Holds(m) and total < 2:
        total += 1
    return x * total


def entered(x, m):
    with Holds(m) as k:
        return x * k


def in_a_stack(x, m):
    with contextlib.ExitStack() as stack:
        return x * stack.enter_context(Holds(m))


def in_a_manager(x, m):
    with opened(m) as k, Holds(m).opened() as j:
        return x * k + j


def swapped(x, m):
    with Swapped(m) as k:
        return x * k


def asserted(x, m):
    assert Holds(m)
    return x * 2


def unpacked(x, m):
    first, *rest = Holds(m)
    return x * len(rest)


def heaped(x, m):
    heap = [Ordered(2.0), Ordered(m)]
    heapq.heapify(heap)
    return x * Of.number(heapq.heappop(heap).m)


def counted(x, m):
    for k in Counts(m):
        x = x * k
    return x


def matched(x, m):
    match Params(m):
        case {"m": k}:
            return x * k
    return x


def of_a_class_within(x, m):
    class Within:
        def __len__(self):
            return Of.number(m)

    return x * len(Within())


PROGRAMS = [
    lambda x, m: x * 3 if Holds(m) else x,
    lambda x, m: x * 3 if not Holds(m) else x,
    lambda x, m: x * 3 if Holds(m) and Holds(2) else x,
    lambda x, m: x * 3 if Holds(m) or x.ndim == 1 else x,
    lambda x, m: x * (2 if Holds(m) or False else 1),
    lambda x, m: x * bool(Holds(m)),
    lambda x, m: x * len(Holds(m)),
    lambda x, m: x * len([o for o in [Holds(m)] if o]),
    lambda x, m: x * any([Holds(m)]),
    lambda x, m: x * all([Holds(m), 1]),
    lambda x, m: x * len(list(filter(None, [Holds(m)]))),
    lambda x, m: x * operator.truth(Holds(m)),
    lambda x, m: x * sum(Holds(m)),
    lambda x, m: x * len(list(Holds(m))),
    lambda x, m: x * len([*Holds(m)]),
    lambda x, m: x * len(set(Holds(m))),
    lambda x, m: x * max(Holds(m)),
    lambda x, m: x * sum(map(operator.neg, Holds(m))),
    lambda x, m: x * len(dict(zip(Holds(m), "ab"))),
    lambda x, m: x * 3 if "shape" in Holds(m) else x,
    lambda x, m: x * 3 if Holds(m) == Holds(None) else x,
    lambda x, m: x * 3 if Holds(m) != Holds(None) else x,
    lambda x, m: x * ([Holds(None)].count(Holds(m)) + 1),
    lambda x, m: x * 3 if Holds(m) in [Holds(None)] else x,
    lambda x, m: x * {Holds(None): 5}.get(Holds(m), 7),
    lambda x, m: x * len({Holds(None), Holds(m)}),
    lambda x, m: x * hash(Holds(m)),
    lambda x, m: x * sorted([Holds(2.0), Holds(m)])[0].kind,
    lambda x, m: x * max([Holds(m), Holds(None)]).kind,
    lambda x, m: x * min(Holds(m), Holds(2.0)).kind,
    lambda x, m: x * (Ordered(m) >= Ordered(2.0)),
    lambda x, m: x * bisect.bisect([Holds(None), Holds(2.0)], Holds(m)),
    lambda x, m: x * int(Holds(m)),
    lambda x, m: x * float(Holds(m)),
    lambda x, m: x * [1, 2, 3, 4, 5][Holds(m)],
    lambda x, m: x * len(range(Holds(m))),
    lambda x, m: x * len("a" * Holds(m)),
    lambda x, m: x * abs(Holds(m)),
    lambda x, m: x * round(Holds(m)),
    lambda x, m: x * divmod(Holds(m), 2)[0],
    lambda x, m: x * next(reversed(Holds(m))),
    lambda x, m: x * copy.copy(Holds(m)),
    lambda x, m: x * 3 if str(Holds(m)) == "some" else x,
    lambda x, m: x * 3 if f"{Holds(m)}" == "some" else x,
    lambda x, m: x * 3 if "%s" % Holds(m) == "some" else x,
    lambda x, m: x * 3 if "{}".format(Holds(m)) == "some" else x,
    lambda x, m: x * 3 if "".join(map(str, [Holds(m)])) == "some" else x,
    lambda x, m: x * Holds(m).given,
    lambda x, m: x * getattr(Holds(m), "given"),
    lambda x, m: x * getattr(Holds(m), "kind", 5),
    lambda x, m: x * operator.attrgetter("kind")(Holds(m)),
    lambda x, m: operator.methodcaller("of", x)(Holds(m)),
    lambda x, m: list(map(Holds(m).of, [x]))[0],
    lambda x, m: x * list(map(Holds, [m]))[0].kind,
    lambda x, m: x * Table(m=m)["a"],
    lambda x, m: x * Params(m).get("m", 9),
    lambda x, m: x * len(dict(Params(m))),
    lambda x, m: x * sum(Params(m).values()),
    lambda x, m: x * len({**Params(m)}),
    lambda x, m: x * Described(m).kind,
    lambda x, m: x * Asked(m).kind,
    lambda x, m: x * sum(Counts(m)),
    lambda x, m: x * next(Counts(m)) + sum(1 for _ in Counts(m)),
    lambda x, m: x * Of.another(m),
    lambda x, m: x * collections.Counter([Holds(m), Holds(None)])[Holds(None)],
    looped, turned, entered, in_a_stack, in_a_manager, swapped, asserted, unpacked, heaped, counted, matched,
    of_a_class_within,
]  # fmt: skip


def taken(program, others):
    """The arguments that a program itself takes."""
    found = []
    for args in others:
        with contextlib.suppress(Exception):
            program(*args)
            found.append(args)
    return found


@pytest.mark.parametrize("example", [B, 2.0, [B], 3], ids=["array", "float", "list", "int"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_a_method_asks_is_seen(program: Any, example: Any) -> None:
    others = taken(program, [(X, B), (X, None), (X, 2.0), (X, 3), (X, [B])])
    agrees_or_raises(program, "numpy", (X, example), others, "torch")


@pytest.mark.parametrize("program", [program for program in PROGRAMS if program is not asserted])
def test_what_is_none_in_the_example(program: Any) -> None:
    agrees_or_raises(program, "numpy", (X, None), taken(program, [(X, B), (X, 2.0)]), "jax")


@pytest.mark.parametrize("program", PROGRAMS)
def test_classes_are_as_they_were(program: Any) -> None:
    before = [dict(vars(kind)) for kind in (Holds, Params, Table)]
    tl.symbolic_trace(program, (X, B))
    assert before == [dict(vars(kind)) for kind in (Holds, Params, Table)]


def test_classes_are_as_they_were_after_an_error() -> None:
    before = dict(vars(Holds))
    with pytest.raises(ZeroDivisionError):
        tl.symbolic_trace(lambda x: x * len(Holds(x)) * (1 // 0), (X,))
    assert before == dict(vars(Holds))


def helper(self):
    return self.m


class Borrowed:
    of = helper

    def __init__(self, m):
        self.m = m


def test_the_program_sees_its_own_methods() -> None:
    def f(x):
        own = [Borrowed.of is helper, Borrowed(x).of.__func__ is helper, getattr(Borrowed, "of") is helper]
        return x * (3 if all(own) else 2)

    np.testing.assert_array_equal(tl.transpile(f, (X,), to="numpy")(X), X * 3)
