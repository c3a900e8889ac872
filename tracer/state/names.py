"""Names: those of numbers that nobody has named, and of the arrays that a program closes over."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Names:
    """The names that a trace has given.

    Attributes:
        numbers: how often each name of a number was wanted.
        constants: the arrays that the program closes over, by their names on the tape.
        reserved: the names of the parameters, which no constant has.
    """

    numbers: dict[str, int] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    reserved: frozenset[str] = frozenset()

    def fresh(self, name: str) -> str:
        """`name` with a number that no other has."""
        self.numbers[name] = self.numbers.get(name, 0) + 1
        return name if self.numbers[name] == 1 else f"{name}_{self.numbers[name]}"

    def of(self, constant: Any) -> str | None:
        """The name that an array has; None where it has none yet."""
        return next((path for path, known in self.constants.items() if known is constant), None)

    def name(self, constant: Any, base: str) -> str:
        """Give an array its name throughout the trace: `base`, or that with a number."""
        path, number = base, 1
        while path in self.constants or path in self.reserved:
            number += 1
            path = f"{base}_{number}"
        self.constants[path] = constant
        return path
