"""Augmented: updates by what was there, `x[key] = x[key] + y`, which are written `x[key] += y`."""

from __future__ import annotations

from typing import Any

from ...backends.lowering.storing import PICKING, unsigned
from ...ir.graph import Node
from ...ir.operators import BINARY

#: The ops that have an in-place operator of which elements are computed one by one, and what Python calls it.
AUGMENTED = {each.op: each.name for each in BINARY if each.name not in ("matmul", "lshift", "rshift")}


def again(node: Node) -> tuple[str | None, Any]:
    """The op and the operand of an update by what was there: `x[key] = x[key] + y`; None and the value
    for any other.
    """
    base, value, *indices = node.args
    if (
        not isinstance(value, Node)
        or getattr(value.target, "name", None) not in AUGMENTED
        or len(value.users) != 1
    ):
        return None, value
    old, other = value.args
    if unsigned(other, base):
        return None, value
    if old is base and node.kwargs["key"] == (...,) and value.spec.dtype == base.spec.dtype:
        return value.target.name, other
    if not isinstance(old, Node) or old.target not in PICKING or len(old.users) != 1:
        return None, value
    base = node.meta.get("part", base)
    mine = (old.args[0], *old.args[1:]), old.kwargs["key"]
    if mine != ((base, *indices), node.kwargs["key"]):
        return None, value
    if value.spec.dtype != base.spec.dtype or value.meta.get("statement") or old.meta.get("statement"):
        return None, value
    named = [
        n
        for n in (value, old)
        if n.stands_for is not None and n.stands_for.place is not None and n.stands_for.place.names
    ]
    return (None, value) if named else (value.target.name, other)


def augments(node: Node) -> bool:
    """Whether an update of the whole is by an operator: `x += y`."""
    base, value = node.args
    named = value.stands_for is not None and value.stands_for is not node.stands_for
    return (
        getattr(value.target, "name", None) in AUGMENTED
        and value.args[0] is base
        and len(value.users) == 1
        and not named
        and not unsigned(value.args[1], base)
    )


def promotes(node: Node) -> bool:
    """Whether `x += y` would give a number of NumPy's another dtype: it is bound anew, not written into."""
    base, value = node.args
    other = value.args[1]
    rank = base.spec.rank
    return not rank and isinstance(other, Node) and other.implicit
