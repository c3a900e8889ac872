"""Word: a number, or what is in an array, and what says it in a file."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from ....ir.source.remarks import Key, Remarked

#: The dtypes of floats that all frameworks have.
FLOATS = ("float32", "float16", "float64")


class Told(Protocol):
    """What says the words in a file."""

    def dotted(self, module: str, name: str) -> ast.expr: ...

    def named(self, constant: Constant) -> ast.expr | None: ...

    def local(self, owner: Remarked, name: str, word: Word) -> ast.expr | None: ...

    def limit(self, dtype: str, name: str) -> ast.expr: ...


class Word(NamedTuple):
    """A number, or what is in an array; and what says it in a file, given how that prints it: None where a
    name in it is taken. `given`: whether it is that of a parameter, or computed of one.
    """

    number: Any
    say: Callable[[Told], ast.expr | None]
    given: bool = False


@dataclass(frozen=True, slots=True)
class Constant:
    """A number, or what is in an array, with a name.

    Attributes:
        word: what it is defined as; None for its literal.
        comment: what stands behind that.
        among: the statement that binds it, where that binds several names, and which of them it is.
        place: the statement that binds it.
    """

    name: str
    number: Any
    word: Word | None
    comment: str
    among: tuple[Key, int] | None = None
    place: Key | None = None


def told(number: Any) -> tuple[type, str]:
    """What tells a number from others, of its type too: 0.0 is no -0.0."""
    return type(number), repr(number)


def joined(words: Sequence[Word], make: Callable[..., ast.expr]) -> Callable[[Told], ast.expr | None]:
    """What says an expression of several words."""

    def say(to: Told) -> ast.expr | None:
        said = [word.say(to) for word in words]
        return None if None in said else make(to, *said)

    return say


def limits(name: str) -> Iterator[Word]:
    """What `finfo` says of each dtype under a name, such as `min` and `eps`."""
    for dtype in FLOATS:
        value = getattr(np.finfo(dtype), name, None)
        if isinstance(value, np.floating):
            yield Word(float(value), lambda to, dtype=dtype: to.limit(dtype, name))  # type: ignore[misc]
