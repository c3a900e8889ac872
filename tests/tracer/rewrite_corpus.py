"""Small functions for every construct of Python 3.11; test_rewrite.py runs each as it is and rewritten.

`case(*calls)` gives the arguments of each call. What a function does in passing it tells `log`, in its order.
"""

# ruff: noqa: E702, E713, E714, E731, F821, F823, F841, F842, I001

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import operator
import sys
import warnings
from collections.abc import Callable
from typing import Any

CASES: list[tuple[Callable[..., Any], tuple[tuple[Any, ...], ...]]] = []
LOG: list[Any] = []
FACTOR = 10


def case(*calls: tuple[Any, ...]) -> Callable[[Any], Any]:
    def register(fn: Any) -> Any:
        CASES.append((fn, calls))
        return fn

    return register


def log(value: Any, /, **named: Any) -> Any:
    LOG.append((repr(value), *named.items()) if named else repr(value))
    return value


class Loud:
    """Tells of everything that is done to it."""

    def __init__(self, name: str, truth: bool = True) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "truth", truth)

    def __repr__(self) -> str:
        return self.name

    def __bool__(self) -> bool:
        log(f"bool({self.name})")
        return self.truth

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return log(Loud(f"{self.name}.{name}"))

    def __setattr__(self, name: str, value: Any) -> None:
        log(f"{self.name}.{name} = {value!r}")

    def __delattr__(self, name: str) -> None:
        log(f"del {self.name}.{name}")

    def __getitem__(self, index: Any) -> Any:
        return log(Loud(f"{self.name}[{index!r}]"))

    def __setitem__(self, index: Any, value: Any) -> None:
        log(f"{self.name}[{index!r}] = {value!r}")

    def __delitem__(self, index: Any) -> None:
        log(f"del {self.name}[{index!r}]")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return log(Loud(f"{self.name}{args!r}{kwargs!r}"))

    def __iter__(self) -> Any:
        log(f"iter({self.name})")
        return iter([Loud(f"{self.name}0"), Loud(f"{self.name}1")])

    def __contains__(self, item: Any) -> bool:
        log(f"{item!r} in {self.name}")
        return self.truth

    def __enter__(self) -> Any:
        log(f"enter {self.name}")
        return self.name, (1, 2)

    def __exit__(self, *error: Any) -> bool:
        log(f"exit {self.name} {error[0]}")
        return self.truth

    def __format__(self, spec: str) -> str:
        return f"<{self.name}:{spec}>"


def _operator(name: str) -> Callable[..., Any]:
    def method(self: Loud, *others: Any) -> Any:
        return log(Loud(f"{name}({', '.join(map(repr, (self, *others)))})", self.truth))

    return method


for _name in (
    "add sub mul matmul truediv floordiv mod pow lshift rshift and or xor radd "
    "iadd isub imul imatmul ior lt le gt ge eq ne neg pos invert"
).split():
    setattr(Loud, f"__{_name}__", _operator(_name))

A, B, C, D = (Loud(name) for name in "abcd")
NO = Loud("no", truth=False)


# Calls


def several(*args: Any, **kwargs: Any) -> Any:
    return args, kwargs


@case((A, B, C, D))
def calls_in_order(a, b, c, d):
    return a(b(1), *[c(2)], d, k=b.m(3), **{"n": c.o.p(4)}, z=d)


@case(([1], {"k": 2}))
def stars(xs, named):
    return several(*xs, 0, *xs, j=1, **named), [*xs, 5, *"ab"], {*xs, 7}, (*xs,), {**named, "k": 3, **named}


@case((1,), (1, 2), ())
def too_many(a):
    return a


@case((3,))
def not_callable(x):
    y = x + 1
    return y(
        x,
    )


@case(([3, 1, 2],))
def keyword_called_self(xs):
    def f(*, self, f, hooks=1, obj=2):
        return self, f, hooks, obj

    return f(self=1, f=2, obj=3), sorted(xs, key=lambda x: -x, reverse=False)


@case(("ab",), (3,))
def chained_methods(text):
    return text.upper().lower().replace("a", "b")


@case((3,))
def raises_deep_in_a_chain(x):
    return str(x).strip().nothing.at()


@case()
def builtins_that_read_frames():
    here = 1
    names = sorted(locals())
    inner = (lambda there=2: sorted(locals()))()
    its_globals = globals() is sys.modules[log.__module__].__dict__
    return names, inner, eval("here + 1"), its_globals, sorted(vars()), dir()


@case()
def frame_readers_under_other_names():
    mine, theirs = locals, globals
    here = 1
    return sorted(mine()), theirs()["FACTOR"], here


@case((2,))
def eval_is_the_users_own(x):
    def eval(y, *, n):
        return y, n

    return eval(x, n=1), [eval(i, n=i) for i in range(2)]


@case((1,), (0,))
def locals_in_operands(x):
    y = 2
    return x and sorted(locals()), sorted(locals()) if x else y


@case((1,))
def warns_at_the_users_line(x):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn("here", stacklevel=1)
        helper_that_warns()
        y = x
    return [(str(w.message), w.lineno, w.filename == __file__) for w in caught], y


def helper_that_warns():
    warnings.warn("there", stacklevel=2)


# Attributes and subscripts


@case((A, B, C))
def stores_in_order(a, b, c):
    a.x = b.y = c(1)
    a[b(2)] = c(3)
    a[b.i, 1 : c.j, ::2, ...].z[0] = b
    a.x, (b[c(4)], c.w) = a(5), b(6)
    [a[0], *b.rest, c[1]] = range(5)
    del a.x, b[c(7)], c[1:2]


@case((A, B, C), ([1, 2, 3], 1, 5))
def augmented_in_order(a, b, c):
    a[b] += c
    a[b - 1] -= c
    a[:] += [c]
    return a


@case((A, B))
def augmented_attributes(a, b):
    a.x += b.y
    a.x.y[b(1)].z *= b(2)
    a.m @= b
    a.n |= b


@case(({},), ({"k": [1]},))
def augmented_missing(d):
    d["k"] += [2]
    alias = d["k"]
    alias += [3]
    d["k"][0] <<= 2
    return d, alias


@case(([0, 1, 2, 3, 4, 5],))
def slices(x):
    y = x[:]
    x[1:3] = [9]
    del x[-1]
    return x[::2], x[1:], x[:-1], x[-1], y[slice(1, 2)], x[1:4:2], list[int], x[True]


@case((3,), ("abc",))
def no_such_attribute(x):
    return x.upper().lower


@case(([1, 2],), ({0: 1},), (5,))
def bad_subscripts(x):
    log(x[0])
    return x[7]


@case((Loud("o"), (1, 2)))
def starred_index(x, i):
    return x[*i, 3], x[(*i,)]


class Private:
    __hidden = 1

    def __init__(self):
        self.__own = [2]

    def __helper(self, __x=3):
        return __x, self.__own

    def run(self, other=None):
        __local = self.__hidden
        if other is None:
            __local += 1
        self.__own[0] += __local
        self.__own, rest = [self.__own[0]], 5
        return self.__helper(), self.__own and self.__local_too(__local), rest, sorted(vars(self))

    def __local_too(self, _Private__x):
        return [__x for __x in (_Private__x,)], (lambda: self.__helper(_Private__x=7))()

    def missing(self):
        return self.__nothing


@case()
def private_names():
    return Private().run(), Private().run(1)


@case()
def private_name_missing():
    Private().missing()


# Operators


@case((A, B), (7, 2), (2.5, -2), (True, False), ("a", 1), ([1], 2))
def arithmetic(a, b):
    made = []
    for f in (
        lambda: a + b, lambda: a - b, lambda: a * b, lambda: a / b, lambda: a // b, lambda: a % b,
        lambda: a**b, lambda: a << b, lambda: a >> b, lambda: a & b, lambda: a | b, lambda: a ^ b,
        lambda: a @ b, lambda: -a, lambda: +a, lambda: ~a, lambda: not a,
    ):  # fmt: skip
        try:
            made.append(f())
        except TypeError as error:
            made.append(str(error))
    return made


@case((7, 2), ([1], [2]), (A, B), (1, "a"))
def in_place(a, b):
    kept = a
    made = []
    for op in range(4):
        try:
            if op == 0:
                a += b
            elif op == 1:
                a -= b
            elif op == 2:
                a *= b
            else:
                a |= b
        except TypeError as error:
            made.append(str(error))
    return kept, a, kept is a, made


@case((A, B, C, D), (1, 2, 3, 3), (3, 2, 1, 0), (1, "a", 2, 3))
def comparisons(a, b, c, d):
    return a < b, a <= b < c, a == b != c > d, a is b is not c, a < b(1) < c if a is A else 0, not a < b < c


@case((1, [1, 2]), (3, [1, 2]), (A, B), ("a", "abc"), (1, 5))
def membership(a, b):
    return a in b, a not in b, 1 < 2 in [True, 2], not a in b


@case((1,), (5,))
def chain_evaluates_the_middle_once(x):
    return 0 < log(x) < log(3), 0 < log(x) < 3 < log(9) <= log(9), (0 < x) < 2


@case((A, NO, B), (NO, A, B), (NO, NO, NO), (0, [], ""), (1, 2, 3))
def boolean_values(a, b, c):
    return a and b, a or b, a and b and c, a or b or c, not a, not (a and b)


@case((A, NO), (NO, A), (NO, NO))
def truth_is_asked_once(a, b):
    if a and b:
        log("both")
    if a or b or a:
        log("one")
    if not (a and b):
        log("not both")
    if (a if b else b) and not a:
        log("odd")
    while b and not a:
        log("loop")
        break
    assert a or b or True, log("no")
    return [1 for _ in "x" if a and b], 1 if a or b else 2


@case((A, B, C), (NO, B, C))
def conditional(a, b, c):
    return (b(1) if a else c(2)), (a if b else b if c else a), [x if x else a for x in (b, c)]


@case((1,), (-1,))
def constants_only(x):
    return -1, 2**10, "a" * 3, not True, 1 < 2, (1, -2), ("ab") % ()


@case((5, 0), (5, 2))
def division(x, y):
    z = (x + 1) / (y)
    return z


# Strings


@case((A, 5), ("é", 10), (None, 6), (1.5, 8))
def fstrings(x, w):
    nested = f"a{f'{w}b'}", f"{'x'}{w + 1!r:>4}"
    return f"{x}", f"{x!r}", f"{x!s:>{w}}", f"{x=}", f"{x!a}{{}}{w:03d}", nested


@case((1, 2))
def fstring_of_calls(x, y):
    return f"{log(x)} {log(y):{log(3)}} {(lambda: x)()} {x if y else 0} {x < y < 3}"


@case((1.5,), ("a",))
def bad_format(x):
    return f"{x:d}"


# Unpacking


@case(([1, 2],), ((1,),), ("abc",), (5,), (A,), ({1: 2, 3: 4},), (iter([1, 2, 3]),), (None,))
def pairs(value):
    a, b = value
    return a, b


@case(([1, 2, 3],), ([1],), ([],), (range(5),), (7,))
def starred_target(value):
    a, *b, c = value
    [*d] = value
    return a, b, c, d


@case(([1, (2, [3, 4, 5])],), ([1, (2, [])],), ([1, 2],))
def nested_target(value):
    try:
        a, (b, [c, *d]) = value
    except (TypeError, ValueError) as error:
        return str(error), "a" in locals()
    return a, b, c, d


@case(([0, 1],))
def targets_depend_on_each_other(x):
    i = 0
    i, x[i] = 1, 2
    x[i], i = 3, 0
    x[0], x[1] = x[1], x[0]
    a = b, c = x
    return x, i, a, b, c


@case()
def infinite_iterators():
    def count():
        n = 0
        while True:
            yield log(n)
            n += 1

    try:
        a, b = count()
    except ValueError as error:
        return str(error)
    return a, b


# Loops and comprehensions


@case((A,), ([1, 2],), (5,), ({},))
def loops(xs):
    seen = []
    for x in xs:
        seen.append(x)
        if x == 1:
            continue
        for i in range(3):
            if i == 2:
                break
            seen.append(i)
        else:
            seen.append("never")
    else:
        seen.append("else")
    return seen


@case(([(1, (2, 3)), (4, (5, 6))],), ([(1, 2)],), ([1],))
def loop_targets(xs):
    box = {}
    for i, (box["a"], *box["b"]) in enumerate(xs):
        log((i, dict(box)))
    for a, (b, c) in xs:
        log((a, b, c))
    for box[0] in "ab":
        log(box[0])
    return box, a, b, c


@case((5,), (0,))
def while_loops(n):
    total = 0
    while n > 0 and total < 100:
        n -= 1
        if n == 3:
            continue
        total += n
    else:
        log("else")
    while True:
        total += 1
        if total > 10:
            break
    while (m := n - 1) >= -3:
        n = m
    return total, n, m


@case(([3, 1, 2],), ([],), (7,))
def comprehensions(xs):
    k = 2
    return (
        [x * k for x in xs],
        {x % 2 for x in xs if x > 1 if x < 3},
        {x: y for x in xs for y in range(x) if x != y},
        sum(x for x in xs if 0 < x < 3),
        [[y for y in range(x)] for x in xs],
        [(lambda: x + k)() for x in xs],
        [f for f in (lambda i=i: i for i in xs)][0]() if xs else None,
        [x and k or -1 for x in xs],
    )


@case(([(1, (2, 3))],), ([(1, (2, 3, 4))],), ([(1, 2)],), ([(1,)],))
def comprehension_targets(xs):
    box = {}
    return (
        [a + b for a, (b, *_) in xs],
        {a: b for a, [b, c] in xs if a < b},
        [i for i, (a, b) in enumerate(xs) for a in b],
        [box[0] for box[0] in xs],
        [b for (*a, b), c in [((1, 2, 3), 4)]],
    )


@case(([1, 2, 3],))
def walrus(xs):
    kept = [y := x * 2, y + 1, [z := v for v in xs if (w := v) > 1]] if (x := len(xs)) else []
    a = x and (b := 5)
    return kept, y, z, w, a, b


@case((3,))
def generator(n):
    def inner(n):
        got = yield "start"
        while n:
            got = yield log(got) or n
            n -= 1
        return "done", (yield) and 1

    made = inner(n)
    sent = [next(made), made.send(5), made.send(None)]

    def outer():
        result = yield from inner(1)
        x = yield result, [i for i in (yield)]
        return x

    other = outer()
    sent += [next(other), next(other), other.send(4), other.send(0), other.send([7, 8])]
    return sent, inspect.isgeneratorfunction(inner)


@case((3,))
def is_a_generator(n):
    for i in range(n):
        if i:
            yield i if i > 1 else log(-i)
    return n


@case((0,), (2,))
def lazy_generators(n):
    k = 1
    squares = (x * k for x in range(n))
    k = 3
    return list(squares), k


# Statements


@case((1,), (0,), ([],), (A,))
def conditions(x):
    if x:
        y = 1
    elif not x and x == 0:
        y = 2
    else:
        y = 3
    return y


@case((1, 2), (3, 2))
def asserts(x, y):
    assert x < y, log(x) + y
    assert y
    return x


@case(("value",), ("key",), ("both",), ("none",), ("return",))
def exceptions(kind):
    try:
        try:
            log("try")
            if kind == "value":
                raise ValueError(kind)
            if kind in ("key", "both"):
                raise KeyError(kind)
            if kind == "return":
                return "returned"
        except ValueError as error:
            log(error)
            raise TypeError("new") from error
        except (KeyError, IndexError):
            if kind == "both":
                raise
            log("key")
        else:
            log("else")
        finally:
            log("finally")
    finally:
        log("outer")
    return "end"


@case((1,), (2,), (3,))
def exception_groups(n):
    try:
        raise ExceptionGroup("many", [ValueError(i) if i % 2 else TypeError(i) for i in range(n)])
    except* ValueError as group:
        log(len(group.exceptions))
    except* TypeError:
        log("type")


@case((A, NO), (NO, A))
def contexts(a, b):
    with a as (name, (one, two)), b(1) as b.x, contextlib.nullcontext() as c:
        log((name, one, two, c))
        raise KeyError(name)
    return "after"


@case(([1, 2, 3],), ({"k": 1, "m": 2},), (Loud("x"),), (5,), ("s",), ([1],))
def matches(x):
    match x:
        case [1, *rest] if log(rest) and len(rest) > 1:
            return "list", rest
        case {"k": k, **others}:
            return k, others
        case int(n) | str(n):
            return n
        case Loud(name=name) as whole:
            return name, whole is x
        case _:
            return "other"


@case()
def deletes():
    x = [1, 2, 3]
    y = {"a": x}
    del x[0], y["a"][0]
    del x
    return y


@case()
def reads_a_deleted_name():
    x = 1
    del x
    return x


@case((0,), (1,))
def unbound_in_operands(n):
    if n:
        y = 1
    try:
        return n or y, n and y, y if not n else -y, 0 < 1 < y
    except UnboundLocalError as error:
        return str(error)


@case((True,), (False,))
def unbound_after_loop(go):
    for i in range(3 if go else 0):
        last = i
    return last


@case()
def undefined_global():
    return FACTOR and nothing_of_this_name


@case()
def annotations():
    x: int = 1
    y: undefined_name
    box = {}
    box["k"]: int = 2
    (z): int = 3

    def inner(a: also_undefined = 4) -> not_defined:
        return a

    return x, box, z, inner(), inner.__annotations__


@case()
def global_names():
    global FACTOR
    old = FACTOR
    FACTOR += 1
    new = FACTOR
    FACTOR = old
    return old, new


@case()
def imports():
    import os.path as p
    from math import floor, pi as number

    import collections.abc

    return p.join("a", "b"), floor(number), collections.abc.Sized is not None


# Functions


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


# Branches on None


@case((1,), (1, 2))
def optional_argument(x, z=None):
    res = x + 1
    if z is not None:
        res = res + z
    return res


@case((1,), (1, 2), (1, None, 3), (1, 2, 3))
def optional_arguments(x, y=None, z=None):
    if y is None and z is None:
        return "neither"
    elif not (y is not None):
        x, kind = z, "z"
    else:
        kind = "y"
        if z is None or y is None:
            kind += "?"
    return x, kind


@case((1,), (1, 2))
def default_made_inside(x, z=None):
    if z is None:
        z = [x]
        tmp = len(z)
        z.append(tmp)
    if z is not None:
        z = z, 1
    return z


@case((3,), (3, 1), (0,), (3, None, 1))
def branches_in_loops(n, z=None, y=None):
    seen, last = [], None
    for i in range(n):
        if z is None:
            if i == 1:
                continue
            prev = last
        elif y is None:
            if i == z:
                break
            for j in range(5):
                if j == i:
                    break
                seen.append(j)
            prev = -1
        else:
            prev = 0
        last = i
        seen.append((i, prev))
    else:
        seen.append("else")
    while n:
        n -= 1
        if y is None:
            if n == 1:
                break
            continue
        seen.append(n)
    return seen, last, n


@case((0,), (1,), (0, 1), (1, 1))
def returns_from_branches(x, z=None):
    for i in range(3):
        if z is None:
            if x:
                return "early", i
        else:
            try:
                if x:
                    return "late", i
            finally:
                log(i)
    return "end"


@case((), (1,))
def bound_in_one_branch(z=None):
    if z is None:
        y = 1
    try:
        return y
    except UnboundLocalError as error:
        return str(error)


@case((), (1,))
def unbound_before_the_branch(z=None):
    try:
        if z is None:
            log(y)
        else:
            y = 2
            log(y)
    except UnboundLocalError as error:
        return str(error)
    return y


@case((), (1,))
def deleted_in_a_branch(z=None):
    x = y = 5
    if z is None:
        del x
        y = x if z else 1
    return y, x


@case((), (1,))
def never_bound_but_local(z=None):
    try:
        FACTOR
    except UnboundLocalError as error:
        log(error)
    if z is not None:
        FACTOR = 3
        log(FACTOR)
    return z


@case((), (1,))
def seen_by_a_handler(z=None):
    y = 0
    try:
        if z is None:
            y = 1
            raise ValueError(y)
    except ValueError:
        return y
    with contextlib.suppress(KeyError):
        if z is not None:
            y = 2
            raise KeyError
    return y


@case((), (1,))
def seen_by_a_closure(z=None):
    y = 0

    def look():
        return y

    if z is None:
        y = 1
        log(look())
    later = (y for _ in "ab")
    if z is not None:
        y = 2
        log(list(later))
    if z is None:
        made = [lambda: y]
        y = 7
        log(made[0]())
    return look(), y


@case((), (1,))
def closure_made_afterwards(z=None):
    if z is None:
        z = 4
    add = lambda x: x + z
    return add(1)


@case((), (1,))
def functions_in_branches(z=None):
    if z is None:

        def f():
            return "then"

        class K:
            def m(self):
                return z
    else:
        f = lambda: "else"
        K = None
    return f(), f.__qualname__, K and (K.__qualname__, K.m.__qualname__, K().m())


@case((), (1,))
def yields_in_branches(z=None):
    if z is None:
        x = yield 1
    else:
        x = 2
    if z is None:
        x = [x]
    yield x


@case((), (1,))
def looks_at_its_locals(z=None):
    if z is None:
        tmp = 1
    return sorted(locals())


class WithNone:
    def __init__(self, x=None):
        self.x = x

    def area(self, z=None):
        return self.x, z


class Deeper(WithNone):
    def __init__(self, x=None, *, __y=None):
        if x is None:
            super().__init__(5)
        else:
            super().__init__(x)
        if __y is None:
            __y = 3
        self.__y = __y

    def area(self, z=None):
        if z is None:
            z = self.__y
            name = __class__.__name__
        else:
            name = ""
        return super().area(z), name


@case()
def branches_in_methods():
    return Deeper().area(), Deeper(1).area(2)


@case((), (1,))
def globals_in_branches(z=None):
    global FACTOR
    old = FACTOR
    if z is None:
        FACTOR = 20
    now, FACTOR = FACTOR, old
    return now


@case((), (1,))
def raises_in_branches(z=None):
    if z is None:
        raise ValueError("z is needed")
    if z is not None:
        try:
            raise KeyError(z)
        except KeyError as error:
            kept = error
            if z is None:
                log("never")
            else:
                raise
    return kept


@case((), (1,), (None, 2))
def walrus_and_match_in_branches(z=None, y=None):
    if z is None:
        if (n := y) is not None and (m := n + 1):
            log(m)
        match [n, 5]:
            case [None, k]:
                log(k)
            case [k, _]:
                import math as n
        if y is not None:
            for n, k in [(1, 2)]:
                pass
        with contextlib.nullcontext(3) as w:
            k += w
    else:
        n = k = 0
    return n, k


@case((), (1,))
def jumps_through_finally_in_branches(z=None):
    e = d = 1
    for i in range(3):
        if z is None:
            try:
                break
            finally:
                d = 5
        else:
            try:
                raise KeyError
            except KeyError as e:
                continue
    try:
        return d, e
    except UnboundLocalError as error:
        return d, str(error)


@case((), (1,))
def unreachable_branches(z=None):
    return 1
    if z is None:
        x = 2
    return x


@case((), (1,))
def nothing_in_branches(z=None):
    if z is None:
        pass
    elif z is not None:
        log("here")
    (lambda z=None: z if z is not None else log("none"))()


@case((), (1,))
def rebinding_by_except(z=None):
    e = 1
    if z is None:
        try:
            raise KeyError
        except KeyError as e:
            log(repr(e))
    try:
        return e
    except NameError as error:
        return str(error)
