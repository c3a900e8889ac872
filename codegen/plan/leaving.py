"""Leaving: what a loop that is left early, or whose turns are, hands on there.

A turn may write into what the loop carries if each way out hands that on as it is by then, and nothing else
that lies in its memory: what the next turn begins with, and what the loop gives, is nobody else's then.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...backends.backend import Backend
from ...backends.unions import is_number
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import Function, Loop, Region, after, cond, ends, graphs, is_loop, loop
from ...ir.graphs.static import static
from ...ir.graphs.walk import every_node
from ...ir.ops.indexing import UPDATES
from ...ir.program import Program
from ...ir.worklist import reached
from . import aliases
from .outsiders import memory

#: What a way out hands on, as the body of the loop knows it: a value of the body's, or None of what is made
#: there and nobody else has.
HandedOn = list[Node | None]


def exits(body: Graph, target: Backend) -> list[HandedOn] | None:
    """What each way out of a turn hands on but the end of the body; None where a way out writes, or where
    it is not known what it hands on.
    """
    try:
        return list(found(body, None, target))
    except LookupError:
        return None


def found(
    graph: Graph, known: Mapping[Node, Node | None] | None, target: Backend
) -> Iterator[HandedOn]:
    """See above, of the body or a graph in it. `known`: its placeholders, as the body knows them.

    Raises:
        LookupError: where that is not known.
    """
    output = graph.output_node
    if output.target in ("break", "continue"):
        yield [handed(number(value), known, target) for value in output.args[0]]
    for node in graph.nodes:
        if node.target is cond and leaves(node):
            values = [handed(value, known, target) for value in node.args[3]]
            for inner in graphs(node):
                yield from found(inner, dict(zip(inner.placeholders, values)), target)


def leaves(node: Node) -> bool:
    """Whether a turn may end in a cond."""
    return any(
        graph.output_node.target in ("break", "continue")
        or any(inner.target is cond and leaves(inner) for inner in graph.nodes)
        for graph in graphs(node)
    )


def handed(value: Any, known: Mapping[Node, Node | None] | None, target: Backend) -> Node | None:
    """A value of the body, or of a graph in it, as the body knows it."""
    if not isinstance(value, Node):
        return None
    if known is None:
        return value
    if value.op == "placeholder":
        return known[value]
    if static(value):
        return None
    given = [p for p, outer in known.items() if outer is not None]
    if isinstance(value.target, (Region, Function)) or value.target in UPDATES:
        raise LookupError
    if value in set(aliases.along(target).of(given)):
        raise LookupError
    return None


def stays(place: int, parts: Loop, ends: Sequence[HandedOn], target: Backend) -> bool:
    """Whether each way out hands on what is carried at a place in the memory that it has, and no other."""
    placeholder = parts.carried[place]
    mine = set(reached([placeholder], lambda alias: lying_with(alias, target)))
    others = ([value for i, value in enumerate(end) if i != place] for end in ends)
    alone = all(mine.isdisjoint(each) for each in others)
    return alone and all(begun(end[place], target) is placeholder for end in ends)


def lying_with(alias: Node, target: Backend) -> Iterator[Node]:
    """What may lie in the memory of a value, its newer versions included."""
    for user in alias.users:
        if isinstance(user.target, (Region, Function)):
            yield from aliases.along(target).handed(user, alias)
        elif user.target in (*UPDATES, after) and user.args[0] is alias or aliases.shares(user, target):
            yield user


def begun(value: Any, target: Backend) -> Any:
    """What a value was before the program wrote into it, through the regions that do."""
    while isinstance(value, Node):
        if value.target in (*UPDATES, after):
            value = value.args[0]
        elif (outer := given(value, target)) is not None:
            value = outer
        else:
            break
    return value


def given(value: Node, target: Backend) -> Node | None:
    """What a region was given for a result that is that on every way, but for what was written into it."""
    region = value.args[0] if value.target is operator.getitem else None
    if not isinstance(region, Node) or not isinstance(region.target, Region):
        return None
    number = value.args[1]
    if not is_loop(region):
        ways = [graph for graph in graphs(region) if graph.output_node.target == "yield"]
        inside = [(graph, begun(graph.output_node.args[0][number], target)) for graph in ways]
        outer = [region.args[3][g.placeholders.index(v)] for g, v in inside if v in g.placeholders]
        same = len(outer) == len(ways) and all(each is outer[0] for each in outer)
        return outer[0] if outer and same else None
    parts = loop(region)
    ends = exits(parts.body, target)
    if ends is None or number >= len(parts.state):
        return None
    values = [end[number] for end in ends]
    values += parts.yields[number : number + 1] if parts.body.output_node.target == "yield" else []
    stays = all(begun(each, target) is parts.carried[number] for each in values)
    return parts.state[number] if stays else None


def moved(places: set[int], parts: Loop, ends: Sequence[HandedOn]) -> set[int]:
    """The places of what lies elsewhere after some turn, once it is known what is written in place."""
    return {i for i in places for end in ends if memory(end[i]) is not parts.carried[i]}


# What is appended.


def append_once(program: Program, target: Backend) -> None:
    """Let a turn that is left behind an `append` hand that on at its end alone, where it is the same: the
    text appends before it may leave.
    """
    for node in every_node(program):
        if is_loop(node) and not node.meta.get("compiled") and is_same(loop(node), target):
            state = len(loop(node).state)
            for end in ends(loop(node).body, inside=True):
                if end.target == "break" and len(end.args[0]) > state:
                    end.args, end.meta["appended"] = (end.args[0][:state],), True
            forget_unread(loop(node).body)


def is_same(parts: Loop, target: Backend) -> bool:
    """Whether a turn that is left behind an `append` appends what it does else."""
    first = len(parts.state)
    left = [end[first:] for end in exits(parts.body, target) or () if len(end) > first]
    return bool(left) and all(end == [*map(number, parts.yields[first:])] for end in left)


def number(value: Any) -> Any:
    """The number of Python's of which an array is made only for others to have one."""
    found = value.kwargs.get("fill_value") if isinstance(value, Node) and is_number(value) else None
    return found if isinstance(found, Node) and static(found) else value


def forget_unread(graph: Graph) -> None:
    """Take from the conds that may leave a turn what none of their ways reads."""
    for node in graph.nodes:
        if node.target is not cond or not leaves(node):
            continue
        for inner in graphs(node):
            forget_unread(inner)
        ways = [inner.placeholders for inner in graphs(node)]
        read = [any(placeholder.users for placeholder in each) for each in zip(*ways)]
        for way, inner in zip(ways, graphs(node)):
            for placeholder, kept in zip(way, read):
                if not kept:
                    inner.erase_node(placeholder)
        node.args = (*node.args[:3], tuple(value for value, kept in zip(node.args[3], read) if kept))
