"""torch's dtype rules: arrays with axes come before those without, and those before Python scalars.

An operand that comes later counts only where its kind (bool, integer, float, complex) is a later one. What
the promoted dtype may be is up to each kernel: uint16, uint32 and uint64 have few, bool and complex not all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from ...ir import dtypes
from ...ir.dtypes import DType
from .row import Call, NoTyping, Operand, Refused, Typing, fits, held, known, table

#: The dtype of a Python scalar that is turned into a tensor, by kind.
DEFAULT = {"bool": dtypes.bool_, "int": dtypes.int64, "float": dtypes.float32, "complex": dtypes.complex64}
WIDE = (dtypes.uint16, dtypes.uint32, dtypes.uint64)
HALVES = (dtypes.float16, dtypes.bfloat16)
KINDS = ("bool", "int", "float", "complex")

# fmt: off
INTS = "uint8 int"
FLOATED = "bool>float32 integer>float32 float"
HALVED = "bool>complex64 integer>complex64 float32>complex64 float64>complex128 complex"
CLASSES = table({
    "same":           "any",
    "keep":           "integer float",
    "promote":        f"bool {INTS} float complex",
    "inexact divide": f"{FLOATED} complex",
    "power":          f"{INTS} float complex",
    "compare":        f"bool {INTS} float -> bool",
    "bool":           "any -> bool",
    "bitwise":        "bool integer",
    "shift":          INTS,
    "widen":          "bool>int64 integer>int64 float complex",
    "mean":           "float complex",
    "real":           "any -> real",
    "index":          f"{INTS} float -> int64",
    "complex":        "bool>float32 integer>float32 float32 float64 complex -> complex",
})
OPS = table({
    "multiply where concat stack hstack vstack column_stack outer": "any",
    "equal not_equal":                            "any -> bool",
    "negative":                                   f"{INTS} float complex",
    "complex":                                    "float32 float64 -> complex",
    "positive":                                   "integer float complex",
    "subtract scaled_subtract":                   f"{INTS} float complex",
    "abs":                                        f"{INTS} float complex -> real",
    "sign":                                       f"bool {INTS} float complex",
    "square":                                     f"bool>int64 {INTS} float complex",
    "relu hard_tanh":                             f"{INTS} float",
    "imag":                                       "complex -> real",
    "angle":                                      f"{FLOATED} complex -> real",
    "floor_divide remainder fmod trunc_divide":   f"{INTS} float",
    "float_power":                                "float64 complex128",
    "maximum minimum fmax fmin":                  f"bool {INTS} float",
    "clip":                                       f"{INTS} float",
    "isclose":                                    f"bool {INTS} float complex -> bool",
    "max min max_and_argmax min_and_argmin aminmax":                                f"bool {INTS} float",
    "gcd lcm":                                    INTS,
    "atan2 copysign xlogy":                       FLOATED,
    "hypot nextafter":                            "float",
    "logaddexp":                                  "float complex",
    "heaviside":                                  f"bool {INTS} float",
    "matmul tensordot einsum dot inner vdot addmm":               f"{INTS} float complex",
    "vecdot":                                     "float complex",
    "conv":                                       f"{INTS} float complex",
    "max_pool":                                   f"{INTS} float",
    "avg_pool":                                   "int64 float",
    "erf erfc erfinv lgamma digamma radians degrees": FLOATED,
    "softmax log_softmax gelu elu leaky_relu selu celu relu6 hard_swish hard_sigmoid mish softplus log_sigmoid glu": "float",
    "silu":                                       "float complex",
    "soft_sign":                                  "float complex",
    "signbit":                                    "bool integer float -> bool",
    "bitwise_invert":                             f"bool {INTS}",
    "logical_and logical_or logical_xor logical_not": f"bool {INTS} float complex -> bool",
    "any all":                                    "any -> bool uint8>uint8",
    "argsort":                                    "bool integer float -> int64",
    "count_nonzero":                              f"bool {INTS} float complex -> int64",
    "sort":                                       "bool integer float",
    "median lower_median":                        f"{INTS} float",
    "trace":                                      "uint8>int64 int>int64 float complex",
    "var std var_mean std_mean vector_norm":                   "float complex -> real",
    "topk":                                       f"{INTS} float",
    "unique_values unique_inverse unique_counts unique_inverse_counts": "bool integer float",
    "inv det slogdet solve solve_triangular cholesky qr svd":      "float32 float64 complex",
    "eigh eigvalsh svdvals":                      "float32 float64 complex -> real",
    "cross":                                      f"{INTS} float complex",
    "mse_loss smooth_l1_loss huber_loss":         "float complex",
    "l1_loss":                                    "float complex -> real",
    "prelu layer_norm group_norm batch_norm cosine_similarity scaled_dot_product_attention cross_entropy": "float",
    "normalize lerp":                             "float complex",
    "linear":                                     f"{INTS} float complex",
    "conv_transpose":                             "int64 float complex",
    "matrix_power":                               f"{INTS} float complex",
    "irfft irfftn":                               f"{HALVED} -> real",
    "rfft rfftn":                                 "bool>float32 integer>float32 float32 float64 -> complex",
})
# fmt: on
#: Functions that refuse operands of several dtypes.
ALIKE = frozenset({"complex", "matmul", "isclose", "vecdot", "tensordot", "einsum", "dot", "inner", "vdot", "addmm", "conv", "conv_transpose", "cross", "heaviside", "solve", "solve_triangular", "linear", "scaled_dot_product_attention"})
#: Those of them, and others, that are computed of several dtypes all the same, now and then.
LOOSE = frozenset({"solve_triangular", "conv", "huber_loss", "linear", "binary_cross_entropy_with_logits"})
#: What torch gives for other dtypes is not said here.
UNSAID = frozenset({"relu6", "complex"})  # of float16 it makes a dtype of its own
#: Functions that take tensors, and no Python scalars.
TENSORS = frozenset(
    "complex maximum minimum fmax fmin atan2 hypot nextafter logaddexp heaviside gcd lcm isclose matmul"
    " concat stack hstack vstack column_stack"
    " logical_and logical_or logical_xor".split()
)
#: Functions whose first operand must be a tensor.
FIRST = frozenset({"fmod", "copysign", "clip"})
#: Functions that refuse an int out of the tensor's bounds; the others wrap it round.
BOUNDED = frozenset({"where", "pow", "clip"})


def rule(call: Call) -> Typing:
    """torch's typing of a call whose operands are known.

    Raises:
        NoTyping: where torch raises.
    """
    if call.cls == "free":
        return free(call)
    row = OPS.get(call.op) or CLASSES[call.cls]
    refuse(call)
    if call.cast in WIDE or (call.cast is dtypes.bool_ and call.op in ("cumulative_sum", "cumulative_prod")):
        raise Refused(f"torch has no {call.name} with dtype={call.cast}")
    common = call.cast or (doubled if call.op == "float_power" else promote)(call.operands)
    if call.op == "soft_sign" and common.is_integer:
        raise NoTyping(f"{call.op} reckons with {common} as it is, which may wrap round: cast it to a float")
    if call.op.startswith("logical_") and any(rounded(operand, common) for operand in call.operands):
        raise NoTyping(f"torch rounds what has no axes to {common} here, maybe to 0")
    typing = row.typing(common, call, "torch")
    check(call, typing.compute)
    return replace(typing, compute=dtypes.float32) if opmath(call, typing) else typing


def refuse(call: Call) -> None:
    """Raise for what the call's operands, not their common dtype, make impossible."""
    scalars = [operand.form == "python" for operand in call.operands]
    wanted = any(scalars) if call.op in TENSORS else scalars[0] if call.op in FIRST else all(scalars)
    if wanted and call.op != "where":
        raise Refused(f"torch has no {call.name} of Python scalars: a tensor is wanted")
    found = {known(operand) for operand in call.operands}
    if call.op in LOOSE and len(found) > 1 and (call.op != "linear" or call.operands[1].rank == 1):
        raise NoTyping(f"torch computes {call.op} of several dtypes in some cases, and in no one dtype")
    if call.op in ALIKE and len(found) > 1:
        several = " and ".join(sorted(map(str, found)))
        raise Refused(f"torch has no {call.name} of {several}: one dtype is wanted")
    if call.op in ("subtract", "scaled_subtract") and dtypes.bool_ in found:
        raise Refused("torch has no subtract of bool tensors: it wants ~ or logical_xor")
    if call.op == "divide" and scalars[0] and found == {dtypes.complex128, dtypes.bfloat16}:
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


def doubled(operands: Sequence[Operand]) -> DType:
    """float_power casts each operand by itself."""
    return dtypes.complex128 if any(known(o).kind == "complex" for o in operands) else dtypes.float64


def rank(dtype: DType) -> int:
    return KINDS.index("int" if dtype.kind == "uint" else dtype.kind)


def opmath(call: Call, typing: Typing) -> bool:
    """Whether a 16-bit float tensor meets a scalar that stays in float32, so that only the result is rounded.

    A tensor without axes does so as second operand only. A scalar that the 16 bits hold makes no difference.
    """
    if call.op not in ("multiply", "divide", "floor_divide", "trunc_divide") or typing.compute not in HALVES:
        return False
    first, second = call.operands
    if first.form == "python":
        return call.op in ("multiply", "divide") and not held(first, typing.compute)
    scalar = second.form == "python" or not second.rank
    return first.dtype is typing.compute and scalar and not held(second, typing.compute)


def rounded(operand: Operand, dtype: DType) -> bool:
    """Whether an array without axes loses digits where it takes the dtype of those with axes."""
    mine = known(operand)
    wide = mine.bits > dtype.bits or dtype is not mine and {dtype, mine} == set(HALVES)
    return operand.form != "python" and not operand.rank and rank(mine) == rank(dtype) and wide


def check(call: Call, compute: DType | None) -> None:
    """Raise for a Python int that torch cannot turn into a number of the dtype."""
    for operand in call.operands:
        if operand.form == "python" and isinstance(operand.value, int):
            if not -(2**63) <= operand.value < 2**64:
                raise NoTyping(f"Python integer {operand.value} out of bounds for torch")
            if call.op in BOUNDED and compute is not None and not fits(abs(operand.value), compute):
                raise NoTyping(f"Python integer {operand.value} out of bounds for {compute}")


def free(call: Call) -> Typing:
    """Creation and casts: what `dtype=` says, else what as_tensor makes of the operands, else float32."""
    if call.dtype is not None or not call.operands:
        return Typing(None, call.dtype or dtypes.float32)
    return Typing(None, promote(call.operands))
