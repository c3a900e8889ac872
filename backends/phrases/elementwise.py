"""How elementwise ops are said. Same order as in ir/ops/elementwise.py."""

from __future__ import annotations

from ...ir.ops import elementwise as e
from ..rows import FOR_NUMBERS, alike, say

# fmt: off
alike(e.square,
    types="""
        numpy: num
        jax: bool>int32 num
        torch: bool>int64 uint8 int inexact
    """)
alike(e.gcd, e.lcm,
    types="""
        numpy: bool>- integer
        jax: integer, strong
        torch: uint8 int, tensors
    """)
alike(e.add, written="x + y")
say(e.scaled_add,
    torch="torch.add(x, y, alpha=alpha)")
alike(e.subtract, written="x - y",
    reads="""
        jax.lax.sub(x, y)
        torch.sub(x, y)
        torch.rsub(y, x)
    """,
    types="""
        numpy: bool>- num
        jax: num
        torch: uint8 int inexact, no bools
    """)
say(e.scaled_subtract,
    torch="torch.sub(x, y, alpha=alpha)",
    reads="""
        torch.subtract(x, y, alpha=alpha)
        torch.rsub(y, x, alpha=alpha)
    """,
    types="torch: uint8 int inexact, no bools")
alike(e.multiply, written="x * y",
    reads="""
        jax.lax.mul(x, y)
        torch.mul(x, y)
        torch.inner(x, y)  if x: 0d
        torch.inner(x, y)  if y: 0d
    """,
    types="torch: any, opmath, opmath first")
say(e.divide_,
    numpy="x / y",
    jax="x / y",
    torch="x / y",
    reads="""
        np.divide(x, y)
        jnp.divide(x, y)
        jnp.true_divide(x, y)
        jax.lax.div(x, y)  if x: inexact
        torch.div(x, y)
        torch.div(x, y, rounding_mode=None)
        torch.divide(x, y)
        torch.divide(x, y, rounding_mode=None)
        torch.true_divide(x, y)
    """,
    types="torch: opmath, opmath first, inverts")
alike(e.floor_divide, written="x // y",
    reads="""
        torch.div(x, y, rounding_mode='floor')
        torch.divide(x, y, rounding_mode='floor')
    """,
    types="""
        numpy: real
        jax: bool>int32 real
        torch: uint8 int float, opmath
    """)
alike(e.remainder, written="x % y",
    reads="jnp.mod(x, y)",
    types="""
        numpy: real
        jax: bool>int32 real
        torch: uint8 int float
    """)
say(e.divmod_,
    numpy="np.divmod(x, y)",
    jax="jnp.divmod(x, y)",
    types="""
        numpy: real
        jax: bool>int32 real
    """)
alike(e.fmod,
    reads="jax.lax.rem(x, y)",
    types="""
        numpy: real
        jax: bool>int32 real
        torch: uint8 int float, tensor first
    """)
alike(e.pow_, written="x ** y",
    reads="""
        np.power(x, y)
        jnp.power(x, y)
        jax.lax.integer_pow(x, y)
    """,
    types="torch: bounded")
alike(e.negative, written="-x",
    reads="""
        jax.lax.neg(x)
        torch.neg(x)
    """,
    types="""
        numpy: bool>- num
        jax: num
        torch: uint8 int inexact
    """)
alike(e.positive, written="+x",
    types="""
        numpy: bool>- num
        torch: num
    """,
    gives="torch: view")
alike(e.abs_,
    reads="""
        operator.abs(x)
        np.absolute(x)
        np.fabs(x)   if x: float
        jnp.absolute(x)
        jnp.fabs(x)  if x: float
        torch.absolute(x)
    """,
    types="torch: uint8 int inexact -> real")
say(e.trunc_divide,
    torch="torch.div(x, y, rounding_mode='trunc')",
    reads="""
        jax.lax.div(x, y)  if x: integer
        torch.divide(x, y, rounding_mode='trunc')
    """,
    types="torch: uint8 int float, opmath")
say(e.reciprocal,
    numpy="np.reciprocal(x)  if x: inexact",
    jax="jnp.reciprocal(x)",
    torch="torch.reciprocal(x)",
    reads="jax.lax.reciprocal(x)",
    types="""
        numpy: num
        jax: bool|integer>float inexact
    """)
say(e.lerp,
    torch="torch.lerp(x, y, w)",
    types="torch: inexact")
say(e.addcmul,
    torch="""
        torch.addcmul(x, y, z)  if value=1
        torch.addcmul(x, y, z, value=value)
    """,
    reads="torch.Tensor.addcmul(x, y, z, value=value)")
say(e.addcdiv,
    torch="""
        torch.addcdiv(x, y, z)  if value=1
        torch.addcdiv(x, y, z, value=value)
    """,
    reads="torch.Tensor.addcdiv(x, y, z, value=value)")

alike(e.floor, e.ceil)
alike(e.trunc,
    reads="""
        np.fix(x)
        torch.fix(x)
    """)

say(e.equal,
    numpy="x == y",
    jax="x == y",
    torch="x == y",
    reads="""
        np.equal(x, y)
        jnp.equal(x, y)
        jax.lax.eq(x, y)
        torch.eq(x, y)
    """,
    types="torch: any -> bool")
alike(e.not_equal, written="x != y",
    reads="""
        jax.lax.ne(x, y)
        torch.ne(x, y)
    """,
    types="torch: any -> bool")
alike(e.less, written="x < y",
    reads="""
        jax.lax.lt(x, y)
        torch.lt(x, y)
    """)
alike(e.less_equal, written="x <= y",
    reads="""
        jax.lax.le(x, y)
        torch.le(x, y)
    """)
alike(e.greater, written="x > y",
    reads="""
        jax.lax.gt(x, y)
        torch.gt(x, y)
    """)
alike(e.greater_equal, written="x >= y",
    reads="""
        jax.lax.ge(x, y)
        torch.ge(x, y)
    """)
say(e.isclose,
    numpy="np.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan)     if x: inexact",
    jax="jnp.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan)      if x: inexact",
    torch="torch.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan)  if x: inexact",
    types="""
        numpy: overflows
        torch: bool uint8 int inexact -> bool, alike, tensors
    """)

alike(e.logical_and, e.logical_or, e.logical_xor,
    types="torch: bool uint8 int inexact -> bool, tensors, rounds")
alike(e.logical_not,
    types="torch: bool uint8 int inexact -> bool, rounds")
alike(e.bitwise_and, written="x & y")
alike(e.bitwise_or, written="x | y")
alike(e.bitwise_xor, written="x ^ y")
alike(e.bitwise_invert, written="~x",
    reads="""
        np.invert(x)
        jnp.invert(x)
        jnp.bitwise_not(x)
        jax.lax.bitwise_not(x)
        torch.bitwise_not(x)
    """,
    types="torch: bool uint8 int")
alike(e.bitwise_left_shift, written="x << y",
    reads="""
        np.left_shift(x, y)
        jnp.left_shift(x, y)
        jax.lax.shift_left(x, y)
    """)
alike(e.bitwise_right_shift, written="x >> y",
    reads="""
        np.right_shift(x, y)
        jnp.right_shift(x, y)
        jax.lax.shift_right_arithmetic(x, y)  if x: int
    """)

alike(e.fmax, e.fmin,
    types="torch: bool uint8 int float, tensors")
say(e.maximum,
    numpy="np.maximum(x, y)",
    jax="jnp.maximum(x, y)",
    torch="torch.maximum(x, y)  if x: array, y: array",
    reads="""
        jax.lax.max(x, y)
        torch.max(x, other=y)
    """,
    types="torch: bool uint8 int float, tensors")
say(e.minimum,
    numpy="np.minimum(x, y)",
    jax="jnp.minimum(x, y)",
    torch="torch.minimum(x, y)  if x: array, y: array",
    reads="""
        jax.lax.min(x, y)
        torch.min(x, other=y)
    """,
    types="torch: bool uint8 int float, tensors")
say(e.where,
    numpy="np.where(c, x, y)     if x: given",
    jax="jnp.where(c, x, y)      if x: given",
    torch="torch.where(c, x, y)  if c: bool",
    reads="""
        jax.lax.select(c, x, y)
        torch.where(c, x, y)
        torch.Tensor.where(x, c, y)
    """,
    types="""
        numpy: joined, any int
        torch: any, bounded, scalars
    """)
say(e.masked_fill,
    torch="x.masked_fill(mask, value)",
    reads="torch.masked_fill(x, mask, value)")
say(e.clip,
    numpy="np.clip(x, low, high)           if x: array, x: any-bfloat16, low: given, high: given",
    jax="jnp.clip(x, low, high)            if x: bool|real, low: given, high: given",
    torch="""
        torch.clamp(x, min=low, max=high)  if low: number, high: number
        torch.clamp(x, min=low, max=high)  if low: array, high: array
        torch.clamp(x, min=low)
        torch.clamp(x, max=high)
    """,
    reads="""
        np.clip(x, low, high)              if x: array
        np.clip(x, min=low, max=high)      if x: array
        jnp.clip(x, low, high)
        jax.lax.clamp(low, x, high)        if x: bool|real
        torch.clamp(x, min=low, max=high)
        torch.clip(x, min=low, max=high)
        torch.clamp_min(x, low)
        torch.clamp_max(x, high)
    """,
    types="""
        numpy: nearest
        jax: bool real, wrapped
        torch: uint8 int float, tensor first, bounded, wrapped
    """)

say(e.cast,
    numpy="x.astype(dtype)",
    jax="x.astype(dtype)",
    torch="x.to(dtype)",
    reads="""
        np.astype(x, dtype)
        jnp.astype(x, dtype)
        jax.lax.convert_element_type(x, dtype)
        torch.Tensor.to(x, dtype=dtype)  if dtype: given
        torch.Tensor.type(x, dtype)
        np.bool(x)                       if dtype=bool
        np.uint8(x)                      if dtype=uint8
        np.uint16(x)                     if dtype=uint16
        np.uint32(x)                     if dtype=uint32
        np.uint64(x)                     if dtype=uint64
        np.int8(x)                       if dtype=int8
        np.int16(x)                      if dtype=int16
        np.int32(x)                      if dtype=int32
        np.int64(x)                      if dtype=int64
        np.float16(x)                    if dtype=float16
        np.float32(x)                    if dtype=float32
        np.float64(x)                    if dtype=float64
        np.complex64(x)                  if dtype=complex64
        np.complex128(x)                 if dtype=complex128
        jnp.bool(x)                      if dtype=bool
        jnp.uint8(x)                     if dtype=uint8
        jnp.uint16(x)                    if dtype=uint16
        jnp.uint32(x)                    if dtype=uint32
        jnp.uint64(x)                    if dtype=uint64
        jnp.int8(x)                      if dtype=int8
        jnp.int16(x)                     if dtype=int16
        jnp.int32(x)                     if dtype=int32
        jnp.int64(x)                     if dtype=int64
        jnp.float16(x)                   if dtype=float16
        jnp.bfloat16(x)                  if dtype=bfloat16
        jnp.float32(x)                   if dtype=float32
        jnp.float64(x)                   if dtype=float64
        jnp.complex64(x)                 if dtype=complex64
        jnp.complex128(x)                if dtype=complex128
        torch.Tensor.bool(x)             if dtype=bool
        torch.Tensor.byte(x)             if dtype=uint8
        torch.Tensor.char(x)             if dtype=int8
        torch.Tensor.short(x)            if dtype=int16
        torch.Tensor.int(x)              if dtype=int32
        torch.Tensor.long(x)             if dtype=int64
        torch.Tensor.half(x)             if dtype=float16
        torch.Tensor.bfloat16(x)         if dtype=bfloat16
        torch.Tensor.float(x)            if dtype=float32
        torch.Tensor.double(x)           if dtype=float64
        torch.Tensor.cfloat(x)           if dtype=complex64
        torch.Tensor.cdouble(x)          if dtype=complex128
    """,
    gives="numpy torch: cast")
say(e.type_as,
    torch="x.type_as(like)",
    reads="torch.Tensor.to(x, tensor=like)",
    gives="torch: cast")
say(e.stop_gradient,
    numpy="x",
    jax="jax.lax.stop_gradient(x)  if x: array",
    torch="""
        x.detach()
        x.data
    """,
    reads="torch.detach(x)",
    gives="torch: view")
# fmt: on
FOR_NUMBERS[e.clip.name] = (
    "of a number, min(max(k, low), high) is Python's own; or make it an array with a dtype"
)
