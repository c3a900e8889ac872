"""Storing: what a target does by itself with a value that is written into a part of an array."""

from __future__ import annotations

from ..ir.graph import Node


def fits_itself(node: Node, target: str) -> bool:
    """Whether an assignment makes the dtype of a value that of the array, for which an update has a cast: in
    NumPy, and in torch but at index arrays.
    """
    return target == "numpy" or target == "torch" and len(node.args) == 2
