"""Placed: the items of lists that a loop takes by the number of its turn.

    for i in range(len(ws)):            goes through the numbers, and through `ws` in step with them
        x = np.tanh(x @ ws[i] + bs[i])  and through `bs`
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ....ir.sizes.dim import hint_of
from ...values import list_rows
from ...values.collected import Collected
from ...values.listed import Listed
from ...values.sources import Sources
from .turn import Turn

if TYPE_CHECKING:
    from ...tracer import Tracer
    from .record import Staged

#: What stands in no list whose items a loop takes so.
NOWHERE = object()


class Through(BaseException):
    """A loop goes through something else than was thought, and has to be recorded anew for that.

    Attributes:
        found: gives its sources then, and what their items are called if not as the user has it.
    """

    def __init__(self, staged: Staged, found: Callable[[], tuple[Sources, tuple[str, ...]]]) -> None:
        self.staged = staged
        self.found = found


def item(tracer: Tracer, container: Any, place: Any) -> Any:
    """What stands in a list where the turn of a loop that is being recorded has its number; NOWHERE where
    that is another number, or the loop goes through no items.

    Raises:
        Through: where the loop does not go through that list yet.
    """
    if tracer.tries.open:  # that there is no such item may be what a handler is for
        return NOWHERE
    turn = next((each for each in tracer.stack.loops if isinstance(each, Turn) and counts(each, place)), None)
    sources = turn.staged.sources if turn is not None else None
    if turn is None or sources is None or type(container) not in (list, tuple):
        return NOWHERE
    for taken, source in zip(turn.taken, sources.each):
        if taken.placed and source.container is container:
            return taken.value
    listed = of(turn.staged, container)
    if listed is None or not turn.staged.goes or not enough(sources, listed):
        return NOWHERE
    raise Through(turn.staged, lambda: (through(sources, listed), ()))


def of(staged: Staged, container: Any) -> Listed | None:
    """The items of an argument, or of what an earlier loop has made; None of any other list."""
    if list_rows.holds(container):
        return Collected.by(staged.home, container)
    listed = Listed.of(staged.tracer, container)
    return listed if listed is not None and listed.given is not None else None


def counts(turn: Turn, number: Any) -> bool:
    """Whether a number is that of the turn, from 0 on."""
    sources = turn.staged.sources
    if sources is None or not isinstance(sources.each[0], tuple) or not turn.taken:
        return False
    start, _, step = sources.each[0]
    counts_up = type(start) is type(step) is int and (start, step) == (0, 1)
    return counts_up and turn.taken[0].value is number and turn.staged.kind != "call"


def enough(sources: Sources, listed: Listed) -> bool:
    """Whether there is an item for every turn, in the example."""
    turns = hint_of(sources.length) if sources.length is not None else None
    there = hint_of(listed.length)
    return turns is not None and there is not None and turns <= there


def through(sources: Sources, listed: Listed) -> Sources:
    """Sources, and a list in step with them."""
    count, form = len(sources.each) - sources.placed, sources.form
    if not sources.placed:
        form = first(form, count)
    return replace(sources, each=(*sources.each, listed), form=form, placed=sources.placed + 1)


def without(sources: Sources) -> Sources:
    """What is gone through but for such lists."""
    return replace(sources, each=sources.each[: len(sources.each) - sources.placed], placed=0)


def first(form: Any, count: int) -> Any:
    return lambda *items: form(*items[:count])
