"""Elementwise ops: one element of the result for one of each operand."""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

from collections.abc import Callable

from ..op import Op, Rule, bitwise, compare, divide, inexact, keep, op, power, promote, real, same, shift
from ..op import bool_ as boolean


def unary(name: str, doc: str, dtype: Rule = inexact) -> Op:
    """An op of one array. `doc` is its meaning."""

    def function(x): ...

    return declare(name, doc, "X[~] -> Y[~]", dtype, function)


def binary(name: str, doc: str, dtype: Rule = promote) -> Op:
    """An op of two arrays that broadcast."""

    def function(x, y): ...

    return declare(name, doc, "X[#~] Y[#~] -> Z[~]", dtype, function)


def declare(name: str, doc: str, subscript: str, dtype: Rule, function: Callable[..., None]) -> Op:
    function.__name__, function.__doc__ = name, doc
    return op(subscript, dtype=dtype)(function)


# Arithmetic.

add = binary("add", "x + y; or, on bools")
subtract = binary("subtract", "x - y")
multiply = binary("multiply", "x * y; and, on bools")
divide_ = binary("divide", "x / y, true division", divide)
floor_divide = binary("floor_divide", "floor(x / y)")
remainder = binary("remainder", "x - y * floor(x / y): the sign of y")
pow_ = binary("pow", "x ** y", power)
negative = unary("negative", "-x", promote)
positive = unary("positive", "+x", promote)
abs_ = unary("abs", "|x|", real)

# Comparison.

equal = binary("equal", "x == y", compare)
not_equal = binary("not_equal", "x != y", compare)
less = binary("less", "x < y", compare)
less_equal = binary("less_equal", "x <= y", compare)
greater = binary("greater", "x > y", compare)
greater_equal = binary("greater_equal", "x >= y", compare)

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
sqrt = unary("sqrt", "the square root")
square = unary("square", "x * x", promote)


@op("X[~] -> Y[~]", dtype=inexact)
def rsqrt(x):
    """1 over the square root of x."""
    return 1 / sqrt(x)


@op("X[~] -> Y[~]", dtype=inexact)
def reciprocal(x):
    """1 / x."""
    return 1 / x


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
erf = unary("erf", "the error function")
erfc = unary("erfc", "1 - erf(x), exact for large x")


@op("X[~] -> Y[~]", dtype=inexact)
def sigmoid(x):
    """1 / (1 + exp(-x))."""
    return 1 / (1 + exp(-x))

# Rounding and sign.

floor = unary("floor", "the greatest integer that is not above x", keep)
ceil = unary("ceil", "the least integer that is not below x", keep)
trunc = unary("trunc", "x without its fraction", keep)
round_ = unary("round", "the nearest integer, the even one of two", keep)
isnan = unary("isnan", "x is NaN", boolean)
isinf = unary("isinf", "x is infinite", boolean)
isfinite = unary("isfinite", "x is neither infinite nor NaN", boolean)
real_part = unary("real", "the real part", real)
imag = unary("imag", "the imaginary part", real)
conj = unary("conj", "the complex conjugate", same)


@op("X[~] -> Y[~]", dtype=same)
def sign(x, *, nan=True):
    """-1, 0 or 1, as x is below, at or above 0; x / |x| of complex numbers. A NaN stays one, or is 0 where `nan` is false."""
    ...


# Choice.

maximum = binary("maximum", "the larger of x and y; NaN where one is NaN")
minimum = binary("minimum", "the smaller of x and y; NaN where one is NaN")


@op("C[#~] X[#~] Y[#~] -> Z[~]", dtype=promote("x y"))
def where(c, x, y):
    """x where c holds, y elsewhere."""
    ...


@op("X[#~] L?[#~] H?[#~] -> Y[~]", dtype=promote)
def clip(x, low=None, high=None):
    """x limited to [low, high]; a bound that is None does not limit. Where low is above high, high wins."""
    if low is not None:
        x = maximum(x, low)
    return x if high is None else minimum(x, high)


# Dtypes.


@op("X[~] -> Y[~]", dtype=Rule("free"))
def cast(x, *, dtype):
    """x in another dtype, as C casts."""
    ...


@op("X[~] -> Y[~]", dtype=same)
def stop_gradient(x):
    """x, through which no gradient runs."""
    ...

