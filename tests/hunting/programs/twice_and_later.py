"""Several results and later writes, and the same array twice, for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

EXAMPLES = {
    "a": np.array([1.0, 2.0, 3.0]),
    "b": np.array([4.0, -5.0, 0.5]),
    "c": np.array([0.25, 0.5, 1.0]),
    "m": np.array([[4.0, 1.0], [2.0, 3.0]]),
    "k": np.array([[1.0, 0.5], [0.0, 2.0]]),
    "ws": [np.array([1.0, 2.0]), np.array([3.0, -4.0])],
    "pair": (np.array([1.0, 2.0]), np.array([8.0, 16.0])),
    "n": 2,
}


def read_after_a_write(a, b):
    a[0] = 9.0
    return b * 2


def read_before_a_write(a, b):
    s = b.sum()
    a[0] = 9.0
    return s


def nested_read_before_a_write(a, b):
    double = b * 2
    a += 1
    return double + b


def swapped_through_a_temporary(a, b):
    t = a.copy()
    a[:] = b
    b[:] = t
    return a - b


def swapped_without_one(a, b):
    a[:], b[:] = b, a
    return a, b


def added_to_both(a, b):
    a += b
    b += a
    return a, b


def written_by_the_other(a, b):
    a[1:] = b[:-1]
    return b


def three_of_them(a, b, c):
    a *= 2
    s = c.sum()
    b[0] = s
    return a + b + c


def items_of_a_list(ws):
    ws[0][0] = 10.0
    return ws[1] * 1


def items_of_a_tuple(pair):
    one, other = pair
    one += 100
    return other.sum(), one


def loop_over_a_list(ws):
    for w in ws:
        w += 1
    return ws[0] + ws[-1]


def read_in_a_loop(a, b, n):
    total = 0.0
    for i in range(n):
        a[i] = i
        total = total + b[0]
    return total


def read_in_a_branch(a, b):
    if a[0] > 0:
        a[0] = -1.0
        return b[0] * 2
    return b[0]


def sorted_while_the_other_is_kept(a, b):
    order = np.argsort(b)
    a.sort()
    return a[order], b


def factor_read_late(m):
    a = m * 1
    q, r = np.linalg.qr(a)
    a[0] = 0
    return np.abs(r), a


def values_read_late(m):
    a = m + m.T
    w, v = np.linalg.eigh(a)
    a[:] = 0
    return w


def unique_read_late(b):
    a = np.array([1.0, 2.0, 2.0]) * b[2]
    largest, place = a.max(), a.argmax()
    a[:] = 0
    return largest, place


def divmod_read_late(a):
    x = a * 1
    q, r = np.divmod(x, 2)
    x[0] = 100
    return r, q


def modf_read_late(a):
    x = a * 1.5
    part, whole = np.modf(x)
    x += 1
    return whole, part


def argument_overwritten_after_reduction(a):
    low, high = a.min(), a.max()
    a -= low
    a /= high - low
    return a


def scalar_kept_before_the_write(a):
    first = a[0]
    a[0] = 7.0
    return first + a[0]


def row_kept_before_the_write(m):
    row = m[0]
    m[0] = 5.0
    return row * 1


def copy_kept_before_the_write(m):
    row = m[0].copy()
    m[0] = 5.0
    return row, m


def product_into_an_operand(m, k):
    m[:] = m @ k
    return k @ m


def mask_of_the_other(a, b):
    a[b > 0] = 0
    return b[a == 0].sum()


def difference_and_square(a, b):
    d = a - b
    a[...] = d
    d *= d
    return d.sum(), b.sum()


def three_way_rotation(a, b, c):
    old = a + 0
    a[:] = b
    b[:] = c
    c[:] = old
    return a * 1 + b * 2 + c * 3


def cumulative_into_other(a, b):
    running = 0.0
    for i in range(a.shape[0]):
        running = running + a[i]
        b[i] = running
    return a[-1], b[-1]


def gradient_step_in_place(m, b):
    w = np.zeros(2)
    for _ in range(3):
        g = m.T @ (m @ w - b[:2])
        w -= 0.0625 * g
    m *= 0
    return w


def outer_update(m, a):
    u = a[:2]
    m += np.outer(u, u)
    u[0] = 0
    return m.trace(), a


def view_of_one_in_the_other(m):
    top, bottom = m
    top += bottom
    return m, bottom * 1


def interleaved(a, b):
    out = np.empty(a.size + b.size)
    out[0::2] = a
    out[1::2] = b
    a[0] = -1
    return out


def prefix_products(a, b):
    p = np.ones(4)
    for i in range(3):
        p[i + 1] = p[i] * a[i]
    b *= p[1:]
    return p, a


def once_times_one_before_a_write(a):
    old = a * 1
    a[0] = 9.0
    return old, a


def product_in_a_list_before_a_write(a):
    kept = [a * 1, a / 1]
    a[:2] *= 2
    return kept, a


def copy_returned_and_argument_written(a, n):
    history = []
    for _ in range(n):
        history.append(a.copy())
        a += 1
    return history


def same_array_under_two_keys(a):
    table = {"now": a, "then": a * 1}
    table["now"][1] = 0.0
    return table["then"]
