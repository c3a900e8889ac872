"""Elementwise ops: one element of the result for one of each operand. Those of mathematics are in
elementary.py.
"""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..bodies.building import Value, only_if
from ..meaning.op import (
    REGISTER,
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
from ..meaning.op import bool_ as boolean
from ..meaning.sampling import EVERY
from ..values.dtypes import float32


def unary(name: str, doc: str, dtype: Rule = inexact, **facts: Any) -> Op:
    """An op of one array. `doc` is its meaning."""

    def function(x): ...

    return declare(name, doc, "X[~] -> Y[~]", dtype, function, facts)


def binary(name: str, doc: str, dtype: Rule = promote, **facts: Any) -> Op:
    """An op of two arrays that broadcast."""

    def function(x, y): ...

    return declare(name, doc, "X[#~] Y[#~] -> Z[~]", dtype, function, facts)


def declare(
    name: str, doc: str, subscript: str, dtype: Rule, function: Callable[..., None], facts: dict[str, Any]
) -> Op:
    function.__name__, function.__doc__ = name, doc
    function.__module__ = sys._getframe(2).f_globals["__name__"]  # of the family that has it
    return op(subscript, dtype=dtype, elementwise=True, **facts)(function)


# Arithmetic.

add = binary("add", "x + y; or, on bools", noun="total", gradient=lambda g, z, x, y: (g, g))
subtract = binary("subtract", "x - y", noun="difference", gradient=lambda g, z, x, y: (g, -g))
multiply = binary(
    "multiply", "x * y; and, on bools", noun="product", gradient=lambda g, z, x, y: (g * y, g * x)
)
divide_ = binary(
    "divide", "x / y, true division", divide, noun="ratio",
    gradient=lambda g, z, x, y: (g / y, -g * (z / y)),
)
# Of integers divided by zero each framework makes what it likes.
QUOTIENTS: dict[str, Any] = {"raises": "ints", "domain": "y: nonzero", "excludes": "zeros", "jumps": True}
floor_divide = binary("floor_divide", "floor(x / y)", **QUOTIENTS)
remainder = binary("remainder", "x - y * floor(x / y): the sign of y", **QUOTIENTS)
fmod = binary("fmod", "x - y * trunc(x / y): the sign of x", **QUOTIENTS)
pow_ = binary("pow", "x ** y", power, raises="ints", domain="x: base, y: exponent", excludes="exponents")
negative = unary("negative", "-x", promote, noun="negated", gradient=lambda g, y, x: -g)
positive = unary("positive", "+x", promote, gradient=lambda g, y, x: g)
abs_ = unary("abs", "|x|", real, noun="size")
square = unary("square", "x * x", promote, gradient=lambda g, y, x: g * (2 * x))
# The smallest integer has no divisor, and JAX looks for it forever.
gcd = binary("gcd", "the greatest common divisor", domain="finite")
lcm = binary("lcm", "the least common multiple", domain="finite")


@pow_.gradient
def _(g, z, x, y):
    """The logarithm of a base that is 0 counts as 0."""
    if isinstance(y, (int, float)):
        return (None if y == 0 else g * (y * x ** (y - 1))), None
    if isinstance(x, (int, float)):
        return None, g * (z * (math.log(x or 1) if x >= 0 else math.nan))
    if not isinstance(x, Value):  # a number that the running program knows
        x = REGISTER["zeros_like"](y, dtype=y.dtype) + x
    if not isinstance(y, Value):
        less = x.program.static(operator.sub, y, 1, spec=replace(y.spec, value=None))
        return g * (y * x**less), None
    return g * (y * x ** subtract(y, 1)), g * (z * REGISTER["log"](where(equal(x, 0), 1, x)))


@op(
    "X[#~] Y[#~] -> Z[~]", dtype=promote, elementwise=True, domain="y: nonzero", excludes="zeros",
    jumps=True,
)
def trunc_divide(x, y):
    """x / y without its fraction."""
    return trunc(x / y) if dtype_of(x, y).is_inexact else (x - fmod(x, y)) // y


# What cancels, or overflows on the way, depends on the order, and on how wide the steps between are.
SUMMED = "any-large"


@op(
    "X[#~] Y[#~] -> Z[~]", dtype=promote, elementwise=True, samples={"alpha": (2, 0.5)}, domain=SUMMED,
    numbers="alpha",
)
def scaled_add(x, y, *, alpha):
    """x + alpha * y."""
    return x + times(y, alpha)


@op(
    "X[#~] Y[#~] -> Z[~]", dtype=promote, elementwise=True, samples={"alpha": (2, 0.5)}, domain=SUMMED,
    numbers="alpha",
)
def scaled_subtract(x, y, *, alpha):
    """x - alpha * y."""
    return x - times(y, alpha)


@op(
    "X[#~] Y[#~] -> Q[~] R[~]", dtype=(promote, promote), elementwise=True, domain="y: nonzero",
    excludes="zeros", jumps=True,
)
def divmod_(x, y):
    """floor(x / y), and what it leaves of x."""
    return floor_divide(x, y), remainder(x, y)


@op(
    "X[#~] Y[#~] Z[#~] -> W[~]",
    dtype=promote,
    elementwise=True,
    domain=SUMMED,
    samples={"value": (1, 2, 0.5)},
    numbers="value",
)
def addcmul(x, y, z, *, value=1):
    """x + value * y * z."""
    return x + (y if value == 1 else times(y, value)) * z


@op(
    "X[#~] Y[#~] Z[#~] -> W[~]",
    dtype=promote,
    elementwise=True,
    domain=SUMMED,
    samples={"value": (1, 2, 0.5)},
    numbers="value",
)
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


# Rounding to whole numbers.

floor = unary("floor", "the greatest integer that is not above x", keep, jumps=True)
ceil = unary("ceil", "the least integer that is not below x", keep, jumps=True)
trunc = unary("trunc", "x without its fraction", keep, jumps=True)

# Comparison.

equal = binary("equal", "x == y", compare, noun="mask")
not_equal = binary("not_equal", "x != y", compare, noun="mask")
less = binary("less", "x < y", compare, noun="mask")
less_equal = binary("less_equal", "x <= y", compare, noun="mask")
greater = binary("greater", "x > y", compare, noun="mask")
greater_equal = binary("greater_equal", "x >= y", compare, noun="mask")


@op(
    "X[#~] Y[#~] -> Z[~]",
    dtype=compare,
    elementwise=True,
    samples={"rtol": (1e-5, 0.1), "atol": (1e-8, 0.5)},
)
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
bitwise_left_shift = binary("bitwise_left_shift", "x << y", shift, domain="y: bits")
bitwise_right_shift = binary("bitwise_right_shift", "x >> y, keeping the sign", shift, domain="y: bits")
logical_and = binary("logical_and", "both are nonzero", boolean, noun="mask", truth=True)
logical_or = binary("logical_or", "one of them is nonzero", boolean, noun="mask", truth=True)
logical_xor = binary("logical_xor", "exactly one of them is nonzero", boolean, truth=True)
logical_not = unary("logical_not", "x is zero", boolean, noun="mask", truth=True)

# Choice.


@op("X[#~] Y[#~] -> Z[~]", dtype=promote, elementwise=True)
def maximum(x, y):
    """The larger of x and y; NaN where one is NaN."""
    return clip(x, y) if isinstance(x, Value) else clip(y, x)


@op("X[#~] Y[#~] -> Z[~]", dtype=promote, elementwise=True)
def minimum(x, y):
    """The smaller of x and y; NaN where one is NaN."""
    return clip(x, None, y) if isinstance(x, Value) else clip(y, None, x)


# At a tie each has half of the gradient.


@maximum.gradient
def _(g, z, x, y):
    half = where(equal(x, y), g / 2, 0)
    return where(greater(x, y), g, half), where(greater(y, x), g, half)


@minimum.gradient
def _(g, z, x, y):
    half = where(equal(x, y), g / 2, 0)
    return where(less(x, y), g, half), where(less(y, x), g, half)


fmax = binary("fmax", "the larger of x and y; the other one where one is NaN")
fmin = binary("fmin", "the smaller of x and y; the other one where one is NaN")


@op("C[#~] X[#~] Y[#~] -> Z[~]", dtype=promote("x y"), elementwise=True, domain="c: mask", noun="chosen")
def where(c, x, y):
    """x where c is not zero, y elsewhere."""
    return where(not_equal(c, 0), x, y)


where.gradient(lambda g, z, c, x, y: (None, where(c, g, 0), where(c, 0, g)))


@op("X[#~] M[#~] V[#~] -> Y[~]", dtype=same, elementwise=True, domain="mask: mask, value: finite")
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


@op(
    "X[~] -> Y[~]", dtype=free, elementwise=True, domain="positive", samples={"dtype": EVERY},
    noun="converted",
)
def cast(x, *, dtype):
    """x in another dtype, as C casts. Floats lose their fraction, complex numbers their imaginary part; not 0
    is True.

    What becomes of NaN, and of floats that an integer dtype does not hold, is not promised: NumPy and torch
    leave it to the processor, JAX takes the nearest integer, and 0 for NaN.
    """
    ...


@cast.gradient
def _(g, y, x):
    return cast(g, dtype=x.dtype)


@op("X[~] L[*l] -> Y[~]", dtype=Rule("same", ("like",)), elementwise="x")
def type_as(x, like):
    """x in the dtype of `like`."""
    return cast(x, dtype=like.dtype)


@op("X[~] -> Y[~]", dtype=same, elementwise=True, gradient=lambda g, y, x: None)
def stop_gradient(x):
    """x, through which no gradient runs."""
    ...


def times(y, number):
    """y so many times; of two numbers that are known, Python's product."""
    known = isinstance(y, (int, float)) and isinstance(number, (int, float))
    return y * number if known or isinstance(y, Value) else multiply(y, number)


def in_float32(op, x, **params):
    """An op of 16-bit floats, computed wide and rounded once."""
    only_if(x.dtype.kind == "float" and x.dtype.bits == 16)
    return cast(op(cast(x, dtype=float32), **params), dtype=x.dtype)


def dtype_of(*operands):
    """The dtype of the first operand that is no Python scalar."""
    return next(x.dtype for x in operands if isinstance(x, Value))
