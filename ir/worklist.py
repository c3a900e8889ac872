"""The walks along values that lead to others: users, operands, what shares memory, what is called.

A chain of values may be as long as a program, so none of them goes deeper into Python's own stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Worklist(Generic[T]):
    """Values of which each is met once. Those that are added while it is gone through are met next.

    Args:
        key: what two values have in common that are one; the values themselves, where there is none.
    """

    def __init__(self, start: Iterable[T], *, key: Callable[[T], Any] | None = None) -> None:
        self.waiting: list[T] = []
        self.met: set[Any] = set()
        self.key = key
        self.add(start)

    def add(self, values: Iterable[T]) -> None:
        for value in values:
            known = value if self.key is None else self.key(value)
            if known not in self.met:
                self.met.add(known)
                self.waiting.append(value)

    def __iter__(self) -> Iterator[T]:
        while self.waiting:
            yield self.waiting.pop()


def reached(
    start: Iterable[T], onward: Callable[[T], Iterable[T]], *, key: Callable[[T], Any] | None = None
) -> Iterator[T]:
    """What these lead to, themselves included: each once, asked for what it leads to after use. `key`: see
    Worklist.
    """
    ahead = Worklist(start, key=key)
    for value in ahead:
        yield value
        ahead.add(onward(value))


def nearest(start: Iterable[T], onward: Callable[[T], Iterable[T]]) -> Iterator[T]:
    """The same in another order: first what fewer steps lead to."""
    ahead = Worklist(start)
    for value in ahead.waiting:  # which grows at its end
        yield value
        ahead.add(onward(value))


def operands_first(start: Iterable[T], operands: Callable[[T], Iterable[T]]) -> Iterator[T]:
    """What these are computed from, and themselves: each once, behind all of its operands."""
    done: set[T] = set()
    waiting = [(value, False) for value in reversed([*start])]
    while waiting:
        value, is_next = waiting.pop()
        if is_next:
            done.add(value)
            yield value
        elif value not in done:
            waiting.append((value, True))
            waiting += [(operand, False) for operand in reversed([*operands(value)])]
