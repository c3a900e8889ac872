"""Layers: in which order counts what was declared, of ops and of how frameworks say them.

What is built in is the lowest layer. Above it is what users say, and above that what is said inside of `with
dictionary():`, which is gone when the block ends and holds in its thread alone. The newest counts first.

    REGISTER: Table[str, Op] = Table("ops")

A table is looked up in all layers, and written to in the newest. What was worked out of tables is
`remembered` until one of them is written to.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

K = TypeVar("K")
V = TypeVar("V")
P = ParamSpec("P")
#: The tables of one layer, by name.
Layer = dict[str, dict[Any, Any]]


class Dictionary:
    """Layers, the newest first, and what was worked out of them. Of the `newest` ones the first is part."""

    def __init__(self, *layers: Layer, newest: int = 1) -> None:
        self.layers = layers
        self.newest = newest
        self.memos: dict[Any, Any] = {}
        self.version = 0

    def memo(self, function: Callable[P, V], maxsize: int | None) -> Callable[P, V]:
        if self.version != VERSION[0]:
            self.memos, self.version = {}, VERSION[0]
        if function not in self.memos:
            self.memos[function] = functools.lru_cache(maxsize)(function)
        found: Callable[P, V] = self.memos[function]
        return found


#: One thread at a time traces and translates: a trace puts functions of ours into classes of the user's, and
#: into what the frameworks call.
LOCK = threading.RLock()
#: How often something was declared.
VERSION = [0]
BUILT_IN: Layer = {}
#: What holds everywhere: what users say, above what is built in.
COMMON = Dictionary({}, BUILT_IN)
CURRENT: ContextVar[Dictionary] = ContextVar("dictionary", default=COMMON)


@contextmanager
def dictionary() -> Iterator[None]:
    """What is declared inside, ops and rows, is forgotten when the block ends, and not seen by other threads.
    """
    token = CURRENT.set(Dictionary({}, *CURRENT.get().layers))
    try:
        yield
    finally:
        CURRENT.reset(token)


@contextmanager
def built_in() -> Iterator[None]:
    """What is declared inside is built in."""
    token = CURRENT.set(Dictionary(BUILT_IN))
    try:
        yield
    finally:
        CURRENT.reset(token)


@contextmanager
def staged() -> Iterator[None]:
    """What is declared inside is declared together when the block ends, and not at all where it raises."""
    outer = CURRENT.get()
    made: Layer = {}
    token = CURRENT.set(Dictionary(made, *outer.layers, newest=2))
    try:
        yield
    finally:
        CURRENT.reset(token)
    for name, table in made.items():
        outer.layers[0].setdefault(name, {}).update(table)
    VERSION[0] += 1


def stamp() -> tuple[Any, ...]:
    """What tells whether something else is declared now than before."""
    return VERSION[0], *map(id, CURRENT.get().layers)


def is_built_in() -> bool:
    """Whether what is declared now is built in."""
    return CURRENT.get().layers[0] is BUILT_IN


class Table(Mapping[K, V]):
    """One table of all layers."""

    def __init__(self, name: str) -> None:
        self.name = name

    def maps(self) -> list[dict[K, V]]:
        """What each layer has of it, the newest first."""
        return [layer[self.name] for layer in CURRENT.get().layers if self.name in layer]

    def newest(self) -> dict[K, V]:
        """What the newest layer has, to look at."""
        current = CURRENT.get()
        newest, *older = (layer.get(self.name, {}) for layer in current.layers[: current.newest])
        return {**older[0], **newest} if older else newest

    def each(self, key: K) -> list[V]:
        """What the layers have under a key, the newest first."""
        return [found[key] for found in self.maps() if key in found]

    def __getitem__(self, key: K) -> V:
        name = self.name
        for layer in CURRENT.get().layers:
            if name in layer and key in layer[name]:
                found: V = layer[name][key]
                return found
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        for layer in CURRENT.get().layers:
            if key in layer.get(self.name, ()):
                return True
        return False

    def __iter__(self) -> Iterator[K]:
        return iter({key: None for found in reversed(self.maps()) for key in found})

    def __len__(self) -> int:
        return len({key for found in self.maps() for key in found})

    def __setitem__(self, key: K, value: V) -> None:
        CURRENT.get().layers[0].setdefault(self.name, {})[key] = value
        VERSION[0] += 1


def remembered(maxsize: int | None = None) -> Callable[[Callable[P, V]], Callable[P, V]]:
    """Mark a function of hashable arguments, whose results follow from tables, as one that need not be called
    twice with the same until something is declared.
    """

    def mark(function: Callable[P, V]) -> Callable[P, V]:
        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> V:
            return CURRENT.get().memo(function, maxsize)(*args, **kwargs)

        return call

    return mark
