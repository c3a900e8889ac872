"""Swapping: arrays that a turn writes into and hands on under each other's names.

    new[1:-1] = 0.5 * (u[2:] + u[:-2])
    u, new = new, u

Of such a name each turn has another array. That is as well as if it were always the same if nobody else has
any of them: then what the next turn writes into is read by no one but as the value that it carries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...memory.aliasing import doubts, is_linked, root
from ...objects.heap import held_elsewhere
from ...proxy import is_array_proxy
from ..templates import Column
from .turn import Turn

if TYPE_CHECKING:
    from .record import Staged


def swapped(staged: Staged, turn: Turn) -> set[int]:
    """The places of names that only stand for each other's arrays, which nobody else has."""
    entry = enumerate(turn.entry[: len(staged.names)])
    places = {t.number: place for place, t in entry if isinstance(t, Column)}
    touched = staged.tracer.memory.touched
    found: set[int] = set()
    for number, place in places.items():
        if id(turn.proxies[number]) in touched and place not in found:
            group = together(turn, number, places)
            if len(group) > 1 and all(is_private(turn, each) for each in group) and alone(turn, group):
                found |= {places[each] for each in group}
    return found


def together(turn: Turn, number: int, places: dict[int, int]) -> set[int]:
    """The columns that a name stands for in the turns to come; nothing where it may be something else."""
    numbers = {id(turn.proxies[each]): each for each in places}
    group, waiting = {number}, [number]
    for each in waiting:
        for given, _ in turn.ends:
            after = numbers.get(id(given[places[each]]))
            if after is None:
                return set()
            if after not in group:
                group.add(after)
                waiting.append(after)
    return group


def is_private(turn: Turn, number: int) -> bool:
    """Whether nobody else has the array that a column begins with, or a view of it."""
    tracer, (first, *_) = turn.tracer, turn.columns.leaves[number]
    if not is_array_proxy(first) or turn.placeholders[number].meta["shared"]:
        return False
    known = is_linked(tracer, first) or doubts(tracer, first) or id(first) in tracer.memory.leaked
    if root(tracer, first) is not first or known:
        return False
    views = (view.proxy for view in tracer.memory.views.values() if root(tracer, view.proxy) is first)
    return not any(held_elsewhere(tracer, view, "") for view in views)


def alone(turn: Turn, group: set[int]) -> bool:
    """Whether these columns begin with arrays of their own, and nothing else is left of them after a turn."""
    inits = [turn.columns.leaves[number][0] for number in group]
    mine = {id(turn.proxies[number]) for number in group}

    def is_mine(value: Any) -> bool:
        return is_array_proxy(value) and id(root(turn.tracer, value)) in mine

    others = [end for number, ends in turn.leaves.items() if number not in group for end in ends]
    others += [leaf for growing in turn.growing for leaf in growing.leaves]
    firsts = [first for number, (first, *_) in enumerate(turn.columns.leaves) if number not in group]
    apart = len({*map(id, inits)}) == len(inits) and not {*map(id, inits)} & {*map(id, firsts)}
    return apart and not any(map(is_mine, others))
