"""Rolling: which loops are recorded as loops."""

from __future__ import annotations

from dataclasses import dataclass, field

from .place import here
from .settling import Test, test_at

#: Loops of so many turns are written out where a program cannot be traced with them as loops.
SHORT = 8


@dataclass
class Rolling:
    """Which loops are recorded as loops.

    Attributes:
        unroll: how many turns of one of known length Python runs at most before it is.
        short: of so many turns those are not that carry containers: their texts would carry what these hold.
        lists: whether those over lists are. `comprehensions`: whether comprehensions over lists are.
        rolled: the lengths of those of known length that were, 0 of lists.
        comprehended: whether a comprehension was.
        spelled: where those over lists stand that are not, for what becomes of the lists that they make.
    """

    unroll: float = 0
    short: int = 0
    lists: bool = True
    comprehensions: bool = True
    rolled: list[int] = field(default_factory=list)
    comprehended: bool = False
    spelled: set[Test] = field(default_factory=set)

    def goes(self) -> bool:
        """Whether a loop over lists that stands here may be recorded."""
        return self.lists and test_at(here()) not in self.spelled

    def less(self) -> Rolling | None:
        """What is recorded where a program could not be traced so; None where there is nothing to leave out:
        comprehensions first, then short loops.
        """
        if self.comprehended:
            return Rolling(self.unroll, self.short, comprehensions=False)
        if self.short and any(turns <= SHORT for turns in self.rolled):
            return Rolling(SHORT, lists=False, comprehensions=False)
        return None
