"""Every rule of backends/typing against the framework itself: result dtypes, refusals, weak types, values.

A compute dtype shows only in values: plain(x, y) must equal plain(x as compute, y as compute) as result.
"""

import operator
import warnings
from collections import defaultdict

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import torch

from tracelate.backends.typing import NoTyping, Operand, typing
from tracelate.ir import dtypes
from tracelate.ir.dtypes import DTYPES, PYTHON

pytestmark = pytest.mark.filterwarnings("ignore")

# fmt: off
UNARY = """
negative         same     np.negative        jnp.negative             torch.neg
positive         same     np.positive        jnp.positive             torch.positive
sign             same     np.sign            jnp.sign                 torch.sign
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
#: On these all pairs are tried in JAX too; rows of others see the common dtype and whether it is weak.
WHOLE = ("add", "pow")


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


@pytest.fixture(autouse=True, scope="module")
def quick_refusals():
    """JAX spends more time on filtering a traceback than on refusing."""
    before = jax.config.jax_traceback_filtering
    jax.config.update("jax_traceback_filtering", "off")
    yield
    jax.config.update("jax_traceback_filtering", before)


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


def observe(mode, function, operands):
    """(dtype, weak) of what the framework makes of them; None where it refuses, or the dtype is its own."""
    try:
        if mode.startswith("jax"):
            result = abstract(function, operands)
        else:
            result = function(*(build(mode, operand, (1, 1)) for operand in operands))
    except Exception:
        return None
    name = str(result.dtype if hasattr(result, "dtype") else np.asarray(result).dtype).removeprefix("torch.")
    return (name, getattr(result, "weak_type", False) and name != "bool") if name in DTYPES else None


def abstract(function, operands):
    given = [operand for operand in operands if operand.form != "python"]
    specs = [jax.ShapeDtypeStruct((2,), o.dtype.name, weak_type=o.form == "weak") for o in given]

    def call(*arrays):
        rest = iter(arrays)
        return function(*(o.value if o.form == "python" else next(rest) for o in operands))

    return jax.eval_shape(call, *specs)


def shown(operand):
    array = f"{operand.form} {operand.dtype}[{operand.rank}]"
    return str(operand.value) if operand.form == "python" else array


def disagreements(mode, op, several):
    """A line for each list of operands on which the rules and the framework differ."""
    case, found = CASES[op], []
    with jax.enable_x64(mode == "jax x64"):
        for operands in several:
            mine, theirs = case.typing(mode, operands), observe(mode, case.function(mode), operands)
            if (mine and (mine.result.name, mine.weak)) != theirs and not deliberate(mode, op, operands):
                found.append(f"{mode} {op} of {', '.join(map(shown, operands))} is {theirs}, not {mine}")
    return found


def deliberate(mode, op, operands):
    """Where the rules mean to differ: they refuse what is wrong elsewhere, and look at no values."""
    found = {operand.dtype.name for operand in operands}
    scalars = [operand.value for operand in operands if operand.form == "python"]
    match mode, op:
        case "numpy", "sum" | "prod" | "cumulative_sum" | "cumulative_prod" | "mean" | "var" | "std":
            return found == {"bfloat16"}  # NumPy rounds every partial sum: 256 + 1 is 256
        case "numpy", "where":
            return found == {"bfloat16", "float64"} and scalars  # float64, where its ufuncs give float32
        case "numpy", "clip":
            # A bound that does not fit is sometimes dropped.
            return operands[0].form == "python" or (scalars and scalars[0] in INTS)
        case "torch", "divide":
            return found == {"complex128", "bfloat16"} and scalars  # inverted in bfloat16, then multiplied
        case "torch", "equal":
            return {"float16", "complex64"} <= found or {"float16", "complex128"} <= found  # in complex32
        case "torch", "pow" | "clip":
            large = "float16" in found and type(scalars and scalars[0]) is int and scalars[0] > 65504
            return scalars == [True] or large  # x**1 is a copy; what float16 does not hold is refused
        case "jax" | "jax x64", "argmax":
            return any(name.startswith("complex") for name in found)  # refused when it runs
        case "jax" | "jax x64", "relu":
            return found == {"bool"}  # a weak int
        case "jax" | "jax x64", "heaviside":
            return operands[0].form == "python"
        case "jax" | "jax x64", "matmul":
            return any(o.form == "weak" for o in operands)  # refused where the result has fewer bits
    return False


@pytest.mark.parametrize(("op", "mode"), said(ONE))
def test_results_of_one_operand(op, mode):
    assert not disagreements(mode, op, [[operand] for operand in arrays(mode) + weak(mode)])


@pytest.mark.parametrize(("op", "mode"), said(TWO))
def test_results_of_two_operands(op, mode):
    assert not disagreements(mode, op, pairs(mode, op))


def pairs(mode, op):
    """Every pair of dtypes, ranks and forms; in JAX, save for WHOLE, enough for each common dtype."""
    some = arrays(mode) + weak(mode)
    if mode == "torch" and op not in ("concat", "matmul"):
        some += [array(operand.dtype, rank=0) for operand in arrays(mode)]
    scalars = [scalar(value) for value in SCALARS] if op not in ("concat", "matmul") else []
    if mode.startswith("jax") and op not in WHOLE:
        late = weak(mode) if mode == "jax x64" else []
        found = [[x, x] for x in some] + [[y, x] for x in some for y in late]
        return found + [[x, y] for x in some for y in scalars[2:]]
    ints = [scalar(value) for value in INTS] if scalars else []
    return [[x, y] for x in some for y in some + scalars + ints] + [[y, x] for x in some for y in scalars]


# Values: the compute dtype shows nowhere else.

# fmt: off
PROBES = (
    0, 1, 2, 3, -1, 255, 300, 0.1, -0.7, 2**24, 2**24 + 1, 2**31, 2**31 + 1, 2**53, 2**53 + 1, 16777216.5,
)
# fmt: on
VALUED = [op for op in TWO if op not in ("concat", "matmul", "logical_and", "gcd", "heaviside", "where")]
#: JAX compiles an op anew for each pair.
SLOW = [("less", "jax"), ("less", "jax x64"), ("add", "jax x64"), ("divide", "jax x64")]
COMPILED = [pytest.param(*case, marks=pytest.mark.slow) for case in SLOW]
#: Computed by other loops for a scalar than for an array, equal to a rounding or two of the result.
ROUNDED = ("pow", "float_power", "divide", "floor_divide", "remainder", "fmod", "atan2", "hypot", "logaddexp")
#: The second operand's probes where others would be undefined or an error.
SECOND = {
    **dict.fromkeys(("pow", "float_power"), (1, 2, 3, 5)),
    **dict.fromkeys(("bitwise_left_shift", "bitwise_right_shift"), (0, 1, 2, 5)),
    **dict.fromkeys(("floor_divide", "remainder", "fmod"), (1, 2, 3, 7)),
}


@pytest.mark.parametrize(("op", "mode"), said(VALUED, ("numpy", "torch")) + COMPILED)
def test_compute_dtype_gives_the_values(op, mode):
    some = arrays(mode) + ([array(o.dtype, rank=0) for o in arrays(mode)] if mode == "torch" else [])
    ints = () if op in SECOND else INTS[:2] if mode.startswith("jax") else INTS
    scalars = [scalar(value) for value in (*SCALARS, 0.1, *ints)]
    several = [[x, y] for x in some for y in some + scalars]
    several += [] if mode.startswith("jax") else [[y, x] for x in some for y in scalars]
    with jax.enable_x64(mode == "jax x64"), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        assert not wrong_values(mode, op, [o for o in several if not deliberate(mode, op, o)])


def wrong_values(mode, op, several):
    """A line for each pair where plain(x, y) is not plain(x as compute, y as compute) as result."""
    function, second = CASES[op].function(mode), SECOND.get(op, PROBES)
    shape = len(PROBES), len(second)
    trials = [(operands, found) for operands in several if (found := CASES[op].typing(mode, operands))]
    given = [(probes(mode, x, PROBES, (-1, 1)), probes(mode, y, second, (1, -1))) for (x, y), _ in trials]
    plain = [np.broadcast_to(numbers(value), shape) for value in every(mode, function, given)]
    wrong, groups = [], defaultdict(list)
    for i, (_, found) in enumerate(trials):
        if not found.exact:
            groups[found.compute, found.result].append(i)
        elif not (plain[i] == exactly(function, *given[i])).all():
            wrong.append(i)
    stacks = [
        [stacked(mode, [given[i][side] for i in members], compute, shape) for side in (0, 1)]
        for (compute, _), members in groups.items()
    ]
    for (_, result), members, value in zip(groups, groups.values(), every(mode, function, stacks)):
        casted = numbers(cast(mode, value, result))
        wrong += [i for i, part in zip(members, casted) if not close(plain[i], part, result, op in ROUNDED)]
    return [f"{mode} {op} of {', '.join(map(shown, trials[i][0]))}: {trials[i][1]}" for i in wrong]


def every(mode, function, given):
    """function(x, y) for each pair; JAX compiles them all at once."""
    if not mode.startswith("jax"):
        return [function(x, y) for x, y in given]
    scalars = [None if hasattr(y, "shape") else y for _, y in given]

    def run(pairs):
        return [function(x, y if scalar is None else scalar) for (x, y), scalar in zip(pairs, scalars)]

    pairs = [(x, y if scalar is None else 0) for (x, y), scalar in zip(given, scalars)]
    return jax.jit(run, compiler_options={"xla_backend_optimization_level": 0})(pairs)


def probes(mode, operand, data, shape):
    """Probe values along one axis of two; for an operand without axes a single one, which no float holds."""
    if operand.form == "python":
        return operand.value
    if not operand.rank:
        return build(mode, operand, (data[-1],))
    data = [complex(v, v) for v in data] if operand.dtype.kind == "complex" else data
    return build(mode, operand, data).reshape(shape)


def stacked(mode, values, dtype, shape):
    """The values cast to `dtype`, ints wrapped, and spread to `shape`, where no rule for scalars holds."""
    found = [cast(mode, as_array(mode, value, dtype), dtype) for value in values]
    match mode:
        case "torch":
            return torch.stack([value.expand(shape) for value in found])
        case "numpy":
            return np.stack([np.broadcast_to(value, shape) for value in found])
    return jnp.asarray(np.stack([np.broadcast_to(value, shape) for value in found]))


def as_array(mode, value, dtype):
    if hasattr(value, "shape"):
        return np.asarray(value) if mode.startswith("jax") else value
    if type(value) is int:
        value = np.asarray(value % 2**64, "uint64") if dtype.is_integer else float(value)
    return torch.as_tensor(np.asarray(value)) if mode == "torch" else np.asarray(value)


def exactly(function, x, y):
    """The comparison of integers as Python makes it."""
    x, y = (np.asarray(value).astype(object) for value in (x, y))
    return function(x, y).astype(bool)


def numbers(value):
    if isinstance(value, torch.Tensor):
        return (value.float() if value.dtype is torch.bfloat16 else value.resolve_conj()).numpy()
    value = np.asarray(value)
    return value.astype(np.float32) if value.dtype == ml_dtypes.bfloat16 else value


def close(left, right, dtype, rounded):
    if not rounded or not dtype.is_inexact:
        return np.array_equal(left, right, equal_nan=dtype.is_inexact)
    epsilon = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-5, "complex64": 1e-4}.get(dtype.name, 1e-12)
    return np.allclose(left, right, rtol=epsilon, atol=epsilon, equal_nan=True)


@pytest.mark.parametrize(("op", "mode"), said(ONE, ("numpy", "torch")))
def test_compute_dtype_of_one_operand_gives_the_values(op, mode):
    function = CASES[op].function(mode)
    typed = [(operand, CASES[op].typing(mode, [operand])) for operand in arrays(mode)]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for operand, found in typed:
            if found is not None and found.compute is not None:
                x = build(mode, operand, PROBES[:8])
                casted = cast(mode, function(cast(mode, x, found.compute)), found.result)
                plain, result = numbers(function(x)), found.result
                assert close(plain, numbers(casted), result, rounded=True), shown(operand)
