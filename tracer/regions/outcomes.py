"""Outcomes: what became of the calls in a function that is traced again, as it has no graph of its own after
all. What had none the first time is put inline at once: else each level of a nest would double the work.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Inline:
    """Why a function has no graph of its own; `always`: nor would it have one in another function."""

    why: str
    always: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one call: whether it is put inline whoever calls, and what became of the calls in it."""

    code: types.CodeType
    inline: bool
    inside: Sequence[Outcome]


@dataclass(slots=True)
class Outcomes:
    """What became of the calls so far in the function that is traced, and what is expected of the next."""

    noted: list[Outcome] = field(default_factory=list)
    expected: list[Outcome] = field(default_factory=list)

    def next(self, fn: types.FunctionType) -> Outcome:
        """What is expected of a call. Where the program goes another way than before, nothing is."""
        if self.expected and self.expected[0].code is fn.__code__:
            return self.expected.pop(0)
        self.expected = []
        return Outcome(fn.__code__, False, ())

    @contextmanager
    def inside(self, expected: Sequence[Outcome]) -> Iterator[list[Outcome]]:
        """The calls in a function that is called now. Gives what becomes of them."""
        outer = self.noted, self.expected
        self.noted, self.expected = [], list(expected)
        try:
            yield self.noted
        finally:
            self.noted, self.expected = outer

    def note(self, fn: types.FunctionType, inline: bool, inside: Sequence[Outcome]) -> None:
        self.noted.append(Outcome(fn.__code__, inline, inside))
