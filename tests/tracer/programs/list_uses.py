"""What people do with lists that loops append to, besides stacking and returning them: see test_lists.py."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import copy
import functools

import numpy as np


def rows_of(x):
    out = []
    for row in x:
        out.append(row * 2)
    return out


def one_replaced(x):
    out = rows_of(x)
    out[0] = x[0] * 0
    return np.stack(out)


def starred(x):
    first, *rest = rows_of(x)
    return first + sum(rest)


def one_deleted(x):
    out = rows_of(x)
    del out[0]
    return np.stack(out)


def given_one_by_one(x):
    out = rows_of(x)
    return np.maximum(*out[:2])


def in_a_comprehension(x):
    out = rows_of(x)
    return np.stack([o + 1 for o in out])


def one_more(x):
    out = rows_of(x) + [x[0]]
    return np.stack(out)


def twice(x):
    out = rows_of(x) * 2
    return np.stack(out)


def joined_in_place(x):
    out = rows_of(x)
    out += rows_of(x + 1)
    return np.stack(out)


def reduced(x):
    out = rows_of(x)
    return functools.reduce(lambda a, b: a * 0.5 + b, out)


def summed(x):
    out = rows_of(x)
    return sum(out)


def reversed_(x):
    out = rows_of(x)
    return np.stack(list(reversed(out)))


def turned_round(x):
    out = rows_of(x)
    out.reverse()
    return np.stack(out)


def zipped(x):
    a = rows_of(x)
    return np.stack([p * q for p, q in zip(a, x)])


def by_number(x):
    d = dict(enumerate(rows_of(x)))
    return d[0] + d[2]


def meant(x):
    return np.mean(rows_of(x), axis=0)


def compared(x):
    out = rows_of(x)
    return out == [] or out[0]


def asked_whether_empty(x):
    out = rows_of(x)
    if out:
        return out[-1]
    return x


def popped(x):
    out = rows_of(x)
    return out.pop()


def spread(x):
    out = rows_of(x)
    return [*out, x[0]]


def one_put_in_front(x):
    out = rows_of(x)
    out.insert(0, x[0])
    return np.stack(out)


def some_replaced(x):
    a = rows_of(x)
    a[1:3] = [x[0]]
    return np.stack(a)


def sliced(x):
    a = rows_of(x)
    b = a[1:]
    return np.stack(b) + np.stack(a[:-1])


def picked_by_a_count(x):
    a = rows_of(x)
    s = 0.0
    for i in range(len(a)):
        s = s + a[i] * i
    return s


def of_an_array(x):
    rows = list(x)
    s = 0.0
    for i in range(len(rows)):
        s = s + rows[i] * i + rows[-1 - i]
    return s


def of_an_array_changed(x):
    rows = list(x)
    rows[0] = rows[1]
    return np.stack(rows)


def smallest(x):
    return min(rows_of(x[:, 0]))


def as_a_tuple(x):
    return tuple(rows_of(x))


def copied(x):
    a = rows_of(x)
    b = copy.copy(a)
    c = a.copy()
    e = a[:]
    return np.stack(b) + np.stack(c) + np.stack(e)


def of_tuples_in_a_comprehension(x):
    return [(o, o.sum()) for o in rows_of(x)][3]


def one_added_to(x):
    out = rows_of(x)
    out[0] += 1
    return np.stack(out)


def begun_and_changed(x):
    out = [x[0]]
    for row in x:
        out.append(row * 2)
    out[1] = x[3]
    del out[0]
    return out


def neighbours(x):
    a = rows_of(x)
    s = 0.0
    for p, q in zip(a[:-1], a[1:]):
        s = s + (q - p) ** 2
    return s


def of_tuples(x):
    a, b = [], []
    for row in x:
        a.append((row, row * 2))
    for p, q in a:
        b.append(p + q)
    return np.stack(b)


def two_in_a_turn(x):
    a = []
    for row in x:
        a.append(row)
        a.append(-row)
    return np.stack(a), a[3], len(a)


def by_keyword(x):
    a = rows_of(x)
    return np.concatenate([np.stack(a), np.stack(arrays=a)])


def appended_in_a_branch(x):
    a = rows_of(x)
    if x.sum() > 0:
        a.append(x[0])
    else:
        a.append(-x[0])
    return np.stack(a)


def from_each_other(x):
    a = rows_of(x)
    return rows_of(np.stack(a)) + a, [a, a]


def total(rows, y):
    s = y
    for r in rows:
        s = s + r
    return s


def given_to_a_function(x):
    return total(rows_of(x), x[0])


def element_written(x):
    out = rows_of(x)
    a = out[0]
    a += 1
    return np.stack(out), a


def stack_written(x):
    out = rows_of(x)
    a = np.stack(out)[0]
    a += 1
    return out, a


def stack_replaced(x):
    out = rows_of(x)
    s = np.stack(out)
    s[0] = 7
    return out, s


def stack_added_to(x):
    out = rows_of(x)
    s = np.stack(out)
    s += 1
    return s, out[0], out


def element_written_after_a_stack(x):
    out = rows_of(x)
    a = out[1]
    s = np.stack(out)
    a[0] = 9
    return s, out


def slice_written(x):
    out = rows_of(x)
    b = out[2:]
    b[0][0] = 9
    c = list(out)
    c[0] *= 2
    return out, np.stack(b), c


def element_written_after_a_join(x):
    out = []
    for row in x:
        out.append(row * 1)
    a = out[3]
    b = np.concatenate(out)
    a[0] = 5
    return b, a, np.stack(out, axis=1)


def summed_in_a_branch(x):
    out = rows_of(x)
    y = x[0]
    if x.sum() > 0:
        y = sum(out)
    for row in x:
        y = y + row * sum(out)
    return y, out


PROGRAMS = (
    summed_in_a_branch,
    one_replaced, starred, one_deleted, given_one_by_one, in_a_comprehension, one_more, twice,
    joined_in_place, reduced, summed, reversed_, turned_round, zipped, by_number, meant, compared,
    asked_whether_empty, popped, spread, one_put_in_front, some_replaced, sliced, picked_by_a_count,
    of_an_array, of_an_array_changed, smallest, as_a_tuple, copied, of_tuples_in_a_comprehension,
    one_added_to, begun_and_changed, neighbours, of_tuples, two_in_a_turn, by_keyword, appended_in_a_branch,
    from_each_other, given_to_a_function, element_written, stack_written, stack_replaced, stack_added_to,
    element_written_after_a_stack, slice_written, element_written_after_a_join,
)  # fmt: skip
