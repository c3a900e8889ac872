"""Together: two arrays that come from outside may be one, or parts of one, and one of them is written into.

The text for NumPy and torch reads and writes in the order of the program, so that it is right for such
arguments too (codegen/plan/in_place.py). JAX's arrays are never written into; there they must be apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.analysis.outside import NEW, doubtful, gives, outside, writes
from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import store
from ...ir.meaning.op import Op
from ...ir.ops.indexing import UPDATES
from ...ir.worklist import reached
from ..backend import Backend


def together(program: Graph) -> list[tuple[Node, Node]]:
    """The arguments that are written into, each with the arrays from outside that are read afterwards."""
    order = {node: number for number, node in enumerate(program.nodes)}
    written = {node.args[0] for node in program.nodes if node.target is store}
    arrays = outside(program)
    found = []
    for array in written if len(arrays) > 1 else ():
        first = min((order[node] for node in array.users if writes(node, array)), default=0)
        for other in (o for o in arrays if o is not array):
            if any(order[reader] >= first and reader.target is not store for reader in readers(other)):
                found.append((array, other))
    return found


def readers(array: Node) -> Iterator[Node]:
    """What reads an array, a view of it, or what is one for other arguments."""

    def is_view(node: Node) -> bool:
        step = isinstance(node.target, Op) and node.stands_for is None  # on the way to what the program calls
        return node is array or node.target not in UPDATES and (step or gives(node) != NEW or doubtful(node))

    return (node for node in reached([array], lambda n: n.users if is_view(n) else ()) if node is not array)


def path(node: Node) -> str:
    """How the function says an array that comes from outside it."""
    found = node.meta.get("path") or (node.stands_for or node).meta.get("path")
    return str(found or node.target)


def apart(program: Graph, target: Backend) -> None:
    """Note on a program that its arguments must not share memory, where that matters, for a target whose
    arrays are never written into.

    Raises:
        UnsupportedError: where those of the example do.
    """
    found = together(program)
    stores = [node for node in program.nodes if node.target is store]
    for array, other in found:
        if frozenset((path(array), path(other))) in program.meta.get("together", ()):
            raise UnsupportedError(
                f"writing into the argument {path(array)}",
                backend=target.name,
                why=f"it shares memory with {path(other)} in the example, where arrays of {target.words} "
                "would not",
                span=next(n.args[1].span for n in stores if n.args[0] is array),
                hint="give arguments that share no memory, or write into a copy",
            )
    if found or program.meta.get("unsure") or program.meta.get("distinct"):
        program.meta["apart"] = True
