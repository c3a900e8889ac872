"""Undefined: what has no value on a way may have any there.

A loop that is left gives what it returns beside its state, a value of which nothing is known while it turns;
and its state has none where it returns. Where the one is the other, as where a loop returns what it carries,
neither a branch nor a column of the state is needed.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from ....ir.graphs.graph import Graph, Node, map_arg
from ....ir.graphs.regions import UNDEFINED, Function, cond, graphs, is_loop, loop
from ....ir.graphs.static import Scalar
from ....ir.program import Program
from ....ir.values.dtypes import PYTHON, bool_
from ....ir.values.spec import Spec
from .exits import captured, one_spec
from .tidy import decided, first, results, same_value

FLAG = Spec((), bool_)


def chosen(
    program: Program, carried: Mapping[Node, Node] | None = None, seen: set[Graph] | None = None
) -> None:
    """Let what has no value on some way be what it is on the others, where that is there already.

    Args:
        carried: of what a turn of a loop makes, what it was before.
        seen: takes the graphs of functions, each of which many may call.
    """
    carried, seen = carried or {}, set() if seen is None else seen
    for node in list(program.nodes):
        for graph in graphs(node):
            if graph not in seen:
                chosen(graph, before(node, graph, carried), seen)  # type: ignore[arg-type]
        if isinstance(node.target, Function):
            seen.add(node.target.graph)
        if node.target is cond and all(g.output_node.target == "yield" for g in graphs(node)):
            joined, taken = join(node, carried), take_other(node)
            if joined or taken or "kind" not in node.meta:
                decided(program, node)
            if node.next is not node:
                take_own(node, carried)
        elif is_loop(node):
            carry_one(node)


def before(node: Node, graph: Graph, carried: Mapping[Node, Node]) -> dict[Node, Node]:
    """The same for what a graph of a region yields, in its own words."""
    output = graph.output_node
    if output.target != "yield":
        return {}
    if is_loop(node):
        parts = loop(node)
        pairs: Iterable[Any] = zip(parts.yields, parts.carried) if graph is parts.body else ()
    elif node.target is cond:
        own = owned(node, carried)
        places = {operand: graph.placeholders[i] for i, operand in enumerate(node.args[3])}
        pairs = ((value, places[own[i]]) for i, value in enumerate(output.args[0]) if own.get(i) in places)
    else:
        pairs = ()
    return {value: known for value, known in pairs if isinstance(value, Node)}


def owned(node: Node, carried: Mapping[Node, Node]) -> dict[int, Node]:
    """Of the results of a cond that a turn makes of what it carries, by number, what that was before."""
    parts = results(node)
    return {i: carried[part] for i in range(len(node.spec)) for part in parts[i] if part in carried}


def columns(node: Node) -> list[tuple[Any, ...]]:
    """What the sides of a cond give, by result."""
    return list(zip(*(side.output_node.args[0] for side in graphs(node))))


def give(node: Node, given: list[tuple[Any, ...]]) -> None:
    for number, side in enumerate(graphs(node)):
        side.output_node.args = (tuple(column[number] for column in given),)


def take_other(node: Node) -> bool:
    """Let a side of a cond give what the other does where it gives nothing, and that comes from outside."""
    sides, given = graphs(node), columns(node)
    before = list(given)
    for i, pair in enumerate(given):
        for mine, other in ((0, 1), (1, 0)):
            value = pair[other]
            if pair[mine] is UNDEFINED and type(value) in PYTHON:
                given[i] = (value, value)
            elif pair[mine] is UNDEFINED and is_outside(value) and fits(value.spec, node.spec[i]):
                same = sides[mine].placeholders[sides[other].placeholders.index(value)]
                given[i] = (same, value) if mine == 0 else (value, same)
    give(node, given)
    return given != before


def fits(one: Any, other: Any) -> bool:
    """Whether a value of one spec may stand for one of another; a flag is a number or an array by then."""
    if isinstance(one, Spec) and isinstance(other, Spec):
        return one_spec(one, other)
    flags = [spec == FLAG or isinstance(spec, Scalar) and spec.type is bool for spec in (one, other)]
    return one == other or all(flags)


def is_outside(value: Any) -> bool:
    return isinstance(value, Node) and value.op == "placeholder"


def join(node: Node, carried: Mapping[Node, Node]) -> bool:
    """Where a cond in the body of a loop stays in any case, let a value that a turn changes stay as it is on
    the side that returns it, so that it need not be carried twice. Returns whether one does.
    """
    given = columns(node)
    if all(map(is_free, given)):
        return False
    found = list(twice(node, carried))
    for own, returned, side in found:
        new, old = given[own][1 - side], given[returned][side]
        given[own] = (old, new) if side == 0 else (new, old)
        for part, other in zip(results(node)[returned], results(node)[own] * 9):
            node.append(other)
            part.replace_all_uses_with(other)
    give(node, given)
    return bool(found)


def is_free(pair: tuple[Any, ...]) -> bool:
    """Whether no cond is needed for what its sides give: flags, or a value from outside and none."""
    flags = not any(isinstance(value, Node) or value is UNDEFINED for value in pair)
    return flags or UNDEFINED in pair and any(map(is_outside, pair))


def twice(node: Node, carried: Mapping[Node, Node]) -> Iterator[tuple[int, int, int]]:
    """The results of a cond that are what a turn makes of a value, each with the one that is what it was
    before, on the side, of this number, where the first has none.
    """
    given, parts, operands, known = columns(node), results(node), node.args[3], owned(node, carried)
    for own, pair in enumerate(given):
        if own not in known or UNDEFINED not in pair:
            continue
        side = pair.index(UNDEFINED)
        graph = graphs(node)[side]
        for returned, other in enumerate(given):
            value = other[side]
            if other[1 - side] is not UNDEFINED or not is_outside(value) or not parts[returned]:
                continue
            stays = operands[graph.placeholders.index(value)] is known[own]
            if stays and parts[own] and fits(node.spec[own], node.spec[returned]):
                yield own, returned, side
                break


def take_own(node: Node, carried: Mapping[Node, Node]) -> None:
    """Let what a turn carries be what it was before, where a side of a cond has no value for it."""
    known, given = owned(node, carried), columns(node)
    for i in (i for i, pair in enumerate(given) if UNDEFINED in pair and i in known):
        if fits(known[i].spec, node.spec[i]):
            sides = graphs(node)
            number = given[i].index(UNDEFINED)
            mine = captured(node, sides[number], known[i])  # type: ignore[arg-type]
            given[i] = (mine, given[i][1]) if number == 0 else (given[i][0], mine)
    give(node, given)


def carry_one(node: Node) -> None:
    """Let a loop carry as one what every turn makes the same, if it was the same before the loop, or had no
    value.
    """
    parts = loop(node)
    for j in range(len(parts.state)):
        twin = next((i for i in range(j) if are_one(node, i, j)), None)
        if twin is None or not is_read(node, j):
            begin(node, j)
            continue
        for graph in graphs(node):
            carried_by(graph, node, j).replace_all_uses_with(carried_by(graph, node, twin))
        output = parts.body.output_node
        values = tuple(output.args[0])
        output.args = ((*values[:j], values[twin], *values[j + 1 :]),)
        *_, found = [None, *results(node)[twin]]
        for part in results(node)[j]:
            if found is None:
                part.args = (node, twin)
            else:
                node.append(found)  # before all who read the other
                part.replace_all_uses_with(found)


def begin(node: Node, number: int) -> None:
    """Let what has no value before a loop be what every turn makes of it, if that is one number."""
    ahead, body, state, operands = node.args
    if state[number] is not UNDEFINED:
        return
    made = [*constants(loop(node).yields[number], carried_by(body, node, number))]
    if made and type(made[0]) in PYTHON and all(same_value(made[0], other) for other in made):
        node.args = (ahead, body, (*state[:number], made[0], *state[number + 1 :]), operands)
        for part in results(node)[number]:
            stand_for(part, made[0])


def stand_for(part: Node, number: Any) -> None:
    """Let a number take the place of a node."""
    for user in list(part.users):
        user.args = map_arg(user.args, lambda n: number if n is part else n)
        user.kwargs = map_arg(user.kwargs, lambda n: number if n is part else n)


def constants(value: Any, own: Node) -> Iterator[Any]:
    """What a turn may make of a value, other than to leave it as it is."""
    if value is own:
        return
    region = value.args[0] if isinstance(value, Node) and value.target is operator.getitem else None
    if not isinstance(region, Node) or region.target is not cond:
        yield value
        return
    for side in graphs(region):
        inner = [p for p, operand in zip(side.placeholders, region.args[3]) if operand is own]
        output = side.output_node
        yield from constants(output.args[0][value.args[1]], *inner[:1] or [output])


def is_read(node: Node, number: int) -> bool:
    """Whether anybody reads a value of a loop's state."""
    inside = (carried_by(graph, node, number).users for graph in graphs(node))
    return bool(results(node)[number]) or any(inside)


def carried_by(graph: Graph, node: Node, number: int) -> Node:
    return graph.placeholders[first(graph, node) + number]


def are_one(node: Node, one: int, other: int) -> bool:
    """Whether two values of a loop's state are the same in every turn: so they are after one if they were
    before it.
    """
    parts = loop(node)
    mine, theirs = parts.state[one], parts.state[other]
    if mine is UNDEFINED or theirs is not UNDEFINED and not same_value(mine, theirs):
        return False
    yields: Any = parts.yields
    same = {(carried_by(parts.body, node, one), carried_by(parts.body, node, other))}
    return fits(node.spec[one], node.spec[other]) and alike(yields[one], yields[other], same)


def alike(one: Any, other: Any, same: Collection[tuple[Node, Node]]) -> bool:
    """Whether two values are the same if these pairs are."""
    if one is other or (one, other) in same:
        return one is not UNDEFINED
    if not isinstance(one, Node) or not isinstance(other, Node):
        return False
    if not one.target is other.target is operator.getitem or one.args[0] is not other.args[0]:
        return False
    region = one.args[0]
    if not isinstance(region, Node) or region.target is not cond:
        return False
    for graph in graphs(region):
        placed = list(zip(graph.placeholders, region.args[3]))
        inner = {(a, b) for a, mine in placed for b, theirs in placed if alike(mine, theirs, same)}
        if graph.output_node.target != "yield":
            return False
        values = graph.output_node.args[0]
        if not alike(values[one.args[1]], values[other.args[1]], inner):
            return False
    return True
