"""Which cases of a full product are enough: those among which every pair of values still occurs.

A fault that three columns of a table bring about together is rare; that two do is common. So of a test marked
`covering` only such cases are run as are needed for all pairs; `--every` runs them all.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Sequence
from itertools import combinations
from typing import Any

import pytest


def pairs(row: Sequence[Hashable]) -> set[Hashable]:
    """What a row has that others may not have. Where there is one column, its value."""
    numbered = list(enumerate(row))
    return set(combinations(numbered, 2)) if len(numbered) > 1 else set(numbered)


def cover(rows: Sequence[Sequence[Hashable]], kept: Iterable[int] = ()) -> set[int]:
    """Places of rows that have all pairs of values that any of them has, beside those that are kept anyway:
    each time the first that brings the most pairs.
    """
    chosen = set(kept)
    met = {pair for place in chosen for pair in pairs(rows[place])}
    wanting = {place: pairs(row) - met for place, row in enumerate(rows) if place not in chosen}
    heap = [(-len(some), place) for place, some in wanting.items() if some]
    heapq.heapify(heap)
    while heap:
        bound, place = heapq.heappop(heap)
        wanting[place] -= met
        gain = len(wanting[place])
        if gain == -bound:  # others bring no more than they did when they were last looked at
            chosen.add(place)
            met |= wanting[place]
        elif gain:
            heapq.heappush(heap, (-gain, place))
    return chosen


def row(item: pytest.Item, columns: Sequence[str | tuple[str, ...]]) -> tuple[Hashable, ...]:
    """A case as a row of the table, whose columns are the test's parameters unless it says others: several
    that belong together may be one. A value stands by its text, as it need not be hashable.
    """
    params: dict[str, Any] = item.callspec.params  # type: ignore[attr-defined]
    parts = [(column,) if isinstance(column, str) else column for column in columns or params]
    return tuple(tuple(str(params[name]) for name in part) for part in parts)


def spare(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The cases of one test that are not needed. What `make test` runs stays."""
    mark = items[0].get_closest_marker("covering")
    assert mark is not None
    kept = [place for place, item in enumerate(items) if not item.get_closest_marker("slow")]
    chosen = cover([row(item, mark.args) for item in items], kept)
    return [item for place, item in enumerate(items) if place not in chosen]
