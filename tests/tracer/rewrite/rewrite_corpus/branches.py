"""Branches on None."""

# ruff: noqa: E702, E713, E714, E731, F821, F823, F841, F842, I001

from __future__ import annotations

import contextlib

from rewrite_corpus.base import case, log

FACTOR = 10


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
