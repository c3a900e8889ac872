"""Loops that are left in every way, from every depth; what fails in them, and where."""

# ruff: noqa: E702, E713, E714, E731, F821, F823, F841, F842, I001

from __future__ import annotations

import contextlib

from rewrite_corpus.base import Loud, case, log


@case(([],), ([1, 2],), ([1, 5, 2],), ([0],), ([-1],), ([3, 0],), (7,))
def every_way_out(xs):
    seen, last = [], None
    for x in xs:
        if x == 5:
            break
        if not x:
            continue
        if x < 0:
            return "negative", seen
        last = x
        seen.append(x)
    else:
        seen.append("else")
    return seen, last, x


@case((0,), (3,), (5,), (9,), (12,), (-1,))
def every_way_out_of_while(n):
    seen = []
    while n:
        n -= 1
        if n == 3:
            continue
        if n == 4:
            seen.append("broke")
            break
        if n > 9:
            return n, seen
        if n < 0:
            raise ValueError(n)
        seen.append(n)
    else:
        seen.append("else")
        return seen, n, "returned"
    return seen, n


@case((0, 0), (1, 0), (0, 1), (2, 2), (1, 3), (3, 1))
def ways_out_of_nested_loops(a, b):
    seen = []
    for i in range(4):
        for j in range(4):
            if i == a and j == b:
                break
            if j > i:
                continue
            seen.append((i, j))
            if i + j > 4:
                return "far", seen
        else:
            if i == b:
                continue
            seen.append("else")
            if i == a:
                break
        while j:
            j -= 1
            if j == a:
                break
        else:
            seen.append(i)
            if b == 3:
                return seen
    else:
        return "end", seen, i, j
    return "broke", seen, i, j


@case((0,), (1,), (2,), (3,), (4,))
def else_of_a_loop_leaves_the_one_around(kind):
    seen = []
    while True:
        for i in range(kind):
            if i == 2:
                break
            seen.append(i)
        else:
            seen.append("else")
            if kind == 1:
                break
            kind = 3
            continue
        if len(seen) > 4:
            return seen, i
        kind = 1 if kind == 4 else 4
    return seen, kind


@case((2,), (0,), (5,))
def endless(n):
    while True:
        n += 1
        if n > 6:
            break
        while 1:
            n += 2
            if n > 4:
                break
        else:
            log("never")
    return n


@case((3,), (0,))
def never_runs(n):
    while False:
        n = 1
    while 0:
        later = n
    else:
        n += 1
    return n


@case((1,), (2,), (3,), (4,))
def through_try(kind):
    seen = []
    for i in range(5):
        try:
            if i == kind == 1:
                break
            if i == kind == 2:
                continue
            if i == kind == 3:
                return "returned", seen
            if i == kind == 4:
                raise KeyError(i)
            seen.append(i)
        except KeyError as error:
            seen.append(repr(error))
            continue
        finally:
            seen.append("finally")
            x = i
    else:
        seen.append("else")
    return seen, x


@case((1,), (2,), (3,))
def finally_changes_what_was_handed_over(kind):
    x = 0
    for i in range(4):
        x += 1
        try:
            if i == kind:
                break
        finally:
            x += 10
    while x:
        try:
            x -= 1
            if x % 2:
                continue
            if x < 9:
                return x
        finally:
            x -= 2
            if kind == 3:
                break
    return x


@case((0,), (1,), (2,))
def an_except_forgets_its_name(kind):
    for error in range(3):
        try:
            raise KeyError(error)
        except KeyError as error:
            if kind == 1:
                break
            error = kind
            if kind == 2:
                continue
    return error


@case((0,), (1,))
def around_a_loop(fails):
    x = 0
    try:
        for i in range(4):
            x += 1
            if fails and i == 2:
                raise KeyError(x)
    except KeyError:
        return "caught", x, i
    finally:
        log(x)
    with contextlib.suppress(ValueError):
        while True:
            x += 1
            if x == 7:
                raise ValueError
    return x, i


@case((0,), (1,))
def contexts_in_a_loop(swallows):
    kept = []
    for i in range(3):
        with Loud("manager", bool(swallows)) as kept[1:]:
            if i == 1:
                continue
            if i == 2 and swallows:
                break
            x = i
            raise KeyError(x) if swallows else None
    return kept, i, x


# Errors and where they are

# fmt: off


@case((0,), (1,), (2,), (3,))
def fails_in_a_turn(kind):
    total = 0
    for i in range(3):
        if i == kind:
            total += (
                1
                / (i - kind)
            )
        while total == "never":
            pass
        total += len(str(i)) + (None if kind == 3 else 0)
    return total


@case((0,), (1,))
def fails_in_a_test(kind):
    n = 3
    while 10 / (n - kind):
        n -= 1


@case((5,), ((1, 2, None),))
def fails_to_go_on(xs):
    for x in xs:
        log(
            x + 1
        )


@case((1,), ((1,),))
def fails_in_its_else(x):
    for i in x, 1:
        pass
    else:
        raise ValueError(
            i) from KeyError(x)
