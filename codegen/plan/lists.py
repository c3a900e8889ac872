"""Lists: those among the arguments of a function that its loops go through.

They may be longer than in the example, or shorter, unless the text says their items one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass
class Lists:
    """
    Attributes:
        lengths: how long each is in the example, by path.
        spelled: those whose items the text says one by one.
    """

    lengths: Mapping[str, int]
    spelled: set[str] = field(default_factory=set)

    def spell(self, texts: Iterable[str]) -> None:
        """The text says these, which may be items of them."""
        self.spelled |= {path for text in texts for path in self.lengths if text.startswith(f"{path}[")}
