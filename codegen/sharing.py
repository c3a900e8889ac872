"""Sharing: which values of a graph may lie in the same memory once they are printed."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from typing import Any

from ..ir.graph import Graph, Node
from ..ir.op import REGISTER, Op
from ..ir.regions import Function, Region, graphs, is_loop, loop
from ..ir.spec import Spec
from ..ir.tree import leaves

#: The families whose ops make arrays of their own, and those of their ops that may not.
MAKING = frozenset(
    {"elementwise", "creation", "reduction", "contraction", "sorting", "linalg", "fft", "loss", "nn"}
)
SHARING = frozenset({"positive", "real", "imag", "conj", "stop_gradient", "cast", "nan_to_num"})
#: The ops of the other families that make arrays of their own.
COPYING = frozenset(
    """copy update accumulate concat stack hstack vstack column_stack roll pad tile repeat getitem_mask take
    take_along_axis embedding one_hot""".split()
)

#: What a graph hands on: how it is left, and the number of the value.
Ends = set[tuple[str, int]]


def shares(node: Node, target: str) -> bool:
    """Whether the target may print this op as a view of its first operand."""
    if target == "numpy" and node.target is REGISTER["getitem"] and node.spec.shape == ():
        return False  # one number
    if target == "torch" and node.target is REGISTER["flip"]:
        return False  # which NumPy alone has as a view
    if target == "numpy" and node.target is REGISTER["cast"]:
        return bool(node.meta.get("implicit"))  # .astype copies
    if not isinstance(node.target, Op):
        return node.target is operator.getitem and isinstance(node.spec, Spec)
    family = node.target.module.rpartition(".")[2]
    return family not in MAKING and node.target.name not in COPYING or node.target.name in SHARING


def views(value: Node, target: str) -> Iterator[Node]:
    """A value and what may be printed as a view of it."""
    stack = [value]
    while stack:
        alias = stack.pop()
        yield alias
        stack += [user for user in alias.users if shares(user, target)]


def aliases(
    values: Iterable[Node], target: str, writer: Node | None = None, ends: Ends | None = None
) -> Iterator[Node]:
    """These values of a graph and what may lie in their memory. `ends` takes up what leaves the graph from
    inside a region.
    """
    stack = list(values)
    seen = set(stack)
    while stack:
        alias = stack.pop()
        yield alias
        for user in alias.users:
            more = [user] if shares(user, target) else []
            if user is not writer and isinstance(user.target, (Region, Function)):
                more = list(handed(user, alias, target, ends))
            stack += [m for m in more if m not in seen]
            seen |= set(more)


def handed(node: Node, value: Node, target: str, ends: Ends | None) -> Iterator[Node]:
    """The results of a region or function that may lie in the memory of a value that it takes. A compiled one
    has memory of its own, see exporting.py.
    """
    if node.meta.get("compiled"):
        return
    if isinstance(node.target, Function):
        graph = node.target.graph
        if left(graph, [p for p, v in zip(graph.placeholders, node.args) if v is value], target):
            yield from items(node)
        return
    found = turned(node, value, target) if is_loop(node) else chosen(node, value, target)
    if ends is not None:
        ends |= {(kind, i) for kind, i in found if kind == "return" or not is_loop(node) and kind != "yield"}
    numbers = {i for kind, i in found if kind == "yield" or is_loop(node) and kind != "return"}
    yield from (user for user in node.users if user.args[1] in numbers)


def items(node: Node) -> Iterator[Node]:
    """What a function gives, and all that is in it."""
    yield node
    for user in node.users:
        if user.target is operator.getitem and not isinstance(node.spec, Spec):
            yield from items(user)


def chosen(node: Node, value: Node, target: str) -> Ends:
    found: Ends = set()
    for graph in graphs(node):
        found |= left(graph, [p for p, v in zip(graph.placeholders, node.args[3]) if v is value], target)
    return found


def turned(node: Node, value: Node, target: str) -> Ends:
    """Likewise of a loop; what one turn hands on, the next may too."""
    parts = loop(node)
    given = (*parts.sources, *parts.state, *parts.operands)
    start = {p for p, v in zip(parts.body.placeholders, given) if v is value}
    while True:
        found = left(parts.body, start, target)
        more = {parts.carried[i] for kind, i in found if kind != "return" and i < len(parts.carried)}
        if more <= start:
            return found | {("yield", i) for i, v in enumerate(parts.state) if v is value}
        start |= more


def left(graph: Graph, start: Iterable[Node], target: str) -> Ends:
    """What a graph hands on that may lie in the memory of values in it."""
    ends: Ends = set()
    found = set(aliases(start, target, ends=ends))
    output = graph.output_node
    kind = "yield" if output.target == "output" else str(output.target)
    values: Any = leaves(output.args[0]) if kind in ("yield", "return") else output.args[0]
    return ends | {(kind, i) for i, v in enumerate(values) if v in found}
