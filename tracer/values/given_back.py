"""What a function cannot give back: its text builds each container anew, where it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ...ir.values.tree import children, circular
from . import ranges

if TYPE_CHECKING:
    from ..tracer import Tracer


#: The keys under which a container stands in a result, and the path of an argument.
Places = set[tuple[tuple[Any, ...], str]]


def unsaid(result: Any) -> tuple[str, str, str] | None:
    """What of a result no text gives back, why, and what to do; None where one can."""
    if circular(result):
        return "a container that holds itself", "a text builds it anew", "return what it holds"
    if ranges.holds(result):
        why = "a program gives arrays, numbers, and containers of these"
        return "a slice or a range", why, "return its bounds"
    return None


def check(tracer: Tracer, result: Any) -> None:
    """Refuse it where the program itself gives it; note in its graph which containers are arguments.

    Raises:
        UnsupportedError: for a range, for a container that holds itself, and for what is an argument on one
            way and a copy of it on another.
    """
    found = unsaid(result)
    if found is None:
        themselves, copies, unsure = places(tracer, result)
        known, others = tracer.scopes[0].graph.meta.setdefault("given back", set()), tracer.entry.copies
        known |= themselves
        others |= copies
        several = next((path for _, path in (known & others) | unsure), None)
        if several is None:
            return
        why = "a text has one of them on every way, and a caller who changes it sees which it is"
        found = f"`{several}` on one way and a copy of it on another", why, "copy it on every way, or on none"
    what, why, hint = found
    span = tracer.span() if tracer.stack.left is None else tracer.stack.left.span
    raise UnsupportedError(f"giving back {what}", why=why, span=span, hint=hint)


def places(tracer: Tracer, result: Any) -> tuple[Places, Places, Places]:
    """Where a result has containers that are arguments, copies of such, and what may be either."""
    given = tracer.structure.given.values()
    themselves, copies, unsure = set(), set(), set()
    for key, each in placed(result) if given else ():
        found = tracer.structure.find(each)
        if found is not None:
            themselves.add((key, found.path))
            continue
        alike = {(key, other.path) for other in given if is_alike(each, other.container)}
        several = {other.path for other in tracer.structure.all_of(each)}
        unsure |= {(key, path) for key, path in alike if path in several}
        copies |= alike
    return themselves, copies, unsure


def placed(value: Any, keys: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The containers in a value that can be given other items, by the keys under which they stand."""
    items = children(value)
    if items is not None and not isinstance(value, tuple) and not is_frozen(value):
        yield keys, value
    for key, item in items or ():
        yield from placed(item, (*keys, key))


def is_alike(one: Any, other: Any) -> bool:
    """Whether two containers of one class hold the same."""
    mine, theirs = children(one) or [], children(other) or []
    same = type(one) is type(other) and len(mine) == len(theirs) > 0
    return same and all(a == b and v is w for (a, v), (b, w) in zip(mine, theirs))


def holds_twice(tracer: Tracer, result: Any) -> bool:
    """Whether one container stands in two places of a result, or may by the way that the program goes: a
    caller who changes the one would not see the other change.
    """
    found = [each for _, each in placed(result) if tracer.structure.find(each) is None]
    times = Counter(other for each in found for other in maybe(tracer, each))
    return any(often > 1 for often in times.values())


def maybe(tracer: Tracer, container: Any) -> set[int]:
    """The ids of the containers that one may be, by the way that the program goes."""
    several = (twins.held for twins in tracer.containers.twins)
    those = (held for held in several if any(each is container for each, _ in held))
    return {id(container), *(id(each) for held in those for each, _ in held)}


def is_frozen(value: Any) -> bool:
    made = getattr(type(value), "__dataclass_params__", None)
    return made is not None and bool(made.frozen)
