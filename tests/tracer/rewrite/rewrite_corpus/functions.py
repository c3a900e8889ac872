"""Functions, lambdas and classes."""

# ruff: noqa: E702, E713, E714, E731, F821, F823, F841, F842, I001

from __future__ import annotations

import contextlib
import functools
import math
import operator

from rewrite_corpus.base import case, log

FACTOR = 10


@case((2,))
def closures(n):
    count = 0

    def add(k=n, *rest, scale: int = 1, **named):
        """Adds."""
        nonlocal count
        count += k * scale
        return count

    add(), add(3, scale=2)
    twice = lambda f, *a: (f(*a), f(*a))
    about = add.__doc__, add.__name__, add.__qualname__, add.__defaults__, add.__kwdefaults__
    return count, twice(add, 1), about


@case((3,))
def recursion(n):
    def fact(k):
        return 1 if k < 2 else k * fact(k - 1)

    return fact(n), (lambda f: f(f, n))(lambda f, k: k and k + f(f, k - 1))


@case((1,))
def decorated(x):
    def twice(f):
        log(f.__name__)

        @functools.wraps(f)
        def wrapper(*args):
            return f(*args), f(*args)

        return wrapper

    @twice
    @log
    @twice
    def inner(y: int = x) -> int:
        return y + x

    return inner(5), inner.__wrapped__.__name__, inner.__qualname__


@case((2,))
def classes(n):
    class Base:
        size = n
        sizes = [i * n for i in range(n)]
        both = size and n, size if n else 0, 0 < size < 9
        (first, *others), box = "abc", {}
        box["k"] = first
        box["k"] += "!"

        def __init__(self, x):
            self.x = x

        @property
        def double(self):
            return self.x * 2

        @classmethod
        def make(cls, *args):
            return cls(*args)

        @staticmethod
        def plain(y):
            return y

        def area(self):
            return self.x

    class Derived(Base, metaclass=type):
        def __init__(self, x, y):
            super().__init__(x)
            self.y = y

        def area(self):
            inherited = super().area() if self.y else 0
            return inherited and super().area() * self.y, __class__.__name__

        class Inner:
            z = n

    made = Derived.make(3, 4)
    return (
        (Base.sizes, Base.both, Base.box, Base.others, Derived.Inner.z),
        (made.double, made.plain(1), made.area()),
        (Derived.__qualname__, Derived.Inner.__qualname__, Derived.area.__qualname__, sorted(vars(Base))),
    )


@case((1,))
def lambdas_on_one_line(x):
    fs = [lambda: x, lambda y: y + x, lambda *a, k=x, **n: (a, k, n)]
    gs = (lambda: 1, lambda: 2)
    return fs[0](), fs[1](2), fs[2](3, k=4, m=5), [g() for g in gs], fs[0].__qualname__


@case((1,), (0,))
def qualnames_inside_operands(x):
    f = x and (lambda: 1) or (lambda: 2)
    g = (lambda: 3) if x else (lambda: 4)
    return f.__qualname__, f(), g.__qualname__, g(), f.__name__


@case((4,))
def returns_nothing(x):
    x + 1
    return


@case((1, 2))
def docstring_only(x, y):
    """Nothing but this."""


async def _coroutine(x):
    return [i async for i in _numbers(x)]


async def _numbers(n):
    for i in range(n):
        yield i


@case((3,))
def asynchronous(n):
    async def inner(k):
        first = await _coroutine(k)
        async with contextlib.AsyncExitStack():
            return first and [i async for i in _numbers(k)], (lambda: k)()

    return run_coroutine(inner(n))


def run_coroutine(made):
    try:
        made.send(None)
    except StopIteration as stop:
        return stop.value


@case((1, 2), (math.nan, 1))
def module_functions(x, y):
    return math.sin(x), operator.add(x, y), functools.reduce(operator.mul, [x, y], FACTOR)
