"""Statements that none of the other files is about."""

# ruff: noqa: E702, E713, E714, E731, F821, F823, F841, F842, I001

from __future__ import annotations

import contextlib

from rewrite_corpus.base import A, NO, Loud, case, log

FACTOR = 10


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
