"""Relations: what a call gives of the memory of what it is given, as far as the call itself tells."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from ...backends import memory
from ...backends.memory import ALONE, CAST, FLAT, INDEX, LINED, PART, RESHAPE, TOLD
from ...backends.reading.tape import canonical_names
from ...ir.analysis.outside import MAYBE, NEW, VIEW
from ...ir.graphs.graph import Node
from ...ir.graphs.leaves import is_complex
from ...ir.graphs.static import is_shape
from ...ir.meaning.operands import scalar
from ...ir.values.tree import leaves
from . import layout, numpy_scalars
from .keys import entries, is_copy, is_part, may_copy

if TYPE_CHECKING:
    from ..tracer import Tracer

#: The parameters that say in which order elements lie in memory.
ORDERS = {"order", "memory_format"}

#: What is said of a call that takes one array.
OF_ONE = frozenset({VIEW, RESHAPE, LINED, FLAT})


def relation(tracer: Tracer, node: Node, parent: Any) -> str:
    """What the result of a call is of its first operand: NEW, VIEW, or MAYBE either; EACH of its own. It is
    what it would be of an array, where that is a number of NumPy's.
    """
    if node.args and (is_shape(node.args[0]) or scalar(node.args[0])):
        return NEW  # an array that is made of a shape or a number
    fact = declared(tracer, node)
    first = numpy_scalars.operand(node)
    if fact in OF_ONE and isinstance(first, (list, tuple)):
        return NEW  # an array that is made of a list
    if fact == CAST and parent is None:
        return NEW if node.args and isinstance(node.args[0], (list, tuple)) else MAYBE
    if fact == CAST:
        return cast(tracer, node, parent)
    if fact == ALONE:
        return NEW if len([n for n in leaves(node.args) if isinstance(n, Node)]) > 1 else MAYBE
    if fact == PART:
        return MAYBE if parent is None else VIEW if is_complex(parent.node) else NEW
    if fact == INDEX:
        return NEW if is_copy(tracer, node) else MAYBE if may_copy(tracer, node) else VIEW
    if fact == RESHAPE and node.kwargs.get("copy"):
        return NEW
    if fact == TOLD:
        return NEW if node.kwargs.get("copy", True) is True else MAYBE
    if fact == LINED and parent is not None and not node.kwargs and layout.apart(tracer, parent) is not None:
        return NEW
    if fact in (LINED, FLAT):
        fact = RESHAPE
    if fact == RESHAPE and (node.kwargs.keys() & ORDERS or any(isinstance(a, str) for a in node.args)):
        return MAYBE  # in another order than row by row
    if fact == RESHAPE:
        return VIEW if parent is not None and layout.in_order(tracer, parent.node) is not None else MAYBE
    return fact


def declared(tracer: Tracer, node: Node) -> str:
    """What the table of callees says of a call."""
    found: str | None = node.meta.get("declared")
    if found is None:
        names = canonical_names(node.op, node.target, node.args, tracer.backend)
        found = node.meta["declared"] = memory.gives(tracer.framework.name, names)
    return found


def cast(tracer: Tracer, node: Node, parent: Any) -> str:
    """Likewise of a call that gives an array in a dtype."""
    given = parent.node.spec.dtype
    if len(node.args) > 2 or given is None or node.kwargs.keys() & ORDERS:
        return MAYBE
    if told(node) or node.spec.dtype != given:
        return NEW
    return VIEW


def casts(tracer: Tracer, node: Node) -> bool:
    """Whether it depends on dtypes whether a call copies."""
    return node.op != "placeholder" and declared(tracer, node) == CAST and not told(node)


def of_number(tracer: Tracer, node: Node) -> bool:
    """Whether it depends on ranks whether a call copies: of a number of NumPy's all do, `x[...]` too, and so
    does what gives a number of an array without axes.
    """
    of = node.args[0] if node.args and not is_part(node) else None
    if node.target is operator.getitem and not all(k is None or k is ... for k in entries(node)):
        return False  # a number has no such item
    if not isinstance(of, Node) or not tracer.backend.own_numbers:
        return False
    return numpy_scalars.without_axes(tracer, of) or numpy_scalars.without_axes(tracer, node)


def told(node: Node) -> bool:
    """Whether a call that gives an array in a dtype copies whatever dtype it has."""
    return bool(node.kwargs.get("copy", numpy_scalars.name(node) in ("astype", "array")))


def part_key(parent: Any, made: list[Any], number: int, node: Node) -> Any:
    """The key of the part of an array with this number, of those that it is split into; None where it is
    not known.
    """
    whole, parts = parent.node.spec.hint_shape, [m.node.spec.hint_shape for m in made]
    if whole is None or None in parts:
        return None
    if len(parts[0]) == len(whole):
        axis = next((i for i, n in enumerate(whole) if any(p[i] != n for p in parts)), 0)
        start = sum(p[axis] for p in parts[:number])
        return (*[slice(None)] * axis, slice(start, start + parts[number][axis]))
    axis = next((v for v in (*node.args[1:], *node.kwargs.values()) if isinstance(v, int)), 0)
    return (*[slice(None)] * (axis % len(whole)), number)
