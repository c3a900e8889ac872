"""Numbers of arrays as keys of dicts, in sets and caches, and programs that ask without them; for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import collections
import enum
import functools
import itertools

import numpy as np

EXAMPLES = {
    "i": np.array([3, 7, 2]),
    "j": np.array([2, 7, 11, 15, 2]),
    "x": np.array([1.0, 2.0, 2.0, 0.5]),
    "m": np.array([[1, 2], [2, 1], [1, 2]]),
    "prices": {1: 10.0, 2: 20.0, 3: 30.0},
    "t": 9,
    "n": 3,
}


class _Level(enum.IntEnum):
    LOW = 2
    HIGH = 7


@functools.lru_cache
def _square(v):
    return v * v


@functools.cache
def _steps(n):
    return 0 if n <= 1 else 1 + _steps(n // 2 if n % 2 == 0 else 3 * n + 1)


def in_a_set_of_constants(i):
    return i[0] in {3, 7}


def not_in_a_frozenset(i):
    return i.sum() not in frozenset((12, 7))


def looked_up_with_a_default(i):
    return {3: 10.0, 7: 20.0}.get(i[0], 0.0) * i


def priced(i, prices):
    total = 0.0
    for k in i:
        if k in prices:
            total = total + prices[k]
    return total


def set_of_one(i):
    return {i[0]} == {3}


def all_different(j):
    return len(set(j)) == len(j)


def different_in_order(j):
    return np.array(sorted(set(j)))


def different_without_a_set(j):
    s = np.sort(j)
    return (s[1:] != s[:-1]).sum() + 1


def pair_with_sum(j, t):
    seen = {}
    for i, v in enumerate(j):
        if t - v in seen:
            return seen[t - v], i
        seen[v] = i
    return -1, -1


def pair_with_sum_by_comparing(j, t):
    equal = (j[:, None] + j[None, :] == t) & ~np.eye(len(j), dtype=bool)
    return equal.any(), equal.argmax()


def groups_by_parity(j):
    groups = {}
    for v in j:
        groups.setdefault(v % 2, []).append(v)
    return [np.array(group).sum() for group in groups.values()]


def sums_by_parity(j):
    sums = collections.defaultdict(float)
    for v in j:
        sums[v % 2] += v
    return sums[0] - sums[1]


def sums_by_index_parity(j):
    sums = collections.defaultdict(float)
    for at, v in enumerate(j):
        sums[at % 2] += v
    return sums[0], sums[1]


def without_doubles(x):
    seen, out = set(), []
    for v in x:
        if v not in seen:
            seen.add(v)
            out.append(v)
    return np.array(out)


def how_often_each(x):
    found = {}
    for v in x:
        found[v] = found.get(v, 0) + 1
    return list(found.values())


def how_often_by_matrix(x):
    return (x[:, None] == x).sum(1)


def most_common(j):
    (value, count), *_ = collections.Counter(j).most_common(1)
    return value * count


def rows_seen_before(m):
    seen, doubles = set(), 0
    for row in m:
        key = tuple(row)
        doubles += key in seen
        seen.add(key)
    return doubles


def memoized_by_place(x):
    memo = {}

    def best(at):
        if at < 0:
            return 0.0
        if at not in memo:
            memo[at] = np.maximum(best(at - 1), best(at - 2) + x[at])
        return memo[at]

    return best(len(x) - 1)


def memoized_by_place_and_value(x):
    memo = {}
    for at, v in enumerate(x):
        memo[at, v] = v * v
    return memo[0, x[0]]


def cached_square_of_the_sum(x):
    return _square(x.sum())


def cached_square_of_a_float(x):
    return _square(float(x[0])) + 0.5


def cached_steps_of_a_size(x):
    return x * _steps(x.shape[0])


def hash_as_a_bucket(i, n):
    buckets = [0] * n
    for v in i:
        buckets[hash(v) % n] += 1
    return buckets


def level_by_its_value(j):
    return _Level(j[0]) is _Level.LOW


def level_by_comparing(j):
    for level in _Level:
        if j[0] == level.value:
            return j * level.value
    return j * 0


def runs_of_equal(x):
    return [sum(1 for _ in run) for _, run in itertools.groupby(x)]


def inverted_table(i):
    table = {v: at for at, v in enumerate(i)}
    return [table[v] for v in i[::-1]]


def inverted_by_scatter(i):
    table = np.zeros(16, dtype=int)
    for at in range(len(i)):
        table[i[at] % 16] = at
    return table


def zipped_into_a_dict(i):
    return dict(zip(i, 2 * i))[i[0]]


def by_int_of_each(x):
    return len({int(v): 1 for v in x})


def by_the_text_of_each(i):
    return {str(v): v for v in i}[str(i[0])]


def longest_run_of_followers(j):
    held, best = set(j), 0
    for v in j:
        length = 0
        while v + length in held:
            length += 1
        best = max(best, length)
    return best


def common_of_two(i, j):
    return len(set(i) & set(j))


def common_by_comparing(i, j):
    return (i[:, None] == j).any(1)


def by_its_case(i):
    match i[0]:
        case 3 | 7:
            return i + 1
        case 2:
            return i - 1
    return i


def any_of_several(i):
    return i * 2 if any(i[0] == k for k in (3, 7)) else i


def by_the_sign(x):
    return {True: x, False: -x}[x[0] > 1]


def by_size_and_rank(m):
    factor = {(3, 2): 0.5, (2, 2): 2.0}.get(m.shape, 1.0)
    return m * factor if m.ndim in {1, 2} else m


def keys_that_are_constants(x):
    weights = {k: 1.0 / (k + 1) for k in range(3)}
    total = 0.0 * x
    for k in np.arange(3):
        total = total + weights[k] * x**k
    return total
