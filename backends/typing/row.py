"""Row: which dtypes an op takes, what each is computed in, and what comes out; and the words that tell it.

"integer float complex"              these three kinds, each in its own dtype; bool is refused
"bool>- integer float"               bool is refused, even where NumPy's search would find a wider loop
"bool>int64 int>int64 uint>uint64"   bool and small ints are computed in 64 bits
"bool|integer>float float"           bools and ints are computed in the float that the framework makes of them
"bool|integer>weak inexact"          bools and ints are computed in JAX's default float, and weak then
"any -> bool"                        bool comes out
"any -> real"                        the dtype of the real part (`complex`: the complex counterpart)
"any -> bool uint8>uint8"            bool, save that uint8 stays
"float, alike, tensors"              and what else is known of it: TRAITS
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ...ir.values import dtypes
from ...ir.values.dtypes import CLASSES, COMPLEX, DTYPES, DType

Scalar = bool | int | float | complex
#: The smallest normal number of a float dtype, and the largest.
RANGES = {
    "float16": (2.0**-14, 65504.0),
    "bfloat16": (2.0**-126, (2 - 2**-7) * 2.0**127),
    "float32": (2.0**-126, (2 - 2**-23) * 2.0**127),
    "float64": (2.0**-1022, (2 - 2**-52) * 2.0**1023),
}


#: What to do about unsigned integers of many bits, of which torch has next to nothing, by the op's class.
UNSIGNED = {"power": "of integers x * x is x ** 2, and torch has that"}
SIGNED = "make it int64 before, which holds the same numbers below 2 ** 63"


class NoTyping(Exception):
    """The framework refuses these operands, or what it computes is not known. The text says why; `hint` is a
    way out.
    """

    hint: str | None = None


class Refused(NoTyping):
    """The framework raises for these operands."""


@dataclass(frozen=True, slots=True)
class Operand:
    """What a framework's promotion sees of a value.

    Attributes:
        rank: None where it is not known; only torch asks.
        dtype: None where it is not known; of a Python scalar its stand-in, ir.dtypes.PYTHON[type].
        form: "array", "weak" (an array of JAX's with a weak type), "either" (one of the two, which only JAX
            knows: a number that a compiled loop carries) or "python" (a Python scalar).
        value: of a Python scalar, where it is known.
    """

    rank: int | None
    dtype: DType | None
    form: str = "array"
    value: Scalar | None = None


@dataclass(frozen=True, slots=True)
class Typing:
    """What an op computes in and what comes out.

    Attributes:
        compute: the dtype to which all operands are cast before the loop runs; None where each stays in its
            own (classes bool, index, free), or where no dtype would do (`exact`). Where it is wider than
            `result`, the framework rounds only at the end. Of a sum or mean it is the dtype of the terms; all
            frameworks add float16 up in float32, so float16 means that.
        result: the dtype of what comes out.
        weak: JAX: the result has a weak type; None: either.
        exact: NumPy compares integers by their values, and no dtype holds them all: fold it, or refuse.
    """

    compute: DType | None
    result: DType
    weak: bool | None = False
    exact: bool = False

    @property
    def form(self) -> str:
        """The form of the result as an operand."""
        return "either" if self.weak is None else "weak" if self.weak else "array"


@dataclass(frozen=True, slots=True)
class Call:
    """A question to a framework's rule; `operands` are fully known there."""

    cls: str
    op: str
    operands: tuple[Operand, ...]
    dtype: DType | None
    x64: bool

    @property
    def name(self) -> str:
        return self.op or self.cls

    @property
    def cast(self) -> DType | None:
        """The dtype that `dtype=` casts the operands to; of an index it is only the result's."""
        return None if self.cls == "index" else self.dtype

    def on(self, operands: Sequence[Operand]) -> Call:
        return replace(self, operands=tuple(operands))


#: What else may be said of how a framework computes an op.
TRAITS = {
    "alike": "operands of several dtypes are refused",
    "loose": "of several dtypes it is computed now and then, in no one dtype",
    "loose line": "so it is where the second operand has one axis",
    "beside": "arrays that have no say in the dtype must have it too",
    "no bools": "an operand of bools is refused, whatever is beside it",
    "no dtype=bool": "what is asked for in bools is refused",
    "unsaid": "other dtypes than the row's may be taken: what comes out is not said here",
    "tensors": "Python scalars are refused",
    "tensor first": "a Python scalar is refused as the first operand",
    "scalars": "Python scalars alone will do",
    "bounded": "an int out of the tensor's bounds is refused; elsewhere it is wrapped round",
    "nearest": "an int that the dtype does not hold counts as the nearest that it does, where it is a bound",
    "wrapped": "an int that an unsigned dtype does not hold is wrapped round, also where it is a bound",
    "any int": "any int of 64 bits is taken, and wrapped round where the dtype does not hold it",
    "overflows": "beside a number that the dtype does not hold, all comes out alike",
    "opmath": "16-bit floats are multiplied and divided by scalars in float32",
    "opmath first": "so is a scalar by 16-bit floats",
    "inverts": "a scalar is divided by bfloat16 as its inverse is multiplied",
    "rounds": "an array without axes is rounded to the dtype of those with axes before it is looked at",
    "wraps": "integers are reckoned with as they are before floats are made of them",
    "joined": "np.result_type is asked, and no loop",
    "items": "arrays are made of Python scalars first",
    "float64 of each": "float64 is made of each operand of ints or bools, before they have a dtype in common",
    "float64 of first": "so it is of the first operand alone",
    "line": "an array without axes is taken for a line of one element",
    "by rank": "of a float without axes comes one of the default dtype, and a strong one",
    "untold": "without `dtype=` it gives another float than the default",
    "strong": "what comes out has a strong type, whatever goes in",
    "strong floats": "what comes out of floats has a strong type",
    "strong ints": "what comes out of ints has a strong type",
    "strong complex": "complex numbers come out with a strong type",
    "by shape": "whether what comes out of a weak type has one hangs on the sizes: it is refused",
    "weak": "of a Python scalar it leaves the type weak",
}


@dataclass(frozen=True, slots=True)
class Row:
    """`compute` maps what is taken to the loop's dtype (None: refused), `result` that to what comes out;
    `traits` are of TRAITS; `weakened`: of which dtypes what comes out has a weak type.
    """

    compute: Mapping[DType, DType | None]
    result: Mapping[DType, DType]
    traits: frozenset[str] = frozenset()
    weakened: frozenset[DType] = frozenset()

    def typing(self, common: DType, call: Call, framework: str) -> Typing:
        """The typing of operands whose common dtype is `common`, or the explicit dtype in its place.

        Raises:
            NoTyping: where the row does not take it.
        """
        compute = self.compute.get(common)
        if compute is None:
            refused = Refused(f"{framework} has no {call.name} of {common}")
            if framework == "torch" and common.kind == "uint":
                refused.hint = UNSIGNED.get(call.cls, SIGNED)
            raise refused
        if call.dtype is None:
            result = self.result[compute]
        elif call.cls == "widen":
            compute = result = common
        elif compute is not common:
            raise Refused(f"{framework} has no {call.name} with dtype={common}")
        else:
            result = self.result[compute]
        return Typing(None if call.cls in ("bool", "index") else compute, result)


#: What takes no dtype.
NOTHING = Row({}, {})
#: What float a framework makes of a dtype that is none.
Floated = Callable[[DType], DType]


def table(rows: Mapping[str, str], floated: Floated) -> dict[str, Row]:
    """Rows by name; a key may hold several names."""
    return {name: row(text, floated) for names, text in rows.items() for name in names.split()}


def row(text: str, floated: Floated) -> Row:
    """The row that a text says; of a text of traits alone it takes nothing.

    Raises:
        ValueError: where a word means nothing here.
    """
    traits = frozenset(map(str.strip, text.split(",")))
    words = "" if traits <= TRAITS.keys() else text.partition(",")[0].strip()
    if not traits - {words} <= TRAITS.keys():
        raise ValueError(f"{text!r}: what may be said of an op is {', '.join(TRAITS)}")
    taken, _, made = words.partition("->")
    compute: dict[DType, DType | None] = {}
    weakened: list[DType] = []
    for word in taken.split():
        source, _, target = word.partition(">")
        if target == "weak":
            weakened, target = [*weakened, *group(source)], dtypes.float64.name
        compute |= {dtype: made_of(dtype, target, floated) if target else dtype for dtype in group(source)}
    result = {dtype: dtype for dtype in compute.values() if dtype is not None}
    for word in made.split():
        source, _, target = word.rpartition(">")
        for dtype in group(source) if source else tuple(result):
            result[dtype] = counterpart(dtype, target)
    return Row(compute, result, traits - {words}, frozenset(weakened))


def made_of(dtype: DType, target: str, floated: Floated) -> DType | None:
    """The dtype in which one is computed: this one, or none, or the framework's own float or complex one."""
    if target not in ("float", "complex"):
        return DTYPES.get(target)
    real = dtype if dtype.kind == "float" else floated(dtype)
    return COMPLEX[real.name] if target == "complex" else real


def group(word: str) -> tuple[DType, ...]:
    """The dtypes that a word stands for: a dtype's name, a class of them, or several of these.

    Raises:
        ValueError: where it stands for none.
    """
    names = word.split("|")
    if not {*names} <= CLASSES.keys() | DTYPES.keys():
        raise ValueError(f"{word!r} names no dtypes")
    kinds = {kind for name in names for kind in CLASSES.get(name, ())}
    return tuple(dtype for dtype in DTYPES.values() if dtype.name in names or dtype.kind in kinds)


def counterpart(dtype: DType, word: str) -> DType:
    match word:
        case "real":
            return dtype.real
        case "complex":
            return COMPLEX[dtype.name]
    return DTYPES[word]


def fits(value: Scalar | None, dtype: DType) -> bool:
    """Whether a Python int is in the bounds of a dtype, inf not counted; what is no int or not known is."""
    if not isinstance(value, int):
        return True
    if dtype.is_inexact:
        return abs(value) < 2**1024
    low, bits = (-(2 ** (dtype.bits - 1)), dtype.bits - 1) if dtype.kind == "int" else (0, dtype.bits)
    return low <= value < 1 << bits


def held(scalar: Operand, dtype: DType) -> bool:
    """Whether a float dtype holds a Python number without rounding, as far as is known."""
    if scalar.form != "python":
        return scalar.dtype is dtype
    if scalar.value is None or isinstance(scalar.value, complex):
        return False
    form = {"float16": "<e", "float64": "<d"}.get(dtype.name, "<f")
    try:
        packed = struct.pack(form, float(scalar.value))
    except OverflowError:
        return False
    exact: bool = struct.unpack(form, packed)[0] == scalar.value
    return exact and (dtype is not dtypes.bfloat16 or packed[:2] == b"\0\0")


def overflows(operand: Operand, dtype: DType) -> bool:
    """Whether a finite Python number is beyond the largest of a float or complex dtype."""
    value = operand.value
    if operand.form != "python" or not isinstance(value, (int, float)) or not dtype.is_inexact:
        return False
    return RANGES[dtype.real.name][1] < abs(value) < math.inf


def vanishes(operand: Operand, dtype: DType) -> bool:
    """Whether a Python number that is not 0 wraps round to 0, or is rounded to it."""
    value = operand.value
    if operand.form != "python" or not isinstance(value, (int, float)) or value == 0:
        return False
    if dtype.is_integer:
        return isinstance(value, int) and value % 2**dtype.bits == 0
    return dtype.is_inexact and abs(value) < RANGES[dtype.real.name][0]


def exceeds(operand: Operand, dtype: DType) -> bool:
    """Whether a Python number is none of a dtype's numbers, nor near one: too large for it, or too small."""
    return overflows(operand, dtype) or vanishes(operand, dtype)


def known(operand: Operand) -> DType:
    assert operand.dtype is not None
    return operand.dtype
