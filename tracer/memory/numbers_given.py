"""Numbers given: arguments that are numbers of Python's where the example has arrays. What Python's operators
compute of them is a number too, which no write changes for others: after `b = x * 0; c = b; b += w` there are
two of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from ...ir.graphs.graph import Node
from ...ir.graphs.presence import ask_kind, handed_by, path_of
from ...ir.meaning.operators import OPERATORS
from ...ir.values.spec import Spec
from ...ir.worklist import reached
from . import numpy_scalars

if TYPE_CHECKING:
    from ..tracer import Tracer

#: What is computed, and looked into already.
Asked = frozenset[Node]
#: What Python itself computes of numbers. Other functions want arrays, or make them.
COMPUTING = frozenset({*(operator.function for operator in OPERATORS), abs})


def may_be(tracer: Tracer, node: Node) -> bool:
    """Whether a value would be a number if arguments were."""
    if not tracer.framework.aliasing or tracer.backend.own_numbers:  # whose numbers have no axes
        return tracer.is_argument(numpy_scalars.kept(tracer, node))
    return any(path_of(end) is not None for end in ends(node))


def refuse(node: Node) -> None:
    """See to it that a value is an array: so are the arguments behind it."""
    for end in ends(node):
        if path_of(end) is not None:
            ask_kind(end)


def ends(node: Node, asked: Asked = frozenset()) -> Iterator[Node]:
    """What says whether a value is a number, by the way that the program goes. `asked`: what is computed of
    that which is looked for, from turn to turn of a loop.
    """
    return reached([node], partial(onward, asked=asked))


def onward(node: Node, asked: Asked) -> Iterator[Node]:
    first = numpy_scalars.first(node)
    if first is not node:
        yield first
    elif node.target in COMPUTING:
        yield from decisive(node, asked)
    else:
        yield from handed_by(node)


def decisive(node: Node, asked: Asked) -> list[Node]:
    """The operand that is to be an array, so that what is computed is one; none where one is anyway."""
    if node in asked:
        return []
    inside = asked | {node}
    arrays = [each for each in node.all_input_nodes if isinstance(each.spec, Spec)]
    if any(is_array(each, inside) for each in arrays):
        return []
    if any(node in ends(each, inside) for each in arrays):  # `t = t + w`
        return arrays
    return [max(arrays, key=lambda each: each.spec.rank or 0)] if arrays else []


def is_array(node: Node, asked: Asked) -> bool:
    """Whether a value is an array whatever the arguments are."""
    return not any(end in asked or path_of(end) is not None for end in ends(node, asked))
