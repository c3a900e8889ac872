"""Elementary functions of numbers, one element of the result for each: exponentials, trigonometry, special
functions, rounding, the parts of complex numbers.
"""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

import math
from math import inf, nan, pi

from ..bodies.building import only_if
from ..meaning.op import bool_ as boolean
from ..meaning.op import complex_ as complex_of
from ..meaning.op import inexact, keep, op, real, same
from ..values.dtypes import float32, float64
from .elementwise import (
    abs_,
    binary,
    cast,
    equal,
    in_float32,
    logical_and,
    logical_not,
    minimum,
    unary,
    where,
)

#: The largest finite number of the one dtype in which a framework lacks nan_to_num.
BFLOAT16_MAX = 3.3895313892515355e38
#: What 1 / 3 lacks of a third.
SHORT_OF_A_THIRD = 2**-54 / 3

# Exponentials, powers, logarithms.

exp = unary("exp", "e ** x", gradient=lambda g, y, x: g * y)
# JAX's is exp(x * log(2)), whose error grows with x.
exp2 = unary("exp2", "2 ** x", domain="tame")
expm1 = unary("expm1", "e ** x - 1, exact near 0")
log = unary("log", "the natural logarithm", gradient=lambda g, y, x: g / x)
log2 = unary("log2", "the logarithm to base 2")
log10 = unary("log10", "the logarithm to base 10")
log1p = unary("log1p", "log(1 + x), exact near 0")
logaddexp = binary("logaddexp", "log(exp(x) + exp(y)), without overflow", inexact)
sqrt = unary("sqrt", "the square root", gradient=lambda g, y, x: g / (2 * y))


@op("X[#~] Y[#~] -> Z[~]", dtype=inexact, elementwise=True)
def xlogy(x, y):
    """x * log(y), 0 where x is 0 and y is no NaN."""
    if isinstance(y, (int, float)) and (y > 0 or x.dtype.kind == "float"):
        log_y = math.log(y) if y > 0 else -inf if y == 0 else nan
        return x * log_y if math.isfinite(log_y) or y != y else where(equal(x, 0), 0, x * log_y)
    zero = equal(x, 0)
    alone = getattr(x, "node", x) is getattr(y, "node", y)  # then it is no NaN where it is 0
    return where(zero if alone else logical_and(zero, logical_not(isnan(y))), 0, x * log(y))


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


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True, gradient=lambda g, y, x: g * (y * (1 - y)))
def sigmoid(x):
    """1 / (1 + exp(-x)), without overflow."""
    if x.dtype.kind == "complex":
        return 1 / (1 + exp(-x))
    return exp(minimum(x, 0)) / (1 + exp(-abs_(x)))


# Trigonometry, in radians.

sin = unary("sin", "the sine")
cos = unary("cos", "the cosine", gradient=lambda g, y, x: -g * sin(x))
sin.gradient(lambda g, y, x: g * cos(x))
tan = unary("tan", "the tangent")
asin = unary("asin", "the angle of which x is the sine, in [-pi/2, pi/2]")
acos = unary("acos", "the angle of which x is the cosine, in [0, pi]")
atan = unary("atan", "the angle of which x is the tangent, in [-pi/2, pi/2]")
atan2 = binary("atan2", "the angle of the point (y, x) to the positive first axis, in [-pi, pi]", inexact)
sinh = unary("sinh", "the hyperbolic sine")
cosh = unary("cosh", "the hyperbolic cosine")
tanh = unary("tanh", "the hyperbolic tangent", gradient=lambda g, y, x: g * (1 - y * y))
asinh = unary("asinh", "the inverse of sinh")
acosh = unary("acosh", "the inverse of cosh")
atanh = unary("atanh", "the inverse of tanh")
hypot = binary("hypot", "sqrt(x * x + y * y), without overflow", inexact)


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True, domain="any-large")
def sinc(x):
    """sin(pi * x) / (pi * x), 1 at 0. Where pi * x overflows it is not promised."""
    return in_float32(sinc, x)


radians = unary("radians", "degrees to radians")
degrees = unary("degrees", "radians to degrees")

# Special functions.

erf = unary("erf", "the error function")
erfc = unary("erfc", "1 - erf(x), exact for large x")
erfinv = unary("erfinv", "the inverse of erf")
# Where these are not finite, libraries differ; between the poles of lgamma JAX has few digits.
lgamma = unary(
    "lgamma",
    "the logarithm of |gamma(x)|, of finite x that is no pole",
    domain="any-negative",
    tolerance="reduction",
)
digamma = unary(
    "digamma",
    "the derivative of lgamma, where that is finite",
    domain="any-zero",
    tolerance="reduction",
)

# Rounding, signs, kinds of numbers.


# What an integer that does not fit is cast to, C does not say.
@op(
    "X[~] -> Y[~]",
    dtype=keep,
    elementwise=True,
    domain="any-ends",
    samples={"decimals": (0, 2, -1)},
    tolerance="elementwise",
    jumps=True,
)
def round_(x, *, decimals=0, wide=True):
    """The nearest multiple of 10 ** -decimals, the even one of two. 16-bit floats are scaled in float32, or
    as they are, so that they may overflow.
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
# The sign of a NaN is nobody's business.
signbit = unary("signbit", "x is negative, or -0.0", boolean, domain="any-nan")
copysign = binary("copysign", "|x| with the sign of y", inexact, domain="y: any-nan")
nextafter = binary("nextafter", "the next number after x in the direction of y", inexact)


@op(
    "X[~] -> Y[~]",
    dtype=same,
    elementwise=True,
    samples={"nan": (0.0, 1.5), "posinf": (None, 3.0), "neginf": (None, -3.0)},
)
def nan_to_num(x, *, nan=0.0, posinf=None, neginf=None):
    """x with other numbers for NaN and the infinities; None means the largest, or least, finite one."""
    only_if(x.dtype.name == "bfloat16" or None not in (posinf, neginf) and x.dtype.kind != "complex")
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
