"""Small ints: the numbers that arrays of few bits hold."""

from __future__ import annotations

from typing import Any

from ..ir.graphs.graph import Node
from .typing.row import fits

#: Ints of fewer bits do not hold what people begin with: -1, 256, 1000.
LEAST_BITS = 32


def is_held(number: Node) -> bool:
    """Whether the small ints with which a number is computed hold it, as far as that is known: frameworks
    differ in what they make of one that they do not.
    """
    value, dtype = value_of(number), number.spec.dtype
    if dtype is None or dtype.kind not in ("int", "uint"):
        return True
    return dtype.bits >= LEAST_BITS if isinstance(value, Node) else fits(value, dtype)


def value_of(number: Node) -> Any:
    return number.meta["said"] if "said" in number.meta else number.kwargs["fill_value"]
