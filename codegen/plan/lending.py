"""Lending: what regions are given to write into, and in whose memory that may lie which they give.

A region writes into what it was given where nobody else has that memory, and nothing reads it later; else it
is given a copy. What it gives may be written into in its turn, and is then, on some way or after some turn,
what it was given. So each region notes of its results, one by one:

    own       whether nobody has its memory but other results: it may be written into where these are not read
    memory    the value that was given of which it is the new one, whichever way was gone; None for any other
    lent      the values that were given in whose memory it may lie
    beside    the numbers of the other results that may lie in the same memory
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...backends.backend import Backend
from ...ir.graphs.graph import Node
from ...ir.graphs.regions import Loop, after, graphs, loop
from ...ir.graphs.static import static
from ...ir.meaning.op import Op
from ...ir.values.spec import Spec
from ...ir.worklist import reached
from . import aliases, handing, leaving
from .copying import copied
from .outsiders import each_of, memory
from .retaking import retake_views

if TYPE_CHECKING:
    from .in_place import Raising


def note(node: Node, own: Sequence[bool], kept: Sequence[Any], lent: Sequence[Any]) -> None:
    node.meta["own"], node.meta["memory"], node.meta["lent"] = list(own), list(kept), list(lent)
    node.meta["beside"] = [set[int]()] * len(own)


def compiled(raising: Raising, node: Node) -> None:
    """A region that is compiled writes into nothing from outside, and what it gives is its own."""
    for graph in graphs(node):
        inner = raising.inside(graph, {p for p in graph.placeholders if isinstance(p.spec, Spec)})
        for placeholder in sorted(inner.used, key=lambda p: p.name):
            with_own(inner, placeholder)
    count = len(node.spec)
    note(node, [True] * count, [None] * count, [()] * count)


def with_own(raising: Raising, placeholder: Node) -> None:
    """Let a graph go on with a copy of what it was given."""
    writes = [n for n in raising.graph.nodes if n.meta.get("inplace") and memory(n) is placeholder]
    with raising.graph.inserting_before(next(n for n in raising.graph.nodes if n.op != "placeholder")):
        made = copied(raising.graph, placeholder)
    made.stands_for, made.meta["step"] = writes[0].stands_for if writes else None, placeholder.name
    placeholder.replace_all_uses_with(made)


# Loops.


def turned(raising: Raising, node: Node) -> None:
    """A loop writes into what it carries. What a turn hands on to be written into by the next must be its own
    as well, under whichever name it has been carried so far.
    """
    parts = loop(node)
    together, ends = one(node, parts, raising.target), leaving.exits(parts.body, raising.target)
    carried = [
        p
        for i, p in enumerate(parts.carried)
        if ends is not None
        and raising.has_memory(p)
        and p not in together
        and leaving.stays(i, parts, ends, raising.target)
    ]
    given = dict(zip(parts.body.placeholders, (*parts.sources, *parts.state, *parts.operands)))
    inner = raising.inside(parts.body, set(carried), given, turns=True)
    raising.taken_up(inner, given)
    kept = handed_on(inner, parts)
    kept -= leaving.moved(kept, parts, ends or [])
    state = list(parts.state)
    for i, placeholder in enumerate(parts.carried):
        value = state[i]
        if placeholder not in inner.used or not isinstance(value, Node):
            continue
        if not raising.writable(value, node):
            state[i] = given[placeholder] = raising.copy(value, node)
        else:
            raising.take(value, node)
    node.args = (*node.args[:2], tuple(state), *node.args[3:])
    count = len(node.spec)
    anew = [is_made(inner, i) and may_begin(raising, value, node) for i, value in enumerate(state)]
    mine = [p in inner.used or made for p, made in zip(parts.carried, anew)]
    mine += [False] * (count - len(state))
    found = [state[i] if i in kept and isinstance(state[i], Node) else None for i in range(count)]
    rows = (item for item, source in zip(parts.items, parts.sources) if isinstance(source, Node))
    numbers = {item for item in rows if not raising.has_memory(item)}
    lying = {p: value for p, value in given.items() if p not in numbers}
    note(node, mine, found, list(lent_by_turns(inner, parts, lying)))


def one(node: Node, parts: Loop, target: Backend) -> set[Node]:
    """What a loop carries that shares memory with something else that it carries and gives: a write in place
    would part them, and whoever gets the results may write into one.
    """
    read = {user.args[1] for user in node.users}
    state = enumerate(parts.yields[: len(parts.carried)])
    values = {i: value for i, value in state if i in read and isinstance(value, Node)}
    found: set[Node] = set()
    for i, value in values.items():
        lying = set(aliases.along(target).of(aliases.memories(value, target)))
        found |= {parts.carried[j] for j, other in values.items() if j != i and other in lying}
    return found


def is_made(inner: Raising, index: int) -> bool:
    """Whether each turn makes what it hands on there, and nobody else gets it."""
    output = inner.graph.output_node
    value = output.args[0][index] if output.target == "yield" else None
    if not isinstance(value, Node) or not isinstance(value.target, Op) or not inner.fresh(value):
        return False
    lying = {value, *inner.all_aliases(value)}
    users = {user for each in lying for user in each.users}
    alone = [each for each in output.args[0] if isinstance(each, Node) and each in lying] == [value]
    return alone and all(isinstance(user.target, Op) or user is output for user in users)


def may_begin(raising: Raising, value: Any, node: Node) -> bool:
    """Whether what a loop begins with is nobody else's, if it makes no turn: it is a number, or fresh."""
    return not isinstance(value, Node) or not raising.has_memory(value) or raising.writable(value, node)


def handed_on(inner: Raising, parts: Loop) -> set[int]:
    """See to it that what is written into is in every turn memory of its own. Returns the numbers of those
    that stay in the memory that they had.
    """
    if inner.graph.output_node.target != "yield":
        return set()
    numbers = {placeholder: i for i, placeholder in enumerate(parts.carried)}
    waiting, kept = [i for p, i in numbers.items() if p in inner.used], set[int]()
    for i in waiting:
        if keep(inner, i, parts):
            kept.add(i)
        for origin in origins(inner.graph.output_node.args[0][i]):
            if origin in numbers and origin not in inner.used:
                inner.used.add(origin)
                waiting.append(numbers[origin])
    return kept


def keep(inner: Raising, index: int, parts: Loop) -> bool:
    """See to it that the state of the next turn is memory of its own. Returns whether it is that of this
    turn.
    """
    output = inner.graph.output_node
    values = list(output.args[0])
    placeholder, mine = parts.carried[index], memory(values[index])
    if not inner.fresh(mine) and mine is not placeholder:
        values[index] = inner.copy(values[index], output)
    mine = memory(values[index])
    lying = set(inner.all_aliases(mine))
    for other, value in enumerate(values):
        if other != index and isinstance(value, Node) and value in lying:
            values[other] = inner.copy(value, output)
    output.args = (tuple(values),)
    return mine is placeholder


def lent_by_turns(inner: Raising, parts: Loop, given: Mapping[Node, Any]) -> Iterator[tuple[Node, ...]]:
    """What a loop was given in whose memory its results may lie, after any number of turns."""
    numbers = {placeholder: i for i, placeholder in enumerate(parts.carried)}
    steps = [list(lying_in(value, inner.target)) for value in parts.yields]
    steps += [[]] * (len(parts.state) - len(steps))  # no turn ends by itself: the state is what it was
    for i, step in enumerate(steps):
        begun = [*step, *parts.carried[i : i + 1]]
        yield values_of(reached(begun, lambda v: steps[numbers[v]] if v in numbers else ()), given)


# Branches.


def chosen(raising: Raising, node: Node) -> None:
    """Each way writes into what it is given, or into what it makes."""
    retake_views(node)
    handing.twinned(node)
    sides = []
    for graph in graphs(node):
        given = dict(zip(graph.placeholders, node.args[3]))
        leaves = graph.output_node.target == "return"  # and nobody here reads anything later
        free = raising.fresh if leaves and not raising.turns else partial(raising.writable, node=node)
        owned = {p for p, v in given.items() if raising.has_memory(p) and isinstance(v, Node) and free(v)}
        side = raising.inside(graph, owned, given)
        raising.taken_up(side, given)
        for placeholder in side.used:
            raising.take(given[placeholder], node)
        if graph.output_node.target == "yield":
            sides.append((side, given, graph.output_node.args[0]))
    own: list[bool] = []
    found: list[Any] = []
    lent: list[tuple[Node, ...]] = []
    beside: list[set[int]] = [set() for _ in node.spec]
    for i in range(len(node.spec)):
        roots = [memory(values[i]) for _, _, values in sides]
        outer = [
            given.get(root) if isinstance(root, Node) else None for root, (_, given, _) in zip(roots, sides)
        ]
        own.append(all(side.fresh(values[i]) for side, _, values in sides))
        found.append(outer[0] if outer[0] is not None and all(o is outer[0] for o in outer) else None)
        ways_to = (values_of(lying_in(values[i], side.target), given) for side, given, values in sides)
        lent.append(tuple(dict.fromkeys(value for way in ways_to for value in way)))
        for side, _, values in sides:
            lying = set(side.all_aliases(memory(values[i])))
            for j, value in enumerate(values):
                if j != i and isinstance(value, Node) and value in lying:
                    beside[i].add(j)
                    beside[j].add(i)
    note(node, own, found, lent)
    node.meta["beside"] = beside


# What was lent.


def values_of(placeholders: Any, given: Mapping[Node, Any]) -> tuple[Node, ...]:
    """What a graph was given for these of its values that are placeholders."""
    return tuple(value for p in placeholders for value in each_of(given.get(p)) if isinstance(value, Node))


def result(value: Any, key: str) -> Any:
    """What the region says of a value that is one of its results; None if it is none."""
    known = isinstance(value, Node) and value.target is operator.getitem and isinstance(value.args[0], Node)
    noted = value.args[0].meta.get(key) if known else None
    return None if noted is None else noted[value.args[1]]


def origins(value: Any) -> Iterator[Node]:
    """The values of a graph whose memory that of a value may be: it may be written into."""
    root = memory(value)
    return reached([root] if isinstance(root, Node) else [], lent_to)


def lent_to(node: Node) -> Iterator[Node]:
    """The values in whose memory a region may have made this one."""
    roots = (memory(value) for value in result(node, "lent") or ())
    return (root for root in roots if isinstance(root, Node))


def lying_in(value: Any, target: Backend) -> Iterator[Node]:
    """Likewise of any value, which may be a part of these."""
    if isinstance(value, Node) and not static(value):
        for root in aliases.memories(memory(value), target):
            yield from origins(root)


def of_what_was_lent(region: Node, value: Node) -> Iterator[Node]:
    """The results of a region that may lie in the memory of a value which it was given."""
    for number, lent in enumerate(region.meta.get("lent", ())):
        if value in lent:
            yield from (user for user in region.users if user.args[1] == number)


def siblings(value: Any) -> list[Node]:
    """The results of the same region that may lie in the memory of this one."""
    numbers = result(value, "beside")
    return [user for user in value.args[0].users if user.args[1] in numbers] if numbers else []


def beside(value: Any) -> Iterator[Node]:
    """What regions have given or were given that may lie in the memory of a value, and is not made of it."""
    while isinstance(value, Node):
        if value.meta.get("inplace") or value.target is after:
            value = value.args[0]
            continue
        yield from siblings(value)
        value = result(value, "memory")
        if value is not None:
            yield value
