"""After: what is known of what a recorded loop gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ....ir.graphs.graph import Node
from ....ir.sizes.dim import Sym, hint_of
from ....ir.sizes.local import is_local
from ....ir.values.spec import Spec
from ...values.collected import Collected
from ...values.listed import Listed
from ...values.sources import counter
from ..join import Columns, alternatives
from .turn import Turn, refreshed

if TYPE_CHECKING:
    from .record import Staged

#: How many turns are gone through for the sizes of the example.
TURNS = 256
#: Of an array, its sizes in the example.
Hints = list[int | None]


def results_of(staged: Staged, turn: Turn, surely: bool) -> Columns:
    """What a loop gives. `surely`: whether it turns, so that nothing is what it was before unless a turn
    leaves it.
    """
    made = Columns(staged.tracer)
    made.twins = dict(turn.columns.twins)
    sizes = sizes_after(staged, turn)
    for name, (leaf, *_), seen in zip(turn.columns.names, turn.columns.leaves, turn.columns.seen):
        number = len(made.seen)
        if surely and (found := turn.seen_at_ends(number)) is not None:
            seen = found
        ends = [v for v in turn.leaves.get(number, ()) if all(v is not p for p in turn.proxies)]
        made.add(name, [leaf, *ends], refreshed(staged.tracer, name, seen, sizes.get(number)))
    return made


def sizes_after(staged: Staged, turn: Turn) -> dict[int, Hints]:
    """The sizes that arrays have after the last turn in the example, by the numbers of their columns, where
    turns change them. Nothing is known of a loop that is left early.
    """
    length = staged.sources.length if staged.sources is not None else None
    turns = None if length is None else hint_of(length)
    if turns is None or len(turn.ends) != 1 or staged.breaks or turns > TURNS:
        return {}
    ((_, ends),) = turn.ends
    specs = ((number, seen.spec) for number, seen in enumerate(turn.columns.seen))
    before = {n: spec.shape or () for n, spec in specs if isinstance(spec, Spec) and moves(spec)}
    sizes = {number: [*map(hint_of, shape)] for number, shape in before.items()}
    for turn_number in range(turns if before else 0):
        known = dict(sizes_of_items(staged, turn, turn_number))
        for number, shape in before.items():
            known |= dict(named(shape, sizes[number]))
        for number in before:
            end = ends[number]
            if not isinstance(end, Node) or not isinstance(end.spec, Spec) or end.spec.shape is None:
                return {}
            shape = end.spec.shape
            sizes[number] = [hint_of(d.evaluate(known) if isinstance(d, Sym) else d) for d in shape]
    return sizes


def moves(spec: Spec) -> bool:
    """Whether a size of an array is another one in every turn."""
    return any(map(is_local, spec.shape or ()))


def sizes_of_items(staged: Staged, turn: Turn, number: int) -> Iterator[tuple[str, int]]:
    """What the sizes of the items that a turn takes are in the example."""
    assert staged.sources is not None
    for source, each in zip(staged.sources.each, turn.taken):
        itemised = isinstance(source, Listed) and not isinstance(source, Collected)
        for column, node in zip(source.columns, each.nodes) if itemised else ():
            if number < len(column):  # the shortest of several ends the loop
                yield from named(node.spec.shape, [*map(hint_of, column[number].node.spec.shape)])


def named(shape: Sequence[Any], sizes: Sequence[int | None]) -> Iterator[tuple[str, int]]:
    """The names of sizes that a turn decides, and what they are."""
    for dim, size in zip(shape, sizes):
        if isinstance(dim, Sym) and is_local(dim) and size is not None:
            yield str(dim), size


def turns_surely(staged: Staged, turn: Turn) -> bool:
    """Whether there is a turn. Of a loop over a list that is checked where it makes another kind of thing of
    what it begins with: an array of a number.
    """
    if staged.sources is None:
        return False
    length: Any = staged.sources.length
    if type(length) is int:
        return length > 0
    found = ((turn.seen_at_ends(number), seen) for number, seen in enumerate(turn.columns.seen))
    others = any(end is not None and alternatives(end) != alternatives(seen) for end, seen in found)
    if not others or not any(each.listed for each in turn.taken):
        return False
    turns = counter(staged.tracer, staged.sources)
    some = turns > 0
    for asked in (turns, some):
        asked.node.names = ()  # which are those of what the statement gives
    return bool(staged.tracer.look(some, "a loop makes another kind of thing of what it begins with"))


def is_even(staged: Staged, turn: Turn) -> bool:
    """Whether a loop goes through lists alone, whose items are of the same shapes in the example, and carries
    nothing that changes its shape.
    """
    if staged.sources is None or not all(isinstance(each, Listed) for each in staged.sources.each):
        return False
    return all(each.is_even for each in staged.sources.each) and not staged.is_uneven(turn)
