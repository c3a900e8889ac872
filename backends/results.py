"""Results: in whose memory what a function gives lies, as its own framework has it.

A caller may write into what he is given. What is an array of its own in the program must be one in the
text, too, though nothing was computed: `return x.copy()`, `return x * 1`.
"""

from __future__ import annotations

import operator
from collections.abc import Hashable
from typing import Any

from ..ir.graph import Graph, Node
from ..ir.outside import NEW
from ..ir.regions import after, put, store, through
from ..ir.spec import Spec
from ..ir.tree import leaves

#: The memories in which an array may lie: arguments by their paths, and nodes that make arrays. None: not
#: known.
Memories = frozenset[Hashable] | None


def memories(graph: Graph) -> list[Memories]:
    """Those of each leaf that the entry of a tape puts into its arguments, and returns."""
    found: dict[Node, Memories] = {}
    for node in graph.nodes:
        found[node] = of(node, found)
        if node.target is store and found.get(node.args[1]) is None:  # which is what the argument is then
            found[node.args[1]] = found[node.args[0]]
    return [found.get(leaf) for value in given(graph) for leaf in leaves(value)]


def given(graph: Graph) -> list[Any]:
    """What the entry puts into its arguments, and what it returns."""
    puts = [node.args[2] for node in graph.nodes if node.target is put]
    return [*puts, *(node.args[0] for node in graph.nodes if node.op == "output")]


def of(node: Node, found: dict[Node, Memories]) -> Memories:
    if "path" in node.meta:
        return frozenset({node.meta["path"]})
    if node.op == "get_attr":
        return frozenset({node.target})
    if node.target in (operator.setitem, through, after) or "writes" in node.meta:
        return found.get(node.args[0])
    call: Any = node.args[0] if is_part(node) else node
    if "gives" not in call.meta:
        return None
    if call.meta["gives"] == NEW:
        return frozenset({node})
    lying = [found.get(operand) for operand in call.all_input_nodes if isinstance(operand.spec, Spec)]
    return None if None in lying else frozenset().union(*(memory for memory in lying if memory is not None))


def is_part(node: Node) -> bool:
    return node.target is operator.getitem and isinstance(getattr(node.args[0], "spec", None), (tuple, dict))
