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
log = unary("log", "the natural logarithm")
sqrt = unary("sqrt", "the square root")
sin = unary("sin", "the sine of x radians")
cos = unary("cos", "the cosine of x radians")
tan = unary("tan", "the tangent of x radians")
tanh = unary("tanh", "the hyperbolic tangent")
erf = unary("erf", "the error function")

# Rounding and sign.

floor = unary("floor", "the greatest integer that is not above x", keep)


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


_ = real
