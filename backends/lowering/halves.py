"""Ops of 16-bit floats that are computed in float32 and rounded once."""

from __future__ import annotations

from typing import Any

from ...ir.graphs.graph import Node
from ...ir.graphs.static import Scalar
from ...ir.meaning.op import REGISTER, Op
from ...ir.program import Program
from ...ir.values import dtypes
from ...ir.values.spec import Spec
from ..backend import Backend
from ..typing import Operand, exceeds

HALVES = (dtypes.float16, dtypes.bfloat16)


def holds_less(node: Node, source: Backend) -> bool:
    """Whether the source computes this op of 16-bit floats with parameters that these do not hold."""
    specs = node.spec if isinstance(node.spec, tuple) else (node.spec,)
    return any(s.dtype in HALVES and wider(node, s.dtype, source) for s in specs)


def wider(node: Node, dtype: dtypes.DType, source: Backend) -> bool:
    """Whether an elementwise op has parameters that a float dtype of 16 bits does not hold.

    torch's kernels have them in float32, `F.leaky_relu(x, 1e5)`, where other frameworks round them first.
    """
    op: Op = node.target
    return (
        source.wide_parameters
        and bool(op.elementwise)
        and any(not_held(value, dtype) for value in node.kwargs.values())
    )


def not_held(value: Any, dtype: dtypes.DType) -> bool:
    """Whether a number, as far as is known, is too large or too small for a float dtype."""
    if isinstance(value, Node):
        return dtype is dtypes.float16 and isinstance(value.spec, Scalar) and value.spec.type in (int, float)
    return type(value) in (int, float) and exceeds(Operand(0, None, "python", value), dtype)


def widened(program: Program, node: Node) -> Any:
    """The op computed in float32, as frameworks do that have 16-bit floats, and rounded."""
    specs = node.spec if isinstance(node.spec, tuple) else (node.spec,)
    with program.inserting_before(node):
        program.origin = node.origin
        made = program.call(
            node.target,
            *(in_float32(program, operand) for operand in node.args),
            result=[None if s.dtype in HALVES else s.dtype for s in specs],
            **node.kwargs,
        )
        return promised(program, node, made)


def in_float32(program: Program, operand: Any) -> Any:
    if not isinstance(operand, Node) or operand.spec.dtype not in HALVES:
        return operand
    wide = program.call(REGISTER["cast"], operand, dtype=dtypes.float32)
    wide.implicit = True
    return wide


def promised(program: Program, node: Node, made: Any) -> Any:
    """What an op's body gave, in the dtypes that it was read with: of indices that depends on the source."""
    if isinstance(made, tuple):
        return tuple(in_dtype(program, part, spec) for part, spec in zip(made, node.spec))
    return in_dtype(program, made, node.spec)


def in_dtype(program: Program, node: Node, spec: Spec) -> Node:
    if spec.dtype is None or node.spec.dtype in (None, spec.dtype):
        return node
    return program.call(REGISTER["cast"], node, dtype=spec.dtype)  # type: ignore[no-any-return]
