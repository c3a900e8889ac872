"""How functions of numbers are said. Same order as in ir/ops/elementary.py."""

from __future__ import annotations

from ...ir.ops import elementary as e
from ..rows import absent, alike, say

# fmt: off
alike(e.exp, e.exp2, e.expm1, e.log, e.log1p, e.sqrt)
alike(e.log2, e.log10, types="jax: strong")
say(e.logaddexp,
    numpy="np.logaddexp(x, y)",
    jax="jnp.logaddexp(x, y)",
    torch="torch.logaddexp(x, y)  if x: float",
    types="""
        numpy: float
        jax: strong complex
        torch: inexact, tensors
    """)
say(e.xlogy,
    jax="jax.scipy.special.xlogy(x, y)",
    torch="torch.xlogy(x, y)",
    reads="torch.special.xlogy(x, y)",
    types="torch: bool|integer>float float")
say(e.rsqrt,
    jax="jax.lax.rsqrt(x)",
    torch="torch.rsqrt(x)",
    types="jax: inexact")
say(e.cbrt,
    numpy="np.cbrt(x)",
    jax="jnp.cbrt(x)",
    reads="jax.lax.cbrt(x)",
    types="""
        numpy: float
        jax: bool|integer>float float
    """)
say(e.sigmoid,
    numpy="helper:sigmoid(x)  if x: float32|float64",
    jax="jax.nn.sigmoid(x)",
    torch="torch.sigmoid(x)",
    reads="""
        scipy.special.expit(x)  if x: float32|float64
        jax.lax.logistic(x)
        jax.scipy.special.expit(x)
        torch.special.expit(x)
        F.sigmoid(x)
    """,
    types="jax: inexact",
    gives="numpy: new")

alike(e.sin, e.cos, e.tan, e.sinh, e.cosh)
alike(e.hypot,
    types="""
        numpy: float
        jax: bool|integer>float float, strong
        torch: float, tensors
    """)
say(e.asin,
    numpy="np.arcsin(x)",
    jax="jnp.arcsin(x)",
    torch="torch.asin(x)",
    reads="""
        jnp.asin(x)
        jax.lax.asin(x)
        torch.arcsin(x)
    """)
say(e.acos,
    numpy="np.arccos(x)",
    jax="jnp.arccos(x)",
    torch="torch.acos(x)",
    reads="""
        jnp.acos(x)
        jax.lax.acos(x)
        torch.arccos(x)
    """)
say(e.atan,
    numpy="np.arctan(x)",
    jax="jnp.arctan(x)",
    torch="torch.atan(x)",
    reads="""
        jnp.atan(x)
        jax.lax.atan(x)
        torch.arctan(x)
    """)
say(e.atan2,
    numpy="np.arctan2(x, y)",
    jax="jnp.arctan2(x, y)",
    torch="torch.atan2(x, y)",
    reads="""
        jnp.atan2(x, y)
        jax.lax.atan2(x, y)
        torch.arctan2(x, y)
    """,
    types="""
        numpy: float
        torch: bool|integer>float float, tensors
    """)
alike(e.tanh)
say(e.asinh,
    numpy="np.arcsinh(x)",
    jax="jnp.arcsinh(x)",
    torch="torch.asinh(x)",
    reads="""
        jnp.asinh(x)
        jax.lax.asinh(x)
        torch.arcsinh(x)
    """)
say(e.acosh,
    numpy="np.arccosh(x)",
    jax="jnp.arccosh(x)",
    torch="torch.acosh(x)",
    reads="""
        jnp.acosh(x)
        jax.lax.acosh(x)
        torch.arccosh(x)
    """)
say(e.atanh,
    numpy="np.arctanh(x)",
    jax="jnp.arctanh(x)",
    torch="torch.atanh(x)",
    reads="""
        jnp.atanh(x)
        jax.lax.atanh(x)
        torch.arctanh(x)
    """)
say(e.sinc,
    numpy="np.sinc(x)  if x: any-float16-bfloat16",
    jax="jnp.sinc(x)   if x: any-float16-bfloat16",
    torch="torch.sinc(x)",
    reads="""
        np.sinc(x)
        jnp.sinc(x)
        torch.special.sinc(x)
    """,
    types="""
        numpy: bool|integer>float float bfloat16>float32 complex
        jax: strong
    """)
say(e.radians,
    numpy="np.radians(x)",
    jax="jnp.radians(x)",
    torch="torch.deg2rad(x)",
    reads="""
        np.deg2rad(x)
        jnp.deg2rad(x)
    """,
    types="""
        numpy: float16 float32 float64
        jax: strong
        torch: bool|integer>float float
    """)
say(e.degrees,
    numpy="np.degrees(x)",
    jax="jnp.degrees(x)",
    torch="torch.rad2deg(x)",
    reads="""
        np.rad2deg(x)
        jnp.rad2deg(x)
    """,
    types="""
        numpy: float16 float32 float64
        jax: strong
        torch: bool|integer>float float
    """)

say(e.erf,
    numpy="scipy.special.erf(x)",
    jax="jax.scipy.special.erf(x)",
    torch="torch.erf(x)",
    reads="""
        jax.lax.erf(x)
        torch.special.erf(x)
    """,
    types="""
        numpy: bool|integer>float float>float64 float32 complex
        jax: bool|integer>float float
        torch: bool|integer>float float
    """)
say(e.erfc,
    numpy="scipy.special.erfc(x)",
    jax="jax.scipy.special.erfc(x)",
    torch="torch.erfc(x)",
    reads="""
        jax.lax.erfc(x)
        torch.special.erfc(x)
    """,
    types="""
        numpy: bool|integer>float float>float64 float32 complex
        jax: bool|integer>float float
        torch: bool|integer>float float
    """)
say(e.erfinv,
    numpy="scipy.special.erfinv(x)",
    jax="jax.scipy.special.erfinv(x)",
    torch="torch.erfinv(x)",
    reads="""
        jax.lax.erf_inv(x)
        torch.special.erfinv(x)
    """,
    types="""
        numpy: float32 float64
        jax: bool|integer>float float
        torch: bool|integer>float float
    """)
say(e.lgamma,
    numpy="scipy.special.gammaln(x)",
    jax="jax.scipy.special.gammaln(x)",
    torch="torch.lgamma(x)",
    reads="""
        jax.lax.lgamma(x)
        torch.special.gammaln(x)
    """,
    types="""
        numpy: bool|integer>float float>float64 float32
        jax: bool|integer>float float
        torch: bool|integer>float float
    """)
say(e.digamma,
    numpy="scipy.special.digamma(x)",
    jax="jax.scipy.special.digamma(x)",
    torch="torch.digamma(x)",
    reads="""
        jax.lax.digamma(x)
        torch.special.digamma(x)
        torch.special.psi(x)
    """,
    types="""
        numpy: bool|integer>float float>float64 float32 complex
        jax: bool|integer>float float
        torch: bool|integer>float float
    """)

alike(e.isnan, e.isinf, e.isposinf, e.isneginf)
alike(e.signbit,
    types="""
        numpy: bool real -> bool
        jax: bool real -> bool
        torch: bool real -> bool
    """)
alike(e.copysign,
    types="""
        numpy: float
        jax: bool|integer>float float
        torch: bool|integer>float float, tensor first
    """)
alike(e.nextafter,
    types="""
        numpy: float
        jax: bool|integer>float float
        torch: float, tensors
    """)
# NumPy scales float16 as it is.
say(e.round_,
    numpy="""
        np.round(x, decimals=decimals)     if x: any-float16-bfloat16
        np.round(x)                        if decimals=0
        np.round(x, decimals=decimals)     if wide=False
    """,
    jax="""
        jnp.round(x)                       if decimals=0
        jnp.round(x, decimals=decimals)    if x: inexact
    """,
    torch="""
        torch.round(x)                     if decimals=0
        torch.round(x, decimals=decimals)  if x: float
    """,
    reads="""
        np.around(x, decimals=decimals)    if x: any-float16-bfloat16
        np.around(x)                       if decimals=0
        np.around(x, decimals=decimals)    if wide=False
        np.rint(x)                         if x: inexact
        jnp.round(x, decimals=decimals)
        jnp.around(x, decimals=decimals)
        jnp.rint(x)                        if x: inexact
        torch.special.round(x)
    """,
    types="""
        numpy: bool>float16 num
        jax: num
    """)
say(e.sign,
    numpy="""
        np.sign(x)
        np.sign(x)     if x: integer, nan=False
    """,
    jax="""
        jnp.sign(x)
        jnp.sign(x)    if x: integer, nan=False
    """,
    torch="""
        torch.sign(x)  if x: bool|integer
        torch.sign(x)  if x: float, nan=False
        torch.sgn(x)   if x: complex
    """,
    reads="""
        jax.lax.sign(x)
        torch.sgn(x)   if x: bool|integer
        torch.sgn(x)   if x: float, nan=False
    """,
    types="""
        numpy: bool>- num
        jax: num
        torch: bool uint8 int inexact
    """)
alike(e.isfinite,
    reads="jax.lax.is_finite(x)")
say(e.nan_to_num,
    numpy="np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)  if x: any-bfloat16",
    jax="jnp.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)",
    torch="""
        torch.nan_to_num(x, posinf=posinf, neginf=neginf)           if nan=0.0
        torch.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)
    """,
    types="jax: strong floats",
    gives="numpy: told")

say(e.complex_,
    numpy="helper:complex_of(x, y)",
    jax="jax.lax.complex(x, y)  if x: array, y: array",
    torch="torch.complex(x, y)  if x: float32|float64",
    types="""
        numpy: float32 float64 -> complex
        jax: float32 float64 -> complex
        torch: float32 float64 -> complex, alike, unsaid, tensors
    """,
    gives="numpy: new")
alike(e.real_part, written="x.real",
    gives="numpy torch: view")
say(e.imag,
    numpy="x.imag",
    jax="x.imag",
    torch="x.imag  if x: complex",
    reads="""
        np.imag(x)
        jnp.imag(x)
        jax.lax.imag(x)
        torch.imag(x)
    """,
    types="torch: complex -> real",
    gives="""
        numpy: part
        torch: view
    """)
say(e.conj,
    numpy="np.conj(x)",
    jax="jnp.conj(x)",
    torch="torch.conj(x)",
    reads="""
        np.conjugate(x)
        np.ndarray.conj(x)       if x: num
        np.ndarray.conjugate(x)  if x: num
        jnp.conjugate(x)
        jax.lax.conj(x)          if x: complex
        torch.conj_physical(x)
    """,
    types="numpy: num",
    gives="torch.conj: view")
say(e.angle,
    numpy="np.angle(x)",
    jax="jnp.angle(x)",
    torch="""
        torch.angle(x)  if x: complex
        torch.angle(x)  if signed=False
    """,
    types="""
        numpy: bool>float64 inexact -> real
        jax: bool|integer>float64 inexact -> real, by rank, strong ints
        torch: bool|integer>float inexact -> real
    """)
# fmt: on
absent(e.imag, "torch", "torch has no imaginary part of real numbers", "torch.zeros_like(x)")
