"""Calls, attributes and subscripts."""

# ruff: noqa: E702, E713, E714, E731, F821, F823, F841, F842, I001

from __future__ import annotations

import sys
import warnings
from typing import Any

from rewrite_corpus.base import A, B, C, D, Loud, case, log

FACTOR = 10

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
    its_globals = globals() is sys.modules[__name__].__dict__
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
