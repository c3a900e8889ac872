"""The one walk along values that lead to others: users, operands, what shares memory, what is called."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Worklist(Generic[T]):
    """Values of which each is met once. Those that are added while it is gone through are met next."""

    def __init__(self, start: Iterable[T]) -> None:
        self.waiting: list[T] = []
        self.met: set[T] = set()
        self.add(start)

    def add(self, values: Iterable[T]) -> None:
        for value in values:
            if value not in self.met:
                self.met.add(value)
                self.waiting.append(value)

    def __iter__(self) -> Iterator[T]:
        while self.waiting:
            yield self.waiting.pop()


def reached(start: Iterable[T], onward: Callable[[T], Iterable[T]]) -> Iterator[T]:
    """What these lead to, themselves included: each once, asked for what it leads to after use."""
    ahead = Worklist(start)
    for value in ahead:
        yield value
        ahead.add(onward(value))
