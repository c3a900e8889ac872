"""After: what is known of what a recorded loop gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...values.listed import Listed
from ...values.sources import counter
from ..join import Columns, alternatives
from .turn import Turn, refreshed

if TYPE_CHECKING:
    from .record import Staged


def results_of(staged: Staged, turn: Turn, surely: bool) -> Columns:
    """What a loop gives. `surely`: whether it turns, so that nothing is what it was before unless a turn
    leaves it.
    """
    made = Columns(staged.tracer)
    made.twins = dict(turn.columns.twins)
    for name, (leaf, *_), seen in zip(turn.columns.names, turn.columns.leaves, turn.columns.seen):
        number = len(made.seen)
        if surely and (found := turn.seen_at_ends(number)) is not None:
            seen = found
        ends = [v for v in turn.leaves.get(number, ()) if all(v is not p for p in turn.proxies)]
        made.add(name, [leaf, *ends], refreshed(staged.tracer, name, seen))
    return made


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
