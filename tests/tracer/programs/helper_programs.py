"""Programs whose helpers write into what they are given, each with arguments; the first are the example that
it is traced with. They name no framework, so that each is a program of NumPy's and of torch's.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arguments import ONLY_X, XY, M, X
from writing_helpers import (
    Held,
    added,
    anew,
    at_index,
    at_key,
    both,
    bump,
    bumped_too,
    counted_down,
    ends,
    every,
    filled,
    filled_both,
    inner_view,
    keyed,
    listed,
    masked,
    named,
    pair,
    partly_anew,
    printing,
    tail,
    total,
    written_tail,
)

# What is written into, and how it goes on.


def local(x):
    y = x * 1
    bump(y)
    return y * 2


def argument(x):
    bump(x)
    return x * 2, x


def part(x):
    y = x * 1
    bump(y[1:])
    return y


def part_of_argument(x):
    bump(x[1:])
    return x


def row(m):
    y = m * 2
    bump(y[1])
    return y


def turned(m):
    y = m * 2
    bump(y.T)
    return y


def column(m):
    y = m * 2
    bump(y[:, 1])
    return y


def part_of_part(m):
    y = m * 1
    v = y[1]
    w = v[1:]
    bump(w)
    return y, v, w


def named_part(x):
    y = x * 1
    v = y[1:]
    bump(v)
    v += 1
    return y, v


def part_and_whole(x):
    y = x * 1
    v = y[1:]
    bump(y)
    bump(v)
    return y, v


def read_before(x):
    y = x * 1
    a = y + 1
    b = a * y
    bump(y)
    return a, b + y


def part_read_before(x):
    y = x * 1
    v = y[:2]
    bump(y)
    return v, y


def summed_before_and_after(x):
    y = x * 1
    before = y.sum()
    bump(y)
    return before, y.sum(), y


def twice(x):
    a = x * 1
    bump(a)
    c = a * 2
    bump(a[1:])
    return c, a


def of_two(x):
    y = x * 1
    bump(y)
    z = y * 1
    bump(z)
    bump(z)
    return y, z


def argument_and_local(x):
    bump(x)
    y = x * 2
    bump(y)
    bump(x[1:])
    return x, y


def nested(x):
    y = x + 1
    ends(y)
    return y


def views_inside(m):
    y = m * 1
    inner_view(y)
    inner_view(y[1:])
    return y


def bound_anew(x):
    y = x + 1
    return y, anew(y), partly_anew(y), y * 2


def at_a_mask(x):
    y = x * 1
    masked(y)
    return y


def buffered(x):
    buffer = x * 0
    filled(buffer, x)
    return buffer


def by_keyword(x):
    y = x * 1
    keyed(x=y)
    keyed(y[1:], value=3.0)
    return y


def dead(x):
    y = x * 1
    bump(y)
    return x


# What the helper gives besides.


def given(x):
    y = x * 1
    z = total(y)
    return y, z


def nested_in_an_expression(x):
    y = x * 1
    return y + total(y), total(y[1:]) * y


def augmented(x):
    y = x * 1
    y += total(y)
    y[1] = total(y[1:])
    return y


def in_a_list(x):
    y = x * 1
    return [y.sum(), total(y), y.sum()]


def itself(x):
    x = bumped_too(x)
    return x * 2, x


def itself_under_another_name(x):
    y = bumped_too(x)
    y[1] = 9.0
    return x, y


def itself_in_an_argument(x):
    y = x * 1
    z = bumped_too(bumped_too(y) + y)
    return added(bumped_too(y), x), y, z


def itself_in_a_dict(x):
    y = x + 1
    d = named(y)
    d["x"][1] = 3.0
    return y, d


def a_pair(x):
    y = x * 1
    s, m = pair(y)
    p = pair(y)
    return s, m, p, p[0], y


def a_list(x):
    y = x + 1
    d = listed(y)
    a, b = listed(y)
    return y, d, d[0], a, b


def one_of_a_pair(x):
    y = x * 1
    a = pair(y)[1]
    y[:] = -7
    return a, y


# What shares memory.


def two_arrays(x, y):
    a, b = x * 1, y * 1
    both(a, b)
    return a, b


def two_arguments(x, y):
    both(x, y)
    return x * y, x, y


def two_parts(m):
    y = m * 1
    both(y[0], y[1])
    both(y[0], y[0])
    return y


def the_same_twice(x):
    y = x * 1
    both(y, y)
    added(y, x)
    filled_both(y, y)
    return y


def overlapping(x):
    y = x * 1
    filled_both(y[1:], y[:-1])
    filled_both(y, y[1:])
    return y


def end_read(x):
    y = x + 1
    end = tail(y)
    return end * 2, y


def end_of_written(x):
    y = x * 1
    end = written_tail(y)
    end[0] = 100.0
    return y


# Which stay written out.


def at_a_key(x):
    d = {"a": x * 1, "b": x}
    at_key(d)
    return d["a"]


def at_indices(x, y):
    arrays = [x * 1, y * 1]
    at_index(arrays)
    return arrays[0] + arrays[1]


def starred(x):
    y = x * 1
    every(y, y[2:])
    return y


def of_an_object(x):
    return Held(x * 1).go().array


def in_a_closure(x):
    y = x * 1

    def inner(a):
        bump(a)
        y[1] = 4.0
        return a.sum()

    return inner(y), (lambda a: bump(a))(y), y


def recursive(x):
    y = x * 1
    counted_down(y, 1)
    return y


def printed(x):
    y = x * 1
    printing(y)
    return y


ONLY_M: list[tuple[Any, ...]] = [(M,), (-M,), (M[:2],)]

#: Each with arguments; those of one array, of one matrix, and of two arrays.
PROGRAMS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    *((fn, [*ONLY_X[:2], (X[:2],)]) for fn in (
        local, argument, part, part_of_argument, named_part, part_and_whole, read_before, part_read_before,
        summed_before_and_after, twice, of_two, argument_and_local, nested, bound_anew, at_a_mask, buffered,
        by_keyword, dead, given, nested_in_an_expression, augmented, in_a_list, itself,
        itself_under_another_name, itself_in_an_argument, itself_in_a_dict, a_pair, a_list, one_of_a_pair,
        the_same_twice, overlapping, end_read, end_of_written, at_a_key, of_an_object, in_a_closure,
        recursive, printed,
    )),
    (starred, ONLY_X[:3]),
    *((fn, ONLY_M) for fn in (row, turned, column, part_of_part, views_inside, two_parts)),
    *((fn, XY) for fn in (two_arrays, two_arguments, at_indices)),
]  # fmt: skip
