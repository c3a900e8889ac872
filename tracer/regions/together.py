"""Together: which results of a region may be one array, or lie in the memory of one, where that was made
inside: outside nothing of it is left but the results.

A write into the one leaves nobody sure of the other then (memory/aliasing.py); where one is the same view of
the other on every way, it is that of the result. What a loop carries may be what an earlier turn had under
another name, or has put into a list; so what lies together is followed from turn to turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING, Any

from ...ir.graphs.graph import Node, map_arg
from ...ir.worklist import reached
from ..memory import aliasing, numpy_scalars, relations
from ..memory.keys import is_part, keyed
from ..memory.sharing import Doubt, View
from ..objects.containers import is_container
from ..proxy import is_array_proxy
from .join import Columns
from .templates import Column, parts, pieces

if TYPE_CHECKING:
    from ..tracer import Tracer
    from .loop.turn import Turn

Pairs = set[tuple[int, int]]


def memories(tracer: Tracer, value: Any) -> dict[int, Any]:
    """The arrays in whose memory a value may lie, by id; of a container itself."""
    array = is_array_proxy(value)
    if not array and is_container(value):
        return {id(value): value}
    if not array or not tracer.framework.aliasing or numpy_scalars.is_number(tracer, value.node):
        return {}

    def others(base: Any) -> Iterator[Any]:
        made, origins = tracer.memory.origins.get(id(base), (None, ()))
        linked = tracer.memory.links.get(id(base), {}).values()
        return (aliasing.root(tracer, each) for each in (*linked, *(origins if made is base else ())))

    return {id(base): base for base in reached([aliasing.root(tracer, value)], others, key=id)}


def meet(tracer: Tracer, values: Sequence[Any]) -> bool:
    """Whether two of these values may lie in one memory."""
    met: set[int] = set()
    for value in values:
        found = memories(tracer, value)
        if not met.isdisjoint(found):
            return True
        met.update(found)
    return False


# The ways of a branch.


def on_ways(tracer: Tracer, leaves: Sequence[Sequence[Any]]) -> Pairs:
    """The numbers of results that may lie together, of which it is known what they are on every way."""
    found: Pairs = set()
    for values in zip(*leaves):
        holders: dict[int, list[int]] = {}
        for number, value in enumerate(values):
            for key in memories(tracer, value):
                holders.setdefault(key, []).append(number)
        for several in holders.values():
            found.update(combinations(several, 2))
    return found


def views(tracer: Tracer, leaves: Sequence[Sequence[Any]], pairs: Pairs) -> dict[int, tuple[int, list[View]]]:
    """Of the results that are the same view of another one on every way, which one, and the views."""
    found: dict[int, tuple[int, list[View]]] = {}
    for pair in sorted(pairs):
        for base, part in (pair, pair[::-1]):
            known = [tracer.memory.views.get(id(leaf)) for leaf in leaves[part]]
            of = zip(known, leaves[part], leaves[base])
            made = [v for v, leaf, other in of if v and v.proxy is leaf and v.parent is other]
            if part in found or len(made) < len(known):
                continue
            if len({said(v) for v in made}) == 1 and not any(depends(tracer, v) for v in made):
                found[part] = base, made
    return found


def said(view: View) -> str:
    """The call that makes a view, whatever of."""
    of = aliasing.operands(view.node)

    def placed(node: Node) -> Any:
        return "its array" if of and node is of[0] else node

    return repr((view.node.op, view.node.target, map_arg((view.node.args, view.node.kwargs), placed)))


def depends(tracer: Tracer, view: View) -> bool:
    """Whether what makes a view is given more than the array, or makes one of it by its dtype or layout."""
    node = view.node
    if view.number or view.needs or is_part(node) or len(node.all_input_nodes) != 1:
        return True
    return bool(relations.casts(tracer, node) or relations.of_number(tracer, node) or keyed(node))


# The turns of a loop.


@dataclass
class Place:
    """A place among what a loop carries or collects, with ids of memories.

    Attributes:
        start: as which the body knows it.
        init: in which it lies before the loop.
        ends: in which it may lie at each end of a turn, for each value that it has there. What is collected
            has two: what it was, and what is appended.
        result: the number of the result; of a container its name and join.
    """

    start: set[int]
    init: Collection[int]
    ends: list[list[Collection[int]]]
    result: Any
    collects: bool = False


@dataclass
class Turns:
    """What lies together at the end of a turn, of the places that a loop has: pairs of their numbers, also
    the other way round; one of a place and itself says that what was collected may be one array.
    """

    places: list[Place]
    known: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for number, place in enumerate(self.places):
            self.known.update(dict.fromkeys(place.start, number))
        self.before = {
            pair
            for pair in combinations(range(len(self.places)), 2)
            if not set(self.places[pair[0]].init).isdisjoint(self.places[pair[1]].init)
        }
        self.ending: Pairs = set()
        while True:
            found = self.step(self.before | self.ending)
            if found == self.ending:
                break
            self.ending = found

    def after(self, turns: bool) -> Pairs:
        """What lies together after the loop; `turns`: which surely turns."""
        return self.ending if turns else self.before | self.ending

    def pairs(self, of: Pairs) -> Pairs:
        """The numbers of the results among pairs of places."""
        numbers = [place.result for place in self.places]
        return {(numbers[a], numbers[b]) for a, b in of if type(numbers[a]) is type(numbers[b]) is int}

    def joins(self, of: Pairs) -> Iterator[tuple[str, Any]]:
        """The names and joins of containers among them."""
        for number in {number for pair in of for number in pair}:
            if isinstance(self.places[number].result, tuple):
                yield self.places[number].result

    def step(self, related: Pairs) -> Pairs:
        """What lies together at the end of a turn, if this did at its start."""
        both = related | {pair[::-1] for pair in related}
        full = [n for n, place in enumerate(self.places) if any(any(end) for end in place.ends)]
        return {pair for pair in combinations_with_replacement(full, 2) if self.meets(*pair, both)}

    def meets(self, one: int, other: int, related: Pairs) -> bool:
        mine, theirs = self.places[one], self.places[other]
        if one == other:
            return mine.collects and (
                (one, one) in related
                or any(self.near(end[0], item, related) for end in mine.ends for item in end[1:])
            )
        return any(
            self.near(a, b, related)
            for ends in zip(mine.ends, theirs.ends)
            for a in ends[0]
            for b in ends[1]
        )  # fmt: skip

    def near(self, one: Collection[int], other: Collection[int], related: Pairs) -> bool:
        if not set(one).isdisjoint(other):
            return True
        starts = [self.known[key] for key in one if key in self.known] if related else []
        return any((m, self.known[key]) in related for key in other if key in self.known for m in starts)


def on_turns(tracer: Tracer, turn: Turn) -> Turns:
    """What lies together at the end of a turn that has been traced."""
    count = len(turn.ends)
    places = []

    def add(start: Any, init: Any, ends: Sequence[Any], result: Any) -> None:
        found = [memories(tracer, end) for end in ends]
        aligned: list[list[Collection[int]]] = [[f] for f in found] if len(found) == count else []
        aligned = aligned or [list(found)] * count
        if any(found):
            places.append(Place({id(s) for s in start}, memories(tracer, init), aligned, result))

    written = {t.number: p for p, t in zip(turn.staged.written, turn.staged.of_written(turn.entry))}
    for number, (first, *_) in enumerate(turn.columns.leaves):
        start = [turn.proxies[number], *([written[number]] if number in written else [])]
        add(start, first, turn.leaves.get(number, ()), number)
    for place, (template, (name, init)) in enumerate(zip(turn.entry, turn.staged.all)):
        given = [turn.opened[place], init, *(values[place] for values, _ in turn.ends)]
        for join, (start, begun, *ends) in containers(template, given):
            add([start], begun, ends, (name, join))
    number = len(turn.columns.leaves)
    for leaf in (leaf for growing in turn.growing for leaf in growing.leaves):
        own = {-1 - number}
        places.append(Place(own, (), [[own, memories(tracer, leaf)]] * count, number, collects=True))
        number += 1
    starts = {key for place in places for key in place.start}
    for key in outside(tracer, turn).keys() - starts:  # what one name is given another one has a turn later
        places.append(Place({key}, {key}, [[{key}]] * count, None))
    return Turns(places)


def outside(tracer: Tracer, turn: Turn) -> dict[int, Any]:
    """The arrays from before a loop that its turns give to names, by id."""
    inside = [placeholder.graph for placeholder in turn.placeholders[:1]]
    around = [scope.graph for scope in tracer.scopes if scope.graph not in inside]
    ends = (end for ends in turn.leaves.values() for end in ends)
    found = {key: base for end in ends for key, base in memories(tracer, end).items()}
    return {k: base for k, base in found.items() if is_array_proxy(base) and base.node.graph in around}


def given(tracer: Tracer, turn: Turn) -> dict[int, list[Any]]:
    """Which of them, or of their parts, turns give to each column."""
    there = outside(tracer, turn)
    return {
        number: [end for end in ends if not there.keys().isdisjoint(memories(tracer, end))]
        for number, ends in turn.leaves.items()
    }


def wandering(tracer: Tracer, turn: Turn) -> dict[int, set[int]]:
    """For the column of each result those others as which what it is may have been known, however many turns
    before.
    """
    places = {id(proxy): number for number, proxy in enumerate(turn.proxies)}
    steps: dict[int, set[int]] = {
        number: {places[key] for end in ends for key in memories(tracer, end) if key in places}
        for number, ends in turn.leaves.items()
    }
    return {number: {*reached([number], lambda n: steps.get(n, ()))} - {number} for number in steps}


def renewed(tracer: Tracer, turn: Turn) -> set[int]:
    """The numbers of the columns that no turn lets be what they, or others, were at its start."""
    start = {id(proxy) for proxy in turn.proxies}
    found = set()
    for number, ends in turn.leaves.items():
        if all(is_array_proxy(v) and start.isdisjoint({id(v), *memories(tracer, v)}) for v in ends):
            found.add(number)
    return found


def containers(template: Any, values: Sequence[Any]) -> Iterator[tuple[Any, list[Any]]]:
    """The containers in a join, each with what it joins."""
    if isinstance(template, Column) or any(v is template for v in values):
        return
    if any(map(is_container, values)):
        yield template, list(values)
    items = [dict(pieces(template, v)) for v in values]
    for key, inner in parts(template):
        yield from containers(inner, [held.get(key) for held in items])


def same_containers(
    columns: Columns, names: Sequence[str], joined: Sequence[tuple[Any, Sequence[Any]]]
) -> None:
    """Of containers that are one on some way, and have become two joins, none may change from here on."""
    found = [
        (dict(enumerate(names)).get(i, "result"), join, values)
        for i, (template, ways) in enumerate(joined)
        for join, values in containers(template, ways)
    ]
    for (name, one, mine), (called, other, theirs) in combinations(found, 2):
        if one is not other and any(a is b and is_container(a) for a, b in zip(mine, theirs)):
            stand(columns, name, one, mine)
            stand(columns, called, other, theirs)


def stand(columns: Columns, name: str, join: Any, values: Sequence[Any]) -> None:
    columns.twins.setdefault(id(join), (join, name, [*filter(is_container, values)]))


# The results.


def tell(tracer: Tracer, made: Sequence[Any], pairs: Pairs) -> None:
    """Note which results may lie together."""
    for one, other in pairs:
        if one == other:
            made[one].node.meta["aliased"] = True
            continue
        bases = [aliasing.root(tracer, made[number]) for number in (one, other)]
        if bases[0] is not bases[1]:
            aliasing.tie(tracer, *bases)
            for base in bases:
                base.node.meta["result"] = True


def stay_views(tracer: Tracer, made: Sequence[Any], kept: dict[int, tuple[int, list[View]]]) -> None:
    """Let results be views of others, as they are on every way."""
    for number, (base, (view, *others)) in kept.items():
        part, of = made[number], made[base]
        view = View(part, of, view.node, others=[other.node for other in others])
        tracer.memory.views[id(part)] = view
        part.node = aliasing.taken(tracer, view, of.node)  # nothing knows of what it was before


def come_from(tracer: Tracer, made: Any, leaves: Sequence[Any]) -> None:
    """Note which arrays that are there still a result may be: views of these may be views of it."""
    found = {k: v for leaf in leaves for k, v in memories(tracer, leaf).items()}
    reached = [v for v in found.values() if tracer.reaches(v.node)]
    before, known = tracer.memory.origins.get(id(made), (None, []))
    if reached:
        tracer.memory.origins[id(made)] = made, [*(known if before is made else ()), *reached]
    for origin in reached:
        if origin is not made:
            aliasing.kin(tracer, made, origin)


def doubted(tracer: Tracer, made: Sequence[Any], leaves: Sequence[Sequence[Any]]) -> None:
    """Note of results that would be views of others if dtypes or ranks were otherwise."""
    for number, ways in enumerate(leaves):
        for way, leaf in enumerate(ways):
            for each in aliasing.doubts(tracer, leaf):
                of = aliasing.root(tracer, each.of)
                others = (i for i, o in enumerate(leaves) if id(of) in memories(tracer, o[way]))
                found = [Doubt(made[i], made[i].node, each.pin) for i in others if i != number]
                if found:
                    aliasing.doubt(tracer, made[number], [*aliasing.doubts(tracer, made[number]), *found])
