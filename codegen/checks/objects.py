"""Objects among the arguments, of which is checked what the program reads of them: see tracer/frozen.py."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...backends.backend import Backend
from ...ir.graph import Graph
from .assertions import Check, equal
from .guards import Fact, about, of_fact, parsed
from .named import names_in, of_names
from .statics import Literal, dtype_in, spelled, writable


def object_checks(graph: Graph, literal: Literal, target: Backend) -> Iterator[Check]:
    """The checks of expressions of objects; of one that is a default they are none where it is left out."""
    static = graph.meta.get("static", {})
    defaults = {p.name: p.default for p in graph.meta.get("parameters", ())}
    for text, value in graph.meta.get("held", {}).items():
        name = about(text)
        if name in graph.meta.get("unread", ()):
            continue
        check = of_value(text, value, literal, target)
        if name in static and defaults.get(name) is static[name]:
            absent = ast.Compare(parsed(name), [ast.Is()], [ast.Constant(None)])
            check = replace(check, held=ast.BoolOp(ast.Or(), [absent, check.held]))
        yield check


def of_value(text: str, value: Any, literal: Literal, target: Backend) -> Check:
    """The check that an expression is what it was."""
    if names := names_in(value, target):
        return of_names(text, names)
    if (dtype := dtype_in(value)) is not None:
        return Check(equal([parsed(text), literal(dtype)]), (parsed(text),), f"with {text}={dtype}, not ")
    if writable(value):
        return of_fact(Fact(text, value), literal)
    if (wanted := spelled(value)) is not None:
        return Check(equal([parsed(text), parsed(wanted)]), (parsed(text),), f"with {text}={wanted}, not ")
    test = equal([parsed(f"repr({text})"), ast.Constant(repr(value))])
    return Check(test, (parsed(text),), f"with {text}={value!r}, not ")
