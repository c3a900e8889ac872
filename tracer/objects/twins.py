"""Twins: containers of which only the running program knows which one a name stands for.

After `d = a if x > 0 else b` a trace has a third dict, with the values of the one or the other. That is all
the same as long as none of the three is changed, which is looked after in the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ...ir.source.span import Span
from . import heap
from .containers import differs, inside, is_container
from .reach import reachable

if TYPE_CHECKING:
    from ..tracer import Tracer


@dataclass(frozen=True, slots=True)
class Twins:
    """Containers that are taken for one, with what they held then."""

    name: str
    span: Span | None
    held: list[tuple[Any, Any]]


def known_elsewhere(tracer: Tracer, name: str, values: list[Any]) -> list[Any]:
    """The values where one of them is a container that others than the variable `name` hold too; none
    otherwise.
    """
    return values if any(is_container(v) and has_others(tracer, v, name) for v in values) else []


def has_others(tracer: Tracer, value: Any, name: str) -> bool:
    """Whether others see a container change: the caller, who holds what arguments are, whoever holds one of
    those that it stands for, or another variable or container.
    """
    outlives = id(value) in tracer.outside.heap.held
    stands = any(container is value for found in tracer.containers.twins for container, _ in found.held)
    return outlives or stands or heap.held_elsewhere(tracer, value, name)


def note(tracer: Tracer, name: str, made: Any, originals: list[Any]) -> None:
    """`made` stands for one of these from here on."""
    held = [(c, inside(c)) for c in (made, *originals) if is_container(c)]
    tracer.containers.twins.append(Twins(name, tracer.span(), held))


def note_all(tracer: Tracer, name: str, made: Any, originals: list[Any]) -> None:
    """Every container in `made` stands for one of these from here on."""
    found = [container for _, container in reachable([(name, made)])]
    held = [(c, inside(c)) for c in (*found, *originals)]
    tracer.containers.twins.append(Twins(name, tracer.span(), held))


def changed(tracer: Tracer) -> Iterator[tuple[Twins, Any]]:
    """Those that were changed since."""
    for twins in tracer.containers.twins:
        for container, before in twins.held:
            if differs(container, inside(container), before):
                yield twins, container


def refuse_changed(tracer: Tracer) -> None:
    """Raises UnsupportedError where one was changed since, which others would have to see."""
    for twins, container in changed(tracer):
        raise refusal(twins, container)


def stay(tracer: Tracer, changed: Iterable[Any]) -> None:
    """Raises UnsupportedError where a loop changes one of these containers: none of it is left to be seen in
    the end.
    """
    ids = {id(container) for container in changed}
    for twins in tracer.containers.twins if ids else ():
        for container, _ in twins.held:
            if id(container) in ids:
                raise refusal(twins, container)


def refusal(twins: Twins, container: Any) -> UnsupportedError:
    return UnsupportedError(
        f"changing the {type(container).__name__} that `{twins.name}` may stand for",
        why="only the running program knows which of several it is, and others see it change too",
        span=twins.span,
        hint="make a new one on every way",
    )
