"""Keys: what `x[key]` copies, and what it gives a view of."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from ...backends.reading.tape import canonical_names
from ...backends.rows import reorders
from ...ir.graphs.graph import Node
from ...ir.graphs.leaves import pin_places
from ...ir.graphs.static import ask_type, number_leaves, pin_rank
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves
from . import numpy_scalars

if TYPE_CHECKING:
    from ..tracer import Tracer


def is_part(node: Node) -> bool:
    """Whether a node is one of several results of a call."""
    return node.target is operator.getitem and isinstance(node.args[0].spec, tuple)


def entries(node: Node) -> tuple[Any, ...]:
    """The key of a getitem, as a tuple."""
    key = node.args[1]
    return key if isinstance(key, tuple) else (key,)


def copies(node: Node) -> bool:
    """Whether a key has arrays or lists in it. An array without axes stands for a number."""
    for entry in entries(node):
        array = isinstance(entry, Node) and isinstance(entry.spec, Spec) and not is_number_like(entry.spec)
        if array or isinstance(entry, (list, bool)):
            return True
    return False


def is_number_like(spec: Spec) -> bool:
    """Whether an array stands for a number in a key: one without axes does, that is no mask."""
    return spec.shape == () and (spec.dtype is None or spec.dtype.kind != "bool")


def is_copy(tracer: Tracer, node: Node) -> bool:
    """Whether indexing copies: by arrays and lists, and in NumPy where one number comes out."""
    return copies(node) or numpy_scalars.is_number(tracer, node)


def may_copy(tracer: Tracer, node: Node) -> bool:
    """Whether indexing may copy: NumPy gives a view at a number, a copy at an array without axes."""
    if not tracer.backend.own_numbers:
        return False
    arrays = (e for e in entries(node) if isinstance(e, Node) and isinstance(e.spec, Spec))
    return any(not numpy_scalars.is_number(tracer, e) for e in arrays)


def keyed(node: Node) -> bool:
    """Whether an array is indexed by arrays, or by numbers among the arguments."""
    indexes = node.target is operator.getitem and not is_part(node) and isinstance(node.args[0].spec, Spec)
    nodes = [e for e in entries(node) if isinstance(e, Node)] if indexes else []
    return any(isinstance(n.spec, Spec) or any(True for _ in number_leaves(n)) for n in nodes)


def lies_by_rank(tracer: Tracer, node: Node) -> bool:
    """Whether where a view lies in its array follows from the rank of that: `x.T` is `x` itself where there
    is one axis, and the last of several is another one elsewhere.
    """
    if is_part(node):
        call = node.args[0]
        return any(type(v) is int and v < 0 for v in leaves((call.args[1:], call.kwargs)))
    spec = node.args[0].spec if isinstance(node.args[0], Node) else None
    if not isinstance(spec, Spec) or (spec.rank or 0) > 1:
        return False
    return reorders(tracer.framework.name, canonical_names(node.op, node.target, node.args, tracer.backend))


def pin_key(node: Node) -> None:
    """See to it that a key stays one by which indexing copies, or does not: of such ranks and types."""
    for entry in (e for e in entries(node) if isinstance(e, Node)):
        if isinstance(entry.spec, Spec):
            pin_rank([entry])
            if is_number_like(entry.spec):
                pin_places([entry])
        else:
            ask_type(entry)
