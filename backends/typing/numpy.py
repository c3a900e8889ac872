"""NumPy 2's dtype rules: a ufunc runs the first of its loops to whose dtype every operand casts safely.

So a row's keys are the loops of an op, and the search is NumPy's own (NEP 50): a Python scalar adds a kind,
but no bits, and an int that does not fit the loop is refused. bfloat16 is ml_dtypes'; NumPy adds it up in
bfloat16, so such sums are refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...ir import dtypes
from ...ir.dtypes import DTYPES, KINDS, DType
from .row import Call, NoTyping, Operand, Refused, Row, Typing, fits, known, overflows, table

#: The order in which loops are tried.
ORDER = [
    DTYPES[name]
    for name in (
        "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64"
        " float16 bfloat16 float32 float64 complex64 complex128"
    ).split()
]

# fmt: off
INTS = "bool>float64 integer>float64"
WHOLE = f"{INTS} float16>float32 bfloat16>float32 float32 float64"
HALVED = "bool>complex128 integer>complex128 float16>- bfloat16>-"
HALVED += " float32>complex64 float64>complex128 complex"
SUMMABLE = "float16 bfloat16>- float32 float64 complex"
SHORT = "bool>float32 integer>float64 uint8>float32 uint16>float32 int8>float32 int16>float32"
LAPACK = "float16>- bfloat16>- float32 float64 complex"
CLASSES = table({
    "same promote": "any",
    "keep":         "bool integer float",
    "inexact":      "float complex",
    "divide":       f"{INTS} float complex",
    "power":        "integer float complex",
    "compare bool": "any -> bool",
    "bitwise":      "bool integer",
    "shift":        "integer",
    "widen":        f"bool>int64 int>int64 uint>uint64 {SUMMABLE}",
    "mean":         f"{INTS} {SUMMABLE}",
    "real":         "any -> real",
    "index":        "any -> int64",
    "complex":      f"{WHOLE} complex -> complex",
})
OPS = table({
    "negative positive subtract sign":                   "bool>- integer float complex",
    "square reciprocal conj":                            "integer float complex",
    "round":                                             "bool>float16 integer float complex",
    "floor_divide remainder divmod fmod":                      "integer float",
    "gcd lcm":                                           "bool>- integer",
    "complex":                                           "float32 float64 -> complex",
    "float_power":                                       "float64 complex128",
    "matmul vecdot tensordot dot inner vdot addmm":                      "bool integer float16 float32 float64 complex",
    "einsum conv conv_transpose avg_pool":               "any bfloat16>-",
    "atan2 hypot copysign nextafter logaddexp heaviside": "float",
    "cbrt":                                              "float",
    "erf erfc digamma":                                 "bool>float64 integer>float64 float>float64 float32 complex",
    "lgamma":                                            "bool>float64 integer>float64 float>float64 float32",
    # Of bfloat16, ml_dtypes puts NaN first.
    "sort lower_median unique_values unique_inverse unique_counts unique_inverse_counts": "any bfloat16>-",
    "argsort searchsorted":                              "any bfloat16>- -> int64",
    "erfinv":                                            "float32 float64",
    "sinc":                                              "bool>float64 integer>float64 float bfloat16>float32 complex",
    "radians degrees":                                   "float16 float32 float64",
    "angle":                                             "bool>float64 float complex -> real",
    "signbit":                                           "bool integer float -> bool",
    "bitwise_count":                                     "bool integer -> uint8",
    "var std":                                           f"{INTS} {SUMMABLE} -> real",
    "median":                                            f"{INTS} float bfloat16>- complex",
    "logsumexp":                                         f"{INTS} {SUMMABLE}",
    "vector_norm":                                       f"{INTS} float bfloat16>float64 complex -> real",
    "inv det slogdet solve cholesky qr svd":             f"{INTS} {LAPACK}",
    "eigh eigvalsh svdvals":                             f"{INTS} {LAPACK} -> real",
    "solve_triangular":                                  f"{SHORT} float16>float32 bfloat16>- float32 float64 complex",
    "cross":                                             "bool>- integer float complex",
    "matrix_power":                                      "bool integer float16 bfloat16>- float32 float64 complex",
    "rfft rfftn":                                        f"{WHOLE} -> complex",
    "irfft irfftn":                                      f"{HALVED} -> real",
})
# fmt: on
#: Functions that ask np.result_type instead of a loop.
JOINED = frozenset({"where", "concat", "stack", "hstack", "vstack", "column_stack"})
#: Those that make arrays of Python scalars first.
ITEMS = JOINED - {"where"}
#: What np.result_type joins to bfloat16; the loops join more.
BESIDE_BFLOAT16 = frozenset("bool uint8 int8 bfloat16 float32 float64 complex64 complex128".split())


#: What NumPy gives for other dtypes is not said here.
UNSAID = frozenset({"irfft", "irfftn"})


def rule(call: Call) -> Typing:
    """NumPy's typing of a call whose operands are known.

    Raises:
        NoTyping: where NumPy raises.
    """
    if call.cls == "free":
        return free(call)
    row = OPS.get(call.op) or CLASSES[call.cls]
    if call.op == "solve":
        call = call.on([replace(o, dtype=dtypes.float64) if whole(o) else o for o in call.operands])
    if call.op in ITEMS:
        call = call.on([replace(operand, form="array", value=None) for operand in call.operands])
    common = explicit(call) if call.cast else search(row, call.operands)
    if common is None or (call.op in JOINED and not joined(call.operands)):
        several = " and ".join(sorted({str(operand.dtype) for operand in call.operands}))
        raise Refused(f"numpy has no {call.name} of {several}")
    typing = row.typing(common, call, "numpy")
    if call.op == "pow" and known(call.operands[0]).kind == "bool" and call.operands[1].form == "python":
        raise NoTyping("numpy squares bool in int8, and takes other powers in int64")
    if call.op == "isclose" and typing.compute and overflows(call.operands[1], typing.compute):
        far = f"{call.operands[1].value}, which {typing.compute} does not hold"
        raise NoTyping(f"numpy's isclose overflows beside {far}, and takes all for close")
    if call.cls == "compare" and all(known(operand).is_integer for operand in call.operands):
        return integers(call.operands, typing)
    for operand in call.operands:
        check(operand, typing.compute, call)
    return typing


def whole(operand: Operand) -> bool:
    """Whether it has ints or bools: solve makes float64 of each by itself."""
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


def check(operand: Operand, compute: DType | None, call: Call) -> None:
    """Raise for a Python int that is out of bounds for the loop; where() wraps it round instead."""
    home = dtypes.int64 if compute in (None, dtypes.bfloat16) else compute
    homes = (home, dtypes.int64, dtypes.uint64) if call.op == "where" else (home,)
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
