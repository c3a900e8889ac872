"""Spec: what is known of a value without having it."""

from __future__ import annotations

from dataclasses import dataclass

from ..sizes.dim import Shape, hint_of
from .dtypes import DType


@dataclass(frozen=True, slots=True, repr=False)
class Spec:
    """A shape of ints and symbolic sizes, and a dtype; None where one is unknown."""

    shape: Shape | None
    dtype: DType | None

    @property
    def rank(self) -> int | None:
        """The number of axes, None where the shape is unknown."""
        return None if self.shape is None else len(self.shape)

    @property
    def hint_shape(self) -> tuple[int, ...] | None:
        """The shape at the example inputs; None where the shape, or the hint of one axis, is unknown."""
        if self.shape is None:
            return None
        hints = tuple([dim if type(dim) is int else hint_of(dim) for dim in self.shape])
        return hints if None not in hints else None  # type: ignore[return-value]

    def __str__(self) -> str:
        axes = "..." if self.shape is None else ", ".join(map(str, self.shape))
        return f"{self.dtype or '?'}[{axes}]"

    __repr__ = __str__
