"""Storing: what a target does by itself with a value that is written into a part of an array."""

from __future__ import annotations

from typing import Any

from ...ir.graphs.graph import Node
from ...ir.meaning.op import REGISTER, Op
from ...ir.noting import by_rank
from ...ir.passes.fold import raw
from ...ir.values.spec import Spec
from ...ir.worklist import reached
from ..backend import Backend
from ..typing.torch import WIDE

#: What takes elements out of an array.
PICKING = (REGISTER["getitem"], REGISTER["getitem_mask"])


def fits_itself(node: Node, target: Backend) -> bool:
    """Whether an assignment makes the dtype of a value that of the array, for which an update has a cast.
    Index arrays are operands behind the value.
    """
    return target.assigned == "all" or target.assigned == "placed" and len(node.args) == 2


def number_said(value: Node) -> Any:
    """The number of an array of one as the program writes it: what floats hold may be an int there."""
    whole = value.meta.get("whole")
    floats = value.spec.dtype is not None and value.spec.dtype.is_inexact
    return whole if floats and whole is not None else value.kwargs["value"]


def is_whole(node: Node) -> Any:
    """Whether an update gives every element another value, one each: its value may then be the new array."""
    whole = node.target is REGISTER["update"] and node.kwargs["key"] in ((...,), ())
    return whole and isinstance(node.args[1], Node) and (node.args[1].spec == node.spec or adds_up(node))


def adds_up(node: Node) -> bool:
    """Whether the value that is written is `x + y` of the array itself, and y of a shape that is not known:
    it fits, or the program raises.
    """
    base, value = node.args[:2]
    by_element = isinstance(value.target, Op) and bool(value.target.elementwise) and value.args[0] is base
    return by_element and value.spec.shape is None and value.spec.dtype == node.spec.dtype


def note_axes(node: Node) -> None:
    """The value of an update becomes the new array: that has the axes of the old one, and the value has them
    for arguments of other ranks too if it is computed of the old array element by element.
    """
    base, value = node.args[:2]
    old, new = (set(reached([each], made_alike)) for each in (base, value))
    if old.isdisjoint(new):
        by_rank(base, value)


def made_alike(node: Node) -> list[Node]:
    """The operands of whose axes a value has all."""
    op = node.target
    if op in (REGISTER["copy"], REGISTER["update"]):
        return [node.args[0]]
    arrays = zip(op.arrays, node.args) if isinstance(op, Op) else ()
    return [array for name, array in arrays if isinstance(array, Node) and name in op.elementwise]


def unsigned(operand: Any, base: Node) -> bool:
    """Whether an operand is of wide unsigned integers beside others: torch has no operators for these, so
    the operand is cast.
    """
    spec = getattr(raw(operand), "spec", None)
    return isinstance(spec, Spec) and spec.dtype in WIDE and spec.dtype != base.spec.dtype
