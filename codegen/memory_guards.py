"""Checks of how arguments lie in memory, at the top of the emitted function.

Where an array of the program was reshaped and then written into, it was a view, since its elements lay row
by row.
"""

from __future__ import annotations

import ast

from ..ir.graph import Graph
from .assertions import Check
from .guards import parsed, root

#: Whether the elements of an array lie row by row, and where they lie instead, in words of each target.
#: JAX's do.
IN_ORDER = {
    "numpy": ("{0}.flags.c_contiguous", "{0}.strides"), "torch": ("{0}.is_contiguous()", "{0}.stride()")
}  # fmt: skip


def memory_checks(graph: Graph, target: str) -> list[Check]:
    """The checks of what the views of a program depend on."""
    optional = {str(n.target) for n in graph.placeholders if n.meta.get("optional") or n.args == (None,)}
    found = []
    for path in sorted(graph.meta.get("ordered", ())) if target in IN_ORDER else ():
        held, given = (parsed(text.format(path)) for text in IN_ORDER[target])
        if root(path) in optional:
            absent = ast.Compare(parsed(root(path)), [ast.Is()], [ast.Constant(None)])
            held = ast.BoolOp(ast.Or(), [absent, held])
        found.append(Check(held, (given,), f"for {path} with its elements in order, not with strides "))
    return found
