"""Words: strings that are parameters of the program, of which nothing is asked but which they are."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from ...ir.graphs.static import Scalar
from ..proxy import Scalar_

if TYPE_CHECKING:
    from ...ir.graphs.graph import Node
    from ..tracer import Tracer


class Word(str):
    """The string of the example, which knows what stands for it in the graph. A comparison that the hooks do
    not see is refused, so that the program is traced anew with a plain string.
    """

    proxy: Scalar_
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        raise self.proxy.tracer.error("comparing a string where nobody sees it", "compare it in an `if`")

    def __ne__(self, other: object) -> bool:
        return self == other

    @classmethod
    def given(cls, tracer: Tracer, value: str, node: Node) -> Word:
        made = cls(value)
        node.spec, node.meta["word"] = Scalar(str, value), True
        made.proxy = Scalar_(tracer, node.spec, node=node)
        return made


def opened(value: Any) -> Any:
    """A value, for a word what stands for it."""
    return value.proxy if type(value) is Word else value


def compared(tracer: Tracer, op: str, a: Any, b: Any) -> Any:
    """`mode == "same"`, which is recorded; None of other values."""
    if type(a) is not Word and type(b) is not Word:
        return None
    return tracer.scalar(getattr(operator, op), opened(a), opened(b))


def within(tracer: Tracer, word: Word, container: tuple[str, ...] | list[str]) -> Any:
    """`mode in ("same", "full")`"""
    return tracer.scalar(operator.contains, container, word.proxy)
