"""Storing: what a target does by itself with a value that is written into a part of an array."""

from __future__ import annotations

from typing import Any

from ...ir.graph import Node
from ...ir.op import REGISTER


def fits_itself(node: Node, target: str) -> bool:
    """Whether an assignment makes the dtype of a value that of the array, for which an update has a cast: in
    NumPy, and in torch but at index arrays.
    """
    return target == "numpy" or target == "torch" and len(node.args) == 2


def is_whole(node: Node) -> Any:
    """Whether an update gives every element another value, one each: its value may then be the new array."""
    whole = node.target is REGISTER["update"] and node.kwargs["key"] in ((...,), ())
    return whole and isinstance(node.args[1], Node) and node.args[1].spec == node.spec
