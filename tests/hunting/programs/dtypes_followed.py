"""Programs whose dtypes follow from their arguments'; for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

EXAMPLES = {
    "x": np.array([1.0, 2.5, -3.0], dtype=np.float32),
    "y": np.array([1.0, 0.5, 2.0]),
    "i": np.array([3, 1, 2], dtype=np.int8),
    "j": np.array([5, -1, 7]),
    "b": np.array([True, False, True]),
    "u": np.array([200, 100, 3], dtype=np.uint8),
    "c": np.array([1 + 2j, 3.0, -1j]),
    "k": 2,
    "f": 0.1,
}


def sum_of_small_ints(i):
    return i.sum()


def running_sum(i):
    return np.cumsum(i)


def running_product(i):
    return np.cumprod(i)


def total_from_zero(u):
    total = 0
    for v in u:
        total += v
    return total


def total_from_float_zero(x):
    total = 0.0
    for v in x:
        total += v * v
    return total


def mean_of_ints(i):
    return i.mean(), i.var()


def filled_with_an_item(x):
    return np.full(3, x[0])


def filled_with_ints(k, i):
    return np.full((2, 2), k) + i[:2]


def zeros_beside_floats(x):
    return np.zeros(3) + x


def ones_like_then_divided(i):
    return np.ones_like(i) / i


def chosen_or_zero(x, b):
    return np.where(b, x, 0)


def chosen_int_or_float(i, b):
    return np.where(b, i, 0.5) + np.where(~b, 1, i)


def chosen_of_two_dtypes(x, j):
    return np.where(x > 0, x, j)


def float32_constant(x):
    return x * np.float32(0.1)


def float64_constant(x):
    return x * np.float64(0.1)


def python_constant(x):
    return x * 0.1 + 3


def int_times_python_float(i, f):
    return i * f


def power_of_ints(j, k):
    return j**k, j**2


def power_of_floats(x, k):
    return x**k, x**-1, x**0.5


def divided_ints(j, i):
    return j / i, j // i, j % i


def overflowing_bytes(u):
    return u + u, u * 2, u - 201 * 0


def negated_bytes(u):
    return -u, ~u


def compared_kinds(i, x):
    return i < x, i == j_of(i), x >= 2


def j_of(i):
    return i * 1


def bool_arithmetic(b):
    return b + b, b * 3, b.sum(), b.mean()


def bool_and_floats(b, x):
    return b * x, x - b


def mixed_stack(i, x):
    return np.stack([i, x])


def mixed_list(i):
    return np.array([i[0], 2.5, 1])


def concatenated(x, j):
    return np.concatenate([x, j])


def cast_down(y):
    return y.astype(np.float32) * 2


def cast_like(x, j):
    return j.astype(x.dtype) + x


def int_from_rounding(y):
    return np.round(y).astype(int) + 1


def floor_to_int(y):
    return np.floor(y).astype(np.int32)


def accumulated_in_place(x, j):
    a = x * 1
    a += j
    return a


def int_buffer_takes_floats(j, y):
    a = j * 1
    a[0] = 2.0
    return a + y


def maximum_with_number(i, k):
    return np.maximum(i, k), np.minimum(i, 1.5)


def clipped_ints(j):
    return np.clip(j, 0, 5), np.clip(j, 0.5, None)


def absolute_complex(c):
    return np.abs(c), c.real, c.imag, c.conj()


def complex_times_real(c, x):
    return c * x, c + 1, c * 1j


def exp_of_ints(i):
    return np.exp(i), np.sqrt(np.abs(i))


def trig_of_halves(x):
    h = x.astype(np.float16)
    return np.sin(h) + h


def linspace_from_items(y):
    return np.linspace(y[0], y[2], 5)


def arange_of_numbers(k, f):
    return np.arange(k), np.arange(0, 1, f)


def identity_of_dtype(x):
    return np.eye(3, dtype=x.dtype) @ x


def dot_of_ints(i, j):
    return i @ j, np.dot(i, i)


def argmax_dtype(x, i):
    return np.argmax(x) + i, np.argsort(i)


def count_nonzero(b, x):
    return np.count_nonzero(b) + x


def any_all(b, x):
    return b.any() & (x > 0).all(), ~b


def shifted_bits(j, k):
    return j << k, j >> 1, j & 6, j | 8, j ^ 3


def unsigned_difference(u, i):
    return u - i, u[0] - u[1]


def median_of_ints(j):
    return np.median(j), np.percentile(j, 50)


def scale_then_sum(i, f):
    s = i.sum() * f
    return s / len(i)


def norm_of_ints(j):
    return np.linalg.norm(j)


def diff_of_bytes(u):
    return np.diff(u)


def sign_and_copysign(x, j):
    return np.sign(j), np.copysign(x, -1.0)


def prod_over_bools(b, i):
    return np.prod(b), np.prod(i), i.max() + b[0]


def interpolated(x, y):
    return np.interp(x, np.array([0.0, 1.0, 2.0]), y)


def histogram_by_hand(u):
    counts = np.zeros(4, dtype=int)
    for v in u // 64:
        counts[v] += 1
    return counts


def mod_of_negative(j, k):
    return j % k, np.fmod(j, k), j % -3


def reciprocal_sum(j):
    return (1 / (j + 10)).sum(), np.reciprocal(j + 10.0)
