"""Reaching: the ops that a number of Python's gets to, by any way, and in which its type decides a dtype."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping

from ...backends.flows import Flows
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.leaves import NO_LIST
from ...ir.graphs.regions import Function, Region
from ...ir.graphs.static import TAKING, Scalar, number_leaves
from ...ir.meaning.op import HOMOGENEOUS, REGISTER, Op
from ...ir.noting import Noted
from ...ir.passes.fold import raw
from ...ir.values.spec import Spec
from ...ir.worklist import Worklist, reached
from .guards import root

#: From a value to those that it is on another side of the border of a region or a function.
Onward = Mapping[Node, list[Node]]


def onward(program: Graph) -> Onward:
    """Where the values of a program go that its regions and functions take and give."""
    return Flows.of(program).onward


def typed(number: Node, borders: Onward, *, divided: bool = True) -> Iterator[Node]:
    """The ops that compute with a number in which its type has a say in the dtype of what comes out.

    Args:
        divided: whether those count to which only comes what is a float of an int as of a float.
    """
    ahead = Worklist([number])
    for value in ahead:
        ahead.add(borders.get(value, ()))
        for user in value.users:
            if isinstance(user.target, (Function, Region)):
                continue
            if isinstance(user.target, Op) and not user.target.static:
                if decides(value, user):
                    yield user
            elif not divided and is_float(user):
                continue
            elif isinstance(user.spec, (Scalar, Mapping)) and user.target not in TAKING:
                ahead.add([user])


def is_float(node: Node) -> bool:
    """Whether what is computed of Python's numbers is a float, be they ints or floats."""
    kinds = [a.spec.type if isinstance(a.spec, Scalar) else None for a in node.all_input_nodes]
    return node.target is operator.truediv and all(kind in (int, float) for kind in kinds)


def decides(number: Node, op: Node) -> bool:
    """Whether the type of an operand has a say in the dtype of what an op gives."""
    if number in op.args:
        arrays = [a for a in map(raw, op.args) if isinstance(a, Node) and isinstance(a.spec, Spec)]
        return not arrays or not all(a.spec.dtype and a.spec.dtype.is_inexact for a in arrays)
    return op.target.rules[0].cls == "free" and number in op.kwargs.values()


def promotes(node: Node) -> bool:
    """Whether an array that has the dtype of a number meets a constant, which the text has in the dtype that
    both are promoted to.
    """

    def computed(value: Node) -> list[Node]:
        if value is not node and value.target.rules[0].cls not in (*HOMOGENEOUS, "same", "keep", "widen"):
            return []
        return [user for user in value.users if isinstance(user.target, Op) and not user.target.static]

    met = {*reached([node], computed)}
    return any(is_constant(other) and other not in met for op in met - {node} for other in op.args)


def is_constant(value: object) -> bool:
    """Whether a value is a constant that is promoted, `torch.tensor(1, dtype=torch.float32)` for 1."""
    constant = raw(value)
    return constant is not value and isinstance(constant, Node) and constant.target is REGISTER["array"]


def kinds_asked(graph: Graph, noted: Noted | None) -> dict[str, str]:
    """The arguments of a function whose kinds are asked for, by path: by the program, or by how a text is
    written.
    """
    home = graph.meta.get("home", graph)
    found: dict[str, str] = dict.fromkeys(sorted(home.meta.get("listless", ())), NO_LIST)
    found |= graph.meta.get("kinds asked", {})
    for number in noted.numbers if noted is not None else ():
        found |= {path: leaf.spec.type.__name__ for path, leaf in leaves_in(home, number)}
    order = {str(node.target).lstrip("*"): i for i, node in enumerate(home.placeholders)}
    return dict(sorted(found.items(), key=lambda pair: (order.get(root(pair[0]), 0), pair[0])))


def leaves_in(home: Graph, number: Node) -> Iterator[tuple[str, Node]]:
    """The arguments of a function that decide the type of a number, by path."""
    return (pair for pair in number_leaves(number) if pair[1].graph.meta.get("home") is home)


def between(graph: Graph, noted: Noted | None) -> dict[str, tuple[float, float]]:
    """Those that a text takes to lie between two ends, by path."""
    home, found = graph.meta.get("home", graph), noted.between if noted is not None else {}
    return {path: ends for number, ends in found.items() for path, _ in leaves_in(home, number)}


def flagless(graph: Graph, noted: Noted) -> list[str]:
    """Those of which a text takes that they are no flags."""
    home = graph.meta.get("home", graph)
    return sorted({path for number in noted.flagless for path, _ in leaves_in(home, number)})


