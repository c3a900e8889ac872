"""Windows for JAX: a slice of known length that begins at a number of the compiled program is a dynamic one.

JAX moves such a slice to where it lies within the array, so it must be certain that it does: that follows
from how far the loop counts, see ir/sizes/extent.py.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ....ir.bodies.building import Value
from ....ir.graphs.graph import Graph, Node
from ....ir.graphs.static import Scalar
from ....ir.graphs.walk import every_node
from ....ir.meaning.op import REGISTER
from ....ir.noting import by_rank
from ....ir.ops.indexing import full_key
from ....ir.ops.windows import sized
from ....ir.program import Program
from ....ir.sizes.dim import Dim, compare
from ....ir.sizes.local import is_local


def note(graph: Graph) -> None:
    """Note the lengths while the numbers that they are told from are numbers."""
    for node in every_node(graph):
        if node.target in (REGISTER["getitem"], REGISTER["update"]):
            node.meta["lengths"] = lengths(node)


def lengths(node: Node) -> dict[int, Any]:
    """The lengths of the slices in the key of an op, by axis, where they are known and surely within the
    array.
    """
    found = {axis: length(k, node.args[0].spec.shape[axis]) for axis, k in slices(node).items()}
    return {axis: size for axis, size in found.items() if size is not None}


def noted(node: Node) -> dict[int, Any]:
    """The lengths that were noted."""
    return node.meta.get("lengths", {})  # type: ignore[no-any-return]


def slices(node: Node) -> dict[int, slice]:
    """The slices in the key of an op, by axis."""
    rank = node.args[0].spec.rank
    if rank is None:
        return {}
    entries = [k for k in full_key(node.kwargs["key"], rank) if k is not None]
    return {axis: k for axis, k in enumerate(entries) if isinstance(k, slice)}


def length(entry: slice, n: Dim) -> Any:
    """The length of a slice, an int or a node; None where it is not known, or may not lie within the axis."""
    start, stop = (v.spec.value if isinstance(v, Node) else v for v in (entry.start or 0, entry.stop))
    if start is None or stop is None or entry.step not in (None, 1):
        return None
    size: Dim = stop - start
    inside = compare("<=", 0, start) and compare("<=", 0, size) and compare("<=", stop, n)
    if not inside or is_local(size):
        return None
    return size if isinstance(size, int) else addend(entry.stop, size)


def addend(number: Any, size: Dim) -> Node | None:
    """What of a sum has this value."""
    if not isinstance(number, Node) or not isinstance(number.spec, Scalar):
        return None
    if number.spec.value == size:
        return number
    parts = number.args if number.target is operator.add else ()
    return next((found for part in parts if (found := addend(part, size)) is not None), None)


def windowed(program: Program, node: Node, is_open: Callable[[Any], bool]) -> None:
    """Write the slices in the key of a getitem or an update that begin at open numbers as dynamic ones."""
    moving = {axis: k.start for axis, k in slices(node).items() if is_open(k.start) or is_open(k.stop)}
    if not moving:
        return
    x, *rest = node.args
    by_rank(x)
    key = unmoving(node.kwargs["key"], x.spec.rank, moving)
    with program.inserting_before(node):
        program.origin = node.origin
        part = Part(program, x, moving, node.meta["lengths"])
        if node.target is REGISTER["getitem"]:
            made = part.read()
            made = program.call(node.target, made, *rest, key=key) if key else made
        else:
            value = program.call(node.target, part.read(), *rest, key=key) if key else part.filled(rest[0])
            made = program.call(REGISTER["dynamic_update_slice"], x, value, start=part.start, axis=part.axis)
    made.take_name(node)
    made.implicit = node.implicit
    node.replace_all_uses_with(made)
    program.erase_node(node)


def unmoving(key: tuple[Any, ...], rank: int, moving: dict[int, Any]) -> tuple[Any, ...]:
    """A key without the slices that move; empty where nothing else is in it."""
    axes = iter(range(rank))
    kept = [slice(None) if k is not None and next(axes) in moving else k for k in full_key(key, rank)]
    return () if all(k == slice(None) for k in kept) else tuple(kept)


class Part:
    """A part of an array that begins somewhere along some axes, and is whole along the others.

    Attributes:
        axis: the only one along which it is not whole. None: `start` and `size` are tuples, for all axes.
    """

    def __init__(self, program: Program, x: Node, moving: dict[int, Any], known: dict[int, Any]) -> None:
        self.program = program
        self.x = x
        value = Value(program, x)
        self.sizes = [known[axis] if axis in moving else sized(value, axis) for axis in range(value.rank)]
        self.axis = next(iter(moving)) if len(moving) == 1 else None
        starts = tuple(moving.get(axis, 0) for axis in range(value.rank))
        self.start: Any = starts if self.axis is None else starts[self.axis]
        self.size: Any = tuple(self.sizes) if self.axis is None else self.sizes[self.axis]

    def read(self) -> Node:
        made: Node = self.program.call(
            REGISTER["dynamic_slice"], self.x, axis=self.axis, start=self.start, size=self.size
        )
        return made

    def filled(self, value: Node) -> Node:
        """A value in the shape of the part."""
        shape = [v.spec.value if isinstance(v, Node) else v for v in self.sizes]
        if list(value.spec.shape or ()) == shape:
            return value
        made: Node = self.program.call(REGISTER["broadcast_to"], value, shape=tuple(self.sizes))
        return made
