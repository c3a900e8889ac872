"""NumPy 2's dtype rules: a ufunc runs the first of its loops to whose dtype every operand casts safely.

So a row's keys are the loops of an op, and the search is NumPy's own (NEP 50): a Python scalar adds a kind,
but no bits, and an int that does not fit the loop is refused. bfloat16 is ml_dtypes'; NumPy adds it up in
bfloat16, so such sums are refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...ir.values import dtypes
from ...ir.values.dtypes import DTYPES, KINDS, DType
from .row import Call, NoTyping, Operand, Refused, Row, Typing, fits, known, overflows, table

#: The order in which loops are tried.
ORDER = [
    DTYPES[name]
    for name in (
        "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64"
        " float16 bfloat16 float32 float64 complex64 complex128"
    ).split()
]



def floated(dtype: DType) -> DType:
    """The float that NumPy makes of bools and ints."""
    return dtypes.float64


CLASSES = table(
    {
        "same promote": "any",
        "keep": "bool integer float",
        "inexact": "inexact",
        "divide": "bool|integer>float inexact",
        "power": "num",
        "compare bool": "any -> bool",
        "bitwise": "bool integer",
        "shift": "integer",
        "widen": "bool>int64 int>int64 uint>uint64 float16 bfloat16>- float32 float64 complex",
        "mean": "bool|integer>float float16 bfloat16>- float32 float64 complex",
        "real": "any -> real",
        "index": "any -> int64",
        "complex": "bool|integer>float float16|bfloat16>float32 float32 float64 complex -> complex",
    },
    floated,
)
#: What np.result_type joins to bfloat16; the loops join more.
BESIDE_BFLOAT16 = frozenset("bool uint8 int8 bfloat16 float32 float64 complex64 complex128".split())


def rule(call: Call, row: Row) -> Typing:
    """NumPy's typing of a call whose operands are known.

    Raises:
        NoTyping: where NumPy raises.
    """
    if call.cls == "free":
        return free(call)
    if row.traits & {"float64 of each", "float64 of first"}:
        first, *rest = (replace(o, dtype=dtypes.float64) if whole(o) else o for o in call.operands)
        call = call.on([first, *(rest if "float64 of each" in row.traits else call.operands[1:])])
    if "items" in row.traits:
        call = call.on([replace(operand, form="array", value=None) for operand in call.operands])
    common = explicit(call) if call.cast else search(row, call.operands)
    if common is None or ("joined" in row.traits and not joined(call.operands)):
        several = " and ".join(sorted({str(operand.dtype) for operand in call.operands}))
        raise Refused(f"numpy has no {call.name} of {several}")
    typing = row.typing(common, call, "numpy")
    if call.cls == "power" and known(call.operands[0]).kind == "bool" and call.operands[1].form == "python":
        raise NoTyping("numpy squares bool in int8, and takes other powers in int64")
    if "overflows" in row.traits and typing.compute and overflows(call.operands[1], typing.compute):
        far = f"{call.operands[1].value}, which {typing.compute} does not hold"
        raise NoTyping(f"numpy's {call.op} overflows beside {far}, and takes all for close")
    if call.cls == "compare" and all(known(operand).is_integer for operand in call.operands):
        return integers(call.operands, typing)
    for operand in call.operands:
        refuse_large(operand, typing.compute, row)
    return typing


def whole(operand: Operand) -> bool:
    """Whether it has ints or bools."""
    return known(operand).kind == "bool" or known(operand).is_integer


def search(row: Row, operands: Sequence[Operand]) -> DType | None:
    """The first loop of the row to which all operands cast safely."""
    arrays = [known(operand) for operand in operands if operand.form != "python"]
    found = [weight(known(o), arrays) if o.form == "python" else known(o) for o in operands]
    loops = (loop for loop in ORDER if loop in row.compute)
    return next((loop for loop in loops if all(holds(loop, dtype) for dtype in found)), None)


def weight(scalar: DType, arrays: Sequence[DType]) -> DType:
    """What a Python scalar adds to the search: nothing, where an array is of its kind or a later one."""
    highest = max((KINDS.index(array.kind) for array in arrays), default=0)
    match scalar.kind:
        case "int" if highest >= KINDS.index("uint"):
            return dtypes.bool_
        case "float" if highest >= KINDS.index("float"):
            return dtypes.float16  # nothing, save beside bfloat16, where ml_dtypes' loops give float32
        case "complex" if highest >= KINDS.index("float"):
            return dtypes.complex64
    return scalar


def holds(wide: DType, narrow: DType) -> bool:
    """Whether NumPy calls a cast from `narrow` to `wide` safe; int64 to float64 it does."""
    if wide is narrow or narrow.kind == "bool":
        return True
    match narrow.kind, wide.kind:
        case (("uint" | "int" | "float"), "complex"):
            return holds(wide.real, narrow)
        case (("uint" | "int"), "float"):
            return wide.bits > narrow.bits or wide is dtypes.float64
        case ("uint", "int"):
            return wide.bits > narrow.bits
    return wide.kind == narrow.kind and wide.bits > narrow.bits


def joined(operands: Sequence[Operand]) -> bool:
    """Whether np.result_type knows a common dtype, and the one that the loops would have."""
    found = {known(operand).name for operand in operands if operand.form != "python"}
    floats = any(known(operand).kind == "float" for operand in operands if operand.form == "python")
    return "bfloat16" not in found or (found <= BESIDE_BFLOAT16 and not floats)


def integers(operands: Sequence[Operand], typing: Typing) -> Typing:
    """Integers are compared by their values; the compute dtype is the narrowest that holds both sides.

    A Python int that is not known is taken for an int64.
    """
    arrays = [known(o) for o in operands if o.form != "python" or o.value is None]
    values = [o.value for o in operands if o.form == "python"]
    for loop in filter(lambda dtype: dtype.is_integer, ORDER):
        if all(holds(loop, dtype) for dtype in arrays) and all(fits(value, loop) for value in values):
            return Typing(loop, typing.result)
    return Typing(None, typing.result, exact=True)


def refuse_large(operand: Operand, compute: DType | None, row: Row) -> None:
    """Raise for a Python int that is out of bounds for the loop, unless it is wrapped round instead."""
    home = dtypes.int64 if compute in (None, dtypes.bfloat16) else compute
    homes = (home, dtypes.int64, dtypes.uint64) if "any int" in row.traits else (home,)
    if operand.form == "python" and not any(fits(operand.value, dtype) for dtype in homes if dtype):
        raise NoTyping(f"Python integer {operand.value} out of bounds for {home}")


def explicit(call: Call) -> DType | None:
    """What `dtype=` asks for: a ufunc casts only within a kind or to a later one, a reduction always."""
    wanted = call.dtype
    if wanted is None or call.cls in ("widen", "mean"):
        return wanted
    kinds = [KINDS.index(known(operand).kind) for operand in call.operands if operand.form != "python"]
    return wanted if all(kind <= KINDS.index(wanted.kind) for kind in kinds) else None


def free(call: Call) -> Typing:
    """Creation and casts: what `dtype=` says, else what np.asarray makes of the operands, else float64."""
    if call.dtype is not None or not call.operands:
        return Typing(None, call.dtype or dtypes.float64)
    found = search(CLASSES["promote"], call.operands)
    return Typing(None, found or dtypes.float64)
