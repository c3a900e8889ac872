"""Handling: what is done with a framework's arrays themselves. The base does it as NumPy does."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir.values.dtypes import DType


@dataclass(frozen=True, slots=True)
class Place:
    """Where an array lies: the memory, by address, and the elements of it that it has."""

    memory: int
    length: int
    offset: int
    strides: tuple[int, ...]


class Handling:
    """One framework's. A subclass imports it where it is needed."""

    def is_constant(self, value: Any) -> bool:
        """Whether nobody can write into an array of the framework."""
        return False

    def to_numpy(self, value: Any) -> np.ndarray[Any, Any]:
        """An array of the framework as NumPy's."""
        return np.asarray(value)

    def from_numpy(self, array: np.ndarray[Any, Any]) -> Any:
        """NumPy's array, which is nobody else's, as one of the framework's."""
        return array

    def dtype(self, of: DType) -> Any:
        """The framework's object for a dtype."""
        if of.name == "bfloat16":
            import ml_dtypes

            return np.dtype(ml_dtypes.bfloat16)
        return np.dtype(of.name)

    def stack(self, values: Sequence[Any]) -> Any:
        """Arrays along a new first axis."""
        return np.stack(list(values))

    def empty(self, shape: tuple[int, ...], of: DType) -> Any:
        """An array one of whose sizes is 0."""
        return np.empty(shape, dtype=of.name)

    # What is compiled.

    def jitted(self, function: Callable[..., Any], static: Sequence[str]) -> Any:
        """A function compiled whole, but for these of its parameters."""
        raise NotImplementedError

    def turn_by_turn(self) -> contextlib.AbstractContextManager[object]:
        """Within it nothing is compiled, so that it can be stopped."""
        return contextlib.nullcontext()

    # Who shares memory with whom. Where arrays are never written into, nobody could see it.

    def place(self, value: Any) -> Place | None:
        """Where an array lies; None where nobody shares that, or nothing can be said of it."""
        return None

    def whole(self, value: Any, place: Place) -> Any:
        """The whole memory of an array that has a place, in a row, as NumPy's."""
        raise NotImplementedError

    def view(self, memory: Any, shape: tuple[int, ...], place: Place) -> Any:
        """The array of this shape that lies in memory in a row as another one lies at its place."""
        raise NotImplementedError

    def share(self, one: Any, other: Any) -> bool:
        """Whether writing into one array may be seen in the other."""
        return False
