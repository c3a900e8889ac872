"""Layout: whether the elements of an array lie in memory row by row, so that reshaping it gives a view.

NumPy and torch keep the order of what they compute with: `x.T * 1` lies column by column. So what is known
of a value goes back to the arguments; those on which an answer depends are noted, and the emitted function
checks that they lie so (JAX's arrays always do).
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from ..backends.memory import keeps_order
from ..backends.reader import canonical_names
from ..ir.graph import Node
from ..ir.regions import through
from ..ir.spec import Spec
from ..ir.static import Scalar


def in_order(tracer: Any, node: Node) -> set[Node] | None:
    """The arguments that must lie row by row for an array to do so; None where it may not even then."""
    found: set[Node] = set()
    return found if ordered(tracer, node, found) else None


def check(leaves: Iterable[Node]) -> None:
    """Let the emitted function check that these arguments lie so."""
    for leaf in leaves:
        leaf.graph.meta.setdefault("ordered", set()).add(leaf.meta["path"])


def ordered(tracer: Any, node: Node, found: set[Node]) -> bool:
    """Likewise, for arguments that lie so; these are added to `found`."""
    if not isinstance(node.spec, Spec) or node.spec.shape is None:
        return False
    if not node.spec.shape:
        return True
    before = node.meta.get("outer", node.meta.get("given"))
    if before is not None:
        return ordered(tracer, before, found)
    if "path" in node.meta:
        found.add(node)
        return bool(node.meta.get("in_order"))
    if node.op == "get_attr":
        return bool(tracer.framework.in_order(tracer.constants[node.target]))
    if node.op not in ("call_function", "call_method"):
        return False
    if "writes" in node.meta or node.target in (operator.setitem, through):  # which moves no element
        return ordered(tracer, node.args[0], found)
    if node.target is operator.getitem:
        return leading(node) and ordered(tracer, node.args[0], found)
    names = canonical_names(node.op, node.target, node.args, tracer.backend)
    if not keeps_order(tracer.framework.name, names):
        return False
    return all(ordered(tracer, n, found) for n in node.all_input_nodes if isinstance(n.spec, Spec))


def leading(node: Node) -> bool:
    """Whether a key picks elements that lie one after the other: `x[i]`, `x[a:b]`, `x[i, a:b]`."""
    if not isinstance(node.args[0].spec, Spec):
        return False
    key = node.args[1]
    entries = list(key) if isinstance(key, tuple) else [key]
    while entries and is_int(entries[0]):
        entries.pop(0)
    if not entries:
        return True
    first, *others = entries
    rows = isinstance(first, slice) and first.step in (None, 1)
    return rows and all(other == slice(None) for other in others)


def is_int(entry: Any) -> bool:
    number = isinstance(entry, Node) and isinstance(entry.spec, Scalar) and entry.spec.type is int
    return number or isinstance(entry, int) and not isinstance(entry, bool)
