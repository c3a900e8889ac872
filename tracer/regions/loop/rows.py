"""Rows: a loop over the rows of an array that its body writes into.

    for row in x:                   a turn takes the row as the array is by then:
        row /= row.sum()

    for i in range(x.shape[0]):
        row = x[i]
        row /= row.sum()
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ....ir.errors import UnsupportedError
from ...memory.aliasing import root
from ...place import here
from ...proxy import is_array_proxy, is_proxy
from ...values.sources import Sources, is_endless, number
from .placed import Through
from .taking import Taken

if TYPE_CHECKING:
    from .record import Staged


def look_after(staged: Staged, each: Sequence[Taken]) -> None:
    """Let a write into a row of an array have the loop recorded anew, which then takes its rows by number."""
    sources = staged.sources
    if sources is None or sources.placed:
        return
    names = called(sources)
    for taken, source in zip(each, sources.each):
        if is_array_proxy(source):
            again = partial(take_by_number, staged, sources, {id(root(staged.tracer, source))}, names)
            staged.tracer.memory.by_number[id(taken.value)] = taken.value, again


def rows_stay(staged: Staged, sources: Sources) -> None:
    """See to it that a turn writes into no array that the loop goes through.

    Raises:
        Through: where it goes through its rows, which are then taken by number.
        UnsupportedError: where it is an array of a list.
    """
    written = {id(proxy) for proxy in staged.written}
    if written.isdisjoint(id(root(staged.tracer, each)) for each in sources.arrays):
        return
    if not sources.placed and all(is_array_proxy(s) or isinstance(s, tuple) for s in sources.each):
        take_by_number(staged, sources, written, called(sources))
    raise UnsupportedError(
        "writing into an array while a loop goes through its rows",
        why="a later turn gets what an earlier one has written",
        span=staged.tracer.span(),
        hint="loop over a copy of it, or over range(len(...))",
    )


def take_by_number(
    staged: Staged, sources: Sources, roots: Collection[int], names: tuple[str, ...]
) -> None:
    """Raises Through for a loop that takes the rows of these arrays, too, by the number of the turn."""
    whole = entire(sources)
    found = {i for i, s in enumerate(whole.each) if is_array_proxy(s) and id(root(staged.tracer, s)) in roots}
    raise Through(staged, partial(by_number, whole, sources.rows | found, names))


def by_number(
    sources: Sources, places: frozenset[int], names: tuple[str, ...]
) -> tuple[Sources, tuple[str, ...]]:
    """The same sources, with a count in place of these arrays, and what their items are called."""
    tracer, each, form = sources.tracer, sources.each, sources.form
    count = next((i for i, source in enumerate(each) if is_count(source)), None)
    others = [i for i in range(len(each)) if i not in places and i != count]
    length = number(tracer, each[min(places)])
    if is_proxy(length):
        length.node.names = ()  # those of the loop are its items'
    start = each[count][0] if count is not None else 0
    stop = start + length if start else length
    made = (start, stop, 1) if count is None or is_endless(each[count]) else each[count]

    def together(i: Any, *items: Any) -> Any:
        found = dict(zip(others, items))
        for place, source in enumerate(each):
            if place in places:
                found[place] = tracer.hooks.getitem(source, i - start if start else i)
                if is_array_proxy(found[place]):
                    found[place].node.names = (names[place],) if names else ()
            elif place == count:
                found[place] = i
        return form(*(found[place] for place in range(len(each))))

    called = (names[count] if count is not None else "i", *(names[i] for i in others)) if names else ()
    given = (made, *(each[i] for i in others))
    return replace(sources, each=given, form=together, whole=sources, rows=places), called


def entire(sources: Sources) -> Sources:
    """What the user goes through himself."""
    return sources if sources.whole is None else sources.whole


def is_count(source: Any) -> bool:
    """Whether a source counts the turns from a number on that is known."""
    return isinstance(source, tuple) and type(source[0]) is int and source[2] == 1


def called(sources: Sources) -> tuple[str, ...]:
    """What the user calls an item of each source; nothing where that is not said one by one."""
    place = here()
    names = place.statement.items if place is not None and place.statement is not None else ()
    return tuple(names) if len(names) == len(entire(sources).each) else ()


def kinds(sources: Sources | None) -> dict[str, tuple[str, ...]]:
    """What the user goes through where rows are taken by number, for the meta of the loop."""
    if sources is None or sources.whole is None:
        return {}
    each = sources.whole.each
    count = next((i for i, source in enumerate(each) if is_count(source)), None)
    said = ("row" if i in sources.rows else "count" if i == count else "other" for i in range(len(each)))
    return {"by number": tuple(said)}
