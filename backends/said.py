"""Phrases as they were said, and parsed when somebody reads them: of some fourteen hundred that are built in,
a program needs a dozen. What users say is parsed where they say it, so that what is wrong is told there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

from ..ir.meaning.op import Op
from .backend import backend
from .phrase import Phrase, parse

#: What a text begins with that is a call; all of it is one, no phrase computes with what a call gives.
CALL = re.compile(r"(?P<helper>helper:)?\s*(?P<name>[A-Za-z_]\w*(?:\.\w+)*)\(")


@dataclass(slots=True)
class Said:
    """One case of one cell. Which function it calls is seen at its beginning."""

    op: Op
    framework: str
    text: str
    read_only: bool = False
    when: Callable[..., Any] | None = None
    priority: int = 0
    made: Phrase | None = None

    @property
    def callee(self) -> str:
        """As Phrase.callee."""
        found = None if self.made else CALL.match(self.text)
        if found is None:
            return self.phrase.callee
        if found["helper"]:
            return f"helper.{found['name']}"
        first, dot, last = found["name"].rpartition(".")
        method = dot and first.partition(".")[0] in self.op.arrays
        return f"{backend(self.framework).array_type}.{last}" if method else found["name"]

    @property
    def phrase(self) -> Phrase:
        """What it says.

        Raises:
            PhraseError: where that is no phrase, see `parse`.
        """
        if self.made is None:
            made = parse(self.op, self.text, self.framework, self.read_only)
            asked = self.when is not None or self.priority != 0
            self.made = replace(made, when=self.when, priority=self.priority) if asked else made
        return self.made


class Cases(Sequence[Phrase]):
    """Phrases in the order in which they were said, each parsed when it is looked at."""

    def __init__(self, said: Iterable[Said] = ()) -> None:
        self.said = tuple(said)

    def __len__(self) -> int:
        return len(self.said)

    @overload
    def __getitem__(self, index: int) -> Phrase: ...
    @overload
    def __getitem__(self, index: slice) -> Cases: ...
    def __getitem__(self, index: int | slice) -> Phrase | Cases:
        return Cases(self.said[index]) if isinstance(index, slice) else self.said[index].phrase
