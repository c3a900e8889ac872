"""Sharing: which values of a graph may lie in the same memory once they are printed, and in the program."""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterable, Iterator
from functools import cache, partial
from typing import Any

from ...backends.backend import Backend, backend
from ...backends.memory import ALONE, TOLD, gives
from ...backends.phrase import Phrase
from ...backends.reading.locations import items, place
from ...backends.typing import Operand
from ...backends.writing.writer import Writer
from ...ir.analysis.aliases import PROGRAM, Aliases
from ...ir.analysis.outside import MAYBE, NEW, doubtful, is_new, is_value, is_view
from ...ir.analysis.outside import gives as own
from ...ir.graphs.graph import Node
from ...ir.graphs.regions import Function, Region, graphs, is_loop, loop, results, standing_for
from ...ir.graphs.static import Scalar
from ...ir.graphs.walk import returned
from ...ir.meaning.op import REGISTER, Op
from ...ir.meaning.operands import operand_specs
from ...ir.ops.indexing import UPDATES, Slot
from ...ir.values.listing import holds_arrays
from ...ir.values.spec import Spec
from ...ir.worklist import Worklist, reached


@cache
def along(target: Backend) -> Aliases:
    """What may lie in one memory once the target runs it, but what is a number there."""
    return Aliases(partial(shares, target=target), items=not target.own_numbers)


def shares(node: Node, target: Backend) -> bool:
    """Whether what the target prints for this op may lie in the memory of an operand."""
    known = node.meta.get("shares")
    if known is None or known[0] != (target, node.target):
        known = node.meta["shares"] = (target, node.target), asked(node, target)
    return bool(known[1])


def asked(node: Node, target: Backend) -> bool:
    if not isinstance(node.target, Op):
        return node.target is operator.getitem and isinstance(node.spec, Spec)
    if node.target in UPDATES:  # which are written in place, or into a copy, see in_place.py
        return False
    if node.target is REGISTER["getitem"] and picks(node):
        return False  # elements that index arrays name
    if is_number(node, target):
        return any(is_apart(alias, target) for alias in (node, *onward(node, target)))
    if node.target is REGISTER["cast"]:  # one that promotion asks for is not printed, as a rule
        return not target.cast_copies or node.implicit
    phrase = phrase_of(node, target)
    if phrase is None or phrase.form == "same":
        return True
    fact = gives(target.name, (phrase.callee,))
    return fact not in (NEW, TOLD) and not (fact == ALONE and len(node.args) > 1)


def is_number(node: Node, target: Backend) -> bool:
    """Whether this is a number that is taken out of an array, and no part of it."""
    return target.own_numbers and node.target is REGISTER["getitem"] and node.spec.shape == ()


def onward(node: Node, target: Backend) -> Iterator[Node]:
    """What may be printed as a view of what a node gives."""
    return reached([u for u in node.users if shares(u, target)], partial(onward, target=target))


def is_apart(node: Node, target: Backend) -> bool:
    """Whether what is made of a number of an array is made of a copy in the program, whatever axes there are,
    and of the array itself in the text: of an array with more axes that is a view where the program has none.
    """
    at: Any = node
    while isinstance(at, Node) and isinstance(at.target, Op):
        if at is not node and not is_number(at, target) and not shares(at, target):
            return False
        if is_new(at) and not doubtful(at) or is_value(at):
            return True
        at = at.args[0] if at.args else None
    return False


def picks(node: Node) -> bool:
    """Whether a key has index arrays; one without axes is a number to torch."""
    indices = (node.args[1 + k.number] for k in node.kwargs["key"] if isinstance(k, Slot))
    return any(index.spec.shape != () for index in indices)


def phrase_of(node: Node, target: Backend) -> Phrase | None:
    """How the target says an op."""
    op: Op = node.target
    writer = Writer(backend(target.name), lambda value: (ast.Name(value.name), Operand(None, None)))
    return writer.case(op, writer.params(op, node), operand_specs(op, node.args), node.args)


def views(value: Node, target: Backend) -> Iterator[Node]:
    """A value and what may be printed as a view of it."""
    return reached([value], lambda alias: (user for user in alias.users if shares(user, target)))


def memories(value: Node, target: Backend) -> Iterator[Node]:
    """The nodes in whose memory a value may lie: those that make it, or are given."""
    ahead = Worklist([value])
    for node in ahead:
        inputs = shared_with(node, target)
        if inputs is None:
            yield node
        ahead.add(inputs or ())


def shared_with(node: Node, target: Backend) -> list[Node] | None:
    """The operands in whose memory a value may lie; None of what is made, or given."""
    whole: Any = node.args[0] if node.args else None
    if node.meta.get("inplace"):
        return [whole]
    if node.op == "call_function" and shares(node, target) and "own" not in getattr(whole, "meta", {}):
        return [n for n in node.all_input_nodes if isinstance(n.spec, Spec)]
    return None


def handed_by(value: Node, target: Backend) -> Iterator[Node]:
    """What a region, a function or a call with several results was given in whose memory a value may lie that
    it gives, or what a list was made of.
    """
    whole, _ = place(value)
    if holds_arrays(whole.target):
        for rows in whole.all_input_nodes:
            yield from (rows, *(rows.all_input_nodes if rows.target is not REGISTER["copy"] else ()))
    elif isinstance(whole.target, Region | Function):
        given = (n for n in whole.all_input_nodes if not isinstance(n.spec, Scalar))
        yield from (n for n in given if value in along(target).handed(whole, n))
    elif whole is not value and isinstance(whole.target, Op) and shares(whole, target):
        yield from (n for n in whole.all_input_nodes if isinstance(n.spec, Spec))


def made_in(value: Node) -> Iterator[Node]:
    """What a value is inside of the region or function that gives it, on each way."""
    whole, keys = place(value)
    if isinstance(whole.target, Function):
        found = [leaf for one in returned(whole.target.graph) for at, leaf in items(one) if at == keys]
    else:
        found = [*results(whole, keys[0])] if isinstance(whole.target, Region) and keys else []
    yield from (one for one in found if isinstance(one, Node) and one.graph is not value.graph)


def stays_in_place(node: Node, value: Node, target: Backend) -> bool:
    """Whether what a region or function gives is part of a value that it takes just where it is in the
    program.
    """
    if isinstance(node.target, Function):
        graph = node.target.graph
        return alike_in([p for p, v in zip(graph.placeholders, node.args) if v is value], target)
    if is_loop(node):
        return alike_in(dict.fromkeys([*standing_for(node, value), *loop(node).carried]), target)
    ways = (zip(graph.placeholders, node.args[3]) for graph in graphs(node))
    return all(alike_in([p for p, v in way if v is value], target) for way in ways)


def alike_in(start: Iterable[Node], target: Backend) -> bool:
    """Likewise of what lies in the memory of these values of one graph."""

    def more(alias: Node) -> Iterator[Node]:
        for user in alias.users:
            if isinstance(user.target, Region | Function):
                yield from {*along(target).handed(user, alias), *PROGRAM.handed(user, alias)}
            elif is_view(user):
                yield user

    return all(unchanged(user, alias, target) for alias in reached(start, more) for user in alias.users)


def unchanged(user: Node, alias: Node, target: Backend) -> bool:
    """Whether what a node makes of a value lies in its memory in the target if it does in the program."""
    if isinstance(user.target, Region | Function):
        return stays_in_place(user, alias, target)
    sharing = shares(user, target), is_view(user)
    return not any(sharing) or all(sharing) and own(user) != MAYBE and not doubtful(user)
