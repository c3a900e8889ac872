"""Writes at masks for JAX: `x[mask] = value` is where(mask, value, x).

How many elements a mask picks is known only when the program runs. But what is computed of the picked
elements, each by itself, can be computed of all of them: `x[m] = f(y[m])` is where(m, f(y), x).
"""

from __future__ import annotations

from typing import Any

from ...ir.analysis.axes import shaped_like
from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Node
from ...ir.graphs.likeness import equal
from ...ir.graphs.walk import every_graph
from ...ir.meaning.op import REGISTER, Op
from ...ir.noting import by_rank, note_type
from ...ir.ops.indexing import Slot
from ...ir.program import Program
from ...ir.values.spec import Spec
from ..backend import Backend
from .storing import number_said


def masked(graph: Program, target: Backend) -> None:
    """Write the updates at masks as choices.

    Raises:
        UnsupportedError: where what is written is not known for every place.
    """
    for one in every_graph(graph):
        found = [n for n in one.nodes if n.target is REGISTER["update"] and any(map(is_mask, n.args[2:]))]
        for node in found:
            choose(one, node, target)
        if found:
            one.eliminate_dead_code()


def is_mask(index: Any) -> bool:
    return isinstance(index, Node) and index.spec.dtype is not None and index.spec.dtype.kind == "bool"


def choose(graph: Program, node: Node, target: Backend) -> None:
    base, value, mask, *others = node.args
    key = node.kwargs["key"]
    whole = all(k in (slice(None), ..., Slot(0)) for k in key) and not others
    if not (key == (Slot(0),) and shaped_like(base) is shaped_like(mask)):
        by_rank(base, mask)
    after = following(key, base.spec.rank - mask.spec.rank) if whole else 0
    with graph.inserting_before(node):
        graph.origin = node.origin
        value = Lifting(graph, base, mask, key, after).lifted(value) if whole else None
        if value is None:
            raise UnsupportedError(
                "x[mask] = values",
                backend=target.name,
                why="how many elements the mask picks is known only when the program runs",
                span=node.span,
                hint="write what is computed of y[mask] element by element, or "
                f"{target.functions[0]}.where(mask, values, x)",
            )
        if (number := written_number(base, value)) is not None:
            value = number
            if isinstance(number, Node) and number.spec.type is not float:
                note_type(number)  # a float would be cut by what writes it, and makes floats of ints here
        made = graph.call(REGISTER["where"], spread(graph, mask, after), value, base)
    made.stands_for = node.stands_for
    node.replace_all_uses_with(made)
    graph.erase_node(node)


def written_number(base: Node, value: Any) -> Any:
    """The number that a text has for an array of one, which is written at a mask; None where it has an array:
    one of floats in whole numbers is cut, and what was taken out of an array is one in JAX.
    """
    if not isinstance(value, Node) or value.spec.dtype != base.spec.dtype:
        return None
    if value.target is REGISTER["array"]:
        return number_said(value)
    number = value.kwargs["fill_value"] if value.target is REGISTER["full"] else None
    if not isinstance(number, Node) or value.kwargs["shape"] != () or number.spec.local:
        return None
    kinds = ("bool", "int", "float", "complex")
    own = "int" if value.spec.dtype.is_integer else value.spec.dtype.kind
    return number if kinds.index(number.spec.type.__name__) <= kinds.index(own) else None


def spread(graph: Program, mask: Node, after: int) -> Node:
    """The mask with new axes behind its own, for those that follow."""
    if not after:
        return mask
    front = slice(None) if mask.spec.rank == 1 else ...
    made: Node = graph.call(REGISTER["getitem"], mask, key=(front, *(None,) * after))
    return made


def following(key: tuple[Any, ...], others: int) -> int:
    """How many axes follow those of the mask, of as many others as there are."""
    place = key.index(Slot(0))
    return len(key) - 1 - place if ... in key[:place] else others - place


class Lifting:
    """What is computed of the elements of `base` that a mask picks, computed for every place. `after` axes
    follow those that it picks from.
    """

    def __init__(self, graph: Program, base: Node, mask: Node, key: tuple[Any, ...], after: int) -> None:
        self.graph = graph
        self.base = base
        self.mask = mask
        self.key = key
        self.after = after
        self.made: dict[Node, Node | None] = {}

    def lifted(self, value: Any) -> Any:
        """The value for every place; None where it is not known."""
        if not isinstance(value, Node) or not isinstance(value.spec, Spec):
            return value
        if value not in self.made:
            self.made[value] = self.found(value)
        return self.made[value]

    def found(self, value: Node) -> Node | None:
        rank = value.spec.rank
        if rank is not None:
            return value if rank <= self.after else None
        if value.target is REGISTER["getitem_mask"]:
            picked, *indices = value.args
            same = computed_alike(indices, [self.mask]) and value.kwargs["key"] == self.key
            return picked if same and picked.spec.hint_shape == self.base.spec.hint_shape else None
        if not (isinstance(value.target, Op) and isinstance(value.spec, Spec)):
            return None
        if not {*value.target.arrays} <= value.target.elementwise:
            return None
        operands = [self.lifted(a) for a in value.args]
        if any(o is None and a is not None for o, a in zip(operands, value.args)):
            return None
        made: Node = self.graph.call(value.target, *operands, result=[value.spec.dtype], **value.kwargs)
        made.take_name(value)
        made.implicit = value.implicit
        return made


def computed_alike(one: Any, other: Any) -> bool:
    """Whether two values are computed in the same way of the same."""
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(computed_alike, one, other))
    if one is other or not isinstance(one, Node) or not isinstance(other, Node):
        return equal(one, other)
    same = one.target is other.target and isinstance(one.target, Op) and one.kwargs == other.kwargs
    return same and computed_alike(one.args, other.args)
