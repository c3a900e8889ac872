"""Augmented: updates by what was there, `x[key] += y`, which have an operator of their own."""

from __future__ import annotations

import ast
from typing import Any

from ...backends.lowering.storing import PICKING, unsigned
from ...ir.graphs.graph import Node
from ...ir.meaning.op import REGISTER
from ...ir.meaning.operators import BINARY
from ...ir.passes.fold import raw

#: The ops that have an in-place operator of which elements are computed one by one, and what Python calls it.
AUGMENTED = {each.op: each.name for each in BINARY if each.kind not in (ast.MatMult, ast.LShift, ast.RShift)}


def again(node: Node, *, wider: bool = False) -> tuple[str | None, Any]:
    """The op and the operand of an update by what was there: `x[key] = x[key] + y`; None and the value
    for any other.

    Args:
        wider: whether the sum may be of wider floats than the whole array, to which it is then cast.
    """
    base, given, *indices = node.args
    value = before_cast(given) if wider else given
    if (
        not isinstance(value, Node)
        or getattr(value.target, "name", None) not in AUGMENTED
        or len(value.users) != 1
        or is_assigned(node, value)
    ):
        return None, given
    old, other = value.args
    if unsigned(other, base):
        return None, given
    floats = wider and are_floats(value, base)
    old = attached(raw(old) if floats else old)
    if old is base and node.kwargs["key"] == (...,) and (floats or value.spec.dtype == base.spec.dtype):
        return value.target.name, other
    if not isinstance(old, Node) or old.target not in PICKING or len(old.users) != 1:
        return None, given
    base = node.meta.get("part", base)
    mine = (old.args[0], *old.args[1:]), old.kwargs["key"]
    if mine != ((base, *indices), node.kwargs["key"]):
        return None, given
    if not floats and value.spec.dtype != base.spec.dtype:
        return None, given
    if value.meta.get("statement") or old.meta.get("statement"):
        return None, given
    named = [
        n
        for n in (value, old)
        if n.stands_for is not None and n.stands_for.place is not None and n.stands_for.place.names
    ]
    return (None, given) if named else (value.target.name, other)


def is_assigned(node: Node, value: Node) -> bool:
    """Whether the user computes a value and assigns it, which casts it where an operator would raise."""
    call = value.stands_for
    return call is not None and call is not node.stands_for and not {"out", "operand"} & call.meta.keys()


def old(node: Node) -> Any:
    """What was there, in the sum that an update by an operator writes."""
    return raw(before_cast(node.args[1]).args[0])


def attached(value: Any) -> Any:
    """An array as it was before it was taken out of the graph of gradients, of which it has the memory."""
    while isinstance(value, Node) and value.target is REGISTER["stop_gradient"]:
        value = value.args[0]
    return value


def beside_detached(value: Node, base: Any) -> set[Node]:
    """What is read for a value beside the array that it is written into, which may be detached for it."""
    first = value.args[0] if value.args else None
    if isinstance(first, Node) and attached(first) is base and sum(a is first for a in value.args) == 1:
        return {*value.all_input_nodes} - {first}
    return {*value.all_input_nodes}


def before_cast(value: Any) -> Any:
    """What an assignment to narrower floats is given, for which it has a cast."""
    if not isinstance(value, Node) or value.target is not REGISTER["cast"] or not value.implicit:
        return value
    wide = value.args[0]
    return wide if are_floats(wide, value) and len(value.users) == 1 else value


def are_floats(*values: Node) -> bool:
    """Whether these are floats; what is of one dtype or another by the way that was gone is not."""
    return all(value.spec.dtype is not None and value.spec.dtype.kind == "float" for value in values)


def augments(node: Node) -> bool:
    """Whether an update of the whole is by an operator: `x += y`."""
    base, value = node.args[0], before_cast(node.args[1])
    named = value.stands_for is not None and value.stands_for is not node.stands_for
    return (
        getattr(value.target, "name", None) in AUGMENTED
        and attached(raw(value.args[0])) is base
        and len(value.users) == 1
        and not named
        and not unsigned(value.args[1], base)
    )


def promotes(node: Node) -> bool:
    """Whether `x += y` would give a number of NumPy's another dtype: it is bound anew, not written into."""
    base, given = node.args
    value = before_cast(given)
    other = value.args[1]
    rank = base.spec.rank
    return not rank and (value is not given or isinstance(other, Node) and other.implicit)
