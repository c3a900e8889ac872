"""torch's dtype rules: arrays with axes come before those without, and those before Python scalars.

An operand that comes later counts only where its kind (bool, integer, float, complex) is a later one. What
the promoted dtype may be is up to each kernel: uint16, uint32 and uint64 have few, bool and complex not all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from ...ir.values import dtypes
from ...ir.values.dtypes import DType
from .row import Call, NoTyping, Operand, Refused, Row, Typing, fits, held, known, table

#: The dtype of a Python scalar that is turned into a tensor, by kind.
DEFAULT = {"bool": dtypes.bool_, "int": dtypes.int64, "float": dtypes.float32, "complex": dtypes.complex64}
WIDE = (dtypes.uint16, dtypes.uint32, dtypes.uint64)
HALVES = (dtypes.float16, dtypes.bfloat16)
KINDS = ("bool", "int", "float", "complex")



def floated(dtype: DType) -> DType:
    """The float that torch makes of bools and ints."""
    return dtypes.float32


CLASSES = table(
    {
        "same": "any",
        "keep": "integer float",
        "promote": "bool uint8 int inexact",
        "inexact divide": "bool|integer>float inexact",
        "power": "uint8 int inexact",
        "compare": "bool uint8 int float -> bool",
        "bool": "any -> bool",
        "bitwise": "bool integer",
        "shift": "uint8 int",
        "widen": "bool|integer>int64 inexact",
        "mean": "inexact",
        "real": "any -> real",
        "index": "uint8 int float -> int64",
        "complex": "bool|integer>float float32 float64 complex -> complex",
    },
    floated,
)


def rule(call: Call, row: Row) -> Typing:
    """torch's typing of a call whose operands are known.

    Raises:
        NoTyping: where torch raises.
    """
    if call.cls == "free":
        return free(call)
    refuse(call, row.traits)
    if call.cast in WIDE or (call.cast is dtypes.bool_ and "no dtype=bool" in row.traits):
        raise Refused(f"torch has no {call.name} with dtype={call.cast}")
    common = call.cast or promote(call.operands)
    if "wraps" in row.traits and common.is_integer:
        raise NoTyping(f"{call.op} reckons with {common} as it is, which may wrap round: cast it to a float")
    if "rounds" in row.traits and any(rounded(operand, common) for operand in call.operands):
        raise NoTyping(f"torch rounds what has no axes to {common} here, maybe to 0")
    typing = row.typing(common, call, "torch")
    refuse_large(call, typing.compute, row.traits)
    wide = "opmath" in row.traits and opmath(call, typing, "opmath first" in row.traits)
    return replace(typing, compute=dtypes.float32) if wide else typing


def refuse(call: Call, traits: frozenset[str]) -> None:
    """Raise for what the call's operands, not their common dtype, make impossible."""
    scalars = [operand.form == "python" for operand in call.operands]
    wanted = any(scalars) if "tensors" in traits else scalars[0] if "tensor first" in traits else all(scalars)
    if wanted and "scalars" not in traits:
        raise Refused(f"torch has no {call.name} of Python scalars: a tensor is wanted")
    found = {known(operand) for operand in call.operands}
    loose = "loose" in traits or "loose line" in traits and call.operands[1].rank == 1
    if loose and len(found) > 1:
        raise NoTyping(f"torch computes {call.op} of several dtypes in some cases, and in no one dtype")
    if "alike" in traits and len(found) > 1:
        several = " and ".join(sorted(map(str, found)))
        raise Refused(f"torch has no {call.name} of {several}: one dtype is wanted")
    if "no bools" in traits and dtypes.bool_ in found:
        raise Refused(f"torch has no {call.op} of bool tensors: it wants ~ or logical_xor")
    if "inverts" in traits and scalars[0] and found == {dtypes.complex128, dtypes.bfloat16}:
        raise NoTyping("torch divides a complex scalar by bfloat16 in no one dtype: it inverts in bfloat16")


def promote(operands: Sequence[Operand]) -> DType:
    """The dtype of the arrays with axes, unless one without, or a Python scalar, is of a later kind."""
    arrays = [operand for operand in operands if operand.form != "python"]
    groups = (
        [known(operand) for operand in arrays if operand.rank],
        [known(operand) for operand in arrays if not operand.rank],
        [stand_in(operand) for operand in operands if operand.form == "python"],
    )
    return reduce(combine, (reduce(join, group) for group in groups if group))


def stand_in(scalar: Operand) -> DType:
    """The dtype of a Python scalar that is turned into a tensor."""
    return DEFAULT[known(scalar).kind] if fits(scalar.value, dtypes.int64) else dtypes.uint64


def combine(higher: DType, lower: DType) -> DType:
    """One dtype of operands that come first, `higher`, and others that count where their kind is later."""
    if rank(lower) <= rank(higher):
        return higher
    if higher is dtypes.float16:
        raise NoTyping("torch makes complex32 of float16 and a complex scalar, and no other framework has it")
    if higher.kind == "float":
        return dtypes.COMPLEX[higher.name]
    return lower if lower.is_inexact else join(higher, lower)


def join(left: DType, right: DType) -> DType:
    """torch.promote_types.

    Raises:
        NoTyping: where torch knows none.
    """
    low, high = sorted((left, right), key=lambda dtype: (rank(dtype), dtype.bits))
    if low is high:
        return high
    if (low in WIDE and high.kind != "float") or high in WIDE:
        raise Refused(f"torch promotes {low} with no {high}")
    if high.kind == "complex":
        return dtypes.complex128 if low is dtypes.float64 else high
    if low.kind == "float" and low.bits == high.bits:
        return dtypes.float32
    return dtypes.int16 if {low, high} == {dtypes.uint8, dtypes.int8} else high


def rank(dtype: DType) -> int:
    return KINDS.index("int" if dtype.kind == "uint" else dtype.kind)


def opmath(call: Call, typing: Typing, first_too: bool) -> bool:
    """Whether a 16-bit float tensor meets a scalar that stays in float32, so that only the result is rounded.

    A tensor without axes does so as second operand only, a scalar as first one where `first_too` says so. A
    scalar that the 16 bits hold makes no difference.
    """
    if typing.compute not in HALVES:
        return False
    first, second = call.operands
    if first.form == "python":
        return first_too and not held(first, typing.compute)
    scalar = second.form == "python" or not second.rank
    return first.dtype is typing.compute and scalar and not held(second, typing.compute)


def rounded(operand: Operand, dtype: DType) -> bool:
    """Whether an array without axes loses digits where it takes the dtype of those with axes."""
    mine = known(operand)
    wide = mine.bits > dtype.bits or dtype is not mine and {dtype, mine} == set(HALVES)
    return operand.form != "python" and not operand.rank and rank(mine) == rank(dtype) and wide


def refuse_large(call: Call, compute: DType | None, traits: frozenset[str]) -> None:
    """Raise for a Python int that torch cannot turn into a number of the dtype."""
    for operand in call.operands:
        if operand.form == "python" and isinstance(operand.value, int):
            if not -(2**63) <= operand.value < 2**64:
                raise NoTyping(f"Python integer {operand.value} out of bounds for torch")
            if "bounded" in traits and compute is not None and not fits(abs(operand.value), compute):
                raise NoTyping(f"Python integer {operand.value} out of bounds for {compute}")


def free(call: Call) -> Typing:
    """Creation and casts: what `dtype=` says, else what as_tensor makes of the operands, else float32."""
    if call.dtype is not None or not call.operands:
        return Typing(None, call.dtype or dtypes.float32)
    return Typing(None, promote(call.operands))
