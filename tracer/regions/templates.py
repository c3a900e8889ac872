"""Templates: what a region hands on in terms of its results: containers in which Columns stand for those."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...ir.values.tree import children, rebuilt
from ..objects.containers import inside


@dataclass(frozen=True, slots=True)
class Instance:
    """The join of objects of a class of the user's: that of each attribute."""

    kind: type
    held: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """A place among the results of a region."""

    number: int


def parts(template: Any) -> list[tuple[Any, Any]]:
    """The items of a join, by key."""
    return list(template.held.items()) if isinstance(template, Instance) else children(template) or []


def pieces(template: Any, value: Any) -> list[tuple[Any, Any]]:
    """Those of a value that it joins."""
    if isinstance(template, Instance):
        return list(inside(value).items()) if type(value) is template.kind else []
    return children(value) or []


def remade(template: Any, items: dict[Any, Any]) -> Any:
    """A join of other items."""
    return Instance(template.kind, items) if isinstance(template, Instance) else rebuilt(template, items)


def has_column(template: Any) -> bool:
    return isinstance(template, Column) or any(has_column(v) for _, v in parts(template))


def has_instance(template: Any) -> bool:
    return isinstance(template, Instance) or any(has_instance(v) for _, v in parts(template))
