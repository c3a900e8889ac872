"""Operands: what ops are given, arrays and Python's scalars, and their specs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..graphs.graph import Node
from ..graphs.static import Scalar
from ..values import dtypes
from ..values.spec import Spec
from ..values.tree import leaves
from .op import HOMOGENEOUS, Op
from .results import over


def operand_specs(op: Op, operands: Sequence[Any]) -> list[Spec | None]:
    """The specs of an op's operands; a Python scalar has the dtype of the arrays that it meets."""
    specs: list[Spec | None] = [spec_of(operand) for operand in operands]
    for rule in op.rules:
        if rule.cls not in HOMOGENEOUS:
            continue
        mine = over(op, rule, operands)
        dtype = next((n.spec.dtype for n in mine if isinstance(n, Node) and isinstance(n.spec, Spec)), None)
        for i, operand in enumerate(operands):
            if any(operand is m for m in mine) and scalar(operand):
                specs[i] = Spec((), dtype)
    return specs


def scalar(operand: Any) -> bool:
    """Whether an operand is a Python scalar, known or recorded."""
    return isinstance(operand, (bool, int, float, complex)) or (
        isinstance(operand, Node) and isinstance(operand.spec, Scalar)
    )


def spec_of(operand: Any) -> Spec | None:
    if operand is None:
        return None
    if isinstance(operand, Node):
        spec = operand.spec
        return Spec((), dtypes.PYTHON.get(spec.type)) if isinstance(spec, Scalar) else spec
    return Spec((), dtypes.dtype(type(operand)))


def of_numbers(op: Any) -> bool:
    """Whether an op makes an array of numbers among its parameters, and in their dtype if none is said."""
    return isinstance(op, Op) and op.natural == "numbers"


def numbers_held(node: Node) -> list[Any]:
    """The numbers among an op's parameters of which it makes elements, known and recorded ones."""
    names = node.target.numbers if isinstance(node.target, Op) else ()
    return [leaf for name in names for leaf in leaves(node.kwargs.get(name)) if leaf is not None]
