"""Results: in whose memory what a function gives lies, as its own framework has it.

A caller may write into what he is given. What is an array of its own in the program must be one in the
text, too, though nothing was computed: `return x.copy()`, `return x * 1`.
"""

from __future__ import annotations

from typing import Any

from ...ir.graphs.graph import Graph
from ...ir.graphs.leaves import leaves as arrays
from ...ir.graphs.regions import put, store
from ...ir.graphs.walk import own_graphs
from ...ir.program import Program
from ...ir.values.tree import leaves
from .locations import Lined, Lying, Memory, Told, plain


def note(graph: Graph, program: Program) -> None:
    """Note on the Program of a tape where what its entry gives lies, and which arguments must be apart, since
    one is written into and what may be a copy of the other, as that lies in memory, is read afterwards.
    """
    told, found = Told(), Lying()
    lying = memories(graph, told, found)
    program.meta["memories"] = [memory and plain(memory) for memory in lying]
    early = dict(found.returned(graph))
    for output in (inner.output_node for inner in own_graphs(program)) if early else ():
        if output.origin in early:
            output.meta["memories"] = [plain(memory) for memory in early[output.origin]]
    for one in (one for memory in lying for one in memory or ()):
        if isinstance(one, Lined):  # the text gives a part of the argument, or none, as in the example
            program.meta["ordered"] = program.meta.get("ordered", set()) | (one.needs or set())
    known, together = arrays(graph), graph.meta.get("together", ())
    for lined, written in told.late:
        one, other = lined.memory, written
        if one == other or one not in known or other not in known:
            continue
        if lined.needs and frozenset((one, other)) in together:  # they need not be apart where it is none
            program.meta["ordered"] = program.meta.get("ordered", set()) | lined.needs
        else:
            pair = tuple(sorted((str(one), str(other))))
            program.meta["unsure"] = program.meta.get("unsure", set()) | {pair}


def memories(graph: Graph, told: Told, lying: Lying) -> list[Memory | None]:
    """The memories of each leaf that the entry of a tape puts into its arguments, and returns. None: not
    known.
    """
    found = lying.found(graph, told)
    for node in graph.nodes:
        if node.target is store:  # the value is what the argument is then
            found[node.args[1]] = found[node.args[0]]
    return [found.get(leaf) for value in given(graph) for leaf in leaves(value)]


def given(graph: Graph) -> list[Any]:
    """What the entry puts into its arguments, and what it returns."""
    puts = [node.args[2] for node in graph.nodes if node.target is put]
    return [*puts, *(node.args[0] for node in graph.nodes if node.op == "output")]
