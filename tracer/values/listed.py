"""Listed: lists and tuples of arrays, or of containers of arrays, that are all alike. A loop over one is
recorded as it is over the rows of an array; whoever else goes through it gets its own items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...ir.tree import children, leaves, rebuilt, tuple_fields
from ..memory import numpy_scalars
from ..proxy import is_array_proxy, is_proxy

if TYPE_CHECKING:
    from ..tracer import Tracer

#: What may stand beside the arrays of an item, if it is the same in all of them.
CONSTANTS = (type(None), bool, int, float, complex, str)


@dataclass(frozen=True, slots=True)
class Listed:
    """The items of a list or tuple, of one form: the same arrays in the same containers."""

    items: tuple[Any, ...]

    @staticmethod
    def of(tracer: Tracer, value: Any) -> Listed | None:
        """Those of a list or tuple; None where they are not alike, or no arrays."""
        if type(value) not in (list, tuple) or not value:
            return None
        first, *others = value
        arrays = any(map(is_proxy, leaves(first)))
        alike = arrays and all(is_alike(tracer, first, other) for other in (first, *others))
        return Listed(tuple(value)) if alike else None

    @property
    def columns(self) -> list[tuple[Any, ...]]:
        """The arrays in the items, those of each place together."""
        return list(zip(*(list(filter(is_proxy, leaves(item))) for item in self.items)))

    def filled(self, arrays: Sequence[Any]) -> Any:
        """An item with these arrays in the places of its own."""
        supply = iter(arrays)
        return filled(self.items[0], supply)


def filled(item: Any, supply: Any) -> Any:
    if is_proxy(item):
        return next(supply)
    items = children(item)
    return item if items is None else rebuilt(item, {key: filled(each, supply) for key, each in items})


def is_alike(tracer: Tracer, one: Any, other: Any) -> bool:
    """Whether two items have the same form: arrays of one dtype and rank, in the same containers."""
    if is_proxy(one) or is_proxy(other):
        known = kind(tracer, one)
        return known is not None and known == kind(tracer, other)
    if type(one) is not type(other):
        return False
    if type(one) in CONSTANTS:
        return repr(one) == repr(other)
    if type(one) not in (list, tuple, dict) and tuple_fields(type(one)) is None:
        return False
    mine, theirs = children(one) or [], children(other) or []
    same = [key for key, _ in mine] == [key for key, _ in theirs]
    return same and all(is_alike(tracer, a, b) for (_, a), (_, b) in zip(mine, theirs))


def kind(tracer: Tracer, array: Any) -> tuple[Any, ...] | None:
    """What is the same of arrays that are alike; None of what is no array, or where it is not known."""
    if not is_array_proxy(array) or numpy_scalars.is_number(tracer, array.node):
        return None
    seen = tracer.seen(array.node)[0]
    spec = seen.spec
    return None if spec.dtype is None or spec.shape is None else (spec.dtype, spec.rank, seen.form)
