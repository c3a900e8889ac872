"""Expressions that choose: `a if test else b`, `and` and `or`, where Python cannot decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..rewrite.runtime import FELL, Exit
from ..values import predicate
from ..values.predicate import Question
from .branch import Way, both

if TYPE_CHECKING:
    from ..python.hooks import Tracing


def expression(
    hooks: Tracing,
    test: Any,
    then: Callable[[], Any],
    orelse: Callable[[], Any],
    kind: str = "expression",
    test_only: bool = False,
) -> Any:
    """A conditional expression, or an `and` or `or`.

    Args:
        kind: "expression", "and" or "or".
        test_only: whether only the truth of the result is wanted.
    """

    def way(value: Callable[[], Any]) -> Way:
        def gone() -> tuple[Exit, Any]:
            found = value()
            if test_only:
                found = predicate.as_truth(hooks.tracer, found)
            return FELL, (found,)

        return gone

    _, (result,) = both(hooks, test, (way(then), way(orelse)), ("result",), kind)
    return result


def joined_tests(
    hooks: Tracing, first: Any, rest: Sequence[Callable[[], Any]], kind: str, *, value: bool
) -> Any:
    """`first and rest`, or `or`, where `first` is open."""

    def further() -> Any:
        head, *others = rest
        return hooks.several(head(), tuple(others), kind, value=value)

    def itself() -> Any:
        if isinstance(first, Question):
            return kind == "or"
        return first if value else kind == "or"

    then, orelse = (further, itself) if kind == "and" else (itself, further)
    return expression(hooks, first, then, orelse, kind=kind, test_only=not value)
