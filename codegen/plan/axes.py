"""Axes: NumPy has a number for what has none, in which no write stays. What a text for it writes into is an
array or a number whatever the ranks of the arguments are, or these are checked.
"""

from __future__ import annotations

from typing import Any

from ...ir.graphs.graph import Node
from ...ir.graphs.leaves import behind
from ...ir.meaning.op import REGISTER, Op
from ...ir.noting import by_rank, is_noting, note_line
from ...ir.ops.reduction import reduced, reduced_twice
from ...ir.values.spec import Spec
from .outsiders import memory


def written(value: Any) -> None:
    """A write goes into what lies in no other memory since it is a number, and would be a part of an array
    if that had more axes.
    """
    if isinstance(value, Node) and value.target is REGISTER["getitem"] and value.spec.shape == ():
        by_rank(value, typing=True)


def named(view: Node) -> None:
    """A view is read and written by its name, which would be that of a number, or of a part of one, if its
    array had fewer axes.
    """
    value: Any = view
    while value.target is REGISTER["getitem"]:
        key = value.kwargs["key"]
        if any(isinstance(k, slice) for k in key):  # nothing is sliced that has no axes
            return
        if not all(map(keeps_axes, key)):
            break
        value = memory(value.args[0])
    by_rank(view, typing=True)


def handed(value: Any) -> None:
    """A function writes into an array that it is given, which would be a number if others had fewer axes."""
    value, made = whose_axes(memory(value))
    if not isinstance(value, Node) or not is_noting(typing=True):
        return
    if value.target is REGISTER["getitem"] and any(map(keeps_axes, value.kwargs["key"])):
        return
    if isinstance(value.target, Op):
        by_rank(value, typing=True)
    elif made or is_of_region(value):
        for leaf in behind([value.origin or value]):
            note_line(leaf)


def is_of_region(value: Node) -> bool:
    """Whether it is what a branch or loop was given: a function's own arguments are asked of who calls it."""
    return value.op == "placeholder" and value.graph.output_node.target != "output"


def picking(index: Node) -> None:
    """An index array without axes would be a number to torch, and what it picks a part of another array."""
    value, _ = whose_axes(index)
    if isinstance(value.target, Op):
        if value.target.shape in (reduced, reduced_twice):
            by_rank(value, typing=True)
        return
    for leaf in behind([value.origin or value]):
        note_line(leaf)


def whose_axes(value: Any) -> tuple[Any, bool]:
    """The value that has axes if this one has, and whether anything is computed of it. What is computed
    element by element has axes if one of its operands has; so has a copy.
    """
    made = False
    while isinstance(value, Node) and isinstance(value.target, Op):
        op = value.target
        arrays = [a for a in value.args if isinstance(a, Node) and isinstance(a.spec, Spec)]
        if not arrays or op is not REGISTER["copy"] and not op.elementwise:
            break
        made = made or op is not REGISTER["copy"]
        value = max(arrays, key=lambda a: a.spec.rank or 0)
    return value, made


def keeps_axes(key: Any) -> bool:
    """Whether an array indexed so is an array whatever its rank is."""
    return key is ... or key is None or isinstance(key, slice)
