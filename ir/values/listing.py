"""Listing: a list of tuples, lists or dicts whose arrays are each the rows of one array."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .tree import children, rebuilt


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """`listed(a, b)`: what a loop appended, turn by turn, given what it collected.

    Attributes:
        items: what one turn appended: containers in which numbers stand for the collected arrays.
    """

    items: tuple[Any, ...]

    @property
    def __name__(self) -> str:
        return "listed"

    @property
    def pairs(self) -> bool:
        """Whether each turn appended one tuple of arrays, in the order in which they are given."""
        return len(self.items) == 1 and self.items[0] == tuple(range(len(self.items[0])))

    def __call__(self, *collected: Any) -> list[Any]:
        return [filled(item, rows) for rows in zip(*collected) for item in self.items]


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
