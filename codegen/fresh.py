"""Fresh: what the program has as memory of its own, and the target would have as a part of what it was given.

A region or a function hands such a value on, and whoever gets it in the end may write into it: `x.astype(d)`
copies in NumPy, and torch's `x.to(d)` may be x. What the whole program returns is seen to in outsiders.py.
"""

from __future__ import annotations

from ..ir.graph import Graph, Node
from ..ir.outside import NEW, everything, gives, is_handed_on
from ..ir.spec import Spec
from .copying import copied
from .sharing import memories, shares


def keep_fresh(program: Graph, target: str) -> None:
    """Copy such values where they are made."""
    for node in list(everything(program)):
        if node.op == "call_function" and isinstance(node.spec, Spec) and is_handed_on(node):
            if node.meta.get("for") is not None and gives(node) == NEW and shares(node, target):
                if any(made.op != "call_function" for made in memories(node, target)):
                    copy(node)


def copy(node: Node) -> None:
    with node.graph.inserting_after(node):
        made = copied(node.graph, node)
    made.meta["for"] = node.meta.pop("for")
    for user in list(node.users):
        if user is not made:
            user.replace_input_with(node, made)
