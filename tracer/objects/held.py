"""Held: what an array holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """What an array holds, and its form.

    Attributes:
        values: a copy. form: shape, strides, dtype, and whether it may be written into.
        more: what torch has beside that, and attributes of its own.
    """

    values: Any
    form: tuple[Any, ...]
    more: dict[str, Any]
