"""Readings: the numbers that a program read by names of the user's, and where. A text says them by these
names; what they are was decided when they were read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

#: First line, last line, first column, last column.
Positions = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Reading:
    """A number that was read.

    Attributes:
        word: what the user calls it.
        home: the module or class that has it, or the class of the object that has it; None for an item of a
            dict.
    """

    value: Any
    word: str
    home: Any


@dataclass
class Readings:
    """What one program read.

    Attributes:
        attributes: by the file and the position of the expression; those of several objects by their text.
        cells: of closures, by the file and the name; by the line where the function begins, and their text.
    """

    attributes: dict[tuple[str, Positions], dict[Any, Reading]] = field(default_factory=dict)
    cells: dict[tuple[str, str], dict[tuple[int, Any], Any]] = field(default_factory=dict)
