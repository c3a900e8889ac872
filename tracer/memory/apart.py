"""Apart: whether two arrays share memory, where the program asks. Of arguments it is what it was in the
example, which the emitted function checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ir.analysis.outside import NEW
from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Node
from ..proxy import is_array_proxy
from . import aliasing

if TYPE_CHECKING:
    from ..tracer import Tracer


def may_share(tracer: Tracer, one: Any, other: Any) -> bool:
    """Whether two arrays lie in one memory: False, or refused.

    Raises:
        UnsupportedError: where they do, or where that is not known.
    """
    if not is_array_proxy(one) or not is_array_proxy(other):
        raise unsure(tracer, "that is answered of arrays of the trace")
    mine, theirs = (aliasing.root(tracer, each) for each in (one, other))
    origins = [origin(each.node) for each in (mine, theirs)]
    linked = any(aliasing.is_linked(tracer, each) for each in (mine, theirs))
    if mine is theirs or origins[0] is origins[1] or linked or not all(is_whole(tracer, o) for o in origins):
        raise unsure(tracer, "whether they do is not known of parts of one array, or of what may be one")
    if frozenset(each.meta.get("path") for each in origins) in origins[0].graph.meta.get("together", ()):
        raise unsure(tracer, "those of the example do, and another call may be given two")
    entry = all(each.meta.get("gives") != NEW for each in origins)
    asked = origins if entry else [mine.node, theirs.node]
    if all("path" in each.meta for each in asked):  # else one of them was made here
        pair = tuple(sorted(each.meta["path"] for each in asked))
        asked[0].graph.meta.setdefault("unsure", set()).add(pair)
    return False


def origin(node: Node) -> Node:
    """What the caller has for a parameter, and the array that a part is of."""
    while True:
        before = node.meta.get("given", node.meta.get("outer", node.meta.get("of")))
        if not isinstance(before, Node):
            return node
        node = before


def is_whole(tracer: Tracer, node: Node) -> bool:
    """Whether an array has memory of its own: an argument of the entry, or what was made new."""
    return node.meta.get("gives") == NEW or any(node is given for _, given in tracer.memory.arguments)


def unsure(tracer: Tracer, why: str) -> UnsupportedError:
    return UnsupportedError(
        "asking whether two arrays share memory",
        why=why,
        span=tracer.span(),
        hint="ask before, of the arguments of the traced function, or write into copies",
    )
