"""Objects among the arguments, of which is checked what the program reads of them: see tracer/frozen.py."""

from __future__ import annotations

from collections.abc import Iterator

from ...backends.backend import Backend
from ...ir.graph import Graph
from .assertions import Check, equal
from .guards import Fact, about, of_fact, parsed
from .named import names_in, of_names
from .statics import Literal, spelled, writable


def object_checks(graph: Graph, literal: Literal, target: Backend) -> Iterator[Check]:
    """The checks of expressions of objects."""
    for text, value in graph.meta.get("held", {}).items():
        if about(text) in graph.meta.get("unread", ()):
            continue
        if names := names_in(value, target):
            yield of_names(text, names)
        elif writable(value):
            yield of_fact(Fact(text, value), literal)
        else:
            wanted = spelled(value) or repr(value)
            yield Check(equal([parsed(text), parsed(wanted)]), (parsed(text),), f"with {text}={wanted}, not ")
