"""Results: in whose memory what a function gives lies, as its own framework has it.

A caller may write into what he is given. What is an array of its own in the program must be one in the
text, too, though nothing was computed: `return x.copy()`, `return x * 1`.
"""

from __future__ import annotations

import operator
from collections.abc import Hashable
from typing import Any

from ..ir.graph import Graph, Node
from ..ir.regions import after, through
from ..ir.spec import Spec
from ..ir.tree import leaves
from .memory import NEW

#: The memories in which an array may lie: arguments by their paths, and nodes that make arrays. None: not
#: known.
Memories = frozenset[Hashable] | None


def memories(graph: Graph) -> list[Memories]:
    """Those of each leaf that the entry of a tape returns."""
    output = next((node for node in graph.nodes if node.op == "output"), None)
    found: dict[Node, Memories] = {}
    for node in graph.nodes:
        found[node] = of(node, found)
    return [found.get(leaf) for leaf in leaves(output.args[0])] if output is not None else []


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
