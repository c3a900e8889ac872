"""Listing: a list of tuples, lists or dicts whose arrays are each the rows of one array."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .tree import children, leaves, rebuilt


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """`listed(a, b)`: the list of what a loop appended, turn by turn, given what it collected.

    Attributes:
        items: what one turn appended: containers in which numbers stand for the collected arrays.
        numbers: which of these hold numbers of Python's.
    """

    items: tuple[Any, ...]
    numbers: frozenset[int] = frozenset()

    @property
    def __name__(self) -> str:
        return "listed"

    @property
    def count(self) -> int:
        """Of how many arrays it is made."""
        last: int = max(leaves(self.items))
        return last + 1

    @property
    def single(self) -> bool:
        """Whether each turn appended one thing that is no container."""
        return self.items == (0,)

    @property
    def pairs(self) -> bool:
        """Whether each turn appended one tuple of arrays, in the order in which they are given."""
        alone = len(self.items) == 1 and isinstance(self.items[0], tuple)
        return alone and self.items[0] == tuple(range(len(self.items[0])))

    def __call__(self, *collected: Any) -> list[Any]:
        columns = (
            column.tolist() if place in self.numbers and not isinstance(column, list) else column
            for place, column in enumerate(collected)
        )
        return [filled(item, rows) for rows in zip(*columns) for item in self.items]


def filled(item: Any, rows: Any) -> Any:
    """An item with arrays for numbers."""
    if isinstance(item, int):
        return rows[item]
    return rebuilt(item, {k: filled(v, rows) for k, v in children(item) or ()})


def numbered(item: Any, found: list[Any]) -> Any:
    """An item with numbers for what is found in it."""
    items = children(item)
    if items is None:
        found.append(item)
        return len(found) - 1
    return rebuilt(item, {k: numbered(v, found) for k, v in items})


def is_list(target: Any) -> bool:
    """Whether a node's target makes a list of the rows of arrays."""
    return target is list or isinstance(target, Listed)


def holds_arrays(target: Any) -> bool:
    """Whether a node's target makes a list in which arrays are, not numbers of Python's alone."""
    return is_list(target) and not (isinstance(target, Listed) and len(target.numbers) == target.count)
