"""Rolling: which loops are recorded as loops."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Rolling:
    """Which loops are recorded as loops.

    Attributes:
        unroll: how many turns of one of known length Python runs at most before it is.
        short: of so many turns those are not that carry containers: their texts would carry what these hold.
        lists: whether those over lists are.
        rolled: the lengths of those of known length that were, 0 of lists.
    """

    unroll: float = 0
    short: int = 0
    lists: bool = True
    rolled: list[int] = field(default_factory=list)
