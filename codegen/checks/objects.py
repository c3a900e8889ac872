"""Objects among the arguments, of which is checked what the program reads of them: see tracer/frozen.py."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...backends.backend import Backend
from ...ir.graphs.graph import Graph
from .assertions import Check, equal
from .guards import about, parsed
from .statics import Literal, of_value, or_absent


def object_checks(graph: Graph, literal: Literal, target: Backend) -> Iterator[Check]:
    """The checks of expressions of objects; of one that is a default they hold where it is left out."""
    for text, value in graph.meta.get("held", {}).items():
        name = about(text)
        if name not in graph.meta.get("unread", ()):
            check = of_value(text, value, literal, target) or of_text(text, value)
            yield or_absent(graph, name, check, target)


def of_text(text: str, value: Any) -> Check:
    """The check that an expression has the text that it had."""
    test = equal([parsed(f"repr({text})"), ast.Constant(repr(value))])
    return Check(test, (parsed(text),), f"with {text}={value!r}, not ")
