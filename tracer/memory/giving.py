"""Giving: the user's functions that give memory that they were given, `def crop(x, n): return x[:n]`.

A call of one says nothing of where in that memory its result lies. Where the result is written into, or what
it may share memory with is, the program is traced anew with the function inline: its views are known then.
"""

from __future__ import annotations

import types
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...ir.graphs.graph import Node
from ..settling import settle
from .keys import is_part

if TYPE_CHECKING:
    from ..tracer import Tracer


#: Where code stands, and its name. That of a function that another one defines is made anew each time.
Code = tuple[str, int, str]


class Unfold(BaseException):
    """These functions have to be put inline.

    Attributes:
        codes: the code of all of them, those of this trace included.
    """

    def __init__(self, codes: Collection[Code]) -> None:
        self.codes = codes


def code_of(code: types.CodeType) -> Code:
    return code.co_filename, code.co_firstlineno, code.co_name


@dataclass(slots=True)
class Giving:
    """What a trace knows of these functions.

    Attributes:
        codes: their code, by what they gave and by what they were given that it may lie in.
        unfolded: those that are put inline.
    """

    codes: dict[Node, set[Code]] = field(default_factory=dict)
    unfolded: frozenset[Code] = frozenset()

    def unfolds(self, code: types.CodeType) -> bool:
        return code_of(code) in self.unfolded


def note(tracer: Tracer, call: Node, code: types.CodeType, lent: Iterable[object]) -> None:
    """A call of a function gives memory of these, maybe."""
    for node in (call, *lent):
        if isinstance(node, Node):
            tracer.memory.giving.codes.setdefault(node, set()).add(code_of(code))


def want(tracer: Tracer, *nodes: Node) -> None:
    """Have the functions inline that gave these arrays, or were given them, and may give their memory; and
    tests that Python knows answered as in the example, which chose them.

    Raises:
        Unfold, Settle: for that.
    """
    giving = tracer.memory.giving
    arrays = (node.args[0] if is_part(node) else node for node in nodes)
    codes = {code for array in arrays for code in giving.codes.get(array, ())}
    if codes - giving.unfolded:
        raise Unfold(codes | giving.unfolded)
    settle(tracer, nodes)
