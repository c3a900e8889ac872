"""JAX's dtype rules: a lattice, in which a Python scalar or a weakly typed array adds a kind, but no bits.

A weak operand of a later kind than all others makes the result weak, in the default dtype of its kind.
Without x64 everything is worked out in 64 bits and narrowed at the end: that is what JAX does too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from ...ir.values import dtypes
from ...ir.values.dtypes import DTYPES, KINDS, PYTHON, DType
from .row import Call, NoTyping, Operand, Refused, Row, Typing, fits, known, table, vanishes

NARROW = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}
#: The dtype of a weak result, by kind.
DEFAULT = {dtype.kind: dtype for dtype in PYTHON.values()}

#: What comes out of these has a strong type, whatever goes in.
STRONG_CLASSES = frozenset({"widen", "mean", "index", "complex", "bool", "compare"})


def floated(dtype: DType) -> DType:
    """The float that JAX makes of bools and ints."""
    return dtypes.float64 if dtype.bits == 64 else dtypes.float32


CLASSES = table(
    {
        "same promote": "any",
        "keep": "bool integer float",
        "inexact divide": "bool|integer>float inexact",
        "power": "bool>int32 num",
        "compare bool": "any -> bool",
        "bitwise": "bool integer",
        "shift": "bool>int32 integer",
        "widen": "bool>int64 int>int64 uint>uint64 inexact",
        "mean": "bool|integer>float inexact",
        "real": "any -> real",
        "index": "any -> int64",
        "complex": "bool|integer>float float16|bfloat16>float32 float32 float64 complex -> complex",
    },
    floated,
)


def rule(call: Call, row: Row) -> Typing:
    """JAX's typing of a call whose operands are known.

    Raises:
        NoTyping: where JAX raises.
    """
    widest = dtypes.int64 if call.x64 else dtypes.int32
    for operand in call.operands[:1] if call.cls == "power" else call.operands:
        if operand.form == "python" and not fits(operand.value, widest):
            raise NoTyping(f"Python integer {operand.value} out of bounds for {widest}")
    if any(operand.form == "either" for operand in call.operands):
        return unsettled(call, row)
    if call.x64:
        return typing(call, row)
    operands = [replace(operand, dtype=narrow(known(operand))) for operand in call.operands]
    found = typing(call.on(operands), row)
    return replace(found, compute=found.compute and narrow(found.compute), result=narrow(found.result))


def unsettled(call: Call, row: Row) -> Typing:
    """The typing of a call of which some operands may be weak or not.

    Raises:
        NoTyping: where it is another if they are.
    """
    ways = [("weak", "array") if operand.form == "either" else (operand.form,) for operand in call.operands]
    found = [
        rule(call.on([replace(o, form=form) for o, form in zip(call.operands, forms)]), row)
        for forms in product(*ways)
    ]
    if len({replace(typing, weak=False) for typing in found}) > 1:
        raise NoTyping("what JAX gives depends on whether the dtype of an operand is weak: cast it first")
    return found[0] if len(set(found)) == 1 else replace(found[0], weak=None)


def narrow(dtype: DType) -> DType:
    return DTYPES[NARROW.get(dtype.name, dtype.name)]


def typing(call: Call, row: Row) -> Typing:
    if call.cls == "free":
        return free(call, row)
    operands = call.operands
    if "by rank" in row.traits and operands[0].rank == 0 and known(operands[0]).kind == "float":
        operands = (replace(operands[0], dtype=dtypes.float64, form="array"),)
    if call.cls == "power" and operands[1].form == "python" and known(operands[1]).kind in ("bool", "int"):
        operands = operands[:1]  # x**2 is x * x, whatever x is
    common, weak = promote(operands) if call.cast is None else (call.cast, False)
    if "wraps" in row.traits and common.is_integer:
        raise NoTyping(f"{call.op} reckons with {common} as it is, which may wrap round: cast it to a float")
    if "by shape" in row.traits and weak:
        raise NoTyping(f"what {call.op} gives of numbers without a dtype has one by its sizes: say dtype=")
    found = row.typing(common, call, "jax")
    for operand in operands if call.cls == "bool" else ():
        if vanishes(operand, common if call.x64 else narrow(common)):
            raise NoTyping(f"jax looks at {operand.value} as {common}, where it is 0")
    weak = common in row.weakened or weak and not settled(call, row, common, found.result)
    return replace(found, weak=weak)


def settled(call: Call, row: Row, common: DType, result: DType) -> bool:
    """Whether the type of the result is strong although the operands' is weak."""
    if call.cls == "power":
        base, exponent = call.operands
        strong = exponent.form == "array" and known(exponent).is_integer and known(base).is_inexact
        return strong or (result.is_integer and exponent.form != "python")
    ints = "strong ints" in row.traits and common.is_integer
    floats = "strong floats" in row.traits and common.is_inexact
    if ints or floats or "strong complex" in row.traits and result.kind == "complex":
        return True
    return call.cls in STRONG_CLASSES or "strong" in row.traits or result.kind == "bool"


def promote(operands: Sequence[Operand]) -> tuple[DType, bool]:
    """The least dtype above all operands, and whether it is weak."""
    strong = [known(operand) for operand in operands if operand.form == "array"]
    weak = [known(operand) for operand in operands if operand.form != "array"]
    if not strong:
        return join(weak)[0], True
    common, unsettled = join(strong)
    kind = max((dtype.kind for dtype in weak), key=KINDS.index, default="bool")
    if rank(kind) <= rank(common.kind):
        return common, unsettled
    if kind == "complex" and common.kind == "float":
        return dtypes.COMPLEX[common.name], False
    if kind == "uint":
        raise Refused("JAX makes no weak arrays of unsigned ints")
    return DEFAULT[kind], True


def rank(kind: str) -> int:
    """Kinds as the lattice orders them: a Python int adds nothing to an unsigned array."""
    return KINDS.index("int" if kind == "uint" else kind)


def join(found: Sequence[DType]) -> tuple[DType, bool]:
    """The least dtype above strong ones, and whether it is weak: what uint64 and a signed int make is."""
    kinds = {dtype.kind for dtype in found}
    if "complex" in kinds or "float" in kinds:
        real = widest([dtype.real for dtype in found if dtype.is_inexact])
        return (dtypes.COMPLEX[real.name] if "complex" in kinds else real), False
    if kinds >= {"uint", "int"}:
        signed, unsigned = (max(d.bits for d in found if d.kind == kind) for kind in ("int", "uint"))
        bits = max(signed, 2 * unsigned)
        return (dtypes.float64, True) if bits > 64 else (DTYPES[f"int{bits}"], False)
    return widest([dtype for dtype in found if dtype.kind != "bool"] or list(found)), False


def widest(found: Sequence[DType]) -> DType:
    if dtypes.float16 in found and dtypes.bfloat16 in found:
        found = [*found, dtypes.float32]
    return max(found, key=lambda dtype: dtype.bits)


def free(call: Call, row: Row) -> Typing:
    """Creation and casts: what `dtype=` says, else what the operands promote to, else the default float."""
    if call.dtype is not None or not call.operands:
        return Typing(None, call.dtype or dtypes.float64)
    common, weak = promote(call.operands)
    return Typing(None, common, weak=weak and "weak" in row.traits and common.kind != "bool")
