"""Programs whose helpers write into what they are given, in branches and loops, and into what other helpers
gave, each with arguments.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arguments import ONLY_X, XN, M
from helper_programs import bump, total


def push(x, i, value):
    x[i] = value


def step(x):
    x -= 1


def halved(x):
    largest = x.max()
    x *= 0.5
    return largest


def where_positive(x):
    if x.sum() > 3:
        x[0] = 5.0


def counting(x):
    for i in range(x.shape[0]):
        x[i] = i


def ends(x):
    x[0] += 1
    x[-1] -= 1


def in_a_branch(x):
    y = x * 1
    if x.sum() > 3:
        bump(y)
    elif x.sum() > 0:
        y[1] = 3.0
    else:
        y = y * 2
    y *= 2
    return y


def in_a_static_branch(x, k: int):
    y = x * 1
    if k > 1:
        bump(y)
    return y


def with_a_branch(x):
    y = x * 1
    where_positive(y)
    where_positive(x)
    return y, x


def with_a_loop(x):
    y = x * 1
    counting(y)
    return y


def in_an_expression(x):
    y = x * 1
    z = total(y) if x.sum() > 3 else 0.0
    q = x.sum() > 3 and total(y) > 1
    return y, z, q


def in_a_test(x):
    y = x * 1
    if total(y) > 10:
        y[1] = 0
    return y


def in_a_loop(x, n: int):
    y = x * 1
    for i in range(n):
        push(y, 1, i)
        y *= 2
    return y


def at_parts_in_a_loop(x, n: int):
    y = x * 1
    history = []
    for i in range(n):
        bump(y[i:])
        history.append(y * 2)
        y += 1
    return history, y


def gathered(x, n: int):
    y = x * 1
    s = 0.0
    for _ in range(n):
        s = s + halved(y)
    return y, s


def on_an_argument(x, n: int):
    for _ in range(n):
        ends(x)
    return x


def rows(m):
    y = m * 1
    for r in y:
        bump(r)
    for i in range(m.shape[0]):
        push(y[i], 1, i)
    return y


def elements(m):
    y = m * 1
    for i in range(y.shape[0]):
        for j in range(y.shape[1]):
            push(y[i], j, i + j)
    return y


def in_a_while(x):
    y = x * 1
    while y.sum() > 0:
        step(y)
    return y


def in_the_test_of_a_while(x):
    y = x * 1
    k = 0
    while halved(y) > 0.1:
        y -= 0.01
        k += 1
        if k > 3:
            break
    return y, k


def in_the_test_alone(x):
    while halved(x) > 0.1:
        pass
    return x


def closed_over_in_a_test(x):
    y = x * 1
    counts = [0.0]

    def smaller():
        counts[0] = counts[0] + 1.0
        y[...] = y * 0.5
        return y.max()

    while smaller() > 0.1:
        pass
    return y, counts[0]


def until_small(x):
    y = x * 1
    n = 0
    while True:
        d = halved(y)
        n += 1
        if d < 0.1:
            break
    return y, n


def in_a_comprehension(x):
    y = x * 1
    [bump(y[i:]) for i in range(2)]
    return y


def grown(x):
    x[0] += 1
    return x * 2


def shrunk(x):
    x[0] -= 1
    return x * 0.5, x + 1


def what_a_call_gives(x):
    y = x * 1
    first = grown(y)
    second = grown(first)
    return y, first, second


def what_two_calls_give(x):
    y = x * 1
    half, more = shrunk(y)
    twice = grown(more)
    other, last = shrunk(half)
    return y, half, more, twice, other, last, grown(last), last


def again_and_again(x):
    y = x * 1
    for _ in range(3):
        z = grown(y)
        y = grown(z) * 0.25
    return y, z


#: Each with arguments.
PROGRAMS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    *((fn, ONLY_X[:3]) for fn in (
        in_a_branch, with_a_branch, with_a_loop, in_an_expression, in_a_test, in_a_while,
        in_the_test_of_a_while, in_the_test_alone, closed_over_in_a_test, until_small, in_a_comprehension,
        what_a_call_gives, what_two_calls_give, again_and_again,
    )),
    *((fn, XN[:3]) for fn in (in_a_static_branch, in_a_loop, at_parts_in_a_loop, gathered, on_an_argument)),
    *((fn, [(M,), (-M,)]) for fn in (rows, elements)),
]  # fmt: skip
