"""Elementwise ops: spellings that no row shows, Python scalars, numbers at the edges; from every source into
every target.

The plain spellings of every row, in every dtype, are in tests/rows.
"""

import warnings

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import scipy.special
import torch

import tracelate as tl

F = torch.nn.functional
NAN, INF = np.nan, np.inf
NUMBERS = [0.0, -0.0, 1, -1, 2.5, -2.5, INF, -INF, NAN, 3, 0.3, -0.7, 1e4, 0.9]
INTS = [0, 1, -1, 7, -7, 100]

# fmt: off
ARRAYS = {
    "f32": np.array(NUMBERS, "float32"),
    "g32": np.roll(np.array(NUMBERS, "float32"), 3),
    "f64": np.array(NUMBERS),
    "f16": np.array(NUMBERS, "float16"),
    "bf16": np.array(NUMBERS, ml_dtypes.bfloat16),
    "mask": np.array(NUMBERS) > 0.5,
    "count": np.arange(14),
    "i8": np.array(INTS, "int8"), "i32": np.array(INTS, "int32"), "i64": np.array(INTS),
    "u8": np.array([0, 1, 7, 200, 255, 3], "uint8"),
    "far": np.array([300, -200, 128], "int32"),
    "bool": np.array([True, False, True]),
    "c64": np.array([1 + 2j, -1 + 0.5j, 0.3 - 0.2j, 2, -0.5 - 1j], "complex64"),
    "x": np.array([1.0, 2.5, -3, 0.25, 7], "float32"), "y": np.array([2.0, -0.5, 4, 1e3, 3], "float32"),
    "w": np.array([0, 0.3, 0.5, 0.9, 1], "float32"),
    "m": np.array([5, -5, 7, -7, 9], "int32"), "n": np.array([2, 2, -2, -3, 4], "int32"),
    "pos": np.array([0.5, 1, 3.7], "float32"), "small": np.array([1, 2, 5], "int32"),
    "big": np.array([1e8, 3], "float32"), "one": np.array([1, 2], "float32"),
    "mat": np.linspace(-1, 1, 6, dtype="float32").reshape(2, 3), "col": np.array([[0.5], [2]], "float32"),
    "number": np.array(0.5, "float32"), "wide": np.array(0.1), "empty": np.zeros((0, 3), "float32"),
    "ends": np.array([1e300, -1e300, 1e-300, 8]), "half": np.array(-1.5, "float16"),
    "loud": np.array([6e4, 700, 0.297], "float16"),
    "near": np.array([16777217, 16777216]), "rounded": np.array([16777216, 16777216], "float32"),
}

NUMPY = [
    (lambda x: np.clip(x, -1, 1),                       "f32 f16 i8 i64 mat number empty"),
    (lambda x: np.clip(x, 0, None),                     "f32 f64 i32"),
    (lambda x: np.clip(x, a_min=None, a_max=0.5),       "f32"),
    (lambda x: np.clip(x, min=0.0, max=2.0),            "f32"),
    (lambda x: x.clip(0),                               "f32"),
    (lambda x: x.clip(max=1),                           "f32 i8"),
    (lambda x: np.clip(x, 0.5, 2.5),                    "f32 i32"),
    (lambda x: np.clip(x, 2, -2),                       "f32"),
    (lambda x: np.clip(x, None, None),                  "f32"),
    (lambda x, y: np.clip(x, y, 1.0),                   "f32,g32"),
    (lambda x, y: np.clip(x, -y, y),                    "f32,g32"),
    (lambda x: np.clip(x, 0, 0.3),                      "f16"),
    (lambda x: np.maximum(x, 0),                        "f32 i32 u8"),
    (lambda x: np.maximum(0, x),                        "f32"),
    (lambda x: np.minimum(x, 0.3),                      "f32 f16 bf16 i8"),
    (lambda x, y: np.maximum(x, y),                     "f32,g32 f32,f64 mat,col"),
    (lambda x: np.fmax(x, 0.3),                         "f32 f64"),
    (lambda x: np.fmin(0, x),                           "f32"),
    (lambda c, x: np.where(c, x, 0),                    "mask,f32 mask,count"),
    (lambda c: np.where(c, 1.0, 0.1),                   "mask"),
    (lambda c: np.where(c, 1, 0),                       "mask"),
    (lambda c: np.where(c, True, False),                "mask"),
    (lambda c, x: np.where(c, x, 0.5),                  "mask,count mask,f16"),
    (lambda x: np.where(x, x, -x),                      "f32 i32"),
    (lambda x: np.where(x > 0, x, NAN),                 "f32"),
    (lambda x: np.where(x > 2, x, 300),                 "i64"),
    (lambda x, y: np.fmod(x, y),                        "x,y m,n x,n"),
    (lambda x: np.fmod(7.5, x),                         "x"),
    (lambda x: np.mod(x, 3),                            "m x"),
    (lambda x, y: np.divmod(x, y),                      "m,n x,y"),
    (lambda x: np.floor_divide(x, 0.5),                 "x m"),
    (lambda x: np.round(x, 2),                          "x"),
    (lambda x: np.round(x, decimals=-1),                "y"),
    (lambda x: x.round(),                               "f32 f16"),
    (lambda x: np.rint(x),                              "f32"),
    (lambda x: x.astype(np.int32),                      "x bool i64 far"),
    (lambda x: x.astype("float64"),                     "f32 i8"),
    (lambda x: x.astype(bool),                          "f32 i32 c64"),
    (lambda x: x.astype(int),                           "x"),
    (lambda x: x.astype(float),                         "i32"),
    (lambda x: x.astype(np.float32),                    "c64"),
    (lambda x: x.astype(np.int8, copy=False),           "far"),
    (lambda x: np.astype(x, np.float16),                "f32"),
    (lambda x: np.float32(x),                           "f64 i32"),
    (lambda x: np.float64(x) * 2,                       "f32"),
    (lambda x: x.real + x.imag,                         "c64"),
    (lambda x: x.conjugate(),                           "c64 f32"),
    (lambda x: np.angle(x),                             "c64 f32 i32 f16"),
    (lambda x: np.logical_and(x, 1),                    "f32 i32 bool"),
    (lambda x, y: np.logical_or(x, y),                  "i32,i8 f32,mask"),
    (lambda x: np.logical_xor(x, True),                 "i32"),
    (lambda x: np.arctan2(x, 1.0),                      "f32 i32"),
    (lambda x: np.arctan2(0.3, x),                      "f64"),
    (lambda x: np.hypot(x, 0.1),                        "f64 f32"),
    (lambda x: np.hypot(x, 3),                          "i32"),
    (lambda x: np.copysign(1.0, x),                     "f32"),
    (lambda x: np.logaddexp(0, x),                      "f32"),
    (lambda x: np.nextafter(x, 0),                      "x"),
    (lambda x: np.gcd(x, 6),                            "i32"),
    (lambda x: np.isclose(x, 0.3),                      "f32"),
    (lambda x: np.isclose(x, x * 1.05, rtol=0.1, atol=0, equal_nan=True), "f32"),
    (lambda x: scipy.special.erf(x),                    "f32 f64 f16 i32 i8"),
    (lambda x: scipy.special.erfc(x),                   "f32"),
    (lambda x: scipy.special.expit(x),                  "f32 f64"),
    (lambda x: scipy.special.gammaln(x),                "pos"),
    (lambda x: scipy.special.digamma(x),                "pos"),
    (lambda x: scipy.special.erfinv(x),                 "mat"),
    (lambda x: abs(x),                                  "f32 i8 c64"),
    (lambda x: +x,                                      "f32"),
    (lambda x: -x,                                      "u8 f32"),
    (lambda x: ~x,                                      "bool i32 u8"),
    (lambda x: 2**x,                                    "f32 small"),
    (lambda x: x**2,                                    "i32 f32 f16 c64"),
    (lambda x: x**-1,                                   "x"),
    (lambda x: x**0.5,                                  "pos small"),
    (lambda x: x * 0.1,                                 "f32 f16 bf16 i32 i8 bool"),
    (lambda x: x / 3,                                   "f32 f16 bf16 i32 i8 bool"),
    (lambda x: 0.7 - x,                                 "f16 i64 c64"),
    (lambda x: x * 1j,                                  "x m c64"),
    (lambda x: x * np.float64(0.1),                     "f32 i8"),
    (lambda x: x + np.int64(3),                         "i8"),
    (lambda x: x > np.float64(0.1),                     "f64"),
    (lambda x, s: x * s,                                "f32,wide f16,number"),
    (lambda x: x > -1,                                  "u8 i8 f32"),
    (lambda x: x < 300,                                 "u8 i8 f16"),
    (lambda x, y: x == y,                               "near,rounded rounded,near"),
    (lambda x: x > 16777216.5,                          "near"),
    (lambda x: np.nan_to_num(x, nan=1.0, posinf=9.0),   "f32"),
    (lambda x: np.add(x, 1, dtype=np.float32),          "i32"),
    (lambda x: np.left_shift(1, x),                     "small"),
    (lambda x: np.sign(x),                              "f32 i32 f16 u8 c64"),
    (lambda x: np.cbrt(x),                              "f32 f64 f16 ends"),
    (lambda x: np.logical_and(x, 256),                  "u8 i8 f32"),
    (lambda x: np.round(x, 2),                          "x f16 i8 u8"),
    (lambda x: np.round(x, -1),                         "x f16 i8"),
    (lambda x: np.sinc(x),                              "f32 f64"),
    (lambda x: np.angle(x),                             "half c64"),
    (lambda x, y: x + y,                                "f32,f64 i8,u8 u8,i32 i32,i8 bool,bool "
                                                        "f16,g32 mat,col"),
    (lambda x, y: x // y,                               "m,n x,y x,n"),
    (lambda x, y: x % y,                                "m,n x,y x,n"),
]

JAX = [
    (lambda x: jnp.clip(x, -1, 1),                      "f32 i8 f16"),
    (lambda x: jnp.clip(x, 0),                          "f32"),
    (lambda x: jnp.clip(x, max=0.5),                    "f32 i32"),
    (lambda x: x.clip(0, 1),                            "f32"),
    (lambda x, y: jnp.clip(x, y, 1.0),                  "f32,g32"),
    (lambda x: jax.lax.clamp(-1.0, x, 1.0),             "f32"),
    (lambda x: jnp.maximum(x, 0),                       "f32 i32 bf16"),
    (lambda x: jnp.minimum(0.3, x),                     "f32 i32"),
    (lambda x: jax.lax.max(x, 0.3),                     "f32"),
    (lambda x: jnp.fmax(x, 0.3),                        "f32"),
    (lambda c: jnp.where(c, 1.0, 0.1),                  "mask"),
    (lambda c, x: jnp.where(c, 1.0, 0.0) * x,           "mask,f16 mask,count"),
    (lambda x: jnp.where(x, x, -x),                     "i32"),
    (lambda c, x, y: jax.lax.select(c, x, y),           "mask,f32,g32"),
    (lambda x, y: jax.lax.div(x, y),                    "m,n x,y"),
    (lambda x, y: jax.lax.rem(x, y),                    "m,n x,y"),
    (lambda x, y: jnp.divmod(x, y)[1],                  "m,n x,y"),
    (lambda x: jnp.round(x, 2),                         "x f16 i8"),
    (lambda x: jnp.angle(x),                            "f32 f16 half number"),
    (lambda x: jnp.logical_or(x, 300),                  "u8 f32"),
    (lambda x: x.astype(int),                           "x"),
    (lambda x: x.astype(float),                         "i32"),
    (lambda x: jnp.astype(x, jnp.bfloat16),             "f32"),
    (lambda x: jax.lax.convert_element_type(x, jnp.float16), "f32"),
    (lambda x: jnp.float32(x),                          "i32"),
    (lambda x: jnp.sign(x),                             "f32 i32 c64"),
    (lambda x: jnp.hypot(x, 3),                         "f32"),
    (lambda x: jnp.logical_and(x, 1),                   "f32"),
    (lambda x: jax.lax.stop_gradient(x) * 2,            "f32"),
    (lambda x: jax.scipy.special.erf(x),                "f32 i32 f16 bf16"),
    (lambda x: jax.nn.sigmoid(x),                       "f32 bf16 f16"),
    (lambda x: jax.lax.logistic(x),                     "f32"),
    (lambda x: jax.lax.rsqrt(x),                        "pos"),
    (lambda x: jax.scipy.special.xlogy(x, x),           "f32"),
    (lambda x: jax.lax.integer_pow(x, 3),               "f32 i32"),
    (lambda x: x**2,                                    "bool i8 f32"),
    (lambda x: jax.lax.shift_right_arithmetic(x, 1),    "i32"),
    (lambda x: jnp.nan_to_num(x, neginf=-3.0),          "f32"),
    (lambda x: x < 300,                                 "u8 i8"),
    (lambda x: x + 300,                                 "u8"),
    (lambda x: x * 0.1,                                 "f32 f16 bf16 i32 i8 u8 bool"),
    (lambda x: 0.1 / x,                                 "x bf16 m"),
    (lambda x: x.real + x.imag,                         "c64"),
]

TORCH = [
    (lambda x: torch.clamp(x, -1, 1),                   "f32 i8 f16"),
    (lambda x: torch.clamp(x, min=0),                   "f32 i32"),
    (lambda x: x.clamp(max=0.5),                        "f32 i32"),
    (lambda x: torch.clip(x, min=2, max=-2),            "f32"),
    (lambda x, y: torch.clamp(x, y),                    "f32,g32 i32,i8"),
    (lambda x, y: torch.clamp(x, max=y),                "f32,g32"),
    (lambda x, y: torch.clamp(x, -y, y),                "f32,g32"),
    (lambda x: x.clamp_min(0.3),                        "f32 f16 i32"),
    (lambda x: torch.clamp_max(x, 0.3),                 "f32"),
    (lambda x, y: torch.maximum(x, y),                  "f32,g32 f32,f64"),
    (lambda x, y: torch.max(x, y),                      "f32,g32"),
    (lambda x, y: torch.fmin(x, y),                     "f32,g32"),
    (lambda c: torch.where(c, 1.0, 0.1),                "mask"),
    (lambda c: torch.where(c, 1, 0),                    "mask"),
    (lambda c, x: torch.where(c, x, 0.5),               "mask,count mask,f16 mask,f64"),
    (lambda c, x: x.where(c, -x),                       "mask,f32"),
    (lambda x, y: torch.add(x, y, alpha=2),             "f32,g32 i32,i8"),
    (lambda x, y: torch.add(x, y, alpha=0.5),           "f64,f32 f32,count"),
    (lambda x: x.sub(5, alpha=2),                       "i32 f32"),
    (lambda x: torch.rsub(x, 5),                        "f32"),
    (lambda x, y: torch.rsub(x, y, alpha=2),            "f32,g32"),
    (lambda x, y: torch.div(x, y, rounding_mode="trunc"), "x,y m,n x,n"),
    (lambda x, y: torch.div(x, y, rounding_mode="floor"), "x,y m,n"),
    (lambda x, y: torch.div(x, y, rounding_mode=None),  "m,n"),
    (lambda x: x.div(2.5, rounding_mode="trunc"),       "m"),
    (lambda x, y: x.true_divide(y),                     "m,n"),
    (lambda x, y: torch.fmod(x, y),                     "m,n x,y"),
    (lambda x: x.remainder(-3),                         "m x"),
    (lambda x: torch.remainder(7, x),                   "m"),
    (lambda x, y: torch.lerp(x, y, 0.25),               "f32,g32"),
    (lambda x, y: torch.lerp(x, y, 1.0),                "big,one"),
    (lambda x, y, w: torch.lerp(x, y, w),               "x,y,w"),
    (lambda x, y, w: torch.addcmul(x, y, w, value=0.3), "x,y,w"),
    (lambda x, y, w: x.addcdiv(w, y, value=2),          "x,y,w"),
    (lambda x: torch.round(x, decimals=2),              "x"),
    (lambda x: x.to(torch.int32),                       "x bool i64"),
    (lambda x: x.float(),                               "i32 f64 bool"),
    (lambda x: x.double(),                              "f32"),
    (lambda x: x.int(),                                 "x"),
    (lambda x: x.long(),                                "x"),
    (lambda x: x.bool(),                                "f32 c64"),
    (lambda x: x.half(),                                "f32"),
    (lambda x: x.bfloat16(),                            "f32"),
    (lambda x: x.cfloat(),                              "x"),
    (lambda x: x.byte(),                                "far"),
    (lambda x: x.type(torch.float64),                   "f32"),
    (lambda x, y: x.type_as(y),                         "i32,f16"),
    (lambda x, y: x.to(y),                              "i32,f16"),
    (lambda x: x.to("cpu"),                             "f32"),
    (lambda x: x.to("cpu", torch.float16),              "f32"),
    (lambda x: x.cpu() + 1,                             "f32"),
    (lambda x: x.real,                                  "c64 f32"),
    (lambda x: x.conj() * 2,                            "c64"),
    (lambda x: torch.angle(x),                          "f32 f64 c64 i32"),
    (lambda x: torch.sign(x),                           "f32 i32 f16"),
    (lambda x: torch.sgn(x),                            "f32 i32 c64"),
    (lambda x: x.detach() + 1,                          "f32"),
    (lambda x: x.data + 1,                              "f32"),
    (lambda m, x: x.masked_fill(m, -1e9),               "mask,f32"),
    (lambda m, x: torch.masked_fill(x, m, -INF),        "mask,f32"),
    (lambda m, x: x.masked_fill(~m, 0.5),               "mask,count mask,f16"),
    (lambda m, x, v: x.masked_fill(m, v),               "mask,f32,wide"),
    (lambda x, y: torch.logical_and(x, y),              "i32,i8"),
    (lambda x: torch.copysign(x, -1.0),                 "f32"),
    (lambda x: torch.isclose(x, x * 1.05, rtol=0.1),    "f32"),
    (lambda x: torch.sigmoid(x),                        "f32 f64 f16 bf16 c64 i32"),
    (lambda x: F.sigmoid(x),                            "f32"),
    (lambda x: torch.rsqrt(x),                          "small pos"),
    (lambda x: torch.special.log1p(x),                  "pos"),
    (lambda x: x.xlogy(x),                              "f32"),
    (lambda x: torch.xlogy(x, 2),                       "f32 f16 i8"),
    (lambda x: torch.xlogy(x, 0) + torch.xlogy(x, INF), "f32"),
    (lambda x: torch.xlogy(x, -1.5),                    "f32"),
    (lambda x: torch.sinc(x),                           "f32 f16 loud"),
    (lambda x: torch.round(x, decimals=2),              "x f16 loud"),
    (lambda x: torch.erf(x),                            "f32 i8 bool f16 bf16"),
    (lambda x: torch.pow(2, x),                         "small"),
    (lambda x: x.pow(3),                                "i8 f32"),
    (lambda x: torch.nan_to_num(x),                     "f32"),
    (lambda x: x.nan_to_num(2.0, posinf=5.0),           "f32"),
    (lambda x: x * 0.1,                                 "f32 f16 bf16 i32 i8 bool"),
    (lambda x: 0.1 * x,                                 "f16 bf16"),
    (lambda x: x / 3,                                   "f16 bf16 i32"),
    (lambda x, s: x * s,                                "f32,wide f16,number i32,number bf16,number"),
    (lambda x, s: x > s,                                "f32,wide i32,number"),
    (lambda x: x < 300,                                 "u8 i8"),
    (lambda x: x + 300,                                 "u8"),
    (lambda x, y: x == y,                               "near,rounded rounded,near"),
    (lambda x: abs(x),                                  "f32"),
    (lambda x: x ^ 3,                                   "i32 u8"),
    (lambda x: x >> 1,                                  "i32 u8"),
]
# fmt: on

CASES = [
    pytest.param(source, fn, names.split(","), id=f"{source}-{i}-{names}")
    for source, table in (("numpy", NUMPY), ("jax", JAX), ("torch", TORCH))
    for i, (fn, arrays) in enumerate(table)
    for names in arrays.split()
]


@pytest.mark.parametrize(("source", "fn", "names"), CASES)
def test_the_same_in_every_framework(same, source, fn, names):
    x64 = True if "near" in names else None
    same(fn, *(ARRAYS[name] for name in names), source=source, kind="elementwise", x64=x64)


# fmt: off
REFUSED = [
    ("numpy", lambda x: np.float_power(x, 2),           "f32", "no row"),
    ("numpy", lambda x: np.reciprocal(x),               "i32", "float|complex"),
    ("numpy", lambda x: np.add(x, 1, where=x > 0),      "f32", "'where'"),
    ("numpy", lambda x: x == np.uint64(2**63),          "near", "exactly"),
    ("torch", lambda x: x.type("torch.FloatTensor"),    "f32", "unknown dtype"),
    ("jax", lambda x: jnp.logical_and(x, 256),          "u8", "as uint8, where it is 0"),
    ("numpy", lambda x: np.isclose(x, 1e5),             "f16", "takes all for close"),
]
TO_TORCH = [
    (lambda x: np.imag(x),                              "f32", "no imaginary part"),
    (lambda x: np.floor(x),                             "bool", "no floor of bool"),
    (lambda x, y: np.less(x, y),                        "c64,c64", "no less of complex64"),
    (lambda x, y: np.logical_and(x, y[0]),              "u8,i64", "rounds what has no axes"),
]
TO_JAX = [
    (lambda x: x + 2**40,                               "i64", "out of bounds for int32"),
    (lambda x: x == 2**40,                              "i64", "out of bounds for int32"),
    (lambda x: x > 2**24 + 1,                           "f64", "beyond the floats of 32 bits"),
    (lambda x: x * 1e-300,                              "f64", "beyond the floats of 32 bits"),
]
TEXTS = [
    ("numpy", lambda x: np.maximum(x, 0),               "f32", "torch", "torch.clamp(x, min=0)"),
    ("torch", lambda x: x.clamp(min=0),                 "f32", "numpy", "np.maximum(x, 0)"),
    ("torch", lambda x: torch.clamp(x, 0, 1),           "f32", "jax", "jnp.clip(x, 0, 1)"),
    ("torch", lambda x: torch.sign(x),                  "f32", "numpy",
         "np.where(np.isnan(x), 0, np.sign(x))"),
    ("torch", lambda x: torch.sign(x),                  "i32", "numpy", "np.sign(x)"),
    ("torch", lambda m, x: x.masked_fill(m, 0.0),       "mask,f32", "jax", "jnp.where(m, 0.0, x)"),
    ("jax", lambda x: jax.lax.rsqrt(x),                 "pos", "numpy", "1 / np.sqrt(x)"),
    ("numpy", lambda x: np.hypot(x, 0.1),               "f64", "torch",
         "torch.hypot(x, torch.tensor(0.1, dtype=torch.float64))"),
    ("numpy", lambda x: x * 0.1,                        "f16", "torch",
         "x * torch.tensor(0.1, dtype=torch.float16)"),
    ("numpy", lambda x: x * 2,                          "f16", "torch", "x * 2"),
    ("torch", lambda x: x * 0.1,                        "f16", "numpy",
         "(x.astype(np.float32) * 0.1).astype(np.float16)"),
    ("jax", lambda x: x < 300,                          "u8", "numpy", "x < np.array(44, dtype=np.uint8)"),
    ("numpy", lambda x: x > -1,                         "u8", "torch", "x.to(torch.int16) > -1"),
    ("torch", lambda x: x.detach() + 1,                 "f32", "numpy", "x + 1"),
]
# fmt: on


@pytest.mark.parametrize(("source", "fn", "names", "match"), REFUSED)
def test_what_no_framework_can_be_told_is_refused(refused, source, fn, names, match):
    refused(fn, *(ARRAYS[name] for name in names.split(",")), match=match, source=source)


@pytest.mark.parametrize(("target", "fn", "names", "match"), [
    *(("torch", *case) for case in TO_TORCH), *(("jax", *case) for case in TO_JAX)
])  # fmt: skip
def test_what_one_framework_lacks_is_refused_there(refused, target, fn, names, match):
    refused(fn, *(ARRAYS[name] for name in names.split(",")), match=match, to=[target], x64=False)


@pytest.mark.parametrize(("source", "fn", "names", "target", "text"), TEXTS)
def test_the_text_is_what_a_person_would_write(same, source, fn, names, target, text):
    texts = same(
        fn, *(ARRAYS[name] for name in names.split(",")), source=source, kind="elementwise", to=[target]
    )
    assert f"return {text}\n" in texts[target]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_sigmoid_far_from_zero(dtype):
    """As torch's, without a warning; 16-bit floats too, whose exp(-x) is inf where the result is not 0."""
    x = np.array([-INF, -800, -95, -80, -17, -12, 0, 12, 95, INF, NAN], dtype)
    fn = tl.transpile(lambda x: torch.sigmoid(x), (torch.from_numpy(x),), to="numpy")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        y = fn(x)
    tiny = np.finfo(dtype).tiny
    np.testing.assert_allclose(y, torch.sigmoid(torch.from_numpy(x)), rtol=4 * np.finfo(dtype).eps, atol=tiny)
