"""Checks of how arguments lie in memory, at the top of the emitted function.

Where an array of the program was reshaped and then written into, it was a view, since its elements lay row
by row. Where a text reads and writes in another order than the program, arguments must be apart.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence

from ...backends.writing.writer import Writer
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.presence import is_optional
from ...ir.values.spec import Spec
from ..text.unparsing import unparsed
from .assertions import Check
from .guards import parsed, root

#: Two arrays, by their paths.
Pair = tuple[str, str]


def memory_checks(graph: Graph, writer: Writer) -> list[Check]:
    """The checks of what the views of a program depend on, and of arguments that must be apart."""
    optional = {str(node.target) for node in graph.placeholders if is_optional(node)}
    found = []
    in_order = writer.target.in_order
    for path in sorted(graph.meta.get("ordered", ())) if in_order is not None else ():
        held, given = (parsed(text.format(path)) for text in in_order or ())
        traced = f"for {path} with its elements in order, not with strides "
        found.append(Check(present(held, optional, path), (given,), traced))
    pairs = sorted(graph.meta.get("disjoint", ()))
    lists = {str(node.target): len(node.spec) for node in graph.placeholders if holds_arrays(node)}
    for (one, other), mine in together(pairs, lists).items():
        if is_every(one, other, mine, lists):
            held = all_disjoint(writer, one, other, {*lists})
            found.append(Check(held, (), f"for arrays of {one} and {other} that share no memory"))
            continue
        for pair in mine:
            held = present(disjoint(writer, *map(parsed, pair)), optional, *pair)
            found.append(Check(held, (), f"for {' and '.join(pair)} that share no memory"))
    for one, other in sorted(graph.meta.get("distinct", ())):
        two = ast.Compare(parsed(one), [ast.IsNot()], [parsed(other)])
        found.append(Check(two, (), f"for {one} and {other} that are two objects"))
    return found


def holds_arrays(node: Node) -> bool:
    """Whether an argument is a list or tuple of arrays and nothing else."""
    known = isinstance(node.spec, Mapping) and [*node.spec] == [*range(len(node.spec))]
    return known and all(isinstance(item, Spec) for item in node.spec.values())


def together(pairs: Iterable[Pair], lists: Collection[str]) -> dict[Pair, list[Pair]]:
    """The pairs of arrays by the lists in which they are, or by themselves where they are in none."""
    found: dict[Pair, list[Pair]] = {}
    for pair in pairs:
        one, other = (root(path) if root(path) in lists else path for path in pair)
        found.setdefault((one, other), []).append(pair)
    return found


def is_every(one: str, other: str, pairs: Sequence[Pair], lists: Mapping[str, int]) -> bool:
    """Whether these are all pairs that there are of the arrays of one list, of two, or of one and another
    array, and too many to be said one by one.
    """
    first, second = lists.get(one, 1), lists.get(other, 1)
    count = first * (first - 1) // 2 if one == other else first * second
    return len(pairs) == count > 2


def all_disjoint(writer: Writer, one: str, other: str, lists: Collection[str]) -> ast.expr:
    """Whether none of these arrays shares memory with another of them."""
    taken = {*lists, root(one), root(other)}
    names = [next(n for n in (name, f"{name}_") if n not in taken) for name in ("a", "b")]
    sides = [parsed(name if path in lists else path) for name, path in zip(names, (one, other))]
    loops = [loop(name, parsed(path)) for name, path in zip(names, (one, other)) if path in lists]
    if one == other:  # each with those before it
        i = next(name for name in ("i", "i_") if name not in taken)
        sources = f"enumerate({one})", f"{one}[:{i}]"
        loops = [loop(f"{i}, {names[0]}", parsed(sources[0])), loop(names[1], parsed(sources[1]))]
    held = disjoint(writer, *sides)
    quantifier = "all"
    if isinstance(held, ast.UnaryOp):
        quantifier, held = "any", held.operand
    asked: ast.expr = ast.Call(ast.Name(quantifier, ast.Load()), [ast.GeneratorExp(held, loops)], [])
    return asked if quantifier == "all" else ast.UnaryOp(ast.Not(), asked)


def loop(target: str, source: ast.expr) -> ast.comprehension:
    return ast.comprehension(parsed(target), source, [], 0)


def disjoint(writer: Writer, one: ast.expr, other: ast.expr) -> ast.expr:
    """Whether two arrays share no memory."""
    if writer.target.may_share:
        return ast.UnaryOp(ast.Not(), ast.Call(writer.name(writer.target.may_share), [one, other], []))
    sides = [parsed(writer.target.memory.format(unparsed(array))) for array in (one, other)]
    return ast.Compare(sides[0], [ast.NotEq()], [sides[1]])


def present(held: ast.expr, optional: set[str], *paths: str) -> ast.expr:
    """A test that holds of arguments that are None, too."""
    names = [root(path) for path in paths if root(path) in optional]
    absent = [ast.Compare(parsed(name), [ast.Is()], [ast.Constant(None)]) for name in names]
    return ast.BoolOp(ast.Or(), [*absent, held]) if absent else held
