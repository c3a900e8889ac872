"""Updates where arrays are never written into: what an argument holds in the end must be returned,
and a write at a mask is a choice, see masks.py.
"""

from __future__ import annotations

from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import store
from ...ir.graphs.walk import every_graph
from ...ir.meaning.op import REGISTER
from ...ir.program import Program
from ...ir.values.tree import leaves
from ..backend import Backend
from .handing_back import handed_back
from .masks import masked
from .picked import opened, picks_any, reduced
from .storing import is_whole, note_axes
from .together import apart


def functional(program: Program, target: Backend) -> None:
    """Leave out the stores of a program, and write its updates at masks as choices, and so what the elements
    that a mask picks are reduced to.

    Raises:
        UnsupportedError: where a caller would miss what was written.
    """
    apart(program, target)
    handed_back(program)
    for graph in every_graph(program, inner_first=True):
        returned(graph, target)
    for graph in every_graph(program):
        parts(graph)
    picks = picks_any(program)
    if picks:
        opened(program)
    masked(program, target)
    for graph in every_graph(program) if picks else ():
        reduced(graph, target.x64)
    for graph in every_graph(program):
        uncopied(graph)


def returned(program: Graph, target: Backend) -> None:
    """Leave out the stores of a graph, whose values it returns."""
    found = set(leaves(program.output_node.args[0]))
    for node in list(program.nodes):
        if node.target is store:
            argument, value = node.args
            if value not in found:
                name = (argument.origin or argument).meta.get("path") or argument.name
                raise UnsupportedError(
                    f"writing into the argument {name}",
                    backend=target.name,
                    why=f"arrays of {target.words} cannot be written into, and what was written is not "
                    "returned",
                    span=value.span,
                    hint=f"return {name} as well, or write into a copy",
                )
            program.erase_node(node)


def parts(graph: Graph) -> None:
    """What fills a part whose new value is then written into the whole is written into the whole at once."""
    for node in graph.nodes:
        if node.target is REGISTER["update"] and isinstance(node.args[1], Node):
            part = node.args[1]
            whole = part.target is REGISTER["update"] and part.kwargs["key"] == (...,)
            if whole and len(part.users) == 1:
                node.args = (node.args[0], part.args[1], *node.args[2:])


def uncopied(graph: Graph) -> None:
    """Copies are of no use where nothing is written into, and updates of the whole are their values."""
    for node in list(graph.nodes):
        if node.target is REGISTER["copy"]:
            hand_on(node)
            node.replace_all_uses_with(node.args[0])
            graph.erase_node(node)
        elif is_whole(node) and node.kwargs["key"] == (...,):
            inherit(node.args[1], node)
            note_axes(node)
            node.replace_all_uses_with(node.args[1])
            graph.erase_node(node)


def hand_on(copy: Node) -> None:
    """Let what is copied, and used for nothing else, bear the name that the user gives to the copy."""
    value, call = copy.args[0], copy.stands_for
    if value.op == "call_function" and len(value.users) == 1 and not has_name(value) and call is not None:
        value.stands_for = call if has_name(copy) else value.stands_for


def has_name(node: Node) -> bool:
    source = node.stands_for
    return source is not None and source.place is not None and bool(source.place.names)


def inherit(value: Node, update: Node) -> None:
    """Let a value bear the name that the user gives to the array that it is written into."""
    if value.stands_for is None and value.op == "call_function":
        value.stands_for = update.stands_for
