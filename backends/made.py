"""Made: what is seen to of the nodes that reading a call has made."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from ..ir.graphs.graph import Node
from ..ir.values.dtypes import DType

if TYPE_CHECKING:
    from .context import Reading


def behind(node: Node) -> Node:
    """The op that a result is of."""
    while node.implicit or node.target is operator.getitem:
        node = node.args[0]
    return node


def placed(reading: Reading, made: Any, dtype: DType | None) -> Any:
    """Positions in what is not there yet, in the dtype that is asked for, else in the source's own."""
    if dtype is not None:
        reading.said()
    if isinstance(made, tuple):
        return tuple(placed(reading, part, dtype) for part in made)
    return reading.cast(made, dtype or reading.source.default_int)
