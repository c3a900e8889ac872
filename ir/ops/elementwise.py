"""Elementwise ops: one element of the result for one of each operand."""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

import math
from collections.abc import Callable
from math import inf, nan, pi

from ..dtypes import float32, float64
from ..op import (
    Op,
    Rule,
    bitwise,
    compare,
    divide,
    free,
    inexact,
    keep,
    op,
    power,
    promote,
    real,
    same,
    shift,
)
from ..op import bool_ as boolean
from ..op import complex_ as complex_of
from ..program import Value

#: The largest finite number of the one dtype in which a framework lacks nan_to_num.
BFLOAT16_MAX = 3.3895313892515355e38
#: What 1 / 3 lacks of a third.
SHORT_OF_A_THIRD = 2**-54 / 3


def unary(name: str, doc: str, dtype: Rule = inexact) -> Op:
    """An op of one array. `doc` is its meaning."""

    def function(x): ...

    return declare(name, doc, "X[~] -> Y[~]", dtype, function)


def binary(name: str, doc: str, dtype: Rule = promote, raises: str = "") -> Op:
    """An op of two arrays that broadcast."""

    def function(x, y): ...

    return declare(name, doc, "X[#~] Y[#~] -> Z[~]", dtype, function, raises)


def declare(
    name: str, doc: str, subscript: str, dtype: Rule, function: Callable[..., None], raises: str = ""
) -> Op:
    function.__name__, function.__doc__ = name, doc
    return op(subscript, dtype=dtype, raises=raises, elementwise=True)(function)


# Arithmetic.

add = binary("add", "x + y; or, on bools")
subtract = binary("subtract", "x - y")
multiply = binary("multiply", "x * y; and, on bools")
divide_ = binary("divide", "x / y, true division", divide)
floor_divide = binary("floor_divide", "floor(x / y)", raises="ints")
remainder = binary("remainder", "x - y * floor(x / y): the sign of y", raises="ints")
fmod = binary("fmod", "x - y * trunc(x / y): the sign of x", raises="ints")
pow_ = binary("pow", "x ** y", power, raises="ints")
negative = unary("negative", "-x", promote)
positive = unary("positive", "+x", promote)
abs_ = unary("abs", "|x|", real)
square = unary("square", "x * x", promote)
gcd = binary("gcd", "the greatest common divisor")
lcm = binary("lcm", "the least common multiple")


@op("X[#~] Y[#~] -> Z[~]", dtype=promote, elementwise=True)
def trunc_divide(x, y):
    """x / y without its fraction."""
    return trunc(x / y) if dtype_of(x, y).is_inexact else (x - fmod(x, y)) // y


@op("X[#~] Y[#~] -> Z[~]", dtype=promote, elementwise=True)
def scaled_add(x, y, *, alpha):
    """x + alpha * y."""
    return x + times(y, alpha)


@op("X[#~] Y[#~] -> Z[~]", dtype=promote, elementwise=True)
def scaled_subtract(x, y, *, alpha):
    """x - alpha * y."""
    return x - times(y, alpha)


@op("X[#~] Y[#~] -> Q[~] R[~]", dtype=(promote, promote), elementwise=True)
def divmod_(x, y):
    """floor(x / y), and what it leaves of x."""
    return floor_divide(x, y), remainder(x, y)


@op("X[#~] Y[#~] Z[#~] -> W[~]", dtype=promote, elementwise=True)
def addcmul(x, y, z, *, value=1):
    """x + value * y * z."""
    return x + (y if value == 1 else times(y, value)) * z


@op("X[#~] Y[#~] Z[#~] -> W[~]", dtype=promote, elementwise=True)
def addcdiv(x, y, z, *, value=1):
    """x + value * y / z."""
    return x + (y if value == 1 else times(y, value)) / z


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True)
def reciprocal(x):
    """1 / x."""
    return 1 / x


@op("X[#~] Y[#~] W[#~] -> Z[~]", dtype=promote, elementwise=True)
def lerp(x, y, w):
    """x + w * (y - x), reckoned from the end that is nearer, so that it hits both."""
    if x.dtype.bits == 16:
        # Computed wide, and rounded once: the difference of the ends may overflow.
        wide = (cast(v, dtype=float32) if isinstance(v, Value) else v for v in (x, y, w))
        return cast(lerp(*wide), dtype=x.dtype)
    step = y - x
    if isinstance(w, Value):
        return where(abs_(w) < 0.5, x + step * w, y - step * (1 - w))  # type: ignore[operator]
    return y - step * (1 - w) if isinstance(w, (int, float)) and abs(w) >= 0.5 else x + step * w


# Comparison.

equal = binary("equal", "x == y", compare)
not_equal = binary("not_equal", "x != y", compare)
less = binary("less", "x < y", compare)
less_equal = binary("less_equal", "x <= y", compare)
greater = binary("greater", "x > y", compare)
greater_equal = binary("greater_equal", "x >= y", compare)


@op("X[#~] Y[#~] -> Z[~]", dtype=compare, elementwise=True)
def isclose(x, y, *, rtol=1e-05, atol=1e-08, equal_nan=False):
    """|x - y| <= atol + rtol * |y|, or both are the same infinity, or, where `equal_nan` says so, both
    NaN.
    """
    ...


# Logic and bits.

bitwise_and = binary("bitwise_and", "x & y", bitwise)
bitwise_or = binary("bitwise_or", "x | y", bitwise)
bitwise_xor = binary("bitwise_xor", "x ^ y", bitwise)
bitwise_invert = unary("bitwise_invert", "~x; not, on bools", bitwise)
bitwise_left_shift = binary("bitwise_left_shift", "x << y", shift)
bitwise_right_shift = binary("bitwise_right_shift", "x >> y, keeping the sign", shift)
logical_and = binary("logical_and", "both are nonzero", boolean)
logical_or = binary("logical_or", "one of them is nonzero", boolean)
logical_xor = binary("logical_xor", "exactly one of them is nonzero", boolean)
logical_not = unary("logical_not", "x is zero", boolean)

# Exponentials, powers, logarithms.

exp = unary("exp", "e ** x")
exp2 = unary("exp2", "2 ** x")
expm1 = unary("expm1", "e ** x - 1, exact near 0")
log = unary("log", "the natural logarithm")
log2 = unary("log2", "the logarithm to base 2")
log10 = unary("log10", "the logarithm to base 10")
log1p = unary("log1p", "log(1 + x), exact near 0")
logaddexp = binary("logaddexp", "log(exp(x) + exp(y)), without overflow", inexact)
sqrt = unary("sqrt", "the square root")


@op("X[#~] Y[#~] -> Z[~]", dtype=inexact, elementwise=True)
def xlogy(x, y):
    """x * log(y), 0 where x is 0 and y is no NaN."""
    if isinstance(y, (int, float)) and (y > 0 or x.dtype.kind == "float"):
        log_y = math.log(y) if y > 0 else -inf if y == 0 else nan
        return x * log_y if math.isfinite(log_y) or y != y else where(equal(x, 0), 0, x * log_y)
    return where(logical_and(equal(x, 0), logical_not(isnan(y))), 0, x * log(y))


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True)
def rsqrt(x):
    """1 over the square root of x."""
    return 1 / sqrt(x)


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True)
def cbrt(x):
    """The cube root, with the sign of x."""
    if x.dtype.bits == 16:
        return in_float32(cbrt, x)
    size = abs_(x)
    root = size ** (1 / 3)
    # As a double 1 / 3 is less than a third, which shows in the roots of large numbers.
    root = root if x.dtype.bits == 32 else root * size**SHORT_OF_A_THIRD
    return copysign(root, x)


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True)
def sigmoid(x):
    """1 / (1 + exp(-x)), without overflow."""
    if x.dtype.kind == "complex":
        return 1 / (1 + exp(-x))
    e = exp(-abs_(x))
    return where(x >= 0, 1, e) / (1 + e)


# Trigonometry, in radians.

sin = unary("sin", "the sine")
cos = unary("cos", "the cosine")
tan = unary("tan", "the tangent")
asin = unary("asin", "the angle of which x is the sine, in [-pi/2, pi/2]")
acos = unary("acos", "the angle of which x is the cosine, in [0, pi]")
atan = unary("atan", "the angle of which x is the tangent, in [-pi/2, pi/2]")
atan2 = binary("atan2", "the angle of the point (y, x) to the positive first axis, in [-pi, pi]", inexact)
sinh = unary("sinh", "the hyperbolic sine")
cosh = unary("cosh", "the hyperbolic cosine")
tanh = unary("tanh", "the hyperbolic tangent")
asinh = unary("asinh", "the inverse of sinh")
acosh = unary("acosh", "the inverse of cosh")
atanh = unary("atanh", "the inverse of tanh")
hypot = binary("hypot", "sqrt(x * x + y * y), without overflow", inexact)


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True)
def sinc(x):
    """sin(pi * x) / (pi * x), 1 at 0. Where pi * x overflows it is not promised."""
    return in_float32(sinc, x)


radians = unary("radians", "degrees to radians")
degrees = unary("degrees", "radians to degrees")

# Special functions.

erf = unary("erf", "the error function")
erfc = unary("erfc", "1 - erf(x), exact for large x")
erfinv = unary("erfinv", "the inverse of erf")
lgamma = unary("lgamma", "the logarithm of |gamma(x)|, of finite x that is no pole")
digamma = unary("digamma", "the derivative of lgamma, where that is finite")

# Rounding, signs, kinds of numbers.

floor = unary("floor", "the greatest integer that is not above x", keep)
ceil = unary("ceil", "the least integer that is not below x", keep)
trunc = unary("trunc", "x without its fraction", keep)


@op("X[~] -> Y[~]", dtype=keep, elementwise=True)
def round_(x, *, decimals=0, wide=True):
    """The nearest multiple of 10 ** -decimals, the even one of two. 16-bit floats are scaled in float32, or as
    they are, so that they may overflow.
    """
    if x.dtype.is_integer and decimals >= 0:
        return x
    if x.dtype.is_integer:
        of = float32 if x.dtype.bits <= 16 else float64
        return cast(round_(cast(x, dtype=of), decimals=decimals), dtype=x.dtype)
    if x.dtype.bits == 16 and wide:
        return in_float32(round_, x, decimals=decimals)
    factor = 10.0 ** abs(decimals)
    return round_(x * factor) / factor if decimals > 0 else round_(x / factor) * factor


@op("X[~] -> Y[~]", dtype=same, elementwise=True)
def sign(x, *, nan=True):
    """-1, 0 or 1, as x is below, at or above 0; x / |x| of complex numbers. A NaN stays one, or is 0 where
    `nan` is false.

    Whether the 0 of a -0.0 has a sign is not promised: JAX keeps it, NumPy and torch do not.
    """
    return where(isnan(x), x if nan else 0, sign(x, nan=not nan))


isnan = unary("isnan", "x is NaN", boolean)
isinf = unary("isinf", "x is infinite", boolean)
isfinite = unary("isfinite", "x is neither infinite nor NaN", boolean)
isposinf = unary("isposinf", "x is infinite and positive", boolean)
isneginf = unary("isneginf", "x is infinite and negative", boolean)
signbit = unary("signbit", "x is negative, or -0.0", boolean)
copysign = binary("copysign", "|x| with the sign of y", inexact)
nextafter = binary("nextafter", "the next number after x in the direction of y", inexact)


@op("X[~] -> Y[~]", dtype=same, elementwise=True)
def nan_to_num(x, *, nan=0.0, posinf=None, neginf=None):
    """x with other numbers for NaN and the infinities; None means the largest, or least, finite one."""
    high, low = (sign * BFLOAT16_MAX if end is None else end for sign, end in ((1, posinf), (-1, neginf)))
    return where(isnan(x), nan, where(x == inf, high, where(x == -inf, low, x)))


# Complex numbers.


@op("X[~] Y[~] -> Z[~]", dtype=complex_of, elementwise=True)
def complex_(x, y):
    """The complex number whose real part is x and whose imaginary part is y."""
    ...


real_part = unary("real", "the real part", real)
imag = unary("imag", "the imaginary part", real)
conj = unary("conj", "the complex conjugate", same)


@op("X[~] -> Y[~]", dtype=real, elementwise=True)
def angle(x, *, signed=True):
    """The angle to the positive real axis, in [-pi, pi]; that of -0.0 is pi, or 0 where `signed` is false."""
    if x.dtype.kind == "complex":
        return atan2(imag(x), real_part(x))
    return atan2(0.0, x) if signed else where(x < 0, pi, where(isnan(x), x, 0.0))


# Choice.


@op("X[#~] Y[#~] -> Z[~]", dtype=promote, elementwise=True)
def maximum(x, y):
    """The larger of x and y; NaN where one is NaN."""
    return clip(x, y) if isinstance(x, Value) else clip(y, x)


@op("X[#~] Y[#~] -> Z[~]", dtype=promote, elementwise=True)
def minimum(x, y):
    """The smaller of x and y; NaN where one is NaN."""
    return clip(x, None, y) if isinstance(x, Value) else clip(y, None, x)


fmax = binary("fmax", "the larger of x and y; the other one where one is NaN")
fmin = binary("fmin", "the smaller of x and y; the other one where one is NaN")


@op("C[#~] X[#~] Y[#~] -> Z[~]", dtype=promote("x y"), elementwise=True)
def where(c, x, y):
    """x where c is not zero, y elsewhere."""
    return where(not_equal(c, 0), x, y)


@op("X[#~] M[#~] V[#~] -> Y[~]", dtype=same, elementwise=True)
def masked_fill(x, mask, value):
    """x, and `value` where `mask` holds."""
    return where(mask, cast(value, dtype=x.dtype) if isinstance(value, Value) else value, x)


@op("X[#~] L?[#~] H?[#~] -> Y[~]", dtype=promote, elementwise=True)
def clip(x, low=None, high=None):
    """x limited to [low, high]; a bound that is None does not limit. Where low is above high, high wins."""
    if low is not None:
        x = maximum(x, low)
    return x if high is None else minimum(x, high)


# Dtypes.


@op("X[~] -> Y[~]", dtype=free, elementwise=True)
def cast(x, *, dtype):
    """x in another dtype, as C casts. Floats lose their fraction, complex numbers their imaginary part; not 0
    is True.

    What becomes of NaN, and of floats that an integer dtype does not hold, is not promised: NumPy and torch
    leave it to the processor, JAX takes the nearest integer, and 0 for NaN.
    """
    ...


@op("X[~] L[*l] -> Y[~]", dtype=Rule("same", ("like",)), elementwise="x")
def type_as(x, like):
    """x in the dtype of `like`."""
    return cast(x, dtype=like.dtype)


@op("X[~] -> Y[~]", dtype=same, elementwise=True)
def stop_gradient(x):
    """x, through which no gradient runs."""
    ...


def times(y, number):
    """y so many times; of two numbers that are known, Python's product."""
    known = isinstance(y, (int, float)) and isinstance(number, (int, float))
    return y * number if known or isinstance(y, Value) else multiply(y, number)


def in_float32(op, x, **params):
    """An op of 16-bit floats, computed wide and rounded once."""
    assert x.dtype.kind == "float" and x.dtype.bits == 16
    return cast(op(cast(x, dtype=float32), **params), dtype=x.dtype)


def dtype_of(*operands):
    """The dtype of the first operand that is no Python scalar."""
    return next(x.dtype for x in operands if isinstance(x, Value))
