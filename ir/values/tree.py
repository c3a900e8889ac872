"""Tree: values as Python programs nest them, in tuples, lists, mappings and dataclasses of the user's."""

from __future__ import annotations

import copy
import dataclasses
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar, cast

Asked = TypeVar("Asked", bound=Callable[..., Any])

PACKAGE = __name__.partition(".")[0]


def by_type(function: Asked) -> Asked:
    """Let a function that is asked of types remember what it says."""
    return cast(Asked, lru_cache(maxsize=4096)(function))


@by_type
def form(kind: Any) -> type | None:
    """What the instances of a class are as containers: tuple, list, Mapping, or object for a dataclass of the
    user's (ours are values, not containers); None for anything else. Every value of a trace is asked this.
    """
    if issubclass(kind, (tuple, list)):
        return tuple if issubclass(kind, tuple) else list
    if issubclass(kind, Mapping):
        return Mapping
    own = hasattr(kind, "__dataclass_fields__") and kind.__module__.partition(".")[0] != PACKAGE
    return object if own else None


#: Where there is no value.
NOTHING = object()

PLAIN = (int, float, complex, bool, str, bytes)
#: The types of what holds nothing.
ATOMS = frozenset((*PLAIN, type(None), type(...)))


def plain_constant(value: Any) -> Any:
    """A number or a text of a class of its own, such as a member of an IntEnum, as that of Python's that it
    is; anything else itself, as is a text that is compared in another way.
    """
    kind = type(value)
    if kind in PLAIN or not issubclass(kind, PLAIN):
        return value
    if issubclass(kind, (str, bytes)):
        base = str if issubclass(kind, str) else bytes
        alike = kind.__eq__ is base.__eq__ and kind.__hash__ is base.__hash__ or hasattr(kind, "dtype")
        return base.__getitem__(value, slice(None)) if alike else value
    if hasattr(kind, "dtype"):  # a number of NumPy's is of a dtype
        return value
    return next(own(value) for own in (int, float, complex) if issubclass(kind, own))


def is_record(value: Any) -> bool:
    """Whether a value is an instance of a dataclass of the user's."""
    return form(type(value)) is object


@by_type
def record_fields(kind: type) -> tuple[str, ...]:
    """The names of a dataclass's fields. What is declared as `ClassVar` or `InitVar` is none."""
    return tuple(field.name for field in dataclasses.fields(kind))


@by_type
def tuple_fields(kind: type) -> tuple[str, ...] | None:
    """The names of a namedtuple's items; None of another class. The class is asked, since an object may
    answer whatever it is asked for.
    """
    return getattr(kind, "_fields", None) if issubclass(kind, tuple) else None



def made_of(kind: Any, items: Iterable[Any]) -> Any:
    """A list or tuple of this class."""
    return kind(*items) if tuple_fields(kind) is not None else kind(items)


def holdings(record: Any) -> dict[str, Any]:
    """What a record's fields hold. One without a default may hold nothing yet."""
    held = ((name, getattr(record, name, NOTHING)) for name in record_fields(type(record)))
    return {name: value for name, value in held if value is not NOTHING}


@by_type
def surely(kind: type, name: str) -> bool:
    """Whether all objects of a dataclass have an attribute: they are given one, or the class has it, or says
    itself what there is.
    """
    for field in dataclasses.fields(kind):
        made = (field.default, field.default_factory) != (dataclasses.MISSING, dataclasses.MISSING)
        if field.name == name and (field.init or made):
            return True
    held = getattr(kind, name, NOTHING)
    of_class = held is not NOTHING and type(held) is not types.MemberDescriptorType
    return of_class or hasattr(kind, "__getattr__")



def beyond(record: Any) -> dict[str, Any]:
    """What a record holds beside its fields: what was computed of them, or stands before a class's own."""
    own = record_fields(type(record))
    return {name: value for name, value in getattr(record, "__dict__", {}).items() if name not in own}


def children(value: Any) -> list[tuple[Any, Any]] | None:
    """Keys and items of a container; None for what is none."""
    kind = form(type(value))
    if kind is None:
        return None
    if kind is Mapping:
        return list(value.items())
    if kind is object:
        return [*holdings(value).items(), *beyond(value).items()]
    return list(enumerate(tuple.__iter__(value) if kind is tuple else value))


def circular(value: Any, above: tuple[int, ...] = ()) -> bool:
    """Whether a container is among what it holds."""
    items = children(value)
    if not items:
        return False
    return id(value) in above or any(circular(item, (*above, id(value))) for _, item in items)


def leaves(value: Any) -> Iterator[Any]:
    """What nested containers hold, in order; the bounds of a slice too."""
    if isinstance(value, slice):
        value = (value.start, value.stop, value.step)
    kind = form(type(value))
    if kind is None:
        yield value
        return
    if kind is tuple:
        items: Iterable[Any] = tuple.__iter__(value)
    else:
        items = value if kind is list else [item for _, item in children(value) or ()]
    for item in items:
        if form(type(item)) is None and type(item) is not slice:
            yield item
        else:
            yield from leaves(item)


def rebuilt(value: Any, items: Mapping[Any, Any]) -> Any:
    """A container like `value` with other items, by key. The `__init__` of a dataclass is not asked, since it
    may look at them.
    """
    if isinstance(value, (tuple, list)):
        return made_of(type(value), items.values())
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


def map_leaves(value: Any, fn: Callable[[Any], Any]) -> Any:
    """The same containers with `fn` applied to what they hold that is none itself."""
    items = children(value)
    return fn(value) if items is None else rebuilt(value, {key: map_leaves(item, fn) for key, item in items})
