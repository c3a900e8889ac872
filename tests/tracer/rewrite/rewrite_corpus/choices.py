"""Tests of any kind, `match` on plain values, `assert` and `raise`."""

# ruff: noqa: E702, E711, E712, E713, E714, E731, F632, F821, F823, F841, F842, I001

from __future__ import annotations

import contextlib
import enum

from rewrite_corpus.base import A, B, NO, case, log


class Color(enum.Enum):
    RED = 1
    BLUE = 2


# if


@case((1,), (-1,), (0,), ("a",))
def any_test(x):
    if x > 0:
        y = "more"
    elif x < 0:
        y, z = "less", x
    else:
        return "none"
    return y, z


@case((A, NO), (NO, A), (NO, NO), (A, B))
def tests_in_order(a, b):
    if a.x and b:
        made = a(1)
    elif not a or b:
        made = b(2)
    else:
        made = None
    if a:
        pass
    elif log(b) is a:
        made = 5
    if made is not None if b else a:
        del made
    return made


@case((0,), (1,), (2,), (3,))
def leaves_at_any_depth(n):
    if n:
        if n > 1:
            if n > 2:
                return "deep"
            x = n
        else:
            raise KeyError(n)
        x += 1
        if x == 3:
            return x
    return "end"


@case((0,), (1,), (2,))
def seen_from_around(n):
    x = y = "before"
    try:
        if n:
            x = "then"
            if n == 2:
                y = "inner"
                raise KeyError(n)
            y = "then"
        else:
            del y
            x = y
    except KeyError:
        return "caught", x, y
    except UnboundLocalError as error:
        x = str(error)
    finally:
        log(x)
    return x, y


@case((0,), (1,))
def seen_from_inside(n):
    x = 0
    look = lambda: x
    if n:
        x = 1
        log(look())
        if look():
            x = 2
            del x
            x = 3
        log(look())
    else:
        del x
        if n == 0:
            x: int
            x: int = 4
    return look()


@case((0,), (1,))
def changed_from_inside(n):
    x = 0

    def change(by):
        nonlocal x
        x += by
        return x

    if change(1) > n:
        x = x + change(10)
    else:
        change(5)
    return x, [x := y for y in (7, 8)], x


@case((0,), (1,))
def deletes_what_may_be_gone(n):
    made = [lambda: x]
    if n:
        x = 1
    if made:
        (del_me, [other]) = 1, [2]
        del (del_me, (other,)), made[0], x
    return n


# match


@case((1,), (2,), (-3,), (2.5,), ("a",), (b"b",), (None,), (True,), (False,), (Color.RED,), ([],), ((),))
def plain_patterns(x):
    match x:
        case None:
            return "none"
        case True | False:
            kind = "bool"
        case 1 | 2 if log(x) == 2:
            kind = "two"
        case -3 | 2.5 | 1j:
            kind = "number"
        case "a" | b"b" as text:
            kind = text
        case Color.RED:
            kind = Color.RED.name
        case y if y == []:
            kind = y, "empty"
        case _ if log("guard") is None:
            kind = "never"
        case other:
            kind = "other", other
    return kind, x


@case((A,), (NO,))
def patterns_in_order(a):
    match a(1):
        case a.x:
            log("first")
        case a.y | 2 if a.z:
            log("second")
        case 3:
            log("third")
    match a:
        case 5:
            log("no")


@case((0,), (1,), (2,), (3,), (4,))
def leaves_from_cases(n):
    for i in range(3):
        match n:
            case 0:
                continue
            case 1:
                break
            case 2:
                return "two", i
            case 3 if i:
                raise KeyError(i)
            case m if m > 3:
                x = m
    else:
        return "else", i
    return i, x


@case((1,), (2,), (3,))
def nested_matches(x):
    match x:
        case 1:
            match x + 1:
                case 2:
                    y = "inner"
        case n if n > 2:
            match n, x:
                case (3, k):
                    y = k
        case _:
            pass
    return y


@case((1,), (2,))
def yields_from_cases(x):
    match x:
        case 1:
            yield "one"
        case n:
            yield n
    yield locals()["x"]


# assert and raise


@case((1,), (0,))
def messages_once(x):
    assert x == 1, log(f"{x} is not 1")
    assert (y := x), y
    try:
        assert not x, (z := "message")
    except AssertionError as error:
        return str(error), z


@case((A,), (NO,))
def asserts_ask_once(a):
    assert a and a.x, a.message
    assert a


@case((0,), (1,), (2,), (3,), (4,))
def raises_of_every_kind(n):
    try:
        if n == 0:
            raise KeyError
        if n == 1:
            raise ValueError(n) from None
        if n == 2:
            raise log(ValueError("two")) from log(KeyError("cause"))
        if n == 3:
            raise "no exception"
        raise
    except (ValueError, KeyError) as error:
        log((type(error.__cause__), error.__suppress_context__))
        with contextlib.suppress(KeyError):
            raise
        raise TypeError("again") from error
