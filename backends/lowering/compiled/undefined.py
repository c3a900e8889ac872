"""Undefined: what has no value on a way may have any there.

A loop that is left gives what it returns beside its state, a value of which nothing is known while it turns;
and its state has none where it returns. Where the one is the other, as where a loop returns what it carries,
neither a branch nor a column of the state is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ....ir.graph import Node
from ....ir.program import Program
from ....ir.regions import UNDEFINED, cond, graphs, is_loop, loop
from ....ir.walk import inner_graphs
from .tidy import decided, first, results


def chosen(program: Program, carried: Mapping[Node, Node] | None = None) -> None:
    """Let what has no value on some way be what it is on the others, where that is there already.

    Args:
        carried: of what the body of a loop yields, what it was before.
    """
    loops = {id(loop(node).body): node for node in program.nodes if is_loop(node)}
    for graph in inner_graphs(program):
        parts = loop(loops[id(graph)]) if id(graph) in loops else None
        pairs = zip(parts.yields, parts.carried) if parts is not None else ()
        chosen(graph, {value: before for value, before in pairs if isinstance(value, Node)})
    for node in list(program.nodes):
        if node.target is cond and all(g.output_node.target == "yield" for g in graphs(node)):
            if join(node, carried or {}) or take_other(node) or "kind" not in node.meta:
                decided(program, node)
        elif is_loop(node):
            carry_one(node)


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
            if pair[mine] is UNDEFINED and is_outside(value) and value.spec == node.spec[i]:
                same = sides[mine].placeholders[sides[other].placeholders.index(value)]
                given[i] = (same, value) if mine == 0 else (value, same)
    give(node, given)
    return given != before


def is_outside(value: Any) -> bool:
    return isinstance(value, Node) and value.op == "placeholder"


def join(node: Node, carried: Mapping[Node, Node]) -> bool:
    """Where a cond in the body of a loop stays in any case, let a value that a turn changes stay as it is on
    the side that returns it, so that it need not be carried twice. Returns whether one does.
    """
    given = columns(node)
    if all(UNDEFINED in pair and any(map(is_outside, pair)) for pair in given):
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


def twice(node: Node, carried: Mapping[Node, Node]) -> Iterator[tuple[int, int, int]]:
    """The results of a cond that are what a turn makes of a value, each with the one that is what it was
    before, on the side, of this number, where the first has none.
    """
    given, parts, operands = columns(node), results(node), node.args[3]
    for own, pair in enumerate(given):
        before = next((carried[part] for part in parts[own] if part in carried), None)
        if before is None or UNDEFINED not in pair:
            continue
        side = pair.index(UNDEFINED)
        graph = graphs(node)[side]
        for returned, other in enumerate(given):
            value = other[side]
            if other[1 - side] is UNDEFINED and is_outside(value) and node.spec[own] == node.spec[returned]:
                if operands[graph.placeholders.index(value)] is before and parts[own] and parts[returned]:
                    yield own, returned, side
                    break


def carry_one(node: Node) -> None:
    """Let a loop carry what has no value before it as another value that every turn makes the same."""
    parts = loop(node)
    for j, before in enumerate(parts.state):
        twin = next((i for i in range(len(parts.state)) if before is UNDEFINED and are_one(node, i, j)), None)
        if twin is None:
            continue
        for graph in graphs(node):
            mine, other = (graph.placeholders[first(graph, node) + number] for number in (j, twin))
            mine.replace_all_uses_with(other)
        *_, found = [None, *results(node)[twin]]
        for part in results(node)[j]:
            if found is None:
                part.args = (node, twin)
            else:
                node.append(found)  # before all who read the other
                part.replace_all_uses_with(found)


def are_one(node: Node, one: int, other: int) -> bool:
    """Whether every turn of a loop makes two values of its state the same."""
    parts = loop(node)
    yields: Any = parts.yields
    made = one != other and isinstance(yields[one], Node) and yields[one] is yields[other]
    return made and parts.state[one] is not UNDEFINED and node.spec[one] == node.spec[other]
