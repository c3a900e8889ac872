"""Anew: what the program has as memory of its own must be so in the text, where somebody may see it."""

from __future__ import annotations

import operator

from ..graphs.graph import Node
from ..graphs.regions import Function, Region, put, store
from ..meaning.op import REGISTER, Op
from ..ops.indexing import UPDATES
from ..program import Program
from ..values.spec import Spec
from ..values.tree import leaves
from .aliases import PROGRAM, Ends
from .outside import NEW, doubtful, gives, is_new, is_view

#: How a loop is left for its next turn, or its end.
WAYS = ("break", "continue")


def fixed(node: Node, value: Node) -> bool:
    """Whether a value that the program has anew must not become another one, `value`: that may be memory from
    outside, which is written into where nobody sees it, through another array that came from there; or a
    region hands it on to whoever writes into results; or it is memory of its own for want of axes only. What
    the entry itself returns is seen to in the end.
    """
    if not is_new(node):
        return False
    if not isinstance(node.spec, Spec):  # a number, which nobody writes into
        return False
    if by_axes(value) or any(map(by_axes, PROGRAM.of([node]))):
        return True
    while value.op == "call_function" and isinstance(value.target, Op) and value.args:
        anew = value.target not in UPDATES and value.stands_for is not None and gives(value) == NEW
        if anew or not isinstance(value.args[0], Node):
            return anew and leaves_graph(value) and leaves_graph(node)
        value = value.args[0]
    return not isinstance(value.target, Op) and (bool(node.graph.meta.get("written")) or leaves_graph(node))


def by_axes(value: Node) -> bool:
    """Whether a value without axes, which no write reaches in NumPy, would be a part of an array if that had
    more of them, or what is made of such a value; or may be, since a function or region gives it.
    """
    while value.op == "call_function" and isinstance(value.spec, Spec):
        is_op, view = isinstance(value.target, Op), is_view(value)
        if not value.spec.rank and (not is_op or view or is_part_written(value)) or doubtful(value):
            return True
        if not is_op or not view or not isinstance(value.args[0], Node):
            return False
        value = value.args[0]
    return False


def is_part_written(value: Node) -> bool:
    """Whether a value is what the program has written into a part of an array, and reads there."""
    return value.stands_for is not None and "of" in value.stands_for.meta


def leaves_graph(node: Node) -> bool:
    """Whether a value, or a part of it, is given by its graph, or put into a container."""
    ends: Ends = set()
    found = [*PROGRAM.of([node], ends=ends)]
    output = node.graph.output_node
    if not node.graph.meta.get("inner"):  # of what it gives itself see codegen/plan/outsiders.py
        found = [alias for alias in found if isinstance(whole(alias).target, Region | Function)]
    given = {id(v) for v in (output.args[0] if output.target in WAYS else leaves(output.args[0]))}
    return bool(ends) or any(id(a) in given or any(u.target in (put, store) for u in a.users) for a in found)


def whole(node: Node) -> Node:
    """What a node is a part of."""
    while node.target is operator.getitem:
        node = node.args[0]
    return node


def copies_number(node: Node, value: Node) -> bool:
    """Whether a copy would have to stand for a node of what may be a number of Python's, which has none."""
    known = isinstance(value, Node) and isinstance(value.spec, Spec)
    return known and not value.spec.rank and fixed(node, value)


def instead(program: Program, node: Node, value: Node) -> Node:
    """What may stand for a node that has the numbers of another value: that, or a copy of it."""
    if not fixed(node, value):
        return value
    with program.inserting_before(node):
        program.origin = node.origin
        made: Node = program.call(REGISTER["copy"], value)
    made.stands_for = node.stands_for
    return made
