"""Loops and comprehensions."""

# ruff: noqa: E702, E713, E714, E731, F821, F823, F841, F842, I001

from __future__ import annotations

import inspect

from rewrite_corpus.base import A, case, log


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
