"""Axes: what a text takes for a line of elements, and would be one element if arguments had other ranks."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from itertools import product

from ..errors import ShapeError
from ..graphs.graph import Node
from ..graphs.regions import Function
from ..graphs.static import values
from ..meaning.op import REGISTER, Op
from ..meaning.operands import operand_specs
from ..meaning.results import infer
from ..noting import by_rank, is_noting, note_line
from ..ops.indexing import UPDATES
from ..values.spec import Spec
from ..values.tree import leaves
from ..worklist import operands_first


def by_axes(value: Node) -> None:
    """What is made now would be another thing if this value of a Program had no axes. The argument that it is
    computed from element by element must have some; of what else is computed the ranks decide.
    """
    if not is_noting(typing=True) or not isinstance(value.spec, Spec) or value.spec.rank == 0:
        return
    if by_line(value):
        return
    found = whose_axes(value)
    if found is not None and any(shape is not None and not shape for shape in shapes(found)):
        by_rank(found)


def by_line(value: Node) -> bool:
    """The same of what is computed element by element of an argument, or is one. Returns whether it is."""
    found = whose_axes(value)
    if found is None or "path" not in (found.origin or found).meta:
        return False
    note_line(found.origin or found)
    return True


def whose_axes(value: Node) -> Node | None:
    """The value that has axes if this one has, which is computed of it element by element, or written into
    it; None for what is computed of constants.
    """
    while isinstance(value.target, Op):
        written = value.target in UPDATES or value.target is REGISTER["copy"]
        if not written and not {*value.target.arrays} <= value.target.elementwise:
            break
        operands = [n for n in value.args[:1] if isinstance(n, Node)] if written else arrays_of(value)
        if not operands:
            return None
        value = max(operands, key=lambda n: n.spec.rank or 0)
    return value


def arrays_of(value: Node) -> list[Node]:
    return [n for n in value.all_input_nodes if isinstance(n.spec, Spec)]


def shaped_like(value: Node) -> Node:
    """The array of which a value is computed element by element, beside numbers alone: it has the shape of
    that whatever the shape is.
    """

    def operands(node: Node) -> list[Node]:
        by_element = isinstance(node.target, Op) and {*node.target.arrays} <= node.target.elementwise
        return arrays_of(node) if by_element else []

    roots: dict[Node, Node] = {}
    for node in operands_first([value], operands):
        found = {roots[n] for n in operands(node)}
        roots[node] = found.pop() if len(found) == 1 else node
    return roots[value]


def shapes(value: Node) -> Iterator[object]:
    """The shapes that a value has if what it is computed from has fewer axes, as far as it can be computed
    then; None where that is not known.
    """
    several = value.target is operator.getitem and isinstance(value.args[0].spec, tuple)
    node, part = value.args if several else (value, 0)
    if isinstance(node.target, Function):
        given = [*leaves(node.target.graph.output_node.args[0])][part]
        yield from shapes(given) if isinstance(given, Node) else ()
        return
    if not isinstance(node.target, Op):
        yield ()  # of an argument, or a loop
        return
    operands = operand_specs(node.target, node.args)
    for specs in product(*(fewer(spec) if spec is not None and spec.shape else [spec] for spec in operands)):
        try:
            yield infer(node.target, specs, values(node.kwargs))[part].shape
        except (ShapeError, ValueError, IndexError, TypeError):
            continue  # nor can the program be run with these


def fewer(spec: Spec) -> list[Spec | None]:
    """A spec, and those of its last axes only."""
    shape = spec.shape or ()
    return [Spec(shape[i:], spec.dtype) for i in range(len(shape) + 1)]
