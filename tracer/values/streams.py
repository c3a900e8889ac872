"""Streams: what `enumerate`, `zip` and `reversed` of Sources give: iterators, which are gone through once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from . import advancing

if TYPE_CHECKING:
    from .sources import Sources


class Stream:
    """An iterator over Sources.

    Until somebody has taken an item, whoever wants all of them takes the Sources, over which a loop may be
    recorded. From the first item on it is Python's, item by item.

    Attributes:
        sources: what it goes through.
        kind: what the type is called in Python.
        running: Python's iterator over the sources; None before the first item.
        lost: whether somebody has taken the Sources, so that only they know how far it has gone.
    """

    def __init__(self, sources: Sources, kind: str) -> None:
        self.sources = sources
        self.kind = kind
        self.running: Iterator[Any] | None = None
        self.lost = False

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> Any:
        advancing.handed(self.sources.tracer, self)
        self.check()
        return next(self.anew() if self.running is None else self.running)

    def check(self) -> None:
        if self.lost:
            raise UnsupportedError(
                f"going on with {'an' if self.kind[0] == 'e' else 'a'} {self.kind} object",
                why="it was handed on, or a recorded loop may have left it anywhere",
                span=self.sources.tracer.span(),
                hint="make a new one, or keep list(...) of it",
            )

    def taken(self) -> Sources | None:
        """All the items, as Sources; None where it has begun."""
        advancing.handed(self.sources.tracer, self)
        self.check()
        if self.running is not None:
            return None
        self.lost = True
        return self.sources

    def anew(self) -> Iterator[Any]:
        """Python's iterator, from the start."""
        self.lost, self.running = False, iter(self.sources)
        return self.running

    def finish(self) -> None:
        """All items were taken."""
        self.lost, self.running = False, iter(())
