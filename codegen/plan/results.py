"""Results: the values that a function returns, and puts into its arguments, in containers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.values.spec import Spec
from ...ir.values.tree import children, rebuilt


def apart_last(found: Sequence[tuple[Any, Any]]) -> list[int]:
    """The numbers of values, each with its memories, those last that share theirs with the fewest others: a
    copy of such a one parts it from nothing that it lies together with in the program. First the lists, which
    are not copied.
    """
    all_of = [mine or frozenset() for _, mine in found]
    others = [sum(bool(mine & theirs) for theirs in all_of) for mine in all_of]
    return sorted(range(len(found)), key=lambda i: (is_array(found[i][0]), -others[i]))


def is_array(value: Any) -> bool:
    return isinstance(value, Node) and isinstance(value.spec, Spec)


def with_leaves(value: Any, supply: Iterator[Any]) -> Any:
    """A container with other leaves."""
    items = children(value)
    return next(supply) if items is None else rebuilt(value, {k: with_leaves(v, supply) for k, v in items})
