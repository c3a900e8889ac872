"""Printing: texts with values in them that only the running program knows, and what prints them.

A text is a tuple of pieces, as of an f-string: a str, or (value, conversion, format spec), the conversion
"s", "r", "a" or "".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

CONVERSIONS: dict[str, Callable[[Any], str]] = {"s": str, "r": repr, "a": ascii}

Text = tuple[Any, ...]


def rendered(text: Text) -> str:
    """The string that a text is, once its values are known."""
    return "".join(
        piece if isinstance(piece, str) else format(converted(piece[0], piece[1]), piece[2]) for piece in text
    )


def converted(value: Any, conversion: str) -> Any:
    return CONVERSIONS[conversion](value) if conversion else value


@dataclass(frozen=True, slots=True)
class Print:
    """The target of a recorded `print`; its arguments are texts."""

    name: str = "print_"
    effect: bool = True

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, *texts: Text, **options: Any) -> None:
        print(*map(rendered, texts), **options)


#: print_(*texts, sep=" ", end="\n"): Python's print.
print_ = Print()
