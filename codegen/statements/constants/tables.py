"""Tables: what is in small arrays of any framework; and the text of numbers."""

from __future__ import annotations

import ast
import cmath
import math
import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....backends.arrays import to_numpy
from ....backends.backend import framework_of
from ....ir.values.dtypes import dtype

NUMBERS = (int, float, complex)
#: An array of more elements, or an int of more bits, is no constant that a person would write.
LARGEST, LONGEST = 32, 1024


@dataclass(frozen=True, slots=True)
class Table:
    """What is in a small array: two of equal bytes are equal."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes
    array: np.ndarray[Any, Any] = field(compare=False, repr=False)


def table(array: np.ndarray[Any, Any]) -> Table:
    return Table(array.dtype.name, array.shape, array.tobytes(), array)


def contents(value: Any) -> Table | None:
    """What is in an array, if it is small and of numbers. Some cannot be asked: sparse ones, keys of JAX's,
    and such as were given away.
    """
    try:
        found = table(to_numpy(value)) if math.prod(value.shape) <= LARGEST else None
        return found if found is not None and dtype(found.dtype) else None
    except (RuntimeError, TypeError, ValueError, NotImplementedError):
        return None


def forms(value: Any) -> list[Any]:
    """As what the value of a name may be printed: a number, an array, or an array without axes as either."""
    if type(value) in NUMBERS:
        return [value] if has_literal(value) else []
    if framework_of(value) is None or (found := contents(value)) is None:
        return []
    number: Any = found.array.item() if found.array.ndim == 0 else None
    return [number, found] if type(number) in NUMBERS and has_literal(number) else [found]


def has_literal(number: Any) -> bool:
    """Whether a number is no NaN, nor longer than one would write it."""
    if type(number) is int:
        return number.bit_length() <= LONGEST
    return cmath.isfinite(number) or type(number) is float and math.isinf(number)


def literal(number: complex) -> ast.expr:
    """A finite number as it is printed."""
    return ast.parse(repr(number), mode="eval").body


def spelled(text: str) -> str:
    """A literal as black writes it: `1.0` for `1.`, `1e5` for `1E5`, `0xFF` for `0Xff`."""
    low = text.lower()
    if low.startswith("0x"):
        return "0x" + low[2:].upper()
    low = re.sub(r"^\.", "0.", low)
    return re.sub(r"\.(?=$|[ej])", ".0", low)


def written(value: complex, text: str) -> ast.expr:
    """A literal in the user's text for it."""
    made = ast.Constant(value)
    made.text = spelled(text)  # type: ignore[attr-defined]
    return made
