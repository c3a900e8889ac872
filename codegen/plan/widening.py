"""Widening: a write in place does not change the dtype of an array, as a new value may."""

from __future__ import annotations

from typing import Any

from ...ir.graphs.graph import Node
from ...ir.graphs.leaves import behind
from ...ir.noting import note_dtypes, note_together
from ...ir.passes.fold import raw
from ...ir.values.dtypes import bool_
from ...ir.values.spec import Spec
from .augmented import again


def note_widening(node: Node) -> None:
    """A write in place does not change the dtype of an array, a new value may."""
    op, other = again(node)
    of = node.meta.get("keeps dtype", "alike" if op is not None and may_widen(raw(other)) else "")
    if of == "exactly":
        note_dtypes(node)
    elif of and (op is None or may_widen(raw(other))):
        note_together(node)


def may_widen(value: Any) -> bool:
    """Whether a value may be of another dtype for other arguments: no number, and no outcome of a test."""
    if not isinstance(value, Node) or not isinstance(value.spec, Spec):
        return False
    origin = value.origin
    tested = origin is not None and all(leaf.spec.dtype != bool_ for leaf in behind([origin]))
    return value.spec.dtype != bool_ or not tested
