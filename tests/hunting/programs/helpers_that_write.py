"""Functions of the user's that write into what they are given, for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

EXAMPLES = {
    "x": np.array([1.0, 2.0, 3.0, 4.0]),
    "y": np.array([0.5, -1.0, 2.0, 0.25]),
    "m": np.arange(12.0).reshape(3, 4) / 4,
    "n": 3,
    "p": {"w": np.array([1.0, 2.0]), "b": np.array([0.5, 0.5])},
    "ws": [np.array([1.0, 2.0]), np.array([3.0, 4.0])],
}


def _bump(a):
    a[0] = 5.0


def _bump_returned(a):
    a[0] = 5.0
    return a


def _scale(a, k):
    a *= k


def _swap(a, i, j):
    a[i], a[j] = a[j].copy(), a[i].copy()


def _shift_both(a, b):
    a += 1
    b -= 1


def _norm_in_place(row):
    total = row.sum()
    row /= total
    return total


def _deeper(a):
    _bump(a)
    _scale(a, 2.0)


def _maybe(a, flag):
    if flag:
        a[0] = -1.0


def _relu_(a):
    a[a < 0] = 0


def _step(params, g):
    params["w"] -= g * params["w"]


def _through_a_view(a):
    v = a[1:]
    v[0] = 42.0


def _accumulate(total, a=None):
    if a is not None:
        total += a
    return total.sum()


def bumped(x):
    y = x * 1
    _bump(y)
    return y * 2


def bumped_argument(x):
    _bump(x)
    return x * 2


def bumped_part(x):
    y = x * 1
    _bump(y[1:])
    return y


def bumped_row(m):
    a = m * 1
    _bump(a[1])
    return a


def bumped_twice(x, y):
    a, b = x * 1, y * 1
    _bump(a)
    _bump(b)
    return a + b


def bump_of_a_copy(x):
    y = x * 1
    _bump(y.copy())
    return y


def result_of_bump_is_itself(x):
    y = x * 1
    z = _bump_returned(y)
    return y, z


def rebinding_the_argument(x):
    x = _bump_returned(x)
    return x + 1


def scaled_in_a_loop(x, n):
    a = x * 1
    for k in range(n):
        _scale(a, k + 0.5)
    return a


def rows_scaled(m):
    a = m * 1
    for row in a:
        _scale(row, 2)
    return a


def swapped_items(m):
    a = m * 1
    _swap(a, 0, 2)
    return a


def two_at_once(x, y):
    a, b = x * 1, y * 1
    _shift_both(a, b)
    return a * b


def the_same_array_for_both(x):
    a = x * 2
    _shift_both(a, a)
    return a


def written_and_returns_another(m):
    a = m + 1
    totals = [_norm_in_place(row) for row in a]
    return a, totals


def helper_calls_helper(x):
    a = x * 1
    _deeper(a)
    return a[0] + a[1]


def conditional_write(x):
    a = x * 1
    _maybe(a, x[1] > 0)
    return a


def conditional_by_flag(x):
    a = x * 1
    _maybe(a, True)
    _maybe(a[2:], False)
    return a


def helper_in_a_branch(x):
    a = x * 1
    if x.sum() > 3:
        _bump(a)
    else:
        _scale(a, -1.0)
    return a


def masked_helper(y):
    a = y * 1
    _relu_(a)
    return a.sum()


def dict_of_arrays(p, n):
    q = {k: v * 1 for k, v in p.items()}
    for _ in range(n):
        _step(q, 0.5)
    return q["w"]


def list_of_arrays(ws):
    a = [w * 1 for w in ws]
    for w in a:
        _bump(w)
    return a[0] + a[1]


def helper_with_a_view(x):
    a = x * 1
    _through_a_view(a)
    return a


def optional_argument(x):
    total = np.zeros(4)
    s = _accumulate(total)
    t = _accumulate(total, x)
    return total, s, t


def method_of_an_object(x):
    class Counter:
        def __init__(self, a):
            self.a = a

        def add(self, v):
            self.a[0] += v

    c = Counter(x * 1)
    c.add(5.0)
    c.add(x[1])
    return c.a


def closure_writes(x):
    a = x * 1

    def zero(k):
        a[k] = 0

    zero(1)
    zero(3)
    return a


def closure_counts(x, n):
    total = np.zeros(2)

    def add(v):
        nonlocal total
        total = total + v

    for k in range(n):
        add(x[k])
    return total


def lambda_writes(x):
    a = x * 1
    put = lambda k, v: a.__setitem__(k, v)  # noqa: E731
    put(0, 9.0)
    return a


def passed_as_function(x):
    a = x * 1
    for change in (_bump, _relu_):
        change(a)
    return a


def read_before_and_after(x):
    a = x * 1
    before = a.sum()
    _scale(a, 3.0)
    after = a.sum()
    return before, after


def view_kept_before(x):
    a = x * 1
    v = a[:2]
    _scale(a, 10.0)
    return v + 0


def recursion_halves(x):
    a = x * 1

    def go(part):
        if part.shape[0] < 2:
            return
        half = part.shape[0] // 2
        part[:half] += part[half : 2 * half]
        go(part[:half])

    go(a)
    return a


def keyword_arguments(x):
    a = x * 1
    _scale(k=4.0, a=a)
    return a


def the_result_is_not_used(x):
    a = x * 1
    _norm_in_place(a)
    _norm_in_place(a[1:])
    return a


def argument_of_the_entry_through_two(x):
    _deeper(x)


def column_by_helper(m):
    a = m * 1
    _scale(a[:, 0], 7.0)
    _bump(a.T[2])
    return a
