"""Fresh: what the program has as memory of its own, and the target would have as a part of what it was given.

A region or a function hands such a value on, and whoever gets it in the end may write into it: `x.astype(d)`
copies in NumPy, and torch's `x.to(d)` may be x. What the entry itself returns is seen to in outsiders.py.
"""

from __future__ import annotations

import operator

from ...backends.backend import Backend
from ...ir.analysis.aliases import Ends, results
from ...ir.analysis.outside import is_new
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import Function, Region, graphs, is_loop, loop, put, store
from ...ir.graphs.static import Scalar
from ...ir.graphs.walk import every_node
from ...ir.meaning.op import REGISTER
from ...ir.noting import is_noting
from ...ir.ops.indexing import UPDATES, Slot
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves
from ...ir.worklist import Worklist
from . import axes
from .aliases import along, memories, picks, shares
from .copying import copied


def keep_fresh(program: Graph, target: Backend) -> None:
    """Copy such values where they are made."""
    nodes = list(every_node(program))
    ways = Onward(program, target, nodes)
    for node in nodes:
        if node.op == "call_function" and isinstance(node.spec, Spec) and is_new(node):
            if shares(node, target) and ways.escapes(node):
                bases = [one for one in memories(node, target) if one is not node]
                if any(one.op != "call_function" or ways.escapes(one) for one in bases):
                    copy(node)


def keep_picked(program: Graph, target: Backend) -> None:
    """Where an index array without axes is a number, what it picks is a part. Where somebody would see that,
    and the program makes an array of its own, arguments have axes.
    """
    if not target.index_numbers or not is_noting(typing=True):
        return
    for node in every_node(program):
        if node.target is REGISTER["getitem"] and is_new(node) and picks(node):
            aliases = set(along(target).of([node]))
            if any(sees(user) for alias in aliases for user in alias.users):
                for number in (k.number for k in node.kwargs["key"] if isinstance(k, Slot)):
                    axes.picking(node.args[1 + number])


def sees(node: Node) -> bool:
    """Whether a node hands on what it is given as it is, or writes into it."""
    handed = node.op == "output" or isinstance(node.target, Region | Function)
    return handed or node.target in UPDATES or keeps(node)


class Onward:
    """How values get from the graphs of a program to whoever called it."""

    def __init__(self, program: Graph, target: Backend, nodes: list[Node]) -> None:
        self.program = program
        self.along = along(target)
        #: The regions and calls that run each graph.
        self.runs: dict[Graph, list[Node]] = {}
        for node in nodes:
            for graph in graphs(node):
                self.runs.setdefault(graph, []).append(node)

    def escapes(self, node: Node) -> bool:
        """Whether a value, or a part of it, is given to the caller through a region or function."""
        ahead = Worklist([node])
        for value in ahead:
            ends: Ends = set()
            found = set(self.along.of([value], ends=ends))
            if ends or any(map(keeps, (user for alias in found for user in alias.users))):
                return True
            if value.graph is self.program:
                given = {v for v in leaves(self.program.output_node.args[0]) if isinstance(v, Node)}
                if any(value is not node or handed_on(alias) for alias in found & given):
                    return True
                continue
            output = value.graph.output_node
            values = output.args[0] if output.target in ("break", "continue") else leaves(output.args[0])
            numbers = {i for i, v in enumerate(values) if v in found}
            if numbers and output.target == "return":
                return True
            if numbers:
                ahead.add(one for run in self.runs[value.graph] for one in behind(run, numbers))
        return False


def keeps(node: Node) -> bool:
    """Whether a node puts what it is given into a container, or into an argument."""
    held = isinstance(node.spec, Scalar) and node.spec.type in CONTAINERS and node.target is not getattr
    return node.target in (put, store) or held


CONTAINERS = (list, tuple, dict)


def behind(run: Node, numbers: set[int]) -> list[Node]:
    """What goes on with these of the values that a graph gives, where a node runs it."""
    if isinstance(run.target, Function):
        return [*results(run)]
    again = [p for i, p in enumerate(loop(run).carried) if i in numbers] if is_loop(run) else []
    return [*again, *(user for user in run.users if user.args[1] in numbers)]


def handed_on(value: Node) -> bool:
    """Whether a value comes out of a region or a function."""
    while value.target is operator.getitem:
        value = value.args[0]
    return isinstance(value.target, Region | Function)


def copy(node: Node) -> None:
    with node.graph.inserting_after(node):
        made = copied(node.graph, node)
    made.take_name(node)
    node.stands_for = None
    for user in list(node.users):
        if user is not made:
            user.replace_input_with(node, made)
