"""State that outlives the call or does not, and containers that are filled, changed and taken apart."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import collections
import copy
import dataclasses
import functools
import itertools
import operator

import numpy as np

EXAMPLES = {
    "x": np.array([1.0, 2.0, 3.0]),
    "y": np.array([0.5, -1.0, 2.0]),
    "m": np.arange(6.0).reshape(2, 3),
    "n": 3,
    "names": ["a", "b"],
    "lists": [[np.ones(2), np.zeros(2)], [np.array([2.0, 3.0])]],
    "store": {"total": np.zeros(3)},
    "held": [3.0, 1.0, 2.0],
}

_FACTORS = np.array([1.0, 10.0, 100.0])
_SETTINGS = {"scale": 2.0, "shift": 1.0}
_COUNT = itertools.count()


class _Running:
    """Keeps a mean while numbers come in."""

    def __init__(self, size):
        self.count = 0
        self.mean = np.zeros(size)

    def update(self, value):
        self.count += 1
        self.mean = self.mean + (value - self.mean) / self.count
        return self

    @property
    def total(self):
        return self.mean * self.count


class _Matrix:
    def __init__(self, a):
        self.a = a

    def __matmul__(self, other):
        return _Matrix(self.a @ other.a)

    def __getitem__(self, key):
        return self.a[key]

    def __len__(self):
        return len(self.a)


@dataclasses.dataclass
class _Particle:
    place: np.ndarray
    speed: np.ndarray

    def moved(self, dt):
        return _Particle(self.place + dt * self.speed, self.speed)


@functools.lru_cache
def _weights(n):
    return np.arange(n) + 1.0


def running_mean(m):
    r = _Running(3)
    for row in m:
        r.update(row)
    return r.mean, r.count


def chained_updates(x, y):
    return _Running(3).update(x).update(y).total


def operators_of_a_class(m):
    a = _Matrix(m) @ _Matrix(m.T)
    return a[0] * len(a)


def particles(x, y, n):
    p = _Particle(x, y)
    for _ in range(n):
        p = p.moved(0.5)
    return p.place, p.speed


def particle_returned(x, y):
    return dataclasses.asdict(_Particle(x * 2, y))


def global_array(x):
    return x * _FACTORS


def global_dict(x):
    return x * _SETTINGS["scale"] + _SETTINGS["shift"]


def cached_helper(x):
    return x * _weights(3)


def counter_of_the_module(x):
    return x + next(_COUNT) * 0


def local_counter(x, n):
    counter = itertools.count(1)
    total = x * 0
    for _ in range(n):
        total = total + x * next(counter)
    return total


def attribute_of_a_function(x):
    def inner(v):
        inner.calls += 1
        return v * inner.calls

    inner.calls = 0
    return inner(x) + inner(x)


def made_counter(x):
    def make():
        n = 0

        def step(v):
            nonlocal n
            n += 1
            return v * n

        return step

    one, other = make(), make()
    return one(x) + one(x) + other(x)


def mutable_default(x, seen=None):
    seen = [] if seen is None else seen
    seen.append(x * 2)
    return seen[0] + len(seen)


def stored_in_a_dict(x, y):
    store = {}
    store["x"] = x
    store["y"] = y * 2
    store["x"] = store["x"] + store["y"]
    return store


def grouped(held):
    groups = collections.defaultdict(list)
    for v in held:
        groups[v > 1.5].append(v)
    return groups[True], groups[False]


def counter_of_words(names):
    counts = collections.Counter(names + names[:1])
    return counts["a"], counts["z"]


def queue_of_rows(m):
    queue = collections.deque(m)
    queue.append(queue.popleft() * 2)
    return list(queue)


def bounded_queue(x, n):
    queue = collections.deque([0.0, 0.0], maxlen=2)
    for v in x:
        queue.append(v)
    return queue[0] + queue[1]


def stack_machine(x):
    stack = []
    for v in (x, x * 2, x * 3):
        stack.append(v)
    b, a = stack.pop(), stack.pop()
    stack.append(a - b)
    return stack


def list_inserted_and_removed(held):
    work = list(held)
    work.insert(1, 10.0)
    work.remove(3.0) if 3.0 in work else None
    work.reverse()
    return work


def sorted_numbers(held):
    return sorted(held), sorted(held, reverse=True), sorted(held, key=lambda v: -v)


def nested_lists(lists):
    total = 0.0
    for group in lists:
        for a in group:
            total = total + a.sum()
    return total


def nested_comprehension(lists):
    return [[a * 2 for a in group] for group in lists]


def flattened_lists(lists):
    return np.concatenate([a for group in lists for a in group])


def chained_lists(lists):
    return sum(a.sum() for a in itertools.chain(*lists))


def lengths_of_lists(lists):
    return [len(group) for group in lists], max(map(len, lists))


def dict_comprehension(m, names):
    return {name: row for name, row in zip(names, m)}


def dict_inverted(names):
    return {i: name for i, name in enumerate(names)}


def dict_updated_in_a_loop(m, n):
    state = {"sum": np.zeros(3), "square": np.zeros(3)}
    for row in m:
        state["sum"] = state["sum"] + row
        state["square"] = state["square"] + row**2
    return state["square"] / n - (state["sum"] / n) ** 2


def argument_dict_written(store, x):
    store["total"] = store["total"] + x
    return store


def argument_dict_array_written(store, x):
    store["total"] += x
    return store["total"] * 2


def argument_list_appended(held, x):
    held.append(4.0)
    return x * len(held)


def shallow_copy(store, x):
    other = copy.copy(store)
    other["total"] = x
    return store["total"], other["total"]


def deep_copy(store, x):
    other = copy.deepcopy(store)
    other["total"] += x
    return store["total"], other["total"]


def swapped_in_a_list(x, y):
    held = [x, y]
    held[0], held[1] = held[1], held[0]
    return held


def sliced_assignment(held):
    work = held[:]
    work[1:] = [0.0]
    work += [5.0]
    return work


def multiplied_list(x):
    rows = [x] * 3
    rows[0] = rows[0] + 1
    return np.stack(rows)


def same_list_twice(x):
    a = [x]
    b = a
    b.append(x * 2)
    return len(a), a[-1]


def tuple_grown(x, n):
    t = ()
    for k in range(n):
        t += (x * k,)
    return t


def starred_middle(x, y):
    first, *middle, last = [x, y, x + y, x - y]
    return first, middle, last


def reduced(x, y):
    return functools.reduce(operator.add, [x, y, x * y])


def accumulated(held):
    return list(itertools.accumulate(held)), list(itertools.accumulate(held, max))


def mapped_and_filtered(held):
    return list(map(lambda v: v * 2, filter(lambda v: v > 1.5, held)))


def zipped_longest(held, n):
    return [a + b for a, b in itertools.zip_longest(held, range(n), fillvalue=0)]


def products(held):
    return sum(a * b for a, b in itertools.product(held, held))


def pairs(held):
    return [abs(a - b) for a, b in itertools.combinations(held, 2)]


def any_and_all(held):
    return any(v > 2 for v in held), all(v > 0 for v in held)


def generator(x, n):
    def halves(v):
        while v.sum() > 0.5:
            yield v
            v = v / 2

    out = x * 0
    for k, v in zip(range(n), halves(x)):
        out = out + v
    return out


def set_of_numbers(held):
    return len({int(v) for v in held}), sorted({int(v) % 2 for v in held})


def enumerated_dict(store):
    return [(k, v.sum()) for k, v in store.items()]


def string_keys(x, names):
    table = {name: x * (k + 1) for k, name in enumerate(names)}
    return table["a"] + table.get("b", 0.0)


def walrus(x):
    if (total := x.sum()) > 1:
        return x / total
    return x


def context_manager(x):
    with np.errstate(divide="ignore"):
        return 1 / (x - 1)


def tried(held):
    try:
        return held.index(1.0)
    except ValueError:
        return -1


def finally_runs(x):
    out = [x]
    try:
        out.append(x * 2)
    finally:
        out.append(x * 3)
    return out[-1]
