"""The ops on which the rules of backends/typing are tried: each framework's function for them, operands."""

import operator

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import torch

from tracelate.backends import rows
from tracelate.backends.typing import NoTyping, Operand, typing
from tracelate.ir.values import dtypes
from tracelate.ir.values.dtypes import DTYPES, PYTHON

rows.load()  # which say how frameworks deviate from the classes

# An op, its class, and each framework's function for it; one text serves all three, xp being np, jnp, torch.
# fmt: off
UNARY = """
negative         same     np.negative       jnp.negative                 torch.neg
positive         same     xp.positive
sign             same     np.sign           jnp.sign                     torch.sgn
square           same     xp.square
conj             same     xp.conj
sort             same     np.sort           jnp.sort                     lambda x: torch.sort(x)[0]
max              same     np.max            jnp.max                      torch.amax
min              same     np.min            jnp.min                      torch.amin
relu             same     None              jax.nn.relu                  torch.relu
reshape          same     lambda x: x[None]
floor            keep     xp.floor
ceil             keep     xp.ceil
trunc            keep     xp.trunc
round            keep     xp.round
abs              real     xp.abs
real             real     xp.real
imag             real     xp.imag
angle            real     xp.angle
reciprocal       inexact  xp.reciprocal
sin              inexact  xp.sin
exp              inexact  xp.exp
log              inexact  xp.log
sqrt             inexact  xp.sqrt
tanh             inexact  xp.tanh
asin             inexact  np.arcsin         jnp.arcsin                   torch.asin
rsqrt            inexact  None              jax.lax.rsqrt                torch.rsqrt
sigmoid          inexact  None              jax.nn.sigmoid               torch.sigmoid
erf              inexact  None              jax.scipy.special.erf        torch.erf
lgamma           inexact  None              jax.scipy.special.gammaln    torch.lgamma
cbrt             inexact  np.cbrt           jnp.cbrt                     None
radians          inexact  np.radians        jnp.radians                  torch.deg2rad
softmax          inexact  None              lambda x: jax.nn.softmax(x, 0)  lambda x: torch.softmax(x, 0)
logsumexp        inexact  None              jax.scipy.special.logsumexp  lambda x: torch.logsumexp(x, 0)
isnan            bool     xp.isnan
isfinite         bool     xp.isfinite
signbit          bool     xp.signbit
logical_not      bool     xp.logical_not
any              bool     xp.any
all              bool     xp.all
bitwise_invert   bitwise  np.invert         jnp.invert                   torch.bitwise_not
sum              widen    xp.sum
prod             widen    xp.prod
cumulative_sum   widen    np.cumsum         jnp.cumsum                   lambda x: torch.cumsum(x, 0)
cumulative_prod  widen    np.cumprod        jnp.cumprod                  lambda x: torch.cumprod(x, 0)
mean             mean     xp.mean
var              mean     np.var            jnp.var                      lambda x: torch.var(x, correction=0)
std              mean     np.std            jnp.std                      lambda x: torch.std(x, correction=0)
median           mean     xp.median
vector_norm      real     np.linalg.norm    None                         torch.linalg.norm
topk             same     None              None                         lambda x: torch.topk(x, 1).values
argmax           index    xp.argmax
argsort          index    xp.argsort
count_nonzero    index    xp.count_nonzero
fft              complex  xp.fft.fft
rfft             complex  xp.fft.rfft
"""
BINARY = """
add                  promote  operator.add
subtract             promote  operator.sub
multiply             promote  operator.mul
divide               divide   operator.truediv
floor_divide         promote  operator.floordiv
remainder            promote  operator.mod
pow                  power    np.power                jnp.power                torch.pow
maximum              promote  xp.maximum
fmax                 promote  xp.fmax
fmod                 promote  xp.fmod
equal                compare  operator.eq
less                 compare  operator.lt
greater_equal        compare  operator.ge
bitwise_and          bitwise  operator.and_
bitwise_left_shift   shift    operator.lshift
bitwise_right_shift  shift    operator.rshift
logical_and          bool     xp.logical_and
atan2                inexact  np.arctan2              jnp.arctan2              torch.atan2
hypot                inexact  xp.hypot
logaddexp            inexact  xp.logaddexp
copysign             inexact  xp.copysign
nextafter            inexact  xp.nextafter
gcd                  promote  xp.gcd
where                promote  chosen(xp)
clip                 promote  above(np.clip)          above(jnp.clip)          above(torch.clamp)
concat               promote  joined(np.concatenate)  joined(jnp.concatenate)  joined(torch.cat)
matmul               promote  xp.matmul
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


MODULES = {"numpy": np, "jax": jnp, "torch": torch}
NAMES = {"np": np, "jnp": jnp, "jax": jax, "torch": torch, "operator": operator}
NAMES |= {"chosen": chosen, "above": above, "joined": joined}


class Case:
    """A line of a table; the function is None where a framework has none."""

    def __init__(self, line):
        self.op, self.cls, *texts = (column.strip() for column in line.split("  ") if column.strip())
        said = zip(MODULES.items(), texts * (3 if len(texts) == 1 else 1), strict=True)
        self.say = {framework: eval(text, NAMES | {"xp": xp}) for (framework, xp), text in said}

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
    return Operand(rank, dtype and dtypes.dtype(dtype), form)


def scalar(value):
    return Operand(0, PYTHON[type(value)], "python", value)


def arrays(mode, rank=1):
    """An array of each dtype that this mode has."""
    wide = ("int64", "uint64", "float64", "complex128") if mode == "jax" else ()
    return [array(name, rank) for name in DTYPES if name not in wide]


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


def called(mode, op, operands):
    return f"{mode} {op} of {', '.join(map(shown, operands))}"


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
        case "torch", "logical_and":
            return any(o.rank == 0 and o.form == "array" for o in operands)  # rounded, maybe to 0
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
            return operands[0].dtype.is_integer  # differences wrap round
        case "jax" | "jax x64", "relu":
            return found == {"bool"}  # a weak int
        case "jax" | "jax x64", "matmul":
            return any(o.form == "weak" for o in operands)  # refused where the result has fewer bits
    return False
