"""Flags: bools among the parameters of the program, and strings that it only holds against others. Where a
text asks one in an `if`, it holds for both answers.
"""

from __future__ import annotations

from ..ir.graphs.graph import Graph, Node
from ..ir.graphs.regions import Function, Region, guard, results
from ..ir.graphs.static import is_bool
from ..ir.graphs.walk import every_node
from ..ir.worklist import Worklist


def checked(tape: Graph) -> frozenset[str]:
    """The parameters that are bools whose values a program checks, or those of tests of them: nothing comes
    of asking for these again.
    """
    nodes = [*every_node(tape)]
    calls = [node for node in nodes if isinstance(node.target, Function)]
    ahead = Worklist(n.args[0] for n in nodes if n.target is guard and isinstance(n.args[0], Node))
    found = set()
    for node in ahead:
        if not is_bool(node) and "compared" not in node.meta:
            continue
        if "outer" in node.meta:
            ahead.add([node.meta["outer"]])
        elif node.op == "placeholder" and node.graph is tape:
            found.add(node.target)
        elif node.op == "placeholder":
            given = (zip(c.target.graph.placeholders, c.args) for c in calls)
            ahead.add(value for pairs in given for p, value in pairs if p is node and isinstance(value, Node))
        elif node.args and isinstance(node.args[0], Node) and isinstance(node.args[0].target, Region):
            region = node.args[0]
            ahead.add(v for v in (*region.args[:1], *results(region, node.args[1])) if isinstance(v, Node))
        else:
            ahead.add(node.all_input_nodes)
    return frozenset(found)
