"""Checks of how arguments lie in memory, at the top of the emitted function.

Where an array of the program was reshaped and then written into, it was a view, since its elements lay row
by row. Where a text reads and writes in another order than the program, arguments must be apart.
"""

from __future__ import annotations

import ast

from ...backends.writing.writer import Writer
from ...ir.graphs.graph import Graph
from ...ir.graphs.presence import is_optional
from .assertions import Check
from .guards import parsed, root


def memory_checks(graph: Graph, writer: Writer) -> list[Check]:
    """The checks of what the views of a program depend on, and of arguments that must be apart."""
    optional = {str(node.target) for node in graph.placeholders if is_optional(node)}
    found = []
    in_order = writer.target.in_order
    for path in sorted(graph.meta.get("ordered", ())) if in_order is not None else ():
        held, given = (parsed(text.format(path)) for text in in_order or ())
        traced = f"for {path} with its elements in order, not with strides "
        found.append(Check(present(held, optional, path), (given,), traced))
    for one, other in sorted(graph.meta.get("disjoint", ())):
        held = present(disjoint(writer, one, other), optional, one, other)
        found.append(Check(held, (), f"for {one} and {other} that share no memory"))
    for one, other in sorted(graph.meta.get("distinct", ())):
        two = ast.Compare(parsed(one), [ast.IsNot()], [parsed(other)])
        found.append(Check(two, (), f"for {one} and {other} that are two objects"))
    return found


def disjoint(writer: Writer, one: str, other: str) -> ast.expr:
    """Whether two arrays share no memory."""
    if writer.target.may_share:
        shared = ast.Call(writer.name(writer.target.may_share), [parsed(one), parsed(other)], [])
        return ast.UnaryOp(ast.Not(), shared)
    sides = [parsed(writer.target.memory.format(path)) for path in (one, other)]
    return ast.Compare(sides[0], [ast.NotEq()], [sides[1]])


def present(held: ast.expr, optional: set[str], *paths: str) -> ast.expr:
    """A test that holds of arguments that are None, too."""
    names = [root(path) for path in paths if root(path) in optional]
    absent = [ast.Compare(parsed(name), [ast.Is()], [ast.Constant(None)]) for name in names]
    return ast.BoolOp(ast.Or(), [*absent, held]) if absent else held
