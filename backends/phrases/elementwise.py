"""How elementwise ops are said. Same order as in ir/ops/elementwise.py."""

from ...ir.ops import elementwise as e
from ..phrase import say

# fmt: off
#    op                      numpy                           jax                                torch
say( e.add,                  "x + y",                        "x + y",                           "x + y",
     also=["np.add(x, y)", "jnp.add(x, y)", "torch.add(x, y)"])
say( e.subtract,             "x - y",                        "x - y",                           "x - y",
     also=["np.subtract(x, y)", "jnp.subtract(x, y)", "torch.sub(x, y)", "torch.subtract(x, y)"])
say( e.multiply,             "x * y",                        "x * y",                           "x * y",
     also=["np.multiply(x, y)", "jnp.multiply(x, y)", "torch.mul(x, y)", "torch.multiply(x, y)"])
say( e.divide_,              "x / y",                        "x / y",                           "x / y",
     also=["np.true_divide(x, y)", "jnp.true_divide(x, y)", "jnp.divide(x, y)", "torch.div(x, y)", "torch.true_divide(x, y)"])
say( e.pow_,                 "x ** y",                       "x ** y",                          "x ** y",
     also=["np.power(x, y)", "jnp.power(x, y)", "torch.pow(x, y)"])
say( e.negative,             "-x",                           "-x",                              "-x",
     also=["np.negative(x)", "jnp.negative(x)", "torch.neg(x)"])
say( e.positive,             "+x",                           "+x",                              "+x",
     also=["np.positive(x)", "jnp.positive(x)", "torch.positive(x)"])
say( e.abs_,                 "np.abs(x)",                    "jnp.abs(x)",                      "torch.abs(x)",
     also=["np.absolute(x)"])
say( e.floor_divide,         "x // y",                       "x // y",                          "x // y",
     also=["np.floor_divide(x, y)", "jnp.floor_divide(x, y)", "torch.floor_divide(x, y)"])
say( e.remainder,            "x % y",                        "x % y",                           "x % y",
     also=["np.remainder(x, y)", "jnp.remainder(x, y)", "jnp.mod(x, y)", "torch.remainder(x, y)"])
say( e.equal,                "x == y",                       "x == y",                          "x == y",
     also=["np.equal(x, y)", "jnp.equal(x, y)", "torch.eq(x, y)"])
say( e.not_equal,            "x != y",                       "x != y",                          "x != y",
     also=["np.not_equal(x, y)", "jnp.not_equal(x, y)", "torch.ne(x, y)"])
say( e.less,                 "x < y",                        "x < y",                           "x < y",
     also=["np.less(x, y)", "jnp.less(x, y)", "torch.lt(x, y)"])
say( e.less_equal,           "x <= y",                       "x <= y",                          "x <= y",
     also=["np.less_equal(x, y)", "jnp.less_equal(x, y)", "torch.le(x, y)"])
say( e.greater,              "x > y",                        "x > y",                           "x > y",
     also=["np.greater(x, y)", "jnp.greater(x, y)", "torch.gt(x, y)"])
say( e.greater_equal,        "x >= y",                       "x >= y",                          "x >= y",
     also=["np.greater_equal(x, y)", "jnp.greater_equal(x, y)", "torch.ge(x, y)"])
say( e.bitwise_and,          "x & y",                        "x & y",                           "x & y",
     also=["np.bitwise_and(x, y)", "jnp.bitwise_and(x, y)", "torch.bitwise_and(x, y)"])
say( e.bitwise_or,           "x | y",                        "x | y",                           "x | y",
     also=["np.bitwise_or(x, y)", "jnp.bitwise_or(x, y)", "torch.bitwise_or(x, y)"])
say( e.bitwise_xor,          "x ^ y",                        "x ^ y",                           "x ^ y",
     also=["np.bitwise_xor(x, y)", "jnp.bitwise_xor(x, y)", "torch.bitwise_xor(x, y)"])
say( e.bitwise_invert,       "~x",                           "~x",                              "~x",
     also=["np.invert(x)", "jnp.invert(x)", "torch.bitwise_not(x)"])
say( e.logical_and,          "np.logical_and(x, y)",         "jnp.logical_and(x, y)",           "torch.logical_and(x, y)")
say( e.logical_or,           "np.logical_or(x, y)",          "jnp.logical_or(x, y)",            "torch.logical_or(x, y)")
say( e.logical_xor,          "np.logical_xor(x, y)",         "jnp.logical_xor(x, y)",           "torch.logical_xor(x, y)")
say( e.logical_not,          "np.logical_not(x)",            "jnp.logical_not(x)",              "torch.logical_not(x)")
say( e.atan2,                "np.arctan2(x, y)",             "jnp.arctan2(x, y)",               "torch.atan2(x, y)")
say( e.hypot,                "np.hypot(x, y)",               "jnp.hypot(x, y)",                 "torch.hypot(x, y)")
say( e.maximum,              "np.maximum(x, y)",             "jnp.maximum(x, y)",               "torch.maximum(x, y)")
say( e.minimum,              "np.minimum(x, y)",             "jnp.minimum(x, y)",               "torch.minimum(x, y)")
say( e.where,                "np.where(c, x, y)",            "jnp.where(c, x, y)",              "torch.where(c, x, y)")
say( e.clip,                 "np.clip(x, low, high)",        "jnp.clip(x, low, high)",          "torch.clamp(x, low, high)")
say( e.sign,                 "np.sign(x) if nan=True",       "jnp.sign(x) if nan=True",         "torch.sign(x) if nan=False")
say( e.rsqrt,                None,                           "jax.lax.rsqrt(x)",                "torch.rsqrt(x)")
say( e.reciprocal,           None,                           "jnp.reciprocal(x)",               "torch.reciprocal(x)")
say( e.sigmoid,              None,                           "jax.nn.sigmoid(x)",               "torch.sigmoid(x)",
     also=["torch.nn.functional.sigmoid(x)"])
say( e.erf,                  "scipy.special.erf(x)",         "jax.scipy.special.erf(x)",        "torch.erf(x)")
say( e.erfc,                 "scipy.special.erfc(x)",        "jax.scipy.special.erfc(x)",       "torch.erfc(x)")
say( e.stop_gradient,        "x",                            "jax.lax.stop_gradient(x)",        "x.detach()")
say( e.exp,                  "np.exp(x)",                    "jnp.exp(x)",                      "torch.exp(x)")
say( e.exp2,                 "np.exp2(x)",                   "jnp.exp2(x)",                     "torch.exp2(x)")
say( e.expm1,                "np.expm1(x)",                  "jnp.expm1(x)",                    "torch.expm1(x)")
say( e.log,                  "np.log(x)",                    "jnp.log(x)",                      "torch.log(x)")
say( e.log2,                 "np.log2(x)",                   "jnp.log2(x)",                     "torch.log2(x)")
say( e.log10,                "np.log10(x)",                  "jnp.log10(x)",                    "torch.log10(x)")
say( e.log1p,                "np.log1p(x)",                  "jnp.log1p(x)",                    "torch.log1p(x)")
say( e.sqrt,                 "np.sqrt(x)",                   "jnp.sqrt(x)",                     "torch.sqrt(x)")
say( e.square,               "np.square(x)",                 "jnp.square(x)",                   "torch.square(x)")
say( e.sin,                  "np.sin(x)",                    "jnp.sin(x)",                      "torch.sin(x)")
say( e.cos,                  "np.cos(x)",                    "jnp.cos(x)",                      "torch.cos(x)")
say( e.tan,                  "np.tan(x)",                    "jnp.tan(x)",                      "torch.tan(x)")
say( e.asin,                 "np.arcsin(x)",                 "jnp.arcsin(x)",                   "torch.asin(x)")
say( e.acos,                 "np.arccos(x)",                 "jnp.arccos(x)",                   "torch.acos(x)")
say( e.atan,                 "np.arctan(x)",                 "jnp.arctan(x)",                   "torch.atan(x)")
say( e.sinh,                 "np.sinh(x)",                   "jnp.sinh(x)",                     "torch.sinh(x)")
say( e.cosh,                 "np.cosh(x)",                   "jnp.cosh(x)",                     "torch.cosh(x)")
say( e.tanh,                 "np.tanh(x)",                   "jnp.tanh(x)",                     "torch.tanh(x)")
say( e.asinh,                "np.arcsinh(x)",                "jnp.arcsinh(x)",                  "torch.asinh(x)")
say( e.acosh,                "np.arccosh(x)",                "jnp.arccosh(x)",                  "torch.acosh(x)")
say( e.atanh,                "np.arctanh(x)",                "jnp.arctanh(x)",                  "torch.atanh(x)")
say( e.floor,                "np.floor(x)",                  "jnp.floor(x)",                    "torch.floor(x)")
say( e.ceil,                 "np.ceil(x)",                   "jnp.ceil(x)",                     "torch.ceil(x)")
say( e.trunc,                "np.trunc(x)",                  "jnp.trunc(x)",                    "torch.trunc(x)")
say( e.isnan,                "np.isnan(x)",                  "jnp.isnan(x)",                    "torch.isnan(x)")
say( e.isinf,                "np.isinf(x)",                  "jnp.isinf(x)",                    "torch.isinf(x)")
say( e.isfinite,             "np.isfinite(x)",               "jnp.isfinite(x)",                 "torch.isfinite(x)")
say( e.imag,                 "np.imag(x)",                   "jnp.imag(x)",                     "torch.imag(x)")
say( e.conj,                 "np.conj(x)",                   "jnp.conj(x)",                     "torch.conj(x)")
say( e.round_,               "np.round(x)",                  "jnp.round(x)",                    "torch.round(x)")
say( e.real_part,            "np.real(x)",                   "jnp.real(x)",                     "torch.real(x)")
say( e.cast,                 "x.astype(dtype)",              "x.astype(dtype)",                 "x.to(dtype)")
# fmt: on
