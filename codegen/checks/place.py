"""Place: where a check stands that no text can make: at the line where the user's function begins."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from contextlib import contextmanager

from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Graph
from ...ir.source.span import Span


@contextmanager
def at_definition(graph: Graph) -> Iterator[None]:
    """What is refused of a function's arguments is refused at its `def`."""
    try:
        yield
    except UnsupportedError as error:
        if error.span is not None or (span := definition(graph)) is None:
            raise
        raise UnsupportedError(
            error.op, why=error.why, backend=error.backend, span=span, hint=error.hint
        ) from None


def definition(graph: Graph) -> Span | None:
    """The line of the `def` of a function, behind its decorators; None where its text is not to be had."""
    file, first = graph.meta.get("defined") or ("", 0)
    lines = linecache.getlines(file)[first - 1 :] if file else []
    for number, line in enumerate(lines, first):
        text = line.rstrip("\n")
        if "def " in text or "lambda" in text or number == first and not text.lstrip().startswith("@"):
            column = len(text) - len(text.lstrip())
            return Span(file, number, column, number, len(text), graph.name)
    return None
