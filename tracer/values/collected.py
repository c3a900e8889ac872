"""Collected: what a loop over lists has appended to a list, for another loop that goes through that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...ir.values.tree import leaves
from ..proxy import is_proxy, isinstance_scalar
from .list_rows import NumberRows, Rows, nested
from .listed import Listed, filled

if TYPE_CHECKING:
    from ..tracer import Tracer


class Each(Sequence[Any]):
    """The elements one by one, for whoever wants them so. See Rows.each."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows

    @cached_property
    def all(self) -> tuple[Any, ...]:
        return tuple(self.rows.each())

    def __getitem__(self, index: Any) -> Any:
        return self.all[index]

    def __len__(self) -> int:
        return len(self.all)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.all)


@dataclass(frozen=True, slots=True)
class Collected(Listed):
    """The items of a list that a loop has made. They are alike, being made alike.

    Attributes:
        rows: what stands in the list for them.
    """

    rows: Any = None

    @staticmethod
    def by(graph: Any, value: list[Any]) -> Collected | None:
        """Those of a list that holds nothing else, made in a graph; None where they are no arrays, or no list
        any more.
        """
        rows = value[0]
        if len(value) > 1 or not isinstance(rows, Rows) or isinstance(rows, NumberRows):
            return None
        if not rows.listed or len(rows.items) > 1:
            return None
        arrays = [*leaves(rows.items[0])]
        if any(type(held) not in (tuple, list, dict) for held in nested(rows.items[0])):
            return None
        if not all(is_proxy(leaf) and not isinstance_scalar(leaf) for leaf in arrays):
            return None
        if any(array.node.graph is not graph for array in arrays):
            return None
        return Collected(Each(rows), arrays[0].node.spec.shape[0], value, rows=rows)  # type: ignore[arg-type]

    def at(self, tracer: Tracer, place: int) -> Any:
        return self.items[place]

    def rely(self, tracer: Tracer) -> None:
        """Nothing: whoever takes them one by one relies on how many they are."""

    def counted(self, tracer: Tracer) -> Any:
        return self.rows.count

    @property
    def columns(self) -> list[tuple[Any, ...]]:
        return [(array,) for array in leaves(self.rows.items[0])]

    @property
    def is_even(self) -> bool:
        return not self.rows.uneven

    def filled(self, arrays: Sequence[Any]) -> Any:
        return filled(self.rows.items[0], iter(arrays))
