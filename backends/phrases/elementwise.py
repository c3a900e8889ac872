"""How elementwise ops are said. Same order as in ir/ops/elementwise.py."""

from __future__ import annotations

from ...ir.dtypes import DTYPES
from ...ir.ops import elementwise as e
from ..rows import absent, say

#: The dtypes that NumPy and JAX have functions for, and torch methods: np.float32(x), x.float().
CASTS = [f"{root}.{name}(x) if dtype={name}" for root in ("np", "jnp") for name in DTYPES if (root, name) != ("np", "bfloat16")]
CASTS += [
    f"torch.Tensor.{method}(x) if dtype={name}"
    for method, name in {
        "bool": "bool", "byte": "uint8", "char": "int8", "short": "int16", "int": "int32", "long": "int64",
        "half": "float16", "bfloat16": "bfloat16", "float": "float32", "double": "float64",
        "cfloat": "complex64", "cdouble": "complex128",
    }.items()
]  # fmt: skip

#: All but the floats of 16 bits.
WIDE = "bool|uint|int|float32|float64|complex"

# fmt: off
#    op                     numpy                            jax                                 torch
say( e.add,                "x + y",                         "x + y",                            "x + y",
     also=["np.add(x, y)", "jnp.add(x, y)", "jax.lax.add(x, y)", "torch.add(x, y)"])
say( e.scaled_add,         None,                            None,                               "torch.add(x, y, alpha=alpha)")
say( e.subtract,           "x - y",                         "x - y",                            "x - y",
     also=["np.subtract(x, y)", "jnp.subtract(x, y)", "jax.lax.sub(x, y)", "torch.sub(x, y)", "torch.subtract(x, y)", "torch.rsub(y, x)"])
say( e.scaled_subtract,    None,                            None,                               "torch.sub(x, y, alpha=alpha)",
     also=["torch.subtract(x, y, alpha=alpha)", "torch.rsub(y, x, alpha=alpha)"])
say( e.multiply,           "x * y",                         "x * y",                            "x * y",
     also=["np.multiply(x, y)", "jnp.multiply(x, y)", "jax.lax.mul(x, y)", "torch.mul(x, y)", "torch.multiply(x, y)"])
say( e.divide_,            "x / y",                         "x / y",                            "x / y",
     also=["np.true_divide(x, y)", "jnp.true_divide(x, y)", "jnp.divide(x, y)", "jax.lax.div(x, y) if x: float|complex", "torch.div(x, y)", "torch.div(x, y, rounding_mode=None)", "torch.divide(x, y)", "torch.divide(x, y, rounding_mode=None)", "torch.true_divide(x, y)"])
say( e.floor_divide,       "x // y",                        "x // y",                           "x // y",
     also=["np.floor_divide(x, y)", "jnp.floor_divide(x, y)", "torch.floor_divide(x, y)", "torch.div(x, y, rounding_mode='floor')", "torch.divide(x, y, rounding_mode='floor')"])
say( e.remainder,          "x % y",                         "x % y",                            "x % y",
     also=["np.remainder(x, y)", "jnp.remainder(x, y)", "jnp.mod(x, y)", "torch.remainder(x, y)"])
say( e.divmod_,            "np.divmod(x, y)",               "jnp.divmod(x, y)",                 None)
say( e.fmod,               "np.fmod(x, y)",                 "jnp.fmod(x, y)",                   "torch.fmod(x, y)",
     also=["jax.lax.rem(x, y)"])
say( e.pow_,               "x ** y",                        "x ** y",                           "x ** y",
     also=["np.power(x, y)", "jnp.power(x, y)", "jnp.pow(x, y)", "jax.lax.pow(x, y)", "jax.lax.integer_pow(x, y)", "torch.pow(x, y)"])
say( e.negative,           "-x",                            "-x",                               "-x",
     also=["np.negative(x)", "jnp.negative(x)", "jax.lax.neg(x)", "torch.neg(x)", "torch.negative(x)"])
say( e.positive,           "+x",                            "+x",                               "+x",
     also=["np.positive(x)", "jnp.positive(x)", "torch.positive(x)"])
say( e.abs_,               "np.abs(x)",                     "jnp.abs(x)",                       "torch.abs(x)",
     also=["operator.abs(x)", "np.absolute(x)", "np.fabs(x) if x: float", "jnp.absolute(x)", "jnp.fabs(x) if x: float", "jax.lax.abs(x)", "torch.absolute(x)"])
say( e.square,             "np.square(x)",                  "jnp.square(x)",                    "torch.square(x)",
     also=["jax.lax.square(x)"])
say( e.gcd,                "np.gcd(x, y)",                  "jnp.gcd(x, y)",                    "torch.gcd(x, y)")
say( e.lcm,                "np.lcm(x, y)",                  "jnp.lcm(x, y)",                    "torch.lcm(x, y)")
say( e.trunc_divide,       None,                            None,                               "torch.div(x, y, rounding_mode='trunc')",
     also=["jax.lax.div(x, y) if x: uint|int", "torch.divide(x, y, rounding_mode='trunc')"])
say( e.reciprocal,         "np.reciprocal(x) if x: float|complex", "jnp.reciprocal(x)",                "torch.reciprocal(x)",
     also=["jax.lax.reciprocal(x)"])
say( e.lerp,               None,                            None,                               "torch.lerp(x, y, w)")
say( e.addcmul,            None,                            None,                               ("torch.addcmul(x, y, z) if value=1", "torch.addcmul(x, y, z, value=value)"),
     also=["torch.Tensor.addcmul(x, y, z, value=value)"])
say( e.addcdiv,            None,                            None,                               ("torch.addcdiv(x, y, z) if value=1", "torch.addcdiv(x, y, z, value=value)"),
     also=["torch.Tensor.addcdiv(x, y, z, value=value)"])

say( e.equal,              "x == y",                        "x == y",                           "x == y",
     also=["np.equal(x, y)", "jnp.equal(x, y)", "jax.lax.eq(x, y)", "torch.eq(x, y)"])
say( e.not_equal,          "x != y",                        "x != y",                           "x != y",
     also=["np.not_equal(x, y)", "jnp.not_equal(x, y)", "jax.lax.ne(x, y)", "torch.ne(x, y)", "torch.not_equal(x, y)"])
say( e.less,               "x < y",                         "x < y",                            "x < y",
     also=["np.less(x, y)", "jnp.less(x, y)", "jax.lax.lt(x, y)", "torch.lt(x, y)", "torch.less(x, y)"])
say( e.less_equal,         "x <= y",                        "x <= y",                           "x <= y",
     also=["np.less_equal(x, y)", "jnp.less_equal(x, y)", "jax.lax.le(x, y)", "torch.le(x, y)", "torch.less_equal(x, y)"])
say( e.greater,            "x > y",                         "x > y",                            "x > y",
     also=["np.greater(x, y)", "jnp.greater(x, y)", "jax.lax.gt(x, y)", "torch.gt(x, y)", "torch.greater(x, y)"])
say( e.greater_equal,      "x >= y",                        "x >= y",                           "x >= y",
     also=["np.greater_equal(x, y)", "jnp.greater_equal(x, y)", "jax.lax.ge(x, y)", "torch.ge(x, y)", "torch.greater_equal(x, y)"])
say( e.isclose,            "np.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan) if x: float|complex", "jnp.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan) if x: float|complex", "torch.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan) if x: float|complex")

say( e.bitwise_and,        "x & y",                         "x & y",                            "x & y",
     also=["np.bitwise_and(x, y)", "jnp.bitwise_and(x, y)", "jax.lax.bitwise_and(x, y)", "torch.bitwise_and(x, y)"])
say( e.bitwise_or,         "x | y",                        "x | y",                           "x | y",
     also=["np.bitwise_or(x, y)", "jnp.bitwise_or(x, y)", "jax.lax.bitwise_or(x, y)", "torch.bitwise_or(x, y)"])
say( e.bitwise_xor,        "x ^ y",                         "x ^ y",                            "x ^ y",
     also=["np.bitwise_xor(x, y)", "jnp.bitwise_xor(x, y)", "jax.lax.bitwise_xor(x, y)", "torch.bitwise_xor(x, y)"])
say( e.bitwise_invert,     "~x",                            "~x",                               "~x",
     also=["np.invert(x)", "jnp.invert(x)", "jnp.bitwise_not(x)", "jnp.bitwise_invert(x)", "jax.lax.bitwise_not(x)", "torch.bitwise_not(x)"])
say( e.bitwise_left_shift, "x << y",                        "x << y",                           "x << y",
     also=["np.left_shift(x, y)", "jnp.left_shift(x, y)", "jnp.bitwise_left_shift(x, y)", "jax.lax.shift_left(x, y)", "torch.bitwise_left_shift(x, y)"])
say( e.bitwise_right_shift,"x >> y",                        "x >> y",                           "x >> y",
     also=["np.right_shift(x, y)", "jnp.right_shift(x, y)", "jnp.bitwise_right_shift(x, y)", "jax.lax.shift_right_arithmetic(x, y) if x: int", "torch.bitwise_right_shift(x, y)"])
say( e.logical_and,        "np.logical_and(x, y)",          "jnp.logical_and(x, y)",            "torch.logical_and(x, y)")
say( e.logical_or,         "np.logical_or(x, y)",           "jnp.logical_or(x, y)",             "torch.logical_or(x, y)")
say( e.logical_xor,        "np.logical_xor(x, y)",          "jnp.logical_xor(x, y)",            "torch.logical_xor(x, y)")
say( e.logical_not,        "np.logical_not(x)",             "jnp.logical_not(x)",               "torch.logical_not(x)")

say( e.exp,                "np.exp(x)",                     "jnp.exp(x)",                       "torch.exp(x)",
     also=["jax.lax.exp(x)"])
say( e.exp2,               "np.exp2(x)",                    "jnp.exp2(x)",                      "torch.exp2(x)",
     also=["jax.lax.exp2(x)", "torch.special.exp2(x)"])
say( e.expm1,              "np.expm1(x)",                   "jnp.expm1(x)",                     "torch.expm1(x)",
     also=["jax.lax.expm1(x)", "torch.special.expm1(x)"])
say( e.log,                "np.log(x)",                     "jnp.log(x)",                       "torch.log(x)",
     also=["jax.lax.log(x)"])
say( e.log2,               "np.log2(x)",                    "jnp.log2(x)",                      "torch.log2(x)")
say( e.log10,              "np.log10(x)",                   "jnp.log10(x)",                     "torch.log10(x)")
say( e.log1p,              "np.log1p(x)",                   "jnp.log1p(x)",                     "torch.log1p(x)",
     also=["jax.lax.log1p(x)", "torch.special.log1p(x)"])
say( e.logaddexp,          "np.logaddexp(x, y)",            "jnp.logaddexp(x, y)",              "torch.logaddexp(x, y) if x: float")
say( e.sqrt,               "np.sqrt(x)",                    "jnp.sqrt(x)",                      "torch.sqrt(x)",
     also=["jax.lax.sqrt(x)"])
say( e.xlogy,              None,                            "jax.scipy.special.xlogy(x, y)",    "torch.xlogy(x, y)",
     also=["torch.special.xlogy(x, y)"])
say( e.rsqrt,              None,                            "jax.lax.rsqrt(x)",                 "torch.rsqrt(x)")
say( e.cbrt,               "np.cbrt(x)",                    "jnp.cbrt(x)",                      None,
     also=["jax.lax.cbrt(x)"])
say( e.sigmoid,            None,                            "jax.nn.sigmoid(x)",                "torch.sigmoid(x)",
     also=["scipy.special.expit(x) if x: float32|float64", "jax.lax.logistic(x)", "jax.scipy.special.expit(x)", "torch.special.expit(x)", "torch.nn.functional.sigmoid(x)"])

say( e.sin,                "np.sin(x)",                     "jnp.sin(x)",                       "torch.sin(x)",
     also=["jax.lax.sin(x)"])
say( e.cos,                "np.cos(x)",                     "jnp.cos(x)",                       "torch.cos(x)",
     also=["jax.lax.cos(x)"])
say( e.tan,                "np.tan(x)",                     "jnp.tan(x)",                       "torch.tan(x)",
     also=["jax.lax.tan(x)"])
say( e.asin,               "np.arcsin(x)",                  "jnp.arcsin(x)",                    "torch.asin(x)",
     also=["jnp.asin(x)", "jax.lax.asin(x)", "torch.arcsin(x)"])
say( e.acos,               "np.arccos(x)",                  "jnp.arccos(x)",                    "torch.acos(x)",
     also=["jnp.acos(x)", "jax.lax.acos(x)", "torch.arccos(x)"])
say( e.atan,               "np.arctan(x)",                  "jnp.arctan(x)",                    "torch.atan(x)",
     also=["jnp.atan(x)", "jax.lax.atan(x)", "torch.arctan(x)"])
say( e.atan2,              "np.arctan2(x, y)",              "jnp.arctan2(x, y)",                "torch.atan2(x, y)",
     also=["jnp.atan2(x, y)", "jax.lax.atan2(x, y)", "torch.arctan2(x, y)"])
say( e.sinh,               "np.sinh(x)",                    "jnp.sinh(x)",                      "torch.sinh(x)",
     also=["jax.lax.sinh(x)"])
say( e.cosh,               "np.cosh(x)",                    "jnp.cosh(x)",                      "torch.cosh(x)",
     also=["jax.lax.cosh(x)"])
say( e.tanh,               "np.tanh(x)",                    "jnp.tanh(x)",                      "torch.tanh(x)",
     also=["jax.lax.tanh(x)", "jax.nn.tanh(x)", "torch.nn.functional.tanh(x)"])
say( e.asinh,              "np.arcsinh(x)",                 "jnp.arcsinh(x)",                   "torch.asinh(x)",
     also=["jnp.asinh(x)", "jax.lax.asinh(x)", "torch.arcsinh(x)"])
say( e.acosh,              "np.arccosh(x)",                 "jnp.arccosh(x)",                   "torch.acosh(x)",
     also=["jnp.acosh(x)", "jax.lax.acosh(x)", "torch.arccosh(x)"])
say( e.atanh,              "np.arctanh(x)",                 "jnp.arctanh(x)",                   "torch.atanh(x)",
     also=["jnp.atanh(x)", "jax.lax.atanh(x)", "torch.arctanh(x)"])
say( e.hypot,              "np.hypot(x, y)",                "jnp.hypot(x, y)",                  "torch.hypot(x, y)")
say( e.sinc,               f"np.sinc(x) if x: {WIDE}",      f"jnp.sinc(x) if x: {WIDE}",        "torch.sinc(x)",
     also=["np.sinc(x)", "jnp.sinc(x)", "torch.special.sinc(x)"])
say( e.radians,            "np.radians(x)",                 "jnp.radians(x)",                   "torch.deg2rad(x)",
     also=["np.deg2rad(x)", "jnp.deg2rad(x)"])
say( e.degrees,            "np.degrees(x)",                 "jnp.degrees(x)",                   "torch.rad2deg(x)",
     also=["np.rad2deg(x)", "jnp.rad2deg(x)"])

say( e.erf,                "scipy.special.erf(x)",          "jax.scipy.special.erf(x)",         "torch.erf(x)",
     also=["jax.lax.erf(x)", "torch.special.erf(x)"])
say( e.erfc,               "scipy.special.erfc(x)",         "jax.scipy.special.erfc(x)",        "torch.erfc(x)",
     also=["jax.lax.erfc(x)", "torch.special.erfc(x)"])
say( e.erfinv,             "scipy.special.erfinv(x)",       "jax.scipy.special.erfinv(x)",      "torch.erfinv(x)",
     also=["jax.lax.erf_inv(x)", "torch.special.erfinv(x)"])
say( e.lgamma,             "scipy.special.gammaln(x)",      "jax.scipy.special.gammaln(x)",     "torch.lgamma(x)",
     also=["jax.lax.lgamma(x)", "torch.special.gammaln(x)"])
say( e.digamma,            "scipy.special.digamma(x)",      "jax.scipy.special.digamma(x)",     "torch.digamma(x)",
     also=["jax.lax.digamma(x)", "torch.special.digamma(x)", "torch.special.psi(x)"])

say( e.floor,              "np.floor(x)",                   "jnp.floor(x)",                     "torch.floor(x)",
     also=["jax.lax.floor(x)"])
say( e.ceil,               "np.ceil(x)",                    "jnp.ceil(x)",                      "torch.ceil(x)",
     also=["jax.lax.ceil(x)"])
say( e.trunc,              "np.trunc(x)",                   "jnp.trunc(x)",                     "torch.trunc(x)",
     also=["np.fix(x)", "torch.fix(x)"])
# NumPy scales float16 as it is.
say( e.round_,             (f"np.round(x, decimals=decimals) if x: {WIDE}", "np.round(x) if decimals=0", "np.round(x, decimals=decimals) if wide=False"), ("jnp.round(x) if decimals=0", "jnp.round(x, decimals=decimals) if x: float|complex"), ("torch.round(x) if decimals=0", "torch.round(x, decimals=decimals) if x: float"),
     also=[f"np.around(x, decimals=decimals) if x: {WIDE}", "np.around(x) if decimals=0", "np.around(x, decimals=decimals) if wide=False", "np.rint(x) if x: float|complex", "jnp.round(x, decimals=decimals)", "jnp.around(x, decimals=decimals)", "jnp.rint(x) if x: float|complex", "torch.special.round(x)"])
say( e.sign,               ("np.sign(x)", "np.sign(x) if x: uint|int, nan=False"), ("jnp.sign(x)", "jnp.sign(x) if x: uint|int, nan=False"), ("torch.sign(x) if x: bool|uint|int", "torch.sign(x) if x: float, nan=False", "torch.sgn(x) if x: complex"),
     also=["jax.lax.sign(x)", "torch.sgn(x) if x: bool|uint|int", "torch.sgn(x) if x: float, nan=False"])
say( e.isnan,              "np.isnan(x)",                   "jnp.isnan(x)",                     "torch.isnan(x)")
say( e.isinf,              "np.isinf(x)",                   "jnp.isinf(x)",                     "torch.isinf(x)")
say( e.isfinite,           "np.isfinite(x)",                "jnp.isfinite(x)",                  "torch.isfinite(x)",
     also=["jax.lax.is_finite(x)"])
say( e.isposinf,           "np.isposinf(x)",                "jnp.isposinf(x)",                  "torch.isposinf(x)")
say( e.isneginf,           "np.isneginf(x)",                "jnp.isneginf(x)",                  "torch.isneginf(x)")
say( e.signbit,            "np.signbit(x)",                 "jnp.signbit(x)",                   "torch.signbit(x)")
say( e.copysign,           "np.copysign(x, y)",             "jnp.copysign(x, y)",               "torch.copysign(x, y)")
say( e.nextafter,          "np.nextafter(x, y)",            "jnp.nextafter(x, y)",              "torch.nextafter(x, y)",
     also=["jax.lax.nextafter(x, y)"])
say( e.nan_to_num,         "np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf) if x: bool|uint|int|float16|float32|float64|complex", "jnp.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)", ("torch.nan_to_num(x, posinf=posinf, neginf=neginf) if nan=0.0", "torch.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)"))

say( e.complex_,           "helper:complex_of(x, y)",       "jax.lax.complex(x, y) if x: array, y: array", "torch.complex(x, y) if x: float32|float64")
say( e.real_part,          "x.real",                        "x.real",                           "x.real",
     also=["np.real(x)", "jnp.real(x)", "jax.lax.real(x)", "torch.real(x)"])
say( e.imag,               "x.imag",                        "x.imag",                           "x.imag if x: complex",
     also=["np.imag(x)", "jnp.imag(x)", "jax.lax.imag(x)", "torch.imag(x)"])
say( e.conj,               "np.conj(x)",                    "jnp.conj(x)",                      "torch.conj(x)",
     also=["np.conjugate(x)", "np.ndarray.conj(x) if x: uint|int|float|complex", "np.ndarray.conjugate(x) if x: uint|int|float|complex", "jnp.conjugate(x)", "jax.lax.conj(x) if x: complex", "torch.conj_physical(x)"])
say( e.angle,              "np.angle(x)",                   "jnp.angle(x)",                     ("torch.angle(x) if x: complex", "torch.angle(x) if signed=False"))

say( e.maximum,            "np.maximum(x, y)",              "jnp.maximum(x, y)",                "torch.maximum(x, y) if x: array, y: array",
     also=["jax.lax.max(x, y)", "torch.max(x, other=y)"])
say( e.minimum,            "np.minimum(x, y)",              "jnp.minimum(x, y)",                "torch.minimum(x, y) if x: array, y: array",
     also=["jax.lax.min(x, y)", "torch.min(x, other=y)"])
say( e.fmax,               "np.fmax(x, y)",                 "jnp.fmax(x, y)",                   "torch.fmax(x, y)")
say( e.fmin,               "np.fmin(x, y)",                 "jnp.fmin(x, y)",                   "torch.fmin(x, y)")
say( e.where,              "np.where(c, x, y) if x: given", "jnp.where(c, x, y) if x: given",   "torch.where(c, x, y) if c: bool",
     also=["jax.lax.select(c, x, y)", "torch.where(c, x, y)", "torch.Tensor.where(x, c, y)"])
say( e.masked_fill,        None,                            None,                               "x.masked_fill(mask, value)",
     also=["torch.masked_fill(x, mask, value)"])
say( e.clip,               "np.clip(x, low, high) if x: array, x: bool|uint|int|float16|float32|float64|complex, low: given, high: given", "jnp.clip(x, low, high) if x: bool|uint|int|float, low: given, high: given", ("torch.clamp(x, min=low, max=high) if low: number, high: number", "torch.clamp(x, min=low, max=high) if low: array, high: array", "torch.clamp(x, min=low)", "torch.clamp(x, max=high)"),
     also=["np.clip(x, low, high) if x: array", "np.clip(x, min=low, max=high) if x: array", "jnp.clip(x, low, high)", "jax.lax.clamp(low, x, high)", "torch.clamp(x, min=low, max=high)", "torch.clip(x, min=low, max=high)", "torch.clamp_min(x, low)", "torch.clamp_max(x, high)"])

say( e.cast,               "x.astype(dtype)",               "x.astype(dtype)",                  "x.to(dtype)",
     also=["np.astype(x, dtype)", "jnp.astype(x, dtype)", "jax.lax.convert_element_type(x, dtype)", "torch.Tensor.to(x, dtype=dtype) if dtype: given", "torch.Tensor.type(x, dtype)", *CASTS])
say( e.type_as,            None,                            None,                               "x.type_as(like)",
     also=["torch.Tensor.to(x, tensor=like)"])
say( e.stop_gradient,      "x",                             "jax.lax.stop_gradient(x) if x: array", ("x.detach()", "x.data"),
     also=["torch.detach(x)"])
# fmt: on
absent(e.imag, "torch", "torch has no imaginary part of real numbers", "torch.zeros_like(x)")
