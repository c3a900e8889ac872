"""Every rule of backends/typing against the framework itself: result dtypes, refusals, weak types, and values.

A compute dtype shows only in values: plain(x, y) must equal plain(x as compute, y as compute) as result.
"""

import itertools
import operator
import warnings
from collections import defaultdict

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import torch

from tracelate.backends.typing import NoTyping, Operand, Typing, typing
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
where          promote  lambda x, y: np.where(TRUE, x, y)  lambda x, y: jnp.where(TRUE, x, y)  lambda x, y: torch.where(torch.tensor(TRUE), x, y)
clip           promote  lambda x, y: np.clip(x, y, None)   lambda x, y: jnp.clip(x, y, None)   lambda x, y: torch.clamp(x, min=y)
concat         promote  lambda x, y: np.concatenate([x, y])  lambda x, y: jnp.concatenate([x, y])  lambda x, y: torch.cat([x, y])
matmul         promote  np.matmul          jnp.matmul         torch.matmul
"""
# fmt: on
TRUE = np.array([True, False])
SCALARS = (True, 2, 1.5, 2j)
INTS = (300, -1, 2**31 + 1, 2**40 + 1, 2**63 + 1, 2**70 + 1)
MODES = ("numpy", "torch", "jax", "jax x64")
#: On these all pairs are tried in JAX too. The rows of the others see only the common dtype and whether it is weak.
WHOLE = ("add", "pow")


class Case:
    """A line of a table: an op, its class, and the function of each framework that says it, None where there is none."""

    def __init__(self, line):
        self.op, self.cls, *texts = (column.strip() for column in line.split("  ") if column.strip())
        names = {"np": np, "jnp": jnp, "jax": jax, "torch": torch, "operator": operator, "TRUE": TRUE}
        self.say = dict(zip(("numpy", "jax", "torch"), (eval(text, names) for text in texts)))

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
    return [array(d, form="weak") for d in (f"int{bits}", f"float{bits}", f"complex{2 * bits}")] if bits else []


def kind(dtype):
    return ml_dtypes.bfloat16 if dtype is dtypes.bfloat16 else dtype.name


def build(mode, operand, data):
    """The operand in its framework: a Python scalar, or an array of `data`, Python numbers that the dtype wraps or rounds."""
    if operand.form == "python":
        return operand.value
    plain = [int(v) for v in data] if operand.dtype.kind in ("bool", "uint", "int") else data
    values = cast("numpy", np.array(plain if operand.rank else plain[0]), operand.dtype)
    if mode == "numpy":
        return values
    if mode != "torch":
        return jnp.asarray(values)
    return cast("torch", torch.from_numpy(np.asarray(values, "float32" if operand.dtype is dtypes.bfloat16 else None)), operand.dtype)


def cast(mode, value, dtype):
    return value.to(getattr(torch, dtype.name)) if mode == "torch" else value.astype(kind(dtype))


def observe(mode, function, operands):
    """(dtype, weak) of what the framework makes of the operands; None where it refuses, or its dtype is none of ours."""
    try:
        result = abstract(function, operands) if mode.startswith("jax") else function(*(build(mode, o, (1, 1)) for o in operands))
    except Exception:
        return None
    name = str(result.dtype if hasattr(result, "dtype") else np.asarray(result).dtype).removeprefix("torch.")
    return (name, getattr(result, "weak_type", False) and name != "bool") if name in DTYPES else None


def abstract(function, operands):
    specs = [jax.ShapeDtypeStruct((2,), o.dtype.name, weak_type=o.form == "weak") for o in operands if o.form != "python"]

    def call(*given):
        rest = iter(given)
        return function(*(o.value if o.form == "python" else next(rest) for o in operands))

    return jax.eval_shape(call, *specs)


def shown(operand):
    return str(operand.value) if operand.form == "python" else f"{operand.form} {operand.dtype}[{operand.rank}]"


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
    """Where the rules mean to differ: refusals of what would be wrong elsewhere, and values that a framework looks at."""
    found = {operand.dtype.name for operand in operands}
    scalars = [operand.value for operand in operands if operand.form == "python"]
    match mode, op:
        case "numpy", "sum" | "prod" | "cumulative_sum" | "cumulative_prod" | "mean" | "var" | "std":
            return found == {"bfloat16"}  # NumPy rounds every partial sum: 256 + 1 is 256
        case "numpy", "where":
            return found == {"bfloat16", "float64"} and scalars  # float64, where its ufuncs give float32
        case "numpy", "clip":
            return operands[0].form == "python" or (scalars and scalars[0] in INTS)  # a bound that does not fit is sometimes dropped
        case "torch", "divide":
            return found == {"complex128", "bfloat16"} and scalars == [2j]  # inverted in bfloat16, then multiplied
        case "torch", "equal":
            return {"float16", "complex64"} <= found or {"float16", "complex128"} <= found  # in complex32
        case "torch", "pow" | "clip":
            large = "float16" in found and type(scalars and scalars[0]) is int and scalars[0] > 65504
            return scalars == [True] or large  # x**1 is a copy; what float16 does not hold is refused
        case "jax" | "jax x64", "relu":
            return found == {"bool"}  # a weak int
        case "jax" | "jax x64", "heaviside":
            return operands[0].form == "python"
        case "jax" | "jax x64", "matmul":
            return any(operand.form == "weak" for operand in operands)  # refused where the result has fewer bits
    return False


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("op", ONE)
def test_results_of_one_operand(op, mode):
    if CASES[op].function(mode) is not None:
        assert not disagreements(mode, op, [[operand] for operand in arrays(mode) + weak(mode)])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("op", TWO)
def test_results_of_two_operands(op, mode):
    if CASES[op].function(mode) is not None:
        assert not disagreements(mode, op, pairs(mode, op))


def pairs(mode, op):
    """Every pair of dtypes, ranks and forms; in JAX, save for WHOLE, enough to give each common dtype, weak or not."""
    some = arrays(mode) + weak(mode)
    if mode == "torch" and op not in ("concat", "matmul"):
        some += [array(operand.dtype, rank=0) for operand in arrays(mode)]
    scalars = [scalar(value) for value in SCALARS] if op not in ("concat", "matmul") else []
    if mode.startswith("jax") and op not in WHOLE:
        late = weak(mode) if mode == "jax x64" else []
        return [[x, x] for x in some] + [[y, x] for x in some for y in late] + [[x, y] for x in some for y in scalars[2:]]
    ints = [scalar(value) for value in INTS] if scalars else []
    return [[x, y] for x in some for y in some + scalars + ints] + [[y, x] for x in some for y in scalars]


# Values: the compute dtype shows nowhere else.

PROBES = (0, 1, 2, 3, -1, 255, 300, 2**24, 2**24 + 1, 2**31, 2**31 + 1, 2**53, 2**53 + 1, 0.1, -0.7, 16777216.5)
VALUED = [op for op in TWO if op not in ("concat", "matmul", "logical_and", "gcd", "heaviside", "where")]
#: JAX compiles an op anew for each pair.
SLOW = [("jax", "less"), ("jax x64", "less"), ("jax x64", "add"), ("jax x64", "divide")]
COMPILED = [pytest.param(*case, marks=pytest.mark.slow) for case in SLOW]
#: Computed by other loops for a scalar than for an array, equal to a rounding or two of the result.
ROUNDED = ("pow", "float_power", "divide", "floor_divide", "remainder", "fmod", "atan2", "hypot", "logaddexp")
#: The second operand's probes where others would be undefined or an error.
SECOND = {
    **dict.fromkeys(("pow", "float_power"), (1, 2, 3, 5)),
    **dict.fromkeys(("bitwise_left_shift", "bitwise_right_shift"), (0, 1, 2, 5)),
    **dict.fromkeys(("floor_divide", "remainder", "fmod"), (1, 2, 3, 7)),
}


@pytest.mark.parametrize(("mode", "op"), [(mode, op) for mode in ("numpy", "torch") for op in VALUED] + COMPILED)
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
    """A line for each pair of operands where plain(x, y) is not plain(x as compute, y as compute) as result."""
    function, shape = CASES[op].function(mode), (len(PROBES), len(SECOND.get(op, PROBES)))
    accepted = [(operands, found) for operands in several if (found := CASES[op].typing(mode, operands))]
    given = [(probes(mode, x, PROBES, (-1, 1)), probes(mode, y, SECOND.get(op, PROBES), (1, -1))) for (x, y), _ in accepted]
    plain = [np.broadcast_to(numbers(value), shape) for value in every(mode, function, given)]
    wrong = [i for i, (_, found) in enumerate(accepted) if found.exact and not (plain[i] == exactly(function, *given[i])).all()]
    groups = defaultdict(list)
    for i, (_, found) in enumerate(accepted):
        if not found.exact:
            groups[found.compute, found.result].append(i)
    stacks = [
        [stacked(mode, [given[i][side] for i in members], compute, shape) for side in (0, 1)]
        for (compute, _), members in groups.items()
    ]
    for (_, result), members, value in zip(groups, groups.values(), every(mode, function, stacks)):
        casted = numbers(cast(mode, value, result))
        wrong += [i for i, part in zip(members, casted) if not close(plain[i], part, result, op in ROUNDED)]
    return [f"{mode} {op} of {', '.join(map(shown, accepted[i][0]))}: {accepted[i][1]}" for i in wrong]


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
    """The values cast to `dtype` and spread to `shape`, so that no rule for scalars is at work; Python ints are wrapped."""
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
        return (value.float() if value.dtype is torch.bfloat16 else value).numpy()
    value = np.asarray(value)
    return value.astype(np.float32) if value.dtype == ml_dtypes.bfloat16 else value


def close(left, right, dtype, rounded):
    if not rounded or not dtype.is_inexact:
        return np.array_equal(left, right, equal_nan=dtype.is_inexact)
    epsilon = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-5, "complex64": 1e-4}.get(dtype.name, 1e-12)
    return np.allclose(left, right, rtol=epsilon, atol=epsilon, equal_nan=True)


@pytest.mark.parametrize("mode", ["numpy", "torch"])
@pytest.mark.parametrize("op", ONE)
def test_compute_dtype_of_one_operand(op, mode):
    case = CASES[op]
    if case.function(mode) is None:
        return
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for operand in arrays(mode):
            found = case.typing(mode, [operand])
            if found is not None and found.compute is not None:
                x = build(mode, operand, PROBES[:8])
                casted = cast(mode, np.asarray(v) if mode == "numpy" else v, found.result) if (v := case.function(mode)(cast(mode, x, found.compute))) is not None else None
                assert close(numbers(case.function(mode)(x)), numbers(casted), found.result, rounded=True), shown(operand)


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("op", ["sum", "mean"])
def test_reductions_add_up_alike(op, name):
    """What Typing says of sums: float16 as compute dtype means the same number everywhere, and NumPy is refused bfloat16."""
    data = np.random.default_rng(0).random(4000)
    rounded = numbers(build("numpy", array(name), data)).astype("float64")
    expected = CASES[op].say["numpy"](rounded)
    for mode in ("numpy", "torch", "jax x64"):
        if CASES[op].typing(mode, [array(name)]) is None:
            assert (mode, name) == ("numpy", "bfloat16")
            continue
        with jax.enable_x64(mode == "jax x64"):
            got = numbers(CASES[op].function(mode)(build(mode, array(name), data)))
        assert np.allclose(got, expected, rtol={"float16": 1e-3, "bfloat16": 8e-3}.get(name, 1e-5))


# What the tables cannot show.

def test_a_comparison_s_operands_decide():
    """The rows of the design's first table: equal results in shape and dtype, and different truths."""
    big = [array("int64"), array("float32")]
    assert [typing(f, "compare", big).compute.name for f in ("numpy", "jax", "torch")] == ["float64", "float32", "float32"]
    half = [array("int32"), scalar(16777216.5)]
    assert [typing(f, "compare", half, x64=False).compute.name for f in ("numpy", "jax", "torch")] == ["float64", "float32", "float32"]
    minus = [array("uint8"), scalar(-1)]
    assert [typing(f, "compare", minus).compute.name for f in ("numpy", "jax", "torch")] == ["int16", "uint8", "uint8"]
    x = np.array([16777217])
    assert not (x == np.float32([16777216.0])).any() and (torch.tensor(x) == torch.tensor([16777216.0])).all()
    assert (jnp.asarray(x) == jnp.asarray([16777216.0])).all()
    assert (np.uint8([0, 255]) > -1).all() and not (jnp.uint8([0, 255]) > -1).any()


def test_numpy_compares_integers_exactly():
    signed, unsigned = array("int64"), array("uint64")
    assert typing("numpy", "compare", [signed, unsigned], op="less") == Typing(None, dtypes.bool_, exact=True)
    assert typing("numpy", "compare", [unsigned, scalar(-1)], op="less").exact
    unknown = Operand(0, dtypes.int64, "python")
    assert typing("numpy", "compare", [array("int32"), unknown], op="less").compute is dtypes.int64
    assert typing("numpy", "compare", [unsigned, unknown], op="less").exact
    assert typing("numpy", "promote", [array("uint8"), unknown], op="add").compute is dtypes.uint8


def test_torch_keeps_a_scalar_in_float32_beside_half():
    for op in ("multiply", "divide", "floor_divide"):
        assert typing("torch", "promote", [array("float16"), scalar(0.1)], op=op) == Typing(dtypes.float32, dtypes.float16)
    assert typing("torch", "promote", [array("float16"), scalar(0.1)], op="add").compute is dtypes.float16
    x = torch.arange(1, 200).to(torch.bfloat16)
    assert torch.equal(x * 0.1, (x.float() * 0.1).bfloat16()) and not torch.equal(x * 0.1, x * torch.tensor([0.1]).bfloat16())


def test_unknown_ranks_and_dtypes_matter_only_where_they_do():
    vague = Operand(None, dtypes.float32)
    assert typing("torch", "promote", [vague, array("float32")]).result is dtypes.float32
    with pytest.raises(NoTyping, match="depends on ranks that are not known: give args="):
        typing("torch", "promote", [vague, array("float64")], op="add")
    assert typing("numpy", "promote", [vague, array("float64")], op="add").result is dtypes.float64
    blank = Operand(1, None)
    assert typing("numpy", "index", [blank], op="argmax").result is dtypes.int64
    assert typing("torch", "bool", [Operand(None, None)], op="isnan") == Typing(None, dtypes.bool_)
    with pytest.raises(NoTyping, match="dtypes that are not known"):
        typing("jax", "promote", [blank, array("int8")], op="add")
    with pytest.raises(NoTyping, match="torch has no subtract"):
        typing("torch", "promote", [Operand(None, dtypes.bool_)] * 2, op="subtract")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("op", ["sum", "cumulative_sum", "mean"])
def test_explicit_dtype(op, mode):
    framework, x64 = mode.split()[0], mode == "jax x64"
    function = {"numpy": np, "jax": jnp, "torch": torch}[framework]
    function = getattr(function, {"cumulative_sum": "cumsum"}.get(op, op))
    axis = ({"dim": 0} if framework == "torch" else {"axis": 0}) if op == "cumulative_sum" else {}
    for x in arrays(mode):
        for asked in arrays(mode):
            if op == "mean" and not asked.dtype.is_inexact:
                continue  # NumPy and JAX divide integers, each in its way: refused
            kwargs = {"dtype": getattr(torch, asked.dtype.name) if framework == "torch" else kind(asked.dtype)} | axis
            with jax.enable_x64(x64):
                theirs = observe(mode, lambda v: function(v, **kwargs), [x])
            try:
                mine = typing(framework, CASES[op].cls, [x], op=op, dtype=asked.dtype, x64=x64)
            except NoTyping:
                mine = None
            if framework != "numpy" or asked.dtype is not dtypes.bfloat16:
                assert (mine and (mine.result.name, mine.weak)) == theirs, (shown(x), shown(asked), mine)
    with pytest.raises(NoTyping):
        typing(framework, "mean", [array("float32")], op="mean", dtype=dtypes.int32)


def test_explicit_dtype_of_a_ufunc():
    for left, asked in itertools.product(DTYPES, repeat=2):
        if "bfloat16" not in (left, asked):
            try:
                mine = typing("numpy", "inexact", [array(left)], op="sin", dtype=DTYPES[asked]).result.name
            except NoTyping:
                mine = None
            theirs = observe("numpy", lambda x: np.sin(x, dtype=asked), [array(left)])
            assert mine == (theirs and theirs[0]), (left, asked)


def test_creation():
    def made(framework, *values, op="full", **kwargs):
        found = typing(framework, "free", [scalar(v) for v in values], op=op, **kwargs)
        return found.result.name, found.weak

    for value in SCALARS:
        assert made("numpy", value)[0] == str(np.full(2, value).dtype)
        assert made("torch", value)[0] == str(torch.full((2,), value).dtype)[6:]
        for x64 in (False, True):
            with jax.enable_x64(x64):
                full = jnp.full(2, value)
            assert made("jax", value, x64=x64) == (full.dtype.name, full.weak_type and value is not True)
    assert [made(f, op="zeros")[0] for f in ("numpy", "jax", "torch")] == ["float64", "float64", "float32"]
    assert made("jax", op="zeros", x64=False) == ("float32", False)
    assert made("jax", 1.5, x64=False, dtype=dtypes.int64) == ("int32", False)


def test_negative_powers_of_integers_are_refused():
    for framework in ("numpy", "jax", "torch"):
        with pytest.raises(NoTyping):
            typing(framework, "power", [array("int32"), scalar(-1)], op="pow")
        assert typing(framework, "power", [array("float32"), scalar(-1)], op="pow").result is dtypes.float32
