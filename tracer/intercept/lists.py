"""Lists: how frameworks make arrays of numbers of Python's that a loop has appended to a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..proxy import isinstance_scalar

if TYPE_CHECKING:
    from ..python.hooks import Tracing


class Lists:
    """One framework's.

    Attributes:
        functions: those that make an array of a list of numbers.
    """

    functions: tuple[Any, ...] = ()

    def array(self, hooks: Tracing, column: Any, dtype: Any) -> Any:
        """The array that is made of the numbers in `column`, an array of the widest dtype for their type.
        `dtype`: the one that is asked for, or None.
        """
        raise NotImplementedError

    def single(self, hooks: Tracing, number: Any) -> Any:
        """An array without axes of a number, of the widest dtype for its type."""
        raise NotImplementedError


def kind(number: Any) -> type:
    """The type of a number of Python's."""
    found: type = number.spec.type if isinstance_scalar(number) else type(number)
    return found
