"""Sharing: which values of a graph may lie in the same memory once they are printed, and in the program."""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterable, Iterator
from typing import Any

from ..backends.backend import backend
from ..backends.memory import gives
from ..backends.phrase import Phrase
from ..backends.typing import Operand
from ..backends.writer import Writer
from ..ir import outside
from ..ir.graph import Graph, Node
from ..ir.op import Op
from ..ir.ops.indexing import UPDATES, Slot
from ..ir.outside import MAYBE, NEW
from ..ir.program import operand_specs
from ..ir.regions import Function, Region, graphs, is_loop, loop
from ..ir.spec import Spec
from ..ir.tree import leaves

#: In the place of a target: the program itself, as its own framework runs it.
PROGRAM = "program"
#: What a graph hands on: how it is left, and the number of the value.
Ends = set[tuple[str, int]]


def shares(node: Node, target: str) -> bool:
    """Whether what the target prints for this op may lie in the memory of an operand."""
    if target == PROGRAM:
        return is_view(node)
    known = node.meta.get("shares")
    if known is None or known[0] != (target, node.target):
        known = node.meta["shares"] = (target, node.target), asked(node, target)
    return bool(known[1])


def asked(node: Node, target: str) -> bool:
    if not isinstance(node.target, Op):
        return node.target is operator.getitem and isinstance(node.spec, Spec)
    name = node.target.name
    if node.target in UPDATES:  # which are written in place, or into a copy, see storage.py
        return False
    if name == "getitem" and (target == "numpy" and node.spec.shape == () or picks(node)):
        return False  # one number, or elements that index arrays name
    if name == "cast":  # one that promotion asks for is not printed, as a rule
        return target != "numpy" or bool(node.meta.get("implicit"))
    phrase = phrase_of(node, target)
    return phrase is None or phrase.form == "same" or gives(target, (phrase.callee,)) != NEW


def is_view(node: Node) -> bool:
    """Whether the program may have this in the memory of an operand, if not for the example."""
    if not isinstance(node.target, Op):
        return node.target is operator.getitem and isinstance(node.spec, Spec)
    return node.target not in UPDATES and (outside.gives(node) != NEW or doubtful(node))


def doubtful(node: Node) -> bool:
    """Whether a value is new memory in the example, but for arguments of other dtypes or ranks is a view."""
    call = node.meta.get("for")
    return call is not None and "doubtful" in call.meta


def picks(node: Node) -> bool:
    """Whether a key has index arrays; one without axes is a number to torch."""
    indices = (node.args[1 + k.number] for k in node.kwargs["key"] if isinstance(k, Slot))
    return any(index.spec.shape != () for index in indices)


def phrase_of(node: Node, target: str) -> Phrase | None:
    """How the target says an op."""
    op: Op = node.target
    writer = Writer(backend(target), lambda value: (ast.Name(value.name), Operand(None, None)))
    return writer.case(op, writer.params(op, node), operand_specs(op, node.args), node.args)


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


def memories(value: Node, target: str) -> Iterator[Node]:
    """The nodes in whose memory a value may lie: those that make it, or are given."""
    stack, seen = [value], {value}
    while stack:
        node = stack.pop()
        whole: Any = node.args[0] if node.args else None
        if node.meta.get("inplace"):
            stack.append(whole)
        elif node.op == "call_function" and shares(node, target) and "own" not in getattr(whole, "meta", {}):
            inputs = [n for n in node.all_input_nodes if isinstance(n.spec, Spec) and n not in seen]
            stack += inputs
            seen |= set(inputs)
        else:
            yield node


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


def alike(node: Node, value: Node, target: str) -> bool:
    """Whether what a region or function gives is part of a value that it takes just where it is in the
    program.
    """
    if isinstance(node.target, Function):
        graph = node.target.graph
        return alike_in([p for p, v in zip(graph.placeholders, node.args) if v is value], target)
    if is_loop(node):
        parts = loop(node)
        given = (*parts.sources, *parts.state, *parts.operands)
        start = [p for p, v in zip(parts.body.placeholders, given) if v is value]
        return alike_in([*start, *(p for p in parts.carried if p not in start)], target)
    ways = (zip(graph.placeholders, node.args[3]) for graph in graphs(node))
    return all(alike_in([p for p, v in way if v is value], target) for way in ways)


def alike_in(start: Iterable[Node], target: str) -> bool:
    """Likewise of what lies in the memory of these values of one graph."""
    stack = list(start)
    seen = set(stack)
    while stack:
        alias = stack.pop()
        for user in alias.users:
            if isinstance(user.target, Region | Function):
                if not alike(user, alias, target):
                    return False
                more = {*handed(user, alias, target, None), *handed(user, alias, PROGRAM, None)}
            else:
                sharing = shares(user, target), shares(user, PROGRAM)
                if any(sharing) and (not all(sharing) or outside.gives(user) == MAYBE or doubtful(user)):
                    return False
                more = {user} if all(sharing) else set()
            stack += more - seen
            seen |= more
    return True


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
    if target == "numpy":  # where an item without axes is a number
        items = parts.body.placeholders[: len(parts.sources)]
        start -= {item for item in items if isinstance(item.spec, Spec) and item.spec.shape == ()}
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
