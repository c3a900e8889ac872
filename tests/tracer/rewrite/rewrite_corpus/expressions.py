"""Operators, strings, unpacking."""

# ruff: noqa: E702, E713, E714, E731, F821, F823, F841, F842, I001

from __future__ import annotations

from rewrite_corpus.base import A, B, C, D, NO, case, log


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
