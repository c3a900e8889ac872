"""Operands: what is known of one operand of an op, as it stands in a program."""

from __future__ import annotations

from typing import Any

from ...ir.graphs.graph import Node
from ...ir.graphs.static import Scalar
from ...ir.values.dtypes import PYTHON, DType
from ...ir.values.spec import Spec
from ..backend import Backend
from ..typing import Operand
from .variants import Place


def wanted_of(node: Node) -> DType | None:
    """The dtype that comes out of an op in the example, of its first result; None where it has none."""
    specs = node.spec if isinstance(node.spec, tuple) else (node.spec,)
    spec = specs[0] if specs else None
    return spec.dtype if isinstance(spec, Spec) else None


def cast_of(value: Any) -> DType | None:
    """The dtype to which promotion casts an operand."""
    return value.spec.dtype if isinstance(value, Node) and value.implicit else None


def number_of(node: Node) -> Any:
    """What an array is made of."""
    return node.kwargs.get("value", node.kwargs.get("fill_value"))


def python(value: Any) -> Operand:
    """A number as promotion sees it."""
    if isinstance(value, Node):
        return Operand(0, PYTHON.get(value.spec.type), "python", None)
    return Operand(0, PYTHON.get(type(value)), "python", value)


def compiled(value: Any, number: Operand, target: Backend) -> Operand:
    """A number as the target has it: what a compiled region counts, computes and chooses are arrays. JAX's
    are weak, unless they have met an array; torch's are as wide as the numbers.
    """
    loose = isinstance(value, Node) and isinstance(value.spec, Scalar) and value.spec.local
    if not loose or not target.compiles or number.dtype is None:
        return number
    if not target.traces:
        return Operand(0, number.dtype, "array")
    return Operand(0, target.default_int if number.dtype.is_integer else target.default_float, "either")


def form_of(node: Node) -> str:
    form = node.form
    return form if isinstance(form, str) else "array"


def as_given(value: Node) -> Place:
    """An operand whose dtype is of no account."""
    return Place(value.spec.rank, None, 0, Operand(value.spec.rank, value.spec.dtype), None)


def path_of(node: Node) -> Any:
    """What the function says for an array among its arguments."""
    return node.meta.get("path") or (node.origin.meta.get("path") if node.origin is not None else None)
