"""The ops on which the rules of backends/typing are tried: each framework's function for them, operands."""

import operator

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import torch

from tracelate.backends.typing import NoTyping, Operand, typing
from tracelate.ir import dtypes
from tracelate.ir.dtypes import DTYPES, PYTHON

# fmt: off
UNARY = """
negative         same     np.negative        jnp.negative             torch.neg
positive         same     np.positive        jnp.positive             torch.positive
sign             same     np.sign            jnp.sign                 torch.sgn
square           same     np.square          jnp.square               torch.square
conj             same     np.conj            jnp.conj                 torch.conj
sort             same     np.sort            jnp.sort                 lambda x: torch.sort(x)[0]
max              same     np.max             jnp.max                  torch.amax
min              same     np.min             jnp.min                  torch.amin
relu             same     None               jax.nn.relu              torch.relu
reshape          same     lambda x: x[None]  lambda x: x[None]        lambda x: x[None]
floor            keep     np.floor           jnp.floor                torch.floor
ceil             keep     np.ceil            jnp.ceil                 torch.ceil
trunc            keep     np.trunc           jnp.trunc                torch.trunc
round            keep     np.round           jnp.round                torch.round
abs              real     np.abs             jnp.abs                  torch.abs
real             real     np.real            jnp.real                 torch.real
imag             real     np.imag            jnp.imag                 torch.imag
angle            real     np.angle           jnp.angle                torch.angle
reciprocal       inexact  np.reciprocal      jnp.reciprocal           torch.reciprocal
sin              inexact  np.sin             jnp.sin                  torch.sin
exp              inexact  np.exp             jnp.exp                  torch.exp
log              inexact  np.log             jnp.log                  torch.log
sqrt             inexact  np.sqrt            jnp.sqrt                 torch.sqrt
tanh             inexact  np.tanh            jnp.tanh                 torch.tanh
asin             inexact  np.arcsin          jnp.arcsin               torch.asin
rsqrt            inexact  None               jax.lax.rsqrt            torch.rsqrt
sigmoid          inexact  None               jax.nn.sigmoid           torch.sigmoid
erf              inexact  None               jax.scipy.special.erf    torch.erf
lgamma           inexact  None               jax.scipy.special.gammaln  torch.lgamma
cbrt             inexact  np.cbrt            jnp.cbrt                 None
radians          inexact  np.radians         jnp.radians              torch.deg2rad
softmax          inexact  None               lambda x: jax.nn.softmax(x, 0)  lambda x: torch.softmax(x, 0)
logsumexp        inexact  None               jax.scipy.special.logsumexp  lambda x: torch.logsumexp(x, 0)
isnan            bool     np.isnan           jnp.isnan                torch.isnan
isfinite         bool     np.isfinite        jnp.isfinite             torch.isfinite
signbit          bool     np.signbit         jnp.signbit              torch.signbit
logical_not      bool     np.logical_not     jnp.logical_not          torch.logical_not
any              bool     np.any             jnp.any                  torch.any
all              bool     np.all             jnp.all                  torch.all
bitwise_invert   bitwise  np.invert          jnp.invert               torch.bitwise_not
bitwise_count    bitwise  np.bitwise_count   jnp.bitwise_count        None
sum              widen    np.sum             jnp.sum                  torch.sum
prod             widen    np.prod            jnp.prod                 torch.prod
cumulative_sum   widen    np.cumsum          jnp.cumsum               lambda x: torch.cumsum(x, 0)
cumulative_prod  widen    np.cumprod         jnp.cumprod              lambda x: torch.cumprod(x, 0)
mean             mean     np.mean            jnp.mean                 torch.mean
var              mean     np.var             jnp.var                  lambda x: torch.var(x, correction=0)
std              mean     np.std             jnp.std                  lambda x: torch.std(x, correction=0)
median           mean     np.median          jnp.median               torch.median
vector_norm      real     np.linalg.norm     None                     torch.linalg.norm
topk             same     None               None                     lambda x: torch.topk(x, 1).values
argmax           index    np.argmax          jnp.argmax               torch.argmax
argsort          index    np.argsort         jnp.argsort              torch.argsort
count_nonzero    index    np.count_nonzero   jnp.count_nonzero        torch.count_nonzero
fft              complex  np.fft.fft         jnp.fft.fft              torch.fft.fft
rfft             complex  np.fft.rfft        jnp.fft.rfft             torch.fft.rfft
"""
BINARY = """
add            promote  operator.add       operator.add       operator.add
subtract       promote  operator.sub       operator.sub       operator.sub
multiply       promote  operator.mul       operator.mul       operator.mul
divide         divide   operator.truediv   operator.truediv   operator.truediv
floor_divide   promote  operator.floordiv  operator.floordiv  operator.floordiv
remainder      promote  operator.mod       operator.mod       operator.mod
pow            power    np.power           jnp.power          torch.pow
float_power    power    np.float_power     jnp.float_power    torch.float_power
maximum        promote  np.maximum         jnp.maximum        torch.maximum
fmax           promote  np.fmax            jnp.fmax           torch.fmax
fmod           promote  np.fmod            jnp.fmod           torch.fmod
equal          compare  operator.eq        operator.eq        operator.eq
less           compare  operator.lt        operator.lt        operator.lt
greater_equal  compare  operator.ge        operator.ge        operator.ge
bitwise_and    bitwise  operator.and_      operator.and_      operator.and_
bitwise_left_shift   shift  operator.lshift  operator.lshift  operator.lshift
bitwise_right_shift  shift  operator.rshift  operator.rshift  operator.rshift
logical_and    bool     np.logical_and     jnp.logical_and    torch.logical_and
atan2          inexact  np.arctan2         jnp.arctan2        torch.atan2
hypot          inexact  np.hypot           jnp.hypot          torch.hypot
logaddexp      inexact  np.logaddexp       jnp.logaddexp      torch.logaddexp
copysign       inexact  np.copysign        jnp.copysign       torch.copysign
nextafter      inexact  np.nextafter       jnp.nextafter      torch.nextafter
heaviside      inexact  np.heaviside       jnp.heaviside      torch.heaviside
gcd            promote  np.gcd             jnp.gcd            torch.gcd
where          promote  chosen(np)         chosen(jnp)        chosen(torch)
clip           promote  above(np.clip)     above(jnp.clip)    above(torch.clamp)
concat         promote  joined(np.concatenate)  joined(jnp.concatenate)  joined(torch.cat)
matmul         promote  np.matmul          jnp.matmul         torch.matmul
"""
# fmt: on
SCALARS = (True, 2, 1.5, 2j)
INTS = (300, -1, 2**31 + 1, 2**40 + 1, 2**63 + 1, 2**70 + 1)
MODES = ("numpy", "torch", "jax", "jax x64")


def chosen(xp):
    return lambda x, y: xp.where(xp.asarray([True, False]), x, y)


def above(clip):
    return lambda x, y: clip(x, y, None)


def joined(concat):
    return lambda x, y: concat([x, y])


NAMES = {"np": np, "jnp": jnp, "jax": jax, "torch": torch, "operator": operator}
NAMES |= {"chosen": chosen, "above": above, "joined": joined}


class Case:
    """A line of a table: an op, its class, and each framework's function for it, None where there is none."""

    def __init__(self, line):
        self.op, self.cls, *texts = (column.strip() for column in line.split("  ") if column.strip())
        self.say = dict(zip(("numpy", "jax", "torch"), (eval(text, NAMES) for text in texts)))

    def function(self, mode):
        return self.say[mode.split()[0]]

    def typing(self, mode, operands):
        """What the rules say, None where they refuse."""
        try:
            return typing(mode.split()[0], self.cls, operands, op=self.op, x64=mode == "jax x64")
        except NoTyping:
            return None


CASES = {line.split()[0]: Case(line) for line in (UNARY + BINARY).splitlines() if line}
ONE = [line.split()[0] for line in UNARY.splitlines() if line]
TWO = [line.split()[0] for line in BINARY.splitlines() if line]


def said(ops, modes=MODES):
    return [(op, mode) for op in ops for mode in modes if CASES[op].function(mode)]


def array(dtype, rank=1, form="array"):
    return Operand(rank, dtypes.dtype(dtype), form)


def scalar(value):
    return Operand(0, PYTHON[type(value)], "python", value)


def arrays(mode):
    """An array of each dtype that this mode has."""
    narrow = mode == "jax"
    return [array(d) for d in DTYPES if not narrow or d not in ("int64", "uint64", "float64", "complex128")]


def weak(mode):
    bits = {"jax": 32, "jax x64": 64}.get(mode)
    names = (f"int{bits}", f"float{bits}", f"complex{2 * bits}") if bits else ()
    return [array(name, form="weak") for name in names]


def kind(dtype):
    return ml_dtypes.bfloat16 if dtype is dtypes.bfloat16 else dtype.name


def build(mode, operand, data):
    """The operand in its framework: a Python scalar, or an array of `data` cast to the dtype."""
    if operand.form == "python":
        return operand.value
    plain = [int(v) for v in data] if operand.dtype.kind in ("bool", "uint", "int") else data
    values = cast("numpy", np.array(plain if operand.rank else plain[0]), operand.dtype)
    if mode == "numpy":
        return values
    if mode != "torch":
        return jnp.asarray(values)
    known = np.asarray(values, "float32" if operand.dtype is dtypes.bfloat16 else None)
    return cast("torch", torch.from_numpy(known), operand.dtype)


def cast(mode, value, dtype):
    return value.to(getattr(torch, dtype.name)) if mode == "torch" else value.astype(kind(dtype))


def shown(operand):
    array = f"{operand.form} {operand.dtype}[{operand.rank}]"
    return str(operand.value) if operand.form == "python" else array


def deliberate(mode, op, operands):
    """Where the rules mean to differ: they refuse what is wrong elsewhere, and look at no values."""
    found = {operand.dtype.name for operand in operands}
    scalars = [operand.value for operand in operands if operand.form == "python"]
    match mode, op:
        case "numpy", "sum" | "prod" | "cumulative_sum" | "cumulative_prod" | "mean" | "var" | "std":
            return found == {"bfloat16"}  # NumPy rounds every partial sum: 256 + 1 is 256
        case "numpy", "sort" | "argsort" | "median":
            return found == {"bfloat16"}  # NaN comes first
        case "numpy", "pow":
            return operands[0].dtype is dtypes.bool_ and scalars  # its dtype depends on the number
        case "numpy", "where":
            return found == {"bfloat16", "float64"} and scalars  # float64, where its ufuncs give float32
        case "numpy", "clip":
            # A bound that does not fit is sometimes dropped.
            return operands[0].form == "python" or (scalars and scalars[0] in INTS)
        case "torch", "clip" if found == {"bool"}:
            return True  # with a number it refuses them
        case "torch", "divide":
            return found == {"complex128", "bfloat16"} and scalars  # inverted in bfloat16, then multiplied
        case "torch", "equal":
            return {"float16", "complex64"} <= found or {"float16", "complex128"} <= found  # in complex32
        case "torch", "pow" | "clip":
            large = "float16" in found and type(scalars and scalars[0]) is int and scalars[0] > 65504
            return scalars == [True] or large  # x**1 is a copy; what float16 does not hold is refused
        case "jax" | "jax x64", "argmax":
            return any(name.startswith("complex") for name in found)  # refused when it runs
        case "jax" | "jax x64", "softmax":
            return operands[0].dtype.is_integer and not found & {"int32", "int64"}  # differences wrap round
        case "jax" | "jax x64", "relu":
            return found == {"bool"}  # a weak int
        case "jax" | "jax x64", "heaviside":
            return operands[0].form == "python"
        case "jax" | "jax x64", "matmul":
            return any(o.form == "weak" for o in operands)  # refused where the result has fewer bits
    return False
