"""Programs that ask what something is: type, is, isinstance, kinds of numbers; for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import enum
import math
import numbers

import numpy as np

EXAMPLES = {
    "x": np.array([1.0, 2.0, -3.0]),
    "i": np.array([3, 1, 2]),
    "m": np.arange(6.0).reshape(2, 3),
    "k": 2,
    "f": 0.5,
    "flag": True,
    "s": np.float64(2.5),
    "z": np.array(1.5),
    "w": None,
    "held": [1.0, 2.0],
}


class _Mode(enum.Enum):
    FAST = 1
    SLOW = 2


def exactly_an_array(x):
    if type(x) is np.ndarray:
        return x * 2
    return x * 3


def exactly_an_int(x, k):
    if type(k) is int:
        return x * k
    return x - k


def int_or_float(x, k):
    return x * 2 if isinstance(k, int) else x * 0.5


def float_or_int(x, f):
    if isinstance(f, float):
        return x + f
    return x - f


def either_number(x, k, f):
    if isinstance(k, (int, float)) and isinstance(f, (int, float)):
        return x * k + f
    return x


def number_of_the_abc(x, k):
    if isinstance(k, numbers.Integral):
        return x[k % 3]
    return x.sum()


def array_or_number(z):
    if isinstance(z, np.ndarray):
        return z + 1
    return z - 1


def numpy_number(s):
    if isinstance(s, float):
        return s * 2
    return s * 3


def item_is_no_array(x):
    if isinstance(x[0], np.ndarray):
        return x * 0
    return x + 1


def sum_is_a_float(x):
    total = x.sum()
    return x / total if isinstance(total, float) else x


def shape_is_a_tuple(m):
    if type(m.shape) is tuple:
        return m.sum(0)
    return m.sum(1)


def float_of_an_item(x):
    v = float(x[0])
    if type(v) is float:
        return x * v
    return x


def asarray_is_the_same(x):
    y = np.asarray(x)
    if y is x:
        return y * 2
    return y * 3


def asarray_of_a_list(held):
    y = np.asarray(held)
    return y.sum() if y is not held else 0.0


def copy_is_another(x):
    y = x.copy()
    return x * 1 if y is x else x * 5


def none_given(x, w=None):
    if w is None:
        w = np.ones_like(x)
    return x * w


def none_compared(x, w=None):
    if w == None:  # noqa: E711
        return x * 2
    return x + w


def or_default(x, f=None):
    scale = f or 2.0
    return x * scale


def flag_is_true(x, flag):
    if flag is True:
        return -x
    return x


def name_of_the_type(x, k):
    if type(k).__name__ == "int":
        return x + 1
    return x - 1


def subclass_of(x, f):
    if issubclass(type(f), float):
        return x / f
    return x


def has_an_axis(x):
    if hasattr(x, "ndim") and x.ndim:
        return x[0]
    return x


def has_a_length(x):
    try:
        n = len(x)
    except TypeError:
        n = 1
    return x * n


def is_scalar(z, x):
    if np.isscalar(z):
        return x
    return x * z


def kind_of_dtype(i):
    if i.dtype.kind == "i":
        return i // 2
    return i / 2


def sub_dtype(x):
    if np.issubdtype(x.dtype, np.floating):
        return x * 0.1
    return x * 10


def dtype_compared(x):
    out = np.zeros(2, dtype=x.dtype if x.dtype != np.int64 else np.float64)
    return out + x[0]


def dtype_of_a_result(i):
    mean = i.mean()
    if mean.dtype == np.float64:
        return mean * 2
    return mean


def largest_of_two(x):
    return max(x.sum(), 2)


def smallest_of_two(x):
    return min(x[0], 0)


def best_so_far(x):
    best = 0.0
    for v in x:
        if v > best:
            best = v
    return best


def first_that_is_large(x):
    found = -1
    for j in range(len(x)):
        if x[j] > 1.5:
            found = j
            break
    return found


def counted(x):
    n = 0
    for v in x:
        if v > 0:
            n += 1
    return n


def python_sum(x):
    return sum(x)


def python_sum_of_floats(x):
    return sum(float(v) for v in x)


def rounded(x):
    return round(float(x[0]), 1), round(x[1])


def int_of_a_mean(x):
    return int(x.mean()) + 1


def list_of_items(x):
    return x.tolist()


def bool_of_any(x):
    return bool((x > 0).any()), (x > 2).all()


def math_of_an_item(x):
    return math.sqrt(x[1]) + math.exp(0)


def power_of_numbers(k, f):
    return k**2, f**k, k**-1


def integer_division_of_numbers(k, f):
    return k // 2, k % 3, divmod(7, k), -k // 2, f // 0.25


def truth_of_numbers(k, f):
    return k and f, f or k, not k


def chained(k, f):
    return 0 < k <= 3, f == 0.5 != k


def bits(k):
    return k << 2, k | 1, k & 3, ~k, k ^ 5


def mixed_tuple(x, k, f):
    return k, f, x[0], x, x.shape, (x.ndim, x.size)


def text_of_numbers(x, k):
    name = f"{k}:{x.shape[0]}"
    return x * len(name)


def mode_of_an_enum(x, flag):
    mode = _Mode.FAST if flag else _Mode.SLOW
    if mode is _Mode.FAST:
        return x * mode.value
    return x / mode.value


def callable_or_value(x, f):
    return f(x) if callable(f) else x * f


def sign_by_comparison(x, k):
    sign = (k > 0) - (k < 0)
    return x * sign


def bool_plus_bool(x):
    return (x[0] > 0) + (x[1] > 0), (x > 0).sum() + True


def zero_axes_and_numbers(z, s):
    return z * 2, s * 2, z[()] + 1, abs(s)


def equality_of_shapes(x, m):
    if m.shape == (2, 3) and x.shape[0] == m.shape[-1]:
        return m @ x
    return x


def id_of_names(x):
    y = x
    if id(y) == id(x):
        return x + 1
    return x + 2


def in_a_list(x, k):
    if k in (1, 2, 3):
        return x * 2
    return x


def not_in_keys(x, k):
    table = {1: 10.0, 2: 20.0}
    return x * table.get(k, 0.5)


def match_on_a_number(x, k):
    match k:
        case 0:
            return x
        case 1 | 2:
            return x * 2
        case _:
            return x * 3
