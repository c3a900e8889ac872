"""Tree: values as Python programs nest them, in tuples, lists, mappings and dataclasses of the user's."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

PACKAGE = __name__.partition(".")[0]


def is_record(value: Any) -> bool:
    """Whether a value is an instance of a dataclass of the user's; ours are values, not containers."""
    kind = type(value)
    return hasattr(kind, "__dataclass_fields__") and kind.__module__.partition(".")[0] != PACKAGE


def children(value: Any) -> list[tuple[Any, Any]] | None:
    """Keys and items of a container; None for what is none."""
    if isinstance(value, (tuple, list)):
        items = tuple.__iter__(value) if isinstance(value, tuple) else value
        return list(enumerate(items))
    if isinstance(value, Mapping):
        return list(value.items())
    if is_record(value):
        return [(name, getattr(value, name)) for name in value.__dataclass_fields__]
    return None


def leaves(value: Any) -> Iterator[Any]:
    """What nested containers hold, in order; the bounds of a slice too."""
    if isinstance(value, slice):
        value = (value.start, value.stop, value.step)
    items = children(value)
    if items is None:
        yield value
    for _, item in items or ():
        yield from leaves(item)


def rebuilt(value: Any, items: Mapping[Any, Any]) -> Any:
    """A container like `value` with other items, by key. The `__init__` of a dataclass is not asked, since it
    may look at them.
    """
    if isinstance(value, (tuple, list)):
        return type(value)(*items.values()) if hasattr(value, "_fields") else type(value)(items.values())
    if isinstance(value, dict) and type(value) is not dict:  # it may hold more, such as a default
        made = copy.copy(value)
        made.clear()
        made.update(items)
        return made
    if isinstance(value, Mapping):
        return type(value)(items)  # type: ignore[call-arg]
    made = copy.copy(value)
    for name, item in items.items():
        object.__setattr__(made, name, item)
    return made
