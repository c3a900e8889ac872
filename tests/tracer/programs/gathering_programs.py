"""Programs that ask Python's max, min, any and all of generators and lists of arrays, and index by ranges."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np


def greatest(x):
    return max(row.sum() for row in x)


def least_of_a_list(x):
    return min([abs(row[0] - row[1]) for row in x])


def with_a_default(x):
    return max((row.sum() for row in x), default=0.0)


def by_key(x):
    return max((row for row in x), key=lambda row: row.sum())


def place_of_the_least(x):
    return min([(row.sum(), i) for i, row in enumerate(x)], key=lambda pair: pair[0])[1]


def place_of_the_greatest(x):
    return max(enumerate(x[:, 0]), key=lambda pair: pair[1])[0]


def of_two_by_key(x):
    return max(x[0], x[1], key=np.sum)


def over_places(x):
    return max(x[i, 0] for i in range(3))


def of_numbers(x):
    return x * max(float(row.sum()) for row in x)


def mapped(x):
    return max(map(np.max, x)), any(map(lambda row: row.sum() > 2, x))


def any_of_many(x):
    return any(row.sum() > 2 for row in x)


def all_of_few(x):
    return all(value > -1 for value in (x[0, 0], x.sum()))


def truths_of_a_list(x):
    return any([row.sum() > 2 for row in x]), all([bool(row.sum() > -5) for row in x])


def truths_of_an_array(x):
    return any(x[:, 0] > 1), all(x[:, 0])


def known_on_the_way(x):
    ways = (lambda: x.sum() > 0, lambda: True, lambda: x[100])
    return any(way() for way in ways), all(not way() for way in ways)


def any_decides(x):
    if any(np.isnan(row).any() for row in x):
        return -x
    return x if not any(row.sum() > 3 for row in x[:2]) else x * 2


def until_all(x):
    while not all(abs(v) < 1e-3 for v in np.nan_to_num(x[0], posinf=1.0, neginf=1.0)):
        x = np.nan_to_num(x, posinf=1.0, neginf=1.0) / 2
    return x


def of_a_dict(x):
    found = {"sum": x.sum(), "mean": x.mean()}
    return max(found.values()), any(v > 3 for v in found.values())


def added(x):
    return sum(row.sum() for row in x) + sum(row.sum() > 0 for row in x)


GATHERING = (
    greatest, least_of_a_list, with_a_default, by_key, place_of_the_least, place_of_the_greatest,
    of_two_by_key, over_places, of_numbers, mapped, any_of_many, all_of_few, truths_of_a_list,
    truths_of_an_array, known_on_the_way, any_decides, until_all, of_a_dict, added,
)  # fmt: skip


def some_rows(x, n):
    return x[range(n)] + x[range(2)].sum()


def all_rows(x, n):
    return x[range(len(x))], x[range(x.shape[0] - 1, -1, -1)] * n


def one_of_each(x, n):
    return -x[range(3), range(3)] * n, x[range(len(x)), (x > 0).argmax(1)]


def written_at(x, n):
    x = x * 1
    x[range(n)] += 1
    x[range(1)] *= 7
    return x


def made_arrays(x, n):
    return np.array(range(n)) * 2 + x[0, 0], np.asarray(range(1, 20, 3)), np.take(x, range(n), axis=0)


def of_none(x, n):
    return x[range(0)], x[range(n, n)]


RANGES = (some_rows, all_rows, one_of_each, written_at, made_arrays, of_none)
