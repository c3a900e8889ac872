"""What torch.export wants of the functions that a compiled region is made of: arrays that are nobody else's.

What a function gives is neither what it was given, nor a view of that, nor twice the same; and of what it is
given none is a view of another.
"""

from __future__ import annotations

from ...backends.backend import Backend
from ...ir.graphs.graph import Node
from ...ir.graphs.regions import while_loop
from ...ir.graphs.walk import every_graph, held
from ...ir.meaning.op import REGISTER
from ...ir.program import Program
from ...ir.values.spec import Spec
from .aliases import memories


def owned(graph: Program, target: Backend) -> None:
    """Copy what the graphs of compiled regions would give that is not their own."""
    for one in every_graph(graph, inner_first=True):
        own(one, target)


def own(graph: Program, target: Backend) -> None:
    for node in list(graph.nodes):
        inner = held(node, graph)
        if node.meta.get("compiled"):
            apart(graph, node, target)
            for each in inner[1:] if node.target is while_loop else inner:
                copied(each, target)


def apart(graph: Program, region: Node, target: Backend) -> None:
    """Copy what a region is given that lies in the memory of something else that it is given."""
    given: set[Node] = set()
    for value in dict.fromkeys(n for n in region.all_input_nodes if isinstance(n.spec, Spec)):
        roots = set(memories(value, target))
        if roots & given:
            with graph.inserting_before(region):
                region.replace_input_with(value, graph.call(REGISTER["copy"], value))
        given |= roots


def copied(graph: Program, target: Backend) -> None:
    output = graph.output_node
    values = list(output.args[0])
    given: set[Node] = set()
    for i, value in enumerate(values):
        if not isinstance(value, Node) or not isinstance(value.spec, Spec):
            continue
        roots = set(memories(value, target))
        if roots & given or any(root.op in ("placeholder", "get_attr") for root in roots):
            with graph.inserting_before(output):
                values[i] = graph.call(REGISTER["copy"], value)
            values[i].meta["handed"] = True
        given |= roots
    output.args = (tuple(values),)
