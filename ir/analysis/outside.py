"""Outside: the arrays of a Program that come from outside it, any two of which may be one, and the writes
into them.
"""

from __future__ import annotations

import operator

from ..graphs.graph import Graph, Node
from ..graphs.regions import Region, graphs, store
from ..graphs.static import static
from ..graphs.walk import every_node
from ..meaning.op import Op
from ..ops.indexing import UPDATES
from ..values.spec import Spec
from ..worklist import nearest

#: What a result is of the first operand of its call: new memory, a view, or either.
NEW, VIEW, MAYBE = "new", "view", "maybe"


def outside(graph: Graph) -> list[Node]:
    """The arrays of a graph that come from outside it: its arguments, items of these, and what it closes
    over.
    """

    def items(node: Node) -> list[Node]:
        users = [] if isinstance(node.spec, Spec) else node.users
        return [u for u in users if u.target in (operator.getitem, getattr) and u.args[0] is node]

    given = (node for node in graph.nodes if node.op in ("placeholder", "get_attr"))
    return [node for node in nearest(given, items) if isinstance(node.spec, Spec)]


def numbers_given(graph: Graph) -> list[Node]:
    """The numbers that a graph is given, for which another may give an array without axes: a part of one
    that it writes into.
    """
    return [node for node in graph.nodes if node.op == "placeholder" and static(node)]


def writes(node: Node, array: Node) -> bool:
    """Whether a node gives a new value to an array, or may do so inside a region."""
    if node.target in UPDATES:
        return node.args[0] is array
    if not isinstance(node.target, Region):
        return False
    return any(n.target in UPDATES for graph in graphs(node) for n in every_node(graph))


def is_new(node: Node) -> bool:
    """Whether the program's own framework gives memory of its own for a call, and has such a thing."""
    call = call_of(node)
    return call is not None and call.meta.get("gives") == NEW


def is_value(node: Node) -> bool:
    """Whether a node stands for a call of a framework whose arrays are values, of which none is a view."""
    call = call_of(node)
    return call is not None and call.op != "placeholder" and "gives" not in call.meta


def call_of(node: Node) -> Node | None:
    """The call that a node stands for, or is a result of."""
    call: Node | None = node.stands_for
    if call is not None and call.target is operator.getitem and isinstance(call.args[0].spec, tuple):
        call = call.args[0]
    return call


def gives(node: Node) -> str:
    """What the program's own framework gives for the call that a node stands for, or is a result of."""
    call = call_of(node)
    return str(call.meta.get("gives", NEW)) if call is not None else NEW


def is_view(node: Node) -> bool:
    """Whether the program may have this in the memory of an operand, if not for the example."""
    if not isinstance(node.target, Op):
        return node.target is operator.getitem and isinstance(node.spec, Spec)
    return node.target not in UPDATES and (gives(node) != NEW or doubtful(node))


def doubtful(node: Node) -> bool:
    """Whether a value is new memory in the example, but for arguments of other dtypes or ranks is a view."""
    call = node.stands_for
    return call is not None and "doubtful" in call.meta


def is_written(program: Graph) -> bool:
    """Whether an array from outside is written into that somebody else has as well: it is one of several, or
    a caller's own.
    """
    stores = any(node.target is store for node in program.nodes)
    return stores and bool(program.meta.get("writes") or len(outside(program)) > 1)


def epochs(program: Graph) -> dict[Node, int]:
    """For the nodes that depend on arrays from outside, how many writes into any of these come before: what
    is computed of one array before and after a write into another is two values, as they may be one.
    """
    arrays, numbers = outside(program), numbers_given(program)
    # A branch or loop may be given arrays that come from outside, and are stored where the function ends.
    stores = program.meta.get("inner") or any(node.target is store for node in program.nodes)
    if not stores or len(arrays) + len(numbers) < 2 and not program.meta.get("writes"):
        return {}
    epoch, found = 0, dict.fromkeys([*arrays, *numbers], 0)
    versions = set(arrays)
    for node in program.nodes:
        written = [n for n in node.all_input_nodes if n in versions and writes(node, n)]
        epoch += bool(written)
        part = node.target is operator.getitem and node.args[0] in versions
        versions |= {node} if written or part else set()
        if node not in found and any(n in found for n in node.all_input_nodes):
            found[node] = epoch
    return found
